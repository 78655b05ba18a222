// Who seems to be out: one tap says so. "Not out" is of this page alone.

import { say } from "../clock/words.js";
import { seen } from "./asking.js";
import { out } from "./player.js";

const at = (id) => document.getElementById(id);
const key = ({ entrant, table, seat, hand }) => [entrant, table, seat, hand].join("/");

const hidden = new Set();

function isShown(each) {
  return !hidden.has(key(each));
}

export function showProposed(picture, mayAct) {
  const shown = picture.proposed.filter(isShown);
  const drawn = JSON.stringify([shown, mayAct]);
  if (at("proposed").dataset.shown === drawn) return;
  at("proposed").dataset.shown = drawn;
  at("proposed").replaceChildren(...shown.map((each) => line(each, mayAct)));
}

function line(proposed, mayAct) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  words.textContent = say("proposed", proposed);
  item.append(words);
  if (!mayAct) return item;
  const yes = button(say("out-do"), "main", () => out({ id: proposed.entrant, name: proposed.player }));
  const no = button(say("out-not"), "", () => {
    hidden.add(key(proposed));
    showProposed(seen(), true);
  });
  item.append(yes, no);
  return item;
}

export function button(text, kind, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = text;
  made.onclick = act;
  return made;
}
