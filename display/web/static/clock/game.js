// The tournament: players, chips, prizes, notices. And who did what.

import { setText, timeText } from "../live.js";
import { ask, mayAct, openDialog, seen } from "./asking.js";
import { now } from "./controls.js";
import { decimalOf, number, say, timeOfDay, wholeOf } from "./words.js";

const COUNTS = { players: "players_left", entered: "entries" };
const FIGURES = ["entries", "players_left", "starting_stack", "chips"];
const at = (id) => document.getElementById(id);

export function showGame(desk) {
  const { tournament, told, follows, players_seen } = desk;
  setText(at("name"), tournament.name || say("tab-game"));
  for (const [id, field] of Object.entries(COUNTS)) {
    const shown = waiting.get(field)?.count ?? tournament[field];
    setText(at(id).querySelector("output"), shown === null ? "–" : number(shown));
  }
  setText(at("players-note"), playersNote(desk));
  const lines = [
    ["field-starting_stack", told.starting_stack ?? follows.starting_stack, noteOf(desk, "starting_stack")],
    ["field-chips", tournament.chips, noteOf(desk, "chips")],
    ["average", tournament.average_stack, ""],
    ["seen", players_seen, ""],
  ];
  fill(at("known"), lines.filter(([, value]) => value !== null), ([key, value, note]) => [withNote("dt", say(key), note), element("dd", number(value))]);
  at("prizes").hidden = !tournament.prizes.length;
  fill(at("prizes"), tournament.prizes, (text) => [element("li", text)]);
  fill(at("notices"), tournament.notices, noticeLine);
  showLast(desk);
  fill(at("history"), [...desk.history].reverse(), (did) => [historyLine(did, desk)]);
}

// Whether a number was told or follows, and from what.
function noteOf({ told, follows }, name) {
  if (told[name] !== null) return say("as-told");
  return follows[name] === null ? "" : say(`follows-${name}`);
}

function playersNote(desk) {
  const bySeen = desk.told.players_left === null && desk.told.entries === null && desk.follows.players_left !== null;
  return bySeen ? say("follows-seen") : noteOf(desk, "players_left");
}

function withNote(tag, text, note) {
  const made = element(tag, text);
  if (note) made.append(element("small", note));
  return made;
}

// What was done last, by whoever: two who work at one clock see what the other one does.
function showLast(desk) {
  const did = desk.history.findLast((each) => !each.refused);
  setText(at("last"), did ? [timeOfDay(did.wall_ms, desk.utc_offset_s), did.text].join(" · ") : "");
}

export function fill(list, values, make) {
  const key = JSON.stringify([values, mayAct()]);
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
  const words = element("span", text);
  words.append(more);
  line.append(words);
  if (!mayAct()) return line;
  const away = element("button", take);
  away.type = "button";
  away.setAttribute("aria-label", label);
  away.onclick = act;
  line.append(away);
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
  const before = waiting.get(field)?.count ?? seen().tournament[field] ?? 0;
  const after = before + by;
  if (after < 0) return;
  if (field === "players_left" && after === 1 && seen().state !== "ready" && seen().state !== "ended") {
    askLast(after);
    return;
  }
  const mine = { count: after }; // the same count may be asked for again
  waiting.set(field, mine);
  showGame(seen());
  await ask("tournament", { [field]: after }, { done: say(`did-${field}`, { count: number(after) }) });
  if (waiting.get(field) === mine) setTimeout(() => { if (waiting.get(field) === mine) waiting.delete(field); showGame(seen()); }, 300);
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
      ...FIGURES.map((name) => ({ name, label: say(label[name]), kind: "number", value: before[name], ...followed(desk, name) })),
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

// What an empty field stands for.
function followed({ follows }, name) {
  if (!(name in follows)) return {};
  return { placeholder: follows[name] === null ? "" : number(follows[name]), hint: say(`${name}-hint`) };
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
  line.append(element("time", timeOfDay(did.wall_ms, desk.utc_offset_s)), element("span", did.text));
  if (did.refused) line.append(element("em", say("refused", { reason: did.refused })));
  return line;
}

export function wireGame() {
  for (const [id, field] of Object.entries(COUNTS)) {
    for (const button of at(id).querySelectorAll("button")) button.onclick = () => count(field, Number(button.dataset.count));
  }
  at("notice").onclick = askNotice;
  at("edit").onclick = askGame;
}
