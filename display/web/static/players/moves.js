// Who is to move so that the tables stay even, and which tables stop: each with its rule and a tap.

import { openDialog } from "../clock/asking.js";
import { listed as listedNames, number, say, wholeOf } from "../clock/words.js";
import { act, placeText, seen } from "./asking.js";
import { chipsText } from "./list.js";
import { askButton } from "./tables.js";
import { button } from "./proposed.js";

const SHOWN = 4;
const isAway = ({ at: seat, status }) => Boolean(seat) && ["absent", "penalty"].includes(status);

const at = (id) => document.getElementById(id);

export function showMoves({ to_break: breaks, to_move: moves, halted, gathering, later, put_off: putOff, players }, mayAct) {
  const coming = players.filter((each) => each.coming || (each.came && each.came.table !== each.at.table));
  const drawn = JSON.stringify([breaks, breaks && players.filter(isAway), moves, halted, gathering, later, putOff, coming, mayAct]);
  if (at("moves").dataset.shown === drawn) return;
  at("moves").dataset.shown = drawn;
  const lines = [...moves.map((each) => moveLine(each, mayAct)), ...halted.map((each) => haltLine(each, mayAct))];
  lines.unshift(...coming.map((each) => comingLine(each, mayAct)), ...later.map((each) => laterLine(each, mayAct)));
  if (breaks) lines.unshift(breakLine(breaks, mayAct));
  if (gathering) lines.unshift(...gatherLines(gathering, coming.filter((each) => each.coming), mayAct));
  if (putOff && !breaks) lines.push(putOffLine(mayAct));
  at("moves").replaceChildren(...lines);
}

// What moves many is asked once more.
function breakLine({ breaks, stay, all, players, cites, next_level: level }, mayAct) {
  const values = { tables: listed(breaks), stay: listed(stay), count: number(players), rules: cites.join(", ") };
  const item = line(say(all ? "redraw" : "break-up", values));
  const ask = () => openDialog({
    testid: "redraw",
    title: say(all ? "redraw-title" : "break-up-title", values),
    text: say("redraw-text"),
    fields: [
      { name: "seed", label: say("draw-seed"), most: 80, hint: say("draw-hint") },
      ...(level.length ? [{ name: "next", label: say("redraw-level", { rules: level.join(", ") }), kind: "tick", value: true }] : []),
    ],
    choices: [{
      text: say("draw-do"),
      kind: "main",
      testid: "redraw-do",
      async act({ seed, next }, form) {
        const fields = { tables: stay, all, ...(seed.trim() ? { seed: seed.trim() } : {}) };
        const refused = await act("redraw", fields, {
          form,
          done: (told) => say("done-redraw", { count: number(told.count), seed: told.seed }),
          undo: ({ seed: drawn }) => ["undraw", { seed: drawn }],
        });
        if (!refused && next) await act("next", {}, { done: say("done-level") });
        return refused;
      },
    }],
  });
  const away = carriedFrom(all ? [...breaks, ...stay] : breaks);
  if (away) item.firstElementChild.append(`. ${away}`);
  if (mayAct) item.append(button(say("redraw-do"), "main", ask), button(say("put-off-do"), "", () => act("put-off", {}, { done: say("done-put-off"), undo: ["put-off", { ends: true }] })));
  return item;
}

// Where a card is dealt to each of several tables, none of their players goes before the others.
function moveLine({ mover, to, when, cites, instead, low_card: lowCard }, mayAct) {
  const movers = [mover, ...instead];
  const key = lowCard ? "due-card" : `due-${when}`;
  const tables = movers.map((each) => each.at.table).join(", ");
  const item = line(say(key, { player: mover.name, from: placeText(mover.at), to: placeText(to), tables, rules: cites.join(", ") }));
  if (mayAct) {
    item.append(...movers.map((each, place) => {
      const kind = place && !lowCard ? "" : "main";
      return button(instead.length ? `${each.name} (${each.at.table})` : say("due-do"), kind, () => go(each, to, when));
    }));
  }
  return item;
}

function go({ player, name, at: from }, { table, seat }, when) {
  if (when === "level") {
    act("sit-later", { player, table, seat }, {
      done: say("done-later", { player: name, place: placeText({ table, seat }) }),
      undo: ["sit-later", { player, table, seat, ends: true }],
    });
    return;
  }
  act("sit", { player, table, seat, announce: true, ...(when === "all" ? { all: true } : {}) }, {
    done: say("done-move", { player: name, place: placeText({ table, seat }) }),
    undo: ["sit", { player, ...from }],
  });
}

