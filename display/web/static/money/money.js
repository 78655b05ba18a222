// The evening's money. The room sends all of it when something has changed, and in between only
// that it is there.

import { learnWho, mayAct, mayLeave } from "../clock/asking.js";
import { refreshForms } from "../clock/forms.js";
import { number, say } from "../clock/words.js";
import { follow, setText } from "../live.js";
import { hideRefused, took, seen } from "../players/asking.js";
import { amountText } from "./amounts.js";
import { askDeal, showDeals } from "./deals.js";
import { showLines } from "./lines.js";
import { askPrices, showOwing, showSold } from "./paid_in.js";
import { askSplit } from "./split.js";

const at = (id) => document.getElementById(id);

const room = follow("/money/events", {
  message(picture) {
    if (!picture.prices) return; // nothing has changed
    took(picture);
    show();
  },
  tick() {
    at("offline").hidden = !room.stale();
    refreshForms();
  },
  opened: () => learnWho(show),
  refused: () => mayLeave() && learnWho(show),
  mayReload: mayLeave,
});

function show() {
  const picture = seen();
  if (!picture) return;
  const { purse, collected, owed, paid_out: paidOut, prices, off, is_set: isSet } = picture;
  const text = (cents) => (cents === null ? "–" : amountText(cents, prices.currency));
  const figures = { purse, collected, owed, "paid-out": paidOut };
  for (const [name, cents] of Object.entries(figures)) setText(document.querySelector(`[data-testid=${name}]`), isSet ? text(cents) : "–");
  at("off").hidden = !off || !isSet;
  setText(at("off"), off ? say(off > 0 ? "off-less" : "off-more", { amount: text(Math.abs(off)) }) : "");
  at("no-money").hidden = isSet;
  for (const id of ["lines", "sold", "way"]) at(id).hidden = !isSet;
  for (const id of ["ask-split", "ask-deal"]) at(id).disabled = !isSet;
  setText(at("way"), wayText(picture));
  showDeals(picture, mayAct());
  showLines(picture, mayAct());
  showSold(picture);
  showOwing(picture, mayAct());
}

function wayText({ way, cites, prizes, entries }) {
  return say(`way-${way}`, { count: number(prizes.length), entries: number(entries), rules: cites.join(", ") });
}

// On a narrow screen one part at a time.
function showPart(name) {
  document.body.dataset.part = name;
  for (const each of at("parts").children) {
    if (each.dataset.show === name) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
}

for (const each of at("parts").children) each.onclick = () => showPart(each.dataset.show);
at("refused-close").onclick = hideRefused;
at("ask-prices").onclick = askPrices;
at("ask-split").onclick = askSplit;
at("ask-deal").onclick = askDeal;
showPart("prizes");
