// Deals that players have made among themselves: noted, and paid by where the director says so.

import { openDialog } from "../clock/asking.js";
import { number, say } from "../clock/words.js";
import { act, seen } from "../players/asking.js";
import { button } from "../players/proposed.js";
import { amountText, centsOf } from "./amounts.js";

const MOST = 12;
const list = document.getElementById("deals");

export function showDeals({ deals, prices }, mayAct) {
  const drawn = JSON.stringify([deals, prices.currency, mayAct]);
  if (list.dataset.shown === drawn) return;
  list.dataset.shown = drawn;
  list.replaceChildren(...deals.map((each) => line(each, prices.currency, mayAct)));
}

function line({ deal, names, holds, all }, currency, mayAct) {
  const item = document.createElement("li");
  item.toggleAttribute("data-holds", holds);
  const words = document.createElement("span");
  words.textContent = say(deal.pays ? (holds ? "deal-pays" : "deal-off") : "deal-note", { who: deal.by });
  const shares = deal.shares.map(({ amount }, index) => `${names[index]} ${amountText(amount, currency)}`);
  if (deal.at_stake) shares.push(`${say("at-stake")} ${amountText(deal.at_stake, currency)}`);
  for (const text of [shares.join(", "), deal.text, all ? say("deal-all") : ""].filter(Boolean)) {
    const small = document.createElement("small");
    small.textContent = text;
    words.append(small);
  }
  item.append(words);
  if (mayAct) {
    const { id, shares: agreed, at_stake: atStake, text, pays } = deal;
    item.append(button(say("deal-drop"), "", () => act("undeal", { id }, { done: say("done-undeal"), undo: ["deal", { shares: agreed, at_stake: atStake, text, pays }] })));
  }
  return item;
}

export function askDeal() {
  const { left, prizes, prices } = seen();
  if (!left.length || left.length > MOST) {
    openDialog({ testid: "dealing", title: say("deal"), text: say("deal-when", { count: number(MOST) }) });
    return;
  }
  const sum = prizes.slice(0, left.length).reduce((all, each) => all + each, 0);
  openDialog({
    testid: "dealing",
    title: say("deal"),
    text: say("deal-text"),
    live: () => say("deal-sum", { amount: amountText(sum, prices.currency) }),
    fields: [
      ...left.map(({ id, name }) => ({ name: `of ${id}`, label: name, kind: "decimal", most: 14 })),
      { name: "stake", label: say("at-stake"), kind: "decimal", most: 14, hint: say("deal-stake-hint") },
      { name: "text", label: say("deal-words"), most: 80 },
      { name: "pays", label: say("deal-do-pay"), kind: "tick" },
    ],
    choices: [{ text: say("deal-save"), kind: "main", testid: "deal-save", act: (typed, form) => save(left, typed, form) }],
  });
}

function save(left, typed, form) {
  const shares = [];
  for (const { id, name } of left) {
    const text = typed[`of ${id}`].trim();
    const amount = text ? centsOf(text) : null;
    if (text && amount === null) return say("no-amount", { what: name });
    if (amount !== null || typed.pays) shares.push({ player: id, amount: amount ?? 0 });
  }
  const atStake = typed.stake.trim() ? centsOf(typed.stake) : 0;
  if (atStake === null) return say("no-amount", { what: say("at-stake") });
  if (!shares.length) return say("deal-nobody");
  const fields = { shares, at_stake: atStake, text: typed.text.trim(), pays: typed.pays };
  return act("deal", fields, { form, done: say("done-deal"), undo: ({ id }) => ["undeal", { id }] });
}
