// The list of levels and breaks: what runs is marked, what comes can be changed.

import { setText } from "../live.js";
import { ask, openDialog, seen } from "./asking.js";
import { entryText, goTo } from "./controls.js";
import { blindsText, anteText, decimal, decimalOf, hours, minutes, number, say, wholeOf } from "./words.js";

const at = (id) => document.getElementById(id);
let brought = -1; // the entry that was last brought into view

export function showLevels(desk) {
  setText(at("structure"), desk.structure);
  setText(at("figures"), figures({ entries: desk.entries, stack: desk.stack, chips: desk.chip_values }));
  at("choose").disabled = desk.state !== "ready";
  setText(at("choose"), say(desk.state === "ready" ? "choose" : "choose-late"));
  const key = JSON.stringify([desk.entries, desk.clock.index, desk.state === "ready", desk.clock.called]);
  if (at("entries").dataset.shown === key) return;
  at("entries").dataset.shown = key;
  const focused = at("entries").contains(document.activeElement) ? document.activeElement.dataset.index : null;
  at("entries").replaceChildren(...desk.entries.map((entry) => line(entry, desk)));
  if (focused !== null) at("entries").querySelector(`[data-index="${focused}"]`)?.focus();
  bringRunning(desk.clock.index);
}

// Without moving the page under somebody's finger.
export function bringRunning(index, anew = false) {
  const running = at("entries").querySelector("[aria-current]");
  if (!running || (brought === index && !anew) || !running.offsetParent) return;
  brought = index;
  const list = at("entries");
  list.scrollTop = running.offsetTop - list.offsetTop - running.offsetHeight;
}

// Length, stack and chips of a structure in one line.
export function figures({ entries, stack, chips }) {
  const all = entries.reduce((sum, entry) => sum + entry.duration_ms, 0);
  const levels = entries.filter((entry) => entry.blinds).length;
  return [
    say("figures", { time: hours(all), levels, breaks: entries.length - levels }),
    stack ? say("figures-stack", { stack: number(stack) }) : "",
    chips.length ? say("figures-chips", { chips: chips.map(number).join(", ") }) : "",
  ].filter(Boolean).join(" · ");
}

function line(entry, desk) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.index = entry.index;
  const runs = entry.index === desk.clock.index;
  if (runs) button.setAttribute("aria-current", "step");
  button.classList.toggle("past", entry.index < desk.clock.index);
  button.classList.toggle("break", !entry.blinds);
  const parts = [
    ["number", entry.level ?? "–"],
    ["blinds", entry.blinds ? blindsText(entry.blinds) : say("on-break")],
    ["ante", anteText(entry.blinds)],
    ["long", minutes(entry.duration_ms)],
    ["runs", runs && desk.state !== "ready" ? say("runs") : ""],
  ];
  for (const [name, text] of parts) {
    const part = document.createElement("span");
    part.className = name;
    part.textContent = text;
    button.append(part, " ");
  }
  button.onclick = () => askEntry(entry.index);
  item.append(button);
  return item;
}

// One dialog for one entry: go there, change it, put something before it, copy it, take it out.
function askEntry(index) {
  const desk = seen();
  const entry = desk.entries[index];
  const runs = index === desk.clock.index;
  const comes = index > desk.clock.index;
  const act = (name, fields) => (_values, form) => ask(name, fields(), { form });
  const choices = [];
  if (runs || comes) {
    choices.push({ text: say("keep-changes"), kind: "main", testid: "entry-save", act: (values, form) => save("change", index, entry, values, form) });
  }
  if (!runs || desk.state === "ready") {
    choices.push({ text: say("go-there"), testid: "entry-go", act: () => later(() => goTo("go", { index })) });
  }
  if (comes) {
    choices.push({ text: say("insert-level"), testid: "insert-level", act: () => later(() => askNew(index, false)) });
    choices.push({ text: say("insert-break"), testid: "insert-break", act: () => later(() => askNew(index, true)) });
  }
  if (runs || comes) {
    choices.push({ text: say("copy"), testid: "entry-copy", act: act("insert", () => ({ index: index + 1, entry: sent(entry) })) });
  }
  if (comes) choices.push({ text: say("remove"), kind: "grave", testid: "entry-remove", act: act("remove", () => ({ index })) });
  openDialog({
    testid: "entry",
    title: entryText(entry),
    live: () => liveLine(index, entry),
    fields: runs || comes ? fieldsOf(entry, !entry.blinds) : [],
    choices,
  });
}

// A dialog that leads to another one closes first.
function later(act) {
  setTimeout(act);
  return true;
}

// Who edits sees at once that what stands there is not what it was.
function liveLine(index, entry) {
  const there = seen().entries[index];
  if (JSON.stringify(there) === JSON.stringify(entry)) {
    return index === seen().clock.index && seen().state !== "ready" ? say("runs-now") : "";
  }
  return there ? say("changed-there", { what: `${entryText(there)}, ${minutes(there.duration_ms)}` }) : say("gone-there");
}

export function askNew(index, isBreak) {
  const { entries } = seen();
  const near = entries.slice(0, index).reverse().find((each) => !each.blinds === isBreak) || entries.find((each) => !each.blinds === isBreak);
  const model = near || { duration_ms: 600000, blinds: null, race_off: [] };
  openDialog({
    testid: "insert",
    title: say(isBreak ? "new-break" : "new-level"),
    text: entries[index] ? say("before", { what: entryText(entries[index]) }) : say("at-end"),
    live: () => liveLine(index, entries[index]),
    fields: fieldsOf(model, isBreak),
    choices: [{ text: say("insert"), kind: "main", testid: "insert-save", act: (values, form) => save("insert", index, { ...model, race_off: [] }, values, form) }],
  });
}

function fieldsOf(entry, isBreak) {
  const blinds = entry.blinds || { small: 0, big: 0, ante: 0 };
  const money = ["small", "big", "ante"].map((name) => ({ name, label: say(name), kind: "number", value: String(blinds[name] || 0), most: 15 }));
  return [...(isBreak ? [] : money), { name: "minutes", label: say("in-minutes"), kind: "decimal", value: decimal(entry.duration_ms / 60000), most: 9 }];
}

function save(name, index, entry, values, form) {
  const long = decimalOf(values.minutes);
  if (!long) return say("no-minutes");
  let blinds = null;
  if ("small" in values) {
    blinds = Object.fromEntries(["small", "big", "ante"].map((key) => [key, wholeOf(values[key] || "0")]));
    const wrong = Object.keys(blinds).find((key) => blinds[key] === null);
    if (wrong) return say("no-number", { what: say(wrong) });
  }
  // Of minutes that were left alone the exact length stays.
  const same = values.minutes === decimal(entry.duration_ms / 60000);
  const duration_ms = same ? entry.duration_ms : Math.round(long * 60000);
  return ask(name, { index, entry: { ...sent(entry), blinds, duration_ms } }, { form });
}

function sent({ duration_ms, blinds, race_off }) {
  return { duration_ms, blinds, race_off };
}

export function wireLevels() {
  at("append").onclick = () => askNew(seen().entries.length, false);
}