// Of those who are away as their table breaks staff carry the chips.
function carriedFrom(tables) {
  const away = seen().players.filter((each) => isAway(each) && tables.includes(each.at.table));
  const named = away.map((each) => (each.chips === undefined ? each.name : say("carry-who", { player: each.name, chips: chipsText(each) })));
  return named.length ? say("carry-from", { players: listedNames(named) }) : "";
}

function comingText(player) {
  const { name, at: to, came, coming, chips } = player;
  if (coming && isAway(player)) {
    const key = chips === undefined ? "carry-unknown" : "carry";
    return say(key, { player: name, chips: chipsText(player), from: placeText(came), to: placeText(to) });
  }
  return say(coming ? "coming" : "coming-chips", { player: name, from: placeText(came), to: placeText(to) });
}

// He is there once his dealer says so, or somebody here. What he brings is asked where no table
// tells it.
function comingLine(player, mayAct) {
  const { id, name, coming } = player;
  const item = line(comingText(player));
  if (coming && isAway(player)) item.dataset.carry = "";
  if (!mayAct) return item;
  if (coming) item.append(button(say("coming-do"), "main", () => act("arrive", { player: id }, { done: say("done-coming", { player: name }), undo: ["arrive", { player: id, ends: true }] })));
  item.append(button(say("coming-count"), "", () => askChips(id, name)));
  return item;
}

function askChips(player, name) {
  openDialog({
    testid: "brings",
    title: say("brings-title", { player: name }),
    text: say("brings-text"),
    fields: [{ name: "chips", label: say("col-chips"), kind: "number", most: 15 }],
    choices: [{
      text: say("coming-do"),
      kind: "main",
      testid: "brings-do",
      act({ chips: typed }, form) {
        const chips = wholeOf(typed);
        if (chips === null) return say("no-number", { what: say("col-chips") });
        return act("arrive", { player, chips }, { form, done: say("done-coming", { player: name }) });
      },
    }],
  });
}

function laterLine({ player, name, to }, mayAct) {
  const { table, seat } = to;
  const item = line(say("later", { player: name, to: placeText(to) }));
  if (mayAct) item.append(button(say("later-not"), "", () => act("sit-later", { player, table, seat, ends: true }, { done: say("done-later-not", { player: name }) })));
  return item;
}

function gatherLines({ tables, awaited, undrawn }, coming, mayAct) {
  const waits = line(say(awaited ? "gather" : "gather-button", { tables: listed(tables), count: number(awaited) }));
  if (mayAct) waits.append(button(say(tables.length > 1 ? "gather-on" : "waive-do"), "", () => playOn(tables)));
  if (mayAct && awaited > 1) waits.append(button(say("gather-all"), "main", () => allArrive(coming.filter(({ at: { table } }) => tables.includes(table)))));
  const buttons = undrawn.map((table) => {
    const item = line(say("undrawn", { table }));
    if (mayAct) {
      item.append(
        button(say("undrawn-draw"), "main", () => act("draw-button", { table }, { done: ({ seat, seed }) => say("done-undrawn", { table, seat, seed }) })),
        button(say("button-set"), "", () => askButton(seen().tables.find((each) => each.table === table))),
      );
    }
    return item;
  });
  return [waits, ...buttons];
}

async function playOn(tables) {
  for (const table of tables) {
    if (await act("waive", { table }, { done: say("done-play-on") })) return;
  }
}

async function allArrive(coming) {
  for (const { id } of coming) {
    if (await act("arrive", { player: id }, { done: say("done-gather") })) return;
  }
}

function putOffLine(mayAct) {
  const item = line(say("put-off"));
  if (mayAct) item.append(button(say("put-off-ends"), "", () => act("put-off", { ends: true }, { done: say("done-put-off-ends") })));
  return item;
}

function haltLine({ table, short, cites, waived }, mayAct) {
  const item = line(say(waived ? "halt-waived" : "halt", { table, count: short, rules: cites.join(", ") }));
  const waive = () => act("waive", { table, ends: waived }, { done: say(waived ? "done-halt" : "done-waive", { table }) });
  if (mayAct) item.append(button(say(waived ? "halt-do" : "waive-do"), "", waive));
  return item;
}

function listed(tables) {
  return tables.length > SHOWN ? `${tables.slice(0, 2).join(", ")} … ${tables.at(-1)}` : tables.join(", ");
}

// A book may be silent on it.
function line(text) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  words.textContent = text.replace(" ()", "");
  item.append(words);
  return item;
}
