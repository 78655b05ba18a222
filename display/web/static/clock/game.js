// The tournament: players, chips, prizes, notices. And who did what.

import { setText, timeText } from "../live.js";
import { actText, ask, openDialog, seen } from "./asking.js";
import { now } from "./controls.js";
import { decimal, decimalOf, knows, minutes, number, placeText, say, timeOfDay, wholeOf } from "./words.js";

const COUNTS = { players: "players_left", entered: "entries" };
const FIGURES = ["entries", "players_left", "starting_stack", "chips"];
const at = (id) => document.getElementById(id);

export function showGame(desk) {
  const { tournament, told, players_seen } = desk;
  setText(at("name"), tournament.name || say("tab-game"));
  for (const [id, field] of Object.entries(COUNTS)) {
    const shown = waiting.get(field) ?? tournament[field];
    setText(at(id).querySelector("output"), shown === null ? "–" : number(shown));
  }
  const lines = [
    ["field-starting_stack", told.starting_stack],
    ["field-chips", tournament.chips],
    ["average", tournament.average_stack],
    ["seen", players_seen],
  ];
  fill(at("known"), lines.filter(([, value]) => value !== null), ([key, value]) => [element("dt", say(key)), element("dd", number(value))]);
  at("prizes").hidden = !tournament.prizes.length;
  fill(at("prizes"), tournament.prizes, (text) => [element("li", text)]);
  fill(at("notices"), tournament.notices, noticeLine);
  showLast(desk);
  fill(at("history"), [...desk.history].reverse(), (did) => [historyLine(did, desk)]);
}

// What was done last, by whoever: two who work at one clock see what the other one does.
function showLast(desk) {
  const did = desk.history.findLast((each) => !each.refused);
  setText(at("last"), did ? [timeOfDay(did.wall_ms, desk.utc_offset_s), did.actor, didText(did)].join(" · ") : "");
}

function didText(did) {
  return [actText(did.name), carried(did.words)].filter(Boolean).join(": ");
}

export function fill(list, values, make) {
  const key = JSON.stringify(values);
  if (list.dataset.shown === key) return;
  list.dataset.shown = key;
  list.replaceChildren(...values.flatMap(make));
}

export function element(tag, text, kind = "") {
  const made = document.createElement(tag);
  made.textContent = text;
  if (kind) made.className = kind;
  return made;
}

function noticeLine({ id, text, until_ms }) {
  return [lineAway(text, untilText(until_ms), say("unnotice"), say("unnotice-what", { text }), () => ask("unnotice", { id }))];
}

// Its words are kept by `tickGame`.
export function untilText(until_ms) {
  const until = element("small", "");
  until.dataset.until = until_ms ?? "";
  return until;
}

// A line with a button that takes it away.
export function lineAway(text, more, take, label, act) {
  const line = document.createElement("li");
  const away = element("button", take);
  away.type = "button";
  away.setAttribute("aria-label", label);
  away.onclick = act;
  const words = element("span", text);
  words.append(more);
  line.append(words, away);
  return line;
}

export function tickGame(room) {
  for (const until of document.querySelectorAll("#notices small, #moves small")) {
    setText(until, until.dataset.until ? say("notice-left", { time: timeText(room.left(Number(until.dataset.until))) }) : say("notice-stays"));
  }
}

// One tap, one player. Taps that come faster than answers count from each other.
const waiting = new Map();
async function count(field, by) {
  const before = waiting.get(field) ?? seen().tournament[field] ?? 0;
  const after = before + by;
  if (after < 0) return;
  if (field === "players_left" && after === 1 && seen().state !== "ready" && seen().state !== "ended") {
    askLast(after);
    return;
  }
  waiting.set(field, after);
  showGame(seen());
  await ask("tournament", { [field]: after }, { done: say(`did-${field}`, { count: number(after) }) });
  if (waiting.get(field) === after) setTimeout(() => { if (waiting.get(field) === after) waiting.delete(field); showGame(seen()); }, 300);
}

function askLast(players_left) {
  openDialog({
    testid: "last-player",
    title: say("last-sure"),
    text: say("last-text"),
    live: now,
    choices: [{ text: say("last-yes"), kind: "main", act: (_values, form) => ask("tournament", { players_left }, { form }) }],
  });
}

