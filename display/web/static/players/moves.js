// Who is to move so that the tables stay even, and which tables stop: each with its rule and a tap.

import { openDialog } from "../clock/asking.js";
import { number, say } from "../clock/words.js";
import { act, placeText } from "./asking.js";
import { button } from "./proposed.js";

const SHOWN = 4;

const at = (id) => document.getElementById(id);

export function showMoves({ to_break: breaks, to_move: moves, halted }, mayAct) {
  const drawn = JSON.stringify([breaks, moves, halted, mayAct]);
  if (at("moves").dataset.shown === drawn) return;
  at("moves").dataset.shown = drawn;
  const lines = [...moves.map((each) => moveLine(each, mayAct)), ...halted.map((each) => haltLine(each, mayAct))];
  if (breaks) lines.unshift(breakLine(breaks, mayAct));
  at("moves").replaceChildren(...lines);
}

// What moves many is asked once more.
function breakLine({ breaks, stay, all, players, cites }, mayAct) {
  const values = { tables: listed(breaks), stay: listed(stay), count: number(players), rules: cites.join(", ") };
  const item = line(say(all ? "redraw" : "break-up", values));
  const ask = () => openDialog({
    testid: "redraw",
    title: say(all ? "redraw-title" : "break-up-title", values),
    text: say("redraw-text"),
    fields: [{ name: "seed", label: say("draw-seed"), most: 80, hint: say("draw-hint") }],
    choices: [{
      text: say("draw-do"),
      kind: "main",
      testid: "redraw-do",
      act({ seed }, form) {
        const fields = { tables: stay, all, ...(seed.trim() ? { seed: seed.trim() } : {}) };
        return act("redraw", fields, { form, done: (told) => say("done-redraw", { count: number(told.count), seed: told.seed }), undo: ({ seed: drawn }) => ["undraw", { seed: drawn }] });
      },
    }],
  });
  if (mayAct) item.append(button(say("redraw-do"), "main", ask));
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
      return button(instead.length ? `${each.name} (${each.at.table})` : say("due-do"), kind, () => go(each, to));
    }));
  }
  return item;
}

function go({ player, name, at: from }, { table, seat }) {
  act("sit", { player, table, seat, announce: true }, {
    done: say("done-move", { player: name, place: placeText({ table, seat }) }),
    undo: ["sit", { player, ...from }],
  });
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
