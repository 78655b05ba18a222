// Who is paid what, and whether it has been paid.

import { say } from "../clock/words.js";
import { act } from "../players/asking.js";
import { button } from "../players/proposed.js";
import { amountText } from "./amounts.js";

const table = document.getElementById("lines");

export function showLines({ lines, prices }, mayAct) {
  const drawn = JSON.stringify([lines, prices.currency, mayAct]);
  if (table.dataset.shown === drawn) return;
  table.dataset.shown = drawn;
  table.tBodies[0].replaceChildren(...lines.map((each) => row(each, prices.currency, mayAct)));
}

function row(line, currency, mayAct) {
  const made = document.createElement("tr");
  const { place, shared, name, amount, paid, by_deal: byDeal } = line;
  made.toggleAttribute("data-had", Boolean(paid));
  const places = place === null ? "–" : shared > 1 ? `${place}–${place + shared - 1}` : String(place);
  const who = cell("name", name || (place === 1 && byDeal ? say("at-stake") : ""));
  if (byDeal && name) who.append(small(say("by-deal")));
  const had = cell("had", "");
  if (paid) {
    had.append(small(say("had-by", { who: paid.by })));
    if (paid.amount !== amount) had.append(small(say("had-other", { amount: amountText(paid.amount, currency) })));
  }
  if (mayAct && (line.finish !== null || line.player)) had.append(hadButton(line));
  made.append(cell("place", places), who, cell("amount", amountText(amount, currency)), had);
  return made;
}

function hadButton({ finish, player, paid, name }) {
  const fields = finish === null ? { player } : { finish };
  if (paid) return button(say("unpay"), "", () => act("unpay-out", fields, { done: say("done-unpay", { player: name }), undo: ["pay-out", fields] }));
  return button(say("pay"), "main", () => act("pay-out", fields, { done: say("done-pay", { player: name }), undo: ["unpay-out", fields] }));
}

export function cell(kind, text) {
  const made = document.createElement("td");
  made.className = kind;
  made.textContent = text;
  return made;
}

function small(text) {
  const made = document.createElement("small");
  made.textContent = text;
  return made;
}
