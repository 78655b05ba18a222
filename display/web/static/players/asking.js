// Asks the room for something with the players, says what came of it, and offers to take it back.

import { post } from "../clock/asking.js";
import { setText } from "../live.js";
import { say } from "../clock/words.js";

const UNDO_FOR_MS = 12000;
const DONE_FOR_MS = 5000;

const at = (id) => document.getElementById(id);

let picture = null;
let clearing = 0;
let last = Promise.resolve();

export function took(next) {
  picture = next;
}

export function seen() {
  return picture;
}

export function placeText({ table, seat }) {
  return say("place", { table, seat });
}

export function playerOf(id) {
  return picture.players.find((each) => each.id === id);
}

export function sitsAt(table, seat) {
  return picture.players.find((each) => each.at?.table === table && each.at.seat === seat);
}

// By a key, in the order in which they came.
export function groupedBy(values, key) {
  const found = new Map();
  for (const each of values) found.set(key(each), [...(found.get(key(each)) ?? []), each]);
  return found;
}

// Resolves to "" when it is done, else to the reason why not, which `form` shows where there is one.
// `done` and `undo` are what to say and how it is taken back, or functions of the answer that give it.
export function act(name, fields, { form = null, done = "", undo = null } = {}) {
  return send(`/players/${name}`, JSON.stringify(fields), form, done, undo);
}

export function sendFile(file, options) {
  return send("/players-file", file, options.form, options.done, null);
}

// One thing after the other: names may be typed faster than the room answers.
function send(address, body, form, done, undo) {
  last = last.then(async () => {
    const [refused, answer] = await post(address, body);
    if (refused && !form) showRefused(refused);
    if (!refused) showDone(given(done, answer), given(undo, answer));
    return refused;
  });
  return last;
}

function given(what, answer) {
  return typeof what === "function" ? what(answer) : what;
}

function showDone(text, undo) {
  hideRefused();
  at("answer").hidden = false;
  setText(at("answer-what"), text);
  at("undo").hidden = !undo;
  at("undo").onclick = undo && (() => {
    at("undo").hidden = true;
    act(undo[0], undo[1], { done: say("undone") });
  });
  clearTimeout(clearing);
  clearing = setTimeout(() => (at("answer").hidden = true), undo ? UNDO_FOR_MS : DONE_FOR_MS);
}

export function showRefused(reason) {
  at("answer").hidden = true;
  at("refused").hidden = false;
  setText(at("refused-what"), say("refused", { reason }));
}

export function hideRefused() {
  at("refused").hidden = true;
}
