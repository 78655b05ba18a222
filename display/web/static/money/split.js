// How the purse is parted: reckoned, for so many places, by percentages, or in amounts.

import { openDialog } from "../clock/asking.js";
import { decimalOf, say, wholeOf } from "../clock/words.js";
import { act, seen } from "../players/asking.js";
import { amountText, centsOf, plainText } from "./amounts.js";

const WHOLE = 10000; // in hundredths of a percent

export function askSplit() {
  const { split, way, purse, prices, prizes } = seen();
  const form = openDialog({
    testid: "splitting",
    title: say("split"),
    live: () => say("split-purse", { amount: amountText(seen().purse, prices.currency) }),
    fields: [
      { name: "way", label: say("split-how"), value: way === "book" ? "reckoned" : way, options: ["reckoned", "places", "percentages", "amounts"].map((each) => [each, say(`split-${each}`)]) },
      { name: "typed", label: say("split-typed"), kind: "lines", most: 20000 },
    ],
    choices: [{ text: say("keep-changes"), kind: "main", testid: "split-save", act: save }],
  });
  const field = (name) => form.dialog.querySelector(`[name=${name}]`);
  const hundredths = split.hundredths.length ? split.hundredths : purse ? shares(prizes, purse) : [];
  const begin = {
    reckoned: "",
    places: String(split.places ?? prizes.length),
    percentages: hundredths.map(plainText).join("\n"),
    amounts: prizes.map(plainText).join("\n"),
  };
  const fill = () => {
    field("typed").closest("label").hidden = field("way").value === "reckoned";
    field("typed").value = begin[field("way").value];
    field("typed").rows = field("way").value === "places" ? 1 : 6;
    field("typed").toggleAttribute("data-one", field("way").value === "places");
  };
  field("way").onchange = fill;
  fill();
}

// What the prizes are now, to begin with.
function shares(prizes, purse) {
  const rest = prizes.slice(1).map((each) => Math.floor((each * WHOLE) / purse));
  const parts = [WHOLE - rest.reduce((sum, each) => sum + each, 0), ...rest];
  return parts.filter((each) => each > 0);
}

function save({ way, typed }, form) {
  const fields = read(way, typed);
  if (typeof fields === "string") return fields;
  const { split } = seen();
  const before = Object.fromEntries(Object.entries(split).filter(([, value]) => value !== null));
  return act("payout", fields, { form, done: say("done-split"), undo: ["payout", before] });
}

function read(way, typed) {
  const lines = typed.split("\n").map((line) => line.trim()).filter(Boolean);
  if (way === "reckoned") return {};
  if (way === "places") {
    const places = wholeOf(lines[0] ?? "");
    return places ? { places } : say("no-number", { what: say("split-places") });
  }
  const values = lines.map(way === "amounts" ? centsOf : percentOf);
  const wrong = values.indexOf(null);
  if (wrong >= 0 || !values.length) return say("split-line", { line: wrong < 0 ? 1 : wrong + 1 });
  return { [way === "amounts" ? "amounts" : "hundredths"]: values };
}

function percentOf(text) {
  const value = decimalOf(text.replace(/\s*%$/, ""));
  return value === null ? null : Math.round(value * 100);
}
