// The strip below the clock: pages of one or more lines, as many at a time as it takes, that turn.
// Alerts have a place of their own in it where it takes both, else they take turns with the rest.

import { pageHeight } from "/static/fit.js";
import { setText } from "/static/live.js";

const TURN_MS = 8000;
const SAME = 0.001;

const at = (id) => document.getElementById(id);
const heightOf = (page) => pageHeight(Number(page.dataset.lines ?? 1));

let first = 0; // of the pages
let alert = 0; // of the alerts
let alertsTurn = true;
let height = pageHeight(1); // of the strip, in em
let turnedAt = performance.now();

// Puts these pages into one kind; only what has changed is touched. Tells whether anything has.
export function setPages(id, texts) {
  const home = at(id);
  const key = JSON.stringify(texts);
  if (home.dataset.key === key) return false;
  home.dataset.key = key;
  while (home.children.length > texts.length) home.lastElementChild.remove();
  while (home.children.length < texts.length) {
    const page = document.createElement("div");
    page.className = "page";
    home.append(page);
  }
  texts.forEach((text, index) => {
    setText(home.children[index], text);
    home.children[index].dataset.lines = text.split("\n").length;
  });
  show();
  return true;
}

const alerts = () => [...at("unheard").children, ...at("alerts").children];

function pages() {
  const first = alerts();
  return [...at("pager").querySelectorAll(".page:not([hidden])")].filter((page) => !first.includes(page));
}

// How high the strip would be with everything in it at the same time, in em.
export function heightWanted() {
  const most = Math.max(0, ...alerts().map(heightOf));
  return pages().reduce((sum, page) => sum + heightOf(page), most);
}

export function setHeight(ems) {
  height = ems;
  show();
}

// From the first page on: there is something new in it, or, with `toAlerts`, among the alerts.
export function rewind(toAlerts) {
  if (toAlerts) alert = 0;
  else first = 0;
  alertsTurn = toAlerts;
  turnedAt = performance.now();
  show();
}

export function tickPager() {
  const now = performance.now();
  if (turnedAt > now) turnedAt = now;
  if (now - turnedAt < TURN_MS) return;
  turnedAt = now;
  const shown = show();
  if (shown.alert) alert += 1;
  first += shown.pages;
  alertsTurn = !shown.alert;
  show();
}

// Shows what there is room for, and tells what that is.
function show() {
  const [calls, rest] = [alerts(), pages()];
  alert %= Math.max(1, calls.length);
  if (first >= rest.length) first = 0;
  const one = calls[alert];
  const takesBoth = one && rest.length && heightOf(one) + heightOf(rest[first]) <= height + SAME;
  const shown = { alert: Boolean(one) && (takesBoth || alertsTurn || !rest.length), pages: 0 };
  let left = height - (shown.alert ? heightOf(one) : 0);
  const isShown = new Set(shown.alert ? [one] : []);
  while (first + shown.pages < rest.length) {
    const page = rest[first + shown.pages];
    left -= heightOf(page);
    if (left < -SAME && (isShown.size || shown.pages)) break;
    isShown.add(page);
    shown.pages += 1;
  }
  for (const page of [...calls, ...rest]) page.toggleAttribute("data-away", !isShown.has(page));
  at("pager").toggleAttribute("data-empty", !isShown.size);
  return shown;
}
