// What is paid in: what things cost, what was sold, and who still owes.

import { openDialog } from "../clock/asking.js";
import { number, say } from "../clock/words.js";
import { act, seen } from "../players/asking.js";
import { button } from "../players/proposed.js";
import { amountText, centsOf, plainText } from "./amounts.js";
import { cell } from "./lines.js";

const PRICES = ["buy_in", "fee", "re_entry", "rebuy", "add_on", "guarantee", "unit"];
const OWN = ["re_entry", "rebuy", "add_on"]; // without one it costs the buy-in

const at = (id) => document.getElementById(id);

export function showSold({ sold, fees, added, purse, prices: { currency } }) {
  const text = (cents) => amountText(cents, currency);
  const lines = sold.filter(({ what, count }) => count || what === "entry").map(({ what, count, each, sum }) => [say(`sold-${what}`), number(count), text(each), text(sum)]);
  if (added) lines.push([say("added"), "", "", text(added)]);
  lines.push([say("purse"), "", "", text(purse)]);
  if (fees) lines.push([say("fees"), "", "", text(fees)]);
  const drawn = JSON.stringify(lines);
  if (at("sold").dataset.shown === drawn) return;
  at("sold").dataset.shown = drawn;
  at("sold").tBodies[0].replaceChildren(...lines.map((line) => {
    const made = document.createElement("tr");
    made.toggleAttribute("data-all", line[0] === say("purse"));
    made.append(...["what", "many", "each", "sum"].map((kind, index) => cell(kind, line[index])));
    return made;
  }));
}

export function showOwing({ owing, owed, prices: { currency } }, mayAct) {
  at("nobody-owes").hidden = owed !== 0;
  const drawn = JSON.stringify([owing, currency, mayAct]);
  if (at("owing").dataset.shown === drawn) return;
  at("owing").dataset.shown = drawn;
  at("owing").replaceChildren(...owing.map(({ player, name, what, amount }) => {
    const item = document.createElement("li");
    const words = document.createElement("span");
    words.textContent = name;
    const small = document.createElement("small");
    small.textContent = what.map((each) => say(`owes-${each}`)).join(", ");
    words.append(small);
    const sum = document.createElement("b");
    sum.textContent = amountText(amount, currency);
    item.append(words, sum);
    if (mayAct) item.append(button(say("paid-do"), "", () => pay(player, name, what)));
    return item;
  }));
}

function pay(player, name, what) {
  const bought = what.filter((each) => each !== "entry");
  act("pay", { player }, { done: say("done-paid", { player: name }), undo: ["owe", { player, entry: what.includes("entry"), what: bought }] });
}

export function askPrices() {
  const { prices } = seen();
  const value = (name) => (prices[name] === null || (prices[name] === 0 && name !== "unit") ? "" : plainText(prices[name]));
  openDialog({
    testid: "pricing",
    title: say("prices"),
    fields: [
      ...PRICES.map((name) => ({ name, label: say(`price-${name}`), kind: "decimal", most: 14, value: value(name), hint: OWN.includes(name) ? say("price-own") : "" })),
      { name: "currency", label: say("price-currency"), kind: "short", most: 8, value: prices.currency, hint: say("price-currency-hint") },
    ],
    choices: [{ text: say("keep-changes"), kind: "main", testid: "prices-save", act: save }],
  });
}

function save(typed, form) {
  const { prices } = seen();
  const fields = { currency: typed.currency.trim(), forget: [] };
  for (const name of PRICES) {
    const text = typed[name].trim();
    const cents = text ? centsOf(text) : 0;
    if (cents === null || (name === "unit" && !cents)) return say("no-amount", { what: say(`price-${name}`) });
    if (!text && OWN.includes(name)) fields.forget.push(name);
    else fields[name] = cents;
  }
  return act("money", fields, { form, done: say("done-prices"), undo: ["money", before(prices)] });
}

function before(prices) {
  const given = Object.entries(prices).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(given), forget: OWN.filter((name) => prices[name] === null) };
}
