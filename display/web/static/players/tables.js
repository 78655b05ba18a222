// The tables of the tournament: who sits where, how far each has it, and where the two differ.

import { openDialog } from "../clock/asking.js";
import { say, wholeOf } from "../clock/words.js";
import { act, groupedBy, placeText, seen, sitsAt } from "./asking.js";
import { plain, typed, wireFind } from "./find.js";
import { byLabel, meant } from "./labels.js";
import { askPlayer, sit, stand } from "./player.js";
import { button } from "./proposed.js";

const at = (id) => document.getElementById(id);

const MANY = 4; // fewer are seen at a glance
const cards = new Map(); // by the table: { card, drawn, text }

export function showTables(picture, mayAct) {
  const sitting = groupedBy(picture.players.filter((each) => each.at), (each) => each.at.table);
  const names = new Set(picture.tables.map((each) => each.table));
  for (const name of cards.keys()) if (!names.has(name)) cards.delete(name);
  const there = picture.tables.map((table) => {
    const players = sitting.get(table.table) ?? [];
    const drawn = JSON.stringify([table, players, mayAct]);
    const known = cards.get(table.table);
    if (known?.drawn === drawn) return known.card;
    const card = known?.card ?? document.createElement("article");
    const text = plain([table.table, ...players.map((each) => each.name)].join(" "));
    cards.set(table.table, { card, drawn, text });
    fill(card, table, players, mayAct);
    return card;
  });
  if (there.length !== at("cards").children.length || there.some((card, number) => at("cards").children[number] !== card)) {
    at("cards").replaceChildren(...there);
  }
  at("no-tables").hidden = there.length > 0;
  at("finding-table").hidden = there.length < MANY;
  filter();
}

// By its name or by who sits there; the one of just this name comes before the others.
function filter() {
  const words = typed(at("find-table"));
  let count = 0;
  for (const { card, text } of cards.values()) {
    const fits = words.every((word) => text.includes(word));
    if (card.hidden === fits) card.hidden = !fits;
    card.classList.toggle("first", words.join(" ") === plain(card.dataset.table));
    count += fits;
  }
  at("none-tables").hidden = count > 0 || !cards.size;
}

export function wireTables() {
  wireFind(at("find-table"), filter);
}

function element(tag, text, kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  made.className = kind;
  return made;
}

function fill(card, table, players, mayAct) {
  card.dataset.table = table.table;
  card.dataset.state = table.state ?? "";
  const head = element("h3", table.table);
  head.append(element("small", `${players.length}/${table.seats}`));
  const state = element("p", stateText(table), "state");
  const seats = document.createElement("ol");
  for (let seat = 1; seat <= table.seats; seat += 1) {
    seats.append(seatLine(seat, players.find((each) => each.at.seat === seat), mayAct));
  }
  const differs = document.createElement("ul");
  differs.append(...table.differs.map((each) => differsLine(table.table, each, mayAct)));
  if (table.puck) differs.append(puckLine(table.puck, mayAct));
  card.replaceChildren(head, state, differs, seats);
  if (mayAct && table.state) card.append(button(say("button-set"), "", () => askButton(table)));
}

function stateText({ state, trouble }) {
  if (!state) return "";
  return [say(`state-${state}`), trouble].filter(Boolean).join(": ");
}

function seatLine(seat, player, mayAct) {
  const line = document.createElement("li");
  line.append(element("b", String(seat)));
  if (!player) {
    line.append(element("span", say("nobody"), "soft"));
    return line;
  }
  const who = mayAct ? button(player.name, "", () => askPlayer(player.id)) : element("span", player.name);
  line.append(who);
  if (player.coming) line.append(element("small", say("status-coming")));
  else if (player.status !== "seated") line.append(element("small", say(`status-${player.status}`)));
  return line;
}

function differsLine(table, { seat, player: named }, mayAct) {
  const line = document.createElement("li");
  const there = sitsAt(table, seat);
  const name = there?.name ?? named;
  const isAbsent = Boolean(named);
  line.append(element("span", say(isAbsent ? "differs-absent" : "differs-present", { seat, player: name })));
  if (!mayAct) return line;
  line.append(button(say("tell-again"), "", () => act("tell-seats", { table }, { done: say("done-told", { table }) })));
  if (isAbsent && there) line.append(button(say("stand"), "", () => stand(there)));
  if (!isAbsent) line.append(button(say("differs-who"), "", () => askWho(table, seat)));
  return line;
}

// One tap puts it where it is due in the hand to come; the other has the table right.
function puckLine({ table, due, at: there, next }, mayAct) {
  const line = document.createElement("li");
  line.append(element("span", say("puck-differs", { due, at: there })));
  if (!mayAct) return line;
  line.append(button(say("puck-set", { seat: next }), "", () => act("button", { table, seat: next }, { done: say("done-button", { table, seat: next }) })));
  line.append(button(say("puck-leave"), "", () => act("leave-button", { table }, { done: say("done-puck-leave", { table }) })));
  return line;
}

export function askButton({ table, seats }) {
  openDialog({
    testid: "button",
    title: say("button-title", { table }),
    text: say("button-text"),
    fields: [{ name: "seat", label: say("seat"), kind: "number", most: 2 }],
    choices: [{
      text: say("button-do"),
      kind: "main",
      testid: "button-do",
      act({ seat: typed }, form) {
        const seat = wholeOf(typed);
        if (seat === null || seat < 1 || seat > seats) return say("no-number", { what: say("seat") });
        return act("button", { table, seat }, { form, done: say("done-button", { table, seat }) });
      },
    }],
  });
}

function askWho(table, seat) {
  const known = byLabel(seen().players.filter((each) => each.status !== "out"), (each) => each.name);
  openDialog({
    testid: "who",
    title: say("who-sits", { place: placeText({ table, seat }) }),
    fields: [{ name: "player", label: say("player"), most: 120, suggest: [...known.keys()] }],
    choices: [{
      text: say("seat-save"),
      kind: "main",
      testid: "who-save",
      act({ player }, form) {
        const found = meant(known, player.trim());
        return found ? sit(found, table, seat, form) : say("who-unknown");
      },
    }],
  });
}
