// One player was left, which ended the clock, and somebody is back: the clock stays ended until it is
// opened again.

import { number, say } from "../clock/words.js";
import { act } from "./asking.js";
import { button } from "./proposed.js";

const at = (id) => document.getElementById(id);

export function showEnded({ reopens, left }, mayAct) {
  const drawn = JSON.stringify([reopens, left, mayAct]);
  if (at("ended").dataset.shown === drawn) return;
  at("ended").dataset.shown = drawn;
  at("ended").replaceChildren(...(reopens ? [line(left, mayAct)] : []));
}

function line(left, mayAct) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  words.textContent = say("ended", { count: number(left) });
  item.append(words);
  if (mayAct) item.append(button(say("ended-reopen"), "main", () => act("reopen", {}, { done: say("done-reopen") })));
  return item;
}
