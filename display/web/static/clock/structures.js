// Before the start: a structure that comes along, one made to measure, or the house's own file.

import { ask, get, openDialog, post, seen } from "./asking.js";
import { figures } from "./levels.js";
import { decimalOf, blindsText, minutes, say, wholeOf } from "./words.js";

const FIRST = 4; // levels that are shown of a structure

export async function askStructure() {
  const [refused, answer] = await get("/structures.json");
  const shipped = refused ? {} : answer.structures;
  const form = openDialog({
    testid: "structures",
    title: say("choose"),
    live: () => say("chosen", { name: seen().structure }),
    choices: [
      { text: say("fit"), testid: "fit", act: () => later(() => askFit(shipped)) },
      { text: say("load"), testid: "load", act: () => later(askFile) },
      ...Object.values(shipped).map((each) => ({
        text: each.name,
        more: [each.note, figures(each), opening(each)].filter(Boolean),
        kind: "line",
        act: (_values, dialog) => take(each, dialog),
      })),
    ],
  });
  form.refuse(refused);
}

function later(act) {
  setTimeout(act);
  return true;
}

function take(structure, form) {
  return ask("structure", { structure }, { form, done: say("taken", { name: structure.name }) });
}

// How it begins and where it ends, so that nobody takes the wrong one.
function opening({ entries }) {
  const levels = entries.filter((entry) => entry.blinds).map((entry) => blindsText(entry.blinds));
  return levels.length > FIRST + 1 ? `${levels.slice(0, FIRST).join(", ")} … ${levels.at(-1)}` : levels.join(", ");
}

// The fields that are whole numbers, and what each is called.
const WHOLE = [["players", "fit-players"], ["stack", "field-starting_stack"], ["every", "fit-every"], ["length", "fit-length"]];

function askFit(shipped) {
  const { tournament, told, stack, chip_values } = seen();
  openDialog({
    testid: "fitting",
    title: say("fit"),
    text: say("fit-text"),
    fields: [
      { name: "players", label: say("fit-players"), kind: "number", value: String(tournament.entries || tournament.players_left || "") },
      { name: "hours", label: say("fit-hours"), kind: "decimal", value: "4" },
      { name: "stack", label: say("field-starting_stack"), kind: "number", value: String(told.starting_stack || stack || "") },
      { name: "chips", label: say("fit-chips"), value: chip_values.join(", "), hint: say("fit-chips-hint") },
      { name: "every", label: say("fit-every"), kind: "number", value: "90" },
      { name: "length", label: say("fit-length"), kind: "number", value: "10" },
      { name: "source", label: say("fit-source"), value: "", options: [["", say("fit-new")], ...Object.entries(shipped).map(([key, each]) => [key, each.name])] },
      { name: "ante", label: say("fit-ante"), kind: "tick", value: true },
    ],
    choices: [{ text: say("fit-make"), kind: "main", testid: "fit-make", act: make }],
  });
}

async function make(values) {
  const hours = decimalOf(values.hours);
  if (!hours) return say("no-number", { what: say("fit-hours") });
  const wish = { ...values, hours };
  for (const [name, label] of WHOLE) {
    const number = wholeOf(values[name] || (name === "players" ? "0" : ""));
    if (number === null) return say("no-number", { what: say(label) });
    wish[name] = String(number);
  }
  const [refused, answer] = await get(`/structures/fit?${new URLSearchParams(wish)}`);
  if (refused) return refused;
  return preview(answer);
}

function askFile() {
  openDialog({
    testid: "loading",
    title: say("load"),
    text: say("load-text"),
    fields: [{ name: "file", label: say("file"), kind: "file", accept: ".toml,.json" }],
    choices: [{ text: say("load-read"), kind: "main", testid: "load-read", act: read }],
  });
}

async function read({ file }) {
  if (!file) return say("no-file");
  const [refused, answer] = await post("/structure-file", await file.arrayBuffer());
  return refused ? `${file.name}: ${refused}` : preview(answer);
}

// What was made or read is looked at before it is taken; what was typed for it stays below.
function preview({ structure, ante_falls: falls }) {
  const warned = falls.length ? say("ante-falls", { levels: falls.map(blindsText).join(", ") }) : "";
  return new Promise((resolve) => {
    let taken = false;
    openDialog({
      testid: "preview",
      title: structure.name,
      text: [structure.note, figures(structure), warned].filter(Boolean).join(" · "),
      lines: structure.entries.map((entry) => [entry.blinds ? blindsText(entry.blinds) : say("on-break"), minutes(entry.duration_ms)]),
      closed: () => resolve(taken),
      choices: [{
        text: say("take"),
        kind: "main",
        testid: "take-structure",
        act: async (_values, form) => {
          const refused = await take(structure, form);
          taken = !refused;
          return refused;
        },
      }],
    });
  });
}

export function wireStructures() {
  document.getElementById("choose").onclick = askStructure;
}