// Only what was changed is sent, so that two who edit do not take each other's words away.
function askGame() {
  const desk = seen();
  const before = { name: nameTold(desk), prizes: desk.tournament.prizes.join("\n") };
  for (const name of FIGURES) before[name] = desk.told[name] === null ? "" : String(desk.told[name]);
  const label = Object.fromEntries(Object.keys(before).map((name) => [name, `field-${name}`]));
  openDialog({
    testid: "game",
    title: say("game-edit"),
    live: () => changedText(desk, seen(), label),
    fields: [
      { name: "name", label: say("field-name"), value: before.name },
      ...FIGURES.map((name) => ({ name, label: say(label[name]), kind: "number", value: before[name], hint: name === "chips" ? say("chips-hint") : "" })),
      { name: "prizes", label: say("field-prizes"), kind: "lines", value: before.prizes, most: 20000, hint: say("prizes-hint") },
    ],
    choices: [{
      text: say("keep-changes"),
      kind: "main",
      testid: "game-save",
      act: (values, form) => saveGame(before, values, form, label),
    }],
  });
}

function nameTold({ tournament, screen }) {
  return tournament.name === screen.name ? "" : tournament.name;
}

function saveGame(before, values, form, label) {
  const fields = {};
  const forget = [];
  for (const [name, value] of Object.entries(values)) {
    if (value.trim() === before[name].trim()) continue;
    if (name === "prizes") fields.prizes = value.split("\n").map((line) => line.trim()).filter(Boolean);
    else if (name === "name") fields.name = value.trim();
    else if (!value.trim()) forget.push(name);
    else {
      fields[name] = wholeOf(value);
      if (fields[name] === null) return say("no-number", { what: say(label[name]) });
    }
  }
  if (forget.length) fields.forget = forget;
  return Object.keys(fields).length ? ask("tournament", fields, { form }) : true;
}

// What somebody else has told since the dialog was opened.
function changedText(then, now, label) {
  const told = ({ told: figures, tournament }) => ({ ...figures, name: tournament.name, prizes: tournament.prizes.join(", ") });
  const [old, fresh] = [told(then), told(now)];
  const changed = Object.keys(label).filter((name) => old[name] !== fresh[name]);
  return changed.map((name) => say("changed-to", { what: say(label[name]), value: fresh[name] ?? "–" })).join(" · ");
}

export function askNotice() {
  openDialog({
    testid: "noticing",
    title: say("notice-add"),
    fields: [
      { name: "text", label: say("notice-text"), value: "" },
      { name: "count", label: say("notice-minutes"), kind: "decimal", value: "15", hint: say("notice-hint") },
    ],
    choices: [{
      text: say("notice-show"),
      kind: "main",
      testid: "notice-save",
      act({ text, count: typed }, form) {
        if (!text.trim()) return say("no-text");
        const long = typed.trim() ? decimalOf(typed) : 0;
        if (long === null) return say("no-minutes");
        return ask("notice", { text: text.trim(), ...(long ? { minutes: long } : {}) }, { form });
      },
    }],
  });
}

function historyLine(did, desk) {
  const line = document.createElement("li");
  line.append(
    element("time", timeOfDay(did.wall_ms, desk.utc_offset_s)),
    element("b", did.actor),
    element("span", didText(did)),
  );
  if (did.refused) line.append(element("em", say("refused", { reason: did.refused })));
  return line;
}

// What an act carried, as its sender would say it.
function carried(words) {
  if (!words) return "";
  let fields = {};
  try {
    fields = JSON.parse(words);
  } catch {
    return words; // it was too long to be kept whole
  }
  return Object.entries(fields).map(([name, value]) => {
    if (name === "by_ms") return `${value < 0 ? "−" : "+"}${timeText(Math.abs(value))}`;
    if (name === "minutes") return say("minutes", { count: decimal(value) });
    if (name === "duration_ms") return minutes(value);
    if (name === "index") return `#${value + 1}`;
    if (["text", "reason", "player"].includes(name)) return value;
    if (name === "place") return say("out-place", { place: value });
    if (value.table) return placeText(value);
    if (name === "together") return value ? say("out-together") : "";
    if (name === "choice") return say(`answer-${value}`);
    if (name === "structure") return value.name;
    if (name === "entry") return `${value.blinds ? `${value.blinds.small}/${value.blinds.big}` : say("on-break")}, ${minutes(value.duration_ms)}`;
    const what = [`field-${name}`, name].filter(knows).map((key) => say(key))[0] ?? name;
    if (typeof value === "boolean") return `${what} ${value ? "✓" : "✗"}`;
    if (typeof value === "number") return `${what} ${number(value)}`;
    if (Array.isArray(value)) return `${what} ${name === "forget" ? value.map((each) => say(`field-${each}`)).join(", ") : value.length}`;
    return `${what} ${typeof value === "object" ? JSON.stringify(value) : value}`;
  }).filter(Boolean).join(", ");
}

export function wireGame() {
  for (const [id, field] of Object.entries(COUNTS)) {
    for (const button of at(id).querySelectorAll("button")) button.onclick = () => count(field, Number(button.dataset.count));
  }
  at("notice").onclick = askNotice;
  at("edit").onclick = askGame;
}
