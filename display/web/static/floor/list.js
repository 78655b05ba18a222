// The open alerts: the gravest first; in a flood by table and cause.

import { setText } from "/static/live.js";
import { fillCard, makeCard } from "./card.js";
import { at, button } from "./dom.js";
import { groups, isElsewhere, me, seen } from "./room.js";
import { showRefusals } from "./send.js";
import { missedKeys } from "./away.js";
import { mayDecide, who } from "./who.js";
import { age, t } from "./words.js";

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
  const inside = new Map(groups().flatMap((group) => group.keys.map((key) => [key, group])));
  const found = [];
  const had = new Set();
  for (const alert of alerts) {
    const group = inside.get(alert.key);
    if (!group) found.push(alert);
    else if (!had.has(group)) {
      had.add(group);
      found.push({ group, key: `group ${group.table} ${group.cause}` });
      if (opened.has(`group ${group.table} ${group.cause}`)) found.push(...alerts.filter((each) => inside.get(each.key) === group));
    }
  }
  return found;
}

function put(list, entries, shown) {
  const order = entries.map((entry) => (entry.group ? headOf(entry) : cardOf(entry)));
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

function headOf({ group, key }) {
  let head = heads.get(key);
  if (!head) {
    head = document.createElement("li");
    head.className = "group";
    head.dataset.testid = "group";
    head.append(button("", () => toggle(key)));
    heads.set(key, head);
  }
  head.dataset.priority = group.worst;
  const top = head.firstElementChild;
  top.setAttribute("aria-expanded", opened.has(key));
  setText(top, t("group", { table: group.table, title: group.title, count: group.keys.length, age: age(seen.floor.now_ms - group.since_ms) }));
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
  document.title = wanting.length ? `(${wanting.length}) ${t("title")}` : t("title");
  setText(at("tab-count"), wanting.length ? String(wanting.length) : "");
  at("off-duty").hidden = Boolean(me()) || !mayDecide();
}

for (const name of ["elsewhere", "shelved", "ruled"]) at(name).querySelector("button").onclick = () => toggle(name);
