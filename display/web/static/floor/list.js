// The open alerts: the gravest first; in a flood by table and cause. Many tables that are lost are
// one thing that has happened, and stand together at any time.

import { setText } from "/static/live.js";
import { fillCard, makeCard } from "./card.js";
import { at, button } from "./dom.js";
import { groups, isElsewhere, isMine, me, seen } from "./room.js";
import { showRefusals } from "./send.js";
import { missedKeys } from "./away.js";
import { mayDecide, who } from "./who.js";
import { age, listed, t } from "./words.js";

const TITLE = document.title;
const MANY_LOST = 4;
const inOrder = new Intl.Collator("en", { numeric: true }).compare; // 2 before 10
const cards = new Map(); // key -> element
const heads = new Map(); // of a group -> element
const opened = new Set(["ruled"]); // which groups and parts are open

export function showList() {
  const { alerts, ruled } = seen.floor;
  const shelved = alerts.filter((each) => each.shelved);
  const open = alerts.filter((each) => !each.shelved).sort((a, b) => Boolean(a.ruling) - Boolean(b.ruling));
  const elsewhere = open.filter(isElsewhere);
  const here = open.filter((each) => !elsewhere.includes(each));
  const shown = new Set();
  put(at("alerts"), withGroups(here), shown);
  part("elsewhere", elsewhere, shown);
  part("shelved", shelved, shown);
  part("ruled", ruled, shown);
  for (const [key, card] of cards) {
    if (shown.has(card)) continue;
    cards.delete(key);
    card.remove();
  }
  for (const [key, head] of heads) {
    if (shown.has(head)) continue;
    heads.delete(key);
    head.remove();
  }
  summary(here);
}

function part(name, alerts, shown) {
  const box = at(name);
  box.hidden = !alerts.length;
  const toggle = box.querySelector("button");
  setText(toggle, t(`part-${name}`, { count: alerts.length }));
  toggle.setAttribute("aria-expanded", opened.has(name));
  put(box.querySelector("ol"), opened.has(name) ? alerts : [], shown);
}

// A group stands where its first alert would.
function withGroups(alerts) {
  const inside = new Map(headings(alerts).flatMap((heading) => heading.keys.map((key) => [key, heading])));
  const found = [];
  const had = new Set();
  for (const alert of alerts) {
    const heading = inside.get(alert.key);
    if (!heading) found.push(alert);
    else if (!had.has(heading)) {
      had.add(heading);
      found.push(heading);
      if (opened.has(heading.key)) found.push(...alerts.filter((each) => inside.get(each.key) === heading));
    }
  }
  return found;
}

// What stands over alerts that are shown as one: `keys` are theirs.
function headings(alerts) {
  const { now_ms } = seen.floor;
  const found = groups().map(({ table, cause, title, keys, since_ms, worst }) => ({
    key: `group ${table} ${cause}`,
    keys,
    worst,
    text: t("group", { table, title, count: keys.length, age: age(now_ms - since_ms) }),
  }));
  const lost = alerts.filter((each) => each.kind === "lost" && !isMine(each));
  if (lost.length < MANY_LOST) return found;
  const since_ms = Math.min(...lost.map((each) => each.at));
  const names = lost.map((each) => each.table).sort(inOrder);
  const text = t("group-lost", { count: lost.length, tables: listed(names), age: age(now_ms - since_ms) });
  return [...found, { key: "group lost", keys: lost.map((each) => each.key), worst: lost[0].priority, text }];
}

function put(list, entries, shown) {
  const order = entries.map((entry) => (entry.keys ? headOf(entry) : cardOf(entry)));
  order.forEach((element) => shown.add(element));
  const focused = document.activeElement;
  order.forEach((element, index) => {
    if (list.children[index] !== element) list.insertBefore(element, list.children[index] ?? null);
  });
  while (list.children.length > order.length) list.lastElementChild.remove();
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

function cardOf(alert) {
  let card = cards.get(alert.key);
  if (!card) {
    card = makeCard(alert);
    cards.set(alert.key, card);
    showRefusals(card);
  }
  const data = JSON.stringify([alert, who(), mayDecide(), missedKeys.has(alert.key)]);
  if (card.dataset.data !== data) {
    card.dataset.data = data;
    fillCard(card, alert);
  }
  return card;
}

function headOf({ key, worst, text }) {
  let head = heads.get(key);
  if (!head) {
    head = document.createElement("li");
    head.className = "group";
    head.dataset.testid = "group";
    head.append(button("", () => toggle(key)));
    heads.set(key, head);
  }
  head.dataset.priority = worst;
  const top = head.firstElementChild;
  top.setAttribute("aria-expanded", opened.has(key));
  setText(top, text);
  return head;
}

function toggle(name) {
  if (!opened.delete(name)) opened.add(name);
  showList();
}

function summary(here) {
  const wanting = here.filter((each) => !each.ruling && each.priority < 3);
  const grave = wanting.filter((each) => each.priority === 1).length;
  const title = !here.length ? t("quiet") : !wanting.length ? t("nothing-waits") : t(wanting.length === 1 ? "open-one" : "open-count", { count: wanting.length });
  setText(at("summary"), title);
  const nobody = wanting.filter((each) => !each.owner || each.owner_away).length;
  const lines = [];
  if (grave) lines.push(t(grave === 1 ? "stops-one" : "stops-count", { count: grave }));
  if (nobody) lines.push(t("nobody-count", { count: nobody }));
  if (!here.length) lines.push(seen.floor.heard ? t("quiet-more") : t("deaf"));
  setText(at("summary-more"), lines.join(" · "));
  document.body.toggleAttribute("data-quiet", !here.length);
  document.body.toggleAttribute("data-grave", grave > 0);
  document.title = wanting.length ? `(${wanting.length}) ${TITLE}` : TITLE;
  setText(at("tab-count"), wanting.length ? String(wanting.length) : "");
  at("off-duty").hidden = Boolean(me()) || !mayDecide();
}

for (const name of ["elsewhere", "shelved", "ruled"]) at(name).querySelector("button").onclick = () => toggle(name);
