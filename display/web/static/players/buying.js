// What players buy beside their entry, and what of it they may.

import { openDialog } from "../clock/asking.js";
import { number, say, wholeOf } from "../clock/words.js";
import { act, seen } from "./asking.js";

const WHAT = ["re-entry", "rebuy", "add-on"];
const NUMBERS = ["until", "most", "at_most", "chips"];

// The purchases that this player may make now, as far as the page can tell.
export function purchases(player) {
  const offered = WHAT.filter((what) => what in seen().offers);
  return offered.filter((what) => (what === "re-entry" ? player.status === "out" : Boolean(player.at)));
}

// Where the room reckons with money it is asked whether it is paid, or announced before the hand.
export function buy(player, what, form) {
  const cost = seen().costs[what];
  if (cost === undefined) return bought(player, what, true, form);
  const choice = (key, kind, paid) => ({ text: say(key), kind, testid: key, act: (_values, shown) => bought(player, what, paid, shown) });
  openDialog({
    testid: "buying",
    title: say(`what-${what}`),
    text: say("buy-text", { player: player.name, amount: cost }),
    choices: [choice("buy-paid", "main", true), choice("buy-behind", "line", false)],
  });
  return true;
}

function bought({ id, name }, what, paid, form) {
  const fields = { player: id, what };
  return act("buy", { ...fields, paid }, { form, done: say("done-buy", { player: name, what: say(`what-${what}`) }), undo: ["unbuy", fields] });
}

export function askOffers() {
  const { offers } = seen();
  const lines = WHAT.filter((what) => what in offers).map((what) => [say(`what-${what}`), limits(offers[what]) || "–"]);
  const form = openDialog({
    testid: "offering",
    title: say("offers-title"),
    text: lines.length ? "" : say("offers-none"),
    lines,
    fields: [
      { name: "what", label: say("offer-what"), kind: "short", value: "rebuy", options: WHAT.map((what) => [what, say(`what-${what}`)]) },
      { name: "until", label: say("late-until"), kind: "number", most: 4, hint: say("offer-no-limit") },
      { name: "most", label: say("offer-most"), kind: "number", most: 3, hint: say("offer-no-limit") },
      { name: "at_most", label: say("offer-at-most"), kind: "number", hint: say("offer-no-limit") },
      { name: "chips", label: say("offer-chips"), kind: "number", hint: say("offer-a-stack") },
    ],
    choices: [
      { text: say("offer-save"), kind: "main", testid: "offer-save", act: save },
      { text: say("offer-end"), testid: "offer-end", act: ({ what }, shown) => act("offer", { what, ends: true }, { form: shown, done: say("done-offer"), undo: before(what) }) },
    ],
  });
  const field = (name) => form.dialog.querySelector(`[name=${name}]`);
  const fill = () => {
    for (const name of NUMBERS) field(name).value = offers[field("what").value]?.[name] ?? "";
  };
  field("what").onchange = fill;
  fill();
}

function limits({ until, most }) {
  const words = [until === null ? "" : say("offer-level", { level: until }), most === null ? "" : say("offer-times", { most: number(most) })];
  return words.filter(Boolean).join(", ");
}

function before(what) {
  const offer = seen().offers[what];
  return ["offer", offer ? { what, ...offer } : { what, ends: true }];
}

function save({ what, ...typed }, form) {
  const fields = { what };
  for (const name of NUMBERS) {
    const text = typed[name].trim();
    if (!text) continue;
    fields[name] = wholeOf(text);
    if (fields[name] === null) return say("no-number", { what: text });
  }
  return act("offer", fields, { form, done: say("done-offer"), undo: before(what) });
}
