// Who has to move, and who is out: said to everyone, and taken back.

import { ask, get, openDialog, seen, showRefused } from "./asking.js";
import { element, fill, lineAway, untilText } from "./game.js";
import { byLabel, meant } from "../players/labels.js";
import { decimalOf, placeText, say, wholeOf } from "./words.js";

const SHOWN = 6; // of those who are out

const at = (id) => document.getElementById(id);

export function showNews(desk) {
  fill(at("moves"), desk.moves, (move) => [moveLine(move)]);
  fill(at("finishes"), newest(desk.finishes), (finish) => [finishLine(finish)]);
}

// Those who went out last, whatever their place: that is what may have been a mistake.
function newest(finishes) {
  return [...finishes].sort((one, other) => other.id - one.id).slice(0, SHOWN);
}

function moveLine({ id, player, from, to, until_ms }) {
  const text = say("move-what", { player, from: placeText(from), to: placeText(to) });
  return lineAway(text, untilText(until_ms), say("unnotice"), say("unnotice-what", { text: player }), () => ask("unmove", { id }));
}

function finishLine(finish) {
  const where = finish.table ? placeText(finish) : "";
  const text = [say("out-place", { place: finish.place }), finish.player].filter(Boolean).join(": ");
  const more = element("small", [where, finish.prize].filter(Boolean).join(" · "));
  return lineAway(text, more, say("unbust"), say("unbust-what", { what: text }), () => ask("unbust", { id: finish.id }));
}

function tables() {
  return seen().levels.map((each) => each.table);
}

function nextPlace() {
  const left = seen().tournament.players_left;
  return left === null ? "" : [say("out-place", { place: left }), left === 2 ? say("last-text") : ""].filter(Boolean).join(". ");
}

// Who has entered is known by name, and where he sits too.
async function askWhoIsOut() {
  const [refused, register] = await get("/players.json");
  if (refused) return showRefused(refused);
  const label = (each) => [each.name, each.at ? placeText(each.at) : ""].filter(Boolean).join(" · ");
  const known = byLabel(register.players.filter((each) => each.status !== "out"), label);
  const who = (values, more, form) => {
    const found = meant(known, values.player.trim());
    return found ? out({ ...values, player: "", table: "", seat: "" }, { entrant: found.id, ...more }, form) : say("out-unknown");
  };
  openDialog({
    testid: "out",
    title: say("out"),
    live: nextPlace,
    fields: [
      { name: "player", label: say("player"), most: 160, suggest: [...known.keys()], hint: say("out-who") },
      { name: "place", label: say("place"), kind: "number", most: 6, hint: say("out-hint") },
    ],
    choices: [
      { text: say("out-save"), kind: "main", testid: "out-save", act: (values, form) => who(values, {}, form) },
      { text: say("out-together"), testid: "out-together", act: (values, form) => who(values, { together: true }, form) },
    ],
  });
}

export function askOut() {
  if (seen().has_register) return askWhoIsOut();
  openDialog({
    testid: "out",
    title: say("out"),
    live: nextPlace,
    fields: [
      { name: "player", label: say("player"), most: 80 },
      { name: "table", label: say("table"), kind: "short", most: 64, suggest: tables() },
      { name: "seat", label: say("seat"), kind: "number", most: 2 },
      { name: "place", label: say("place"), kind: "number", most: 6, hint: say("out-hint") },
    ],
    choices: [
      { text: say("out-save"), kind: "main", testid: "out-save", act: (values, form) => out(values, {}, form) },
      { text: say("out-together"), testid: "out-together", act: (values, form) => out(values, { together: true }, form) },
    ],
  });
}

function out(values, more, form) {
  const fields = { ...more };
  for (const name of ["player", "table"]) if (values[name].trim()) fields[name] = values[name].trim();
  for (const name of ["seat", "place"]) {
    if (!values[name].trim()) continue;
    fields[name] = wholeOf(values[name]);
    if (fields[name] === null) return say("no-number", { what: say(name) });
  }
  return ask("bust", fields, { form });
}

export function askMove() {
  const known = tables();
  openDialog({
    testid: "moving",
    title: say("move"),
    fields: [
      { name: "player", label: say("player"), most: 80 },
      { name: "from", label: say("move-from"), kind: "short", most: 64, suggest: known },
      { name: "from_seat", label: say("seat"), kind: "number", most: 2 },
      { name: "to", label: say("move-to"), kind: "short", most: 64, suggest: known },
      { name: "to_seat", label: say("seat"), kind: "number", most: 2 },
      { name: "count", label: say("notice-minutes"), kind: "decimal", value: "5" },
    ],
    choices: [{ text: say("move-save"), kind: "main", testid: "move-save", act: move }],
  });
}

function move(values, form) {
  if (!values.player.trim()) return say("no-player");
  const [from, to] = ["from", "to"].map((name) => ({ table: values[name].trim(), seat: values[`${name}_seat`].trim() }));
  if (!from.table || !to.table) return say("no-table");
  for (const place of [from, to]) {
    if (!place.seat) delete place.seat;
    else place.seat = wholeOf(place.seat);
    if (place.seat === null) return say("no-number", { what: say("seat") });
  }
  const minutes = decimalOf(values.count);
  return minutes ? ask("move", { player: values.player.trim(), from, to, minutes }, { form }) : say("no-minutes");
}

export function wireNews() {
  at("out").onclick = askOut;
  at("move").onclick = askMove;
}
