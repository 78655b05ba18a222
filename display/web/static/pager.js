// What there is no room for all at once: pages of one line, some lines at a time, that turn.

import { ems } from "/static/fit.js";
import { setText } from "/static/live.js";

const TURN_MS = 8000;

const at = (id) => document.getElementById(id);

let first = 0;
let turnedAt = performance.now();
let lines = 1;

// The fewest lines that take it all, about as long as each other.
export function evenLinesOf(text, width, px, weight) {
  const count = linesOf([text], " ", width, px, weight).length;
  let [low, high] = [0, width];
  for (let step = 0; count > 1 && step < 7; step += 1) {
    const middle = (low + high) / 2;
    if (linesOf([text], " ", middle, px, weight).length > count) low = middle;
    else high = middle;
  }
  return linesOf([text], " ", high, px, weight);
}

// The parts, put together with `joint` to lines that are no wider than `width`; a part that is wider is
// cut at its blanks, and a word that is wider anywhere.
export function linesOf(parts, joint, width, px, weight = 600) {
  const done = [];
  let line = "";
  const goesIn = (text) => ems(text, weight) * px <= width;
  const add = (part, by) => {
    const longer = line ? line + by + part : part;
    if (goesIn(longer)) {
      line = longer;
      return;
    }
    if (line) done.push(line);
    line = "";
    if (goesIn(part)) {
      line = part;
    } else if (part.includes(" ") && by !== "") {
      for (const word of part.split(" ")) add(word, " ");
    } else {
      for (const letter of part) add(letter, "");
    }
  };
  for (const part of parts) add(part, joint);
  if (line) done.push(line);
  return done;
}

// Puts these texts into the pages of one kind; only what has changed is touched.
export function setPages(id, texts) {
  const home = at(id);
  const key = JSON.stringify(texts);
  if (home.dataset.key === key) return;
  home.dataset.key = key;
  if (home.children.length === texts.length) {
    texts.forEach((text, index) => setText(home.children[index], text));
    return;
  }
  home.replaceChildren(
    ...texts.map((text) => {
      const page = document.createElement("div");
      page.className = "page";
      page.textContent = text;
      return page;
    }),
  );
  turn(0);
}

export function pages() {
  return [...at("pager").querySelectorAll(".page:not([hidden])")];
}

// So many lines are shown at a time.
export function setLines(count) {
  lines = Math.max(1, count);
  turn(0);
}

// From the first page on: there is something new in it.
export function rewind() {
  first = 0;
  turnedAt = performance.now();
  turn(0);
}

export function tickPager() {
  const now = performance.now();
  if (turnedAt > now) turnedAt = now;
  if (now - turnedAt < TURN_MS) return;
  turnedAt = now;
  turn(lines);
}

function turn(by) {
  const all = pages();
  first += by;
  if (first >= all.length) first = 0;
  all.forEach((page, index) => {
    const away = index < first || index >= first + lines;
    page.toggleAttribute("data-away", away);
  });
}
