// The one big button, time, levels to and fro, breaks, rules, the end.

import { setText, timeText } from "../live.js";
import { ask, openDialog, seen } from "./asking.js";
import { blindsText, decimalOf, levelText, minutes, say } from "./words.js";

const SETTLE_MS = 500;
const BREAKS = [5, 15, 20, 30];
const MAIN = { ready: "start", paused: "resume", holding: "resume", ended: "reopen", question: "" };

const at = (id) => document.getElementById(id);

// What the big button does now: an act's name.
export function mainAct(state) {
  return MAIN[state] ?? "pause";
}

export function showControls(desk) {
  const act = mainAct(desk.state);
  for (const button of [at("main"), at("watch-main")]) {
    button.hidden = !act;
    if (button.dataset.act && button.dataset.act !== act) settle(button);
    button.dataset.act = act;
    setText(button, act ? say(desk.state === "holding" ? "begin-break" : act) : "");
  }
  at("main").dataset.testid = act;
  const { why, called } = desk.clock;
  at("why").hidden = act !== "pause";
  at("why-said").hidden = !why;
  setText(at("why-said"), why ? say("why-said", { why }) : "");
  at("next").disabled = desk.state === "ended" || desk.state === "question";
  at("back").disabled = at("next").disabled || called || desk.clock.index === 0;
  at("break").disabled = at("next").disabled || desk.clock.on_break || desk.state === "ready";
  for (const button of document.querySelectorAll("[data-by], #time")) button.disabled = at("next").disabled;
  setText(at("next"), say(called ? "end-break" : "next"));
  at("end").disabled = desk.state === "ended";
  at("reset").disabled = desk.clock.deadline_ms !== null;
  for (const rule of ["hold_for_hands", "pause_on_dispute"]) {
    if (at(rule).checked !== desk[rule] && !at(rule).dataset.busy) at(rule).checked = desk[rule];
  }
}

// What is meant for Pause shall not hit Resume.
function settle(button) {
  button.toggleAttribute("data-settling", true);
  setTimeout(() => button.removeAttribute("data-settling"), SETTLE_MS);
}

let pressing = false;
export async function pressMain() {
  const desk = seen();
  const act = desk && mainAct(desk.state);
  if (!act || pressing || at("main").hasAttribute("data-settling")) return;
  pressing = true;
  const reason = act === "pause" ? at("why-input").value.trim() : "";
  const refused = await ask(act, reason ? { reason } : {});
  if (!refused && act === "pause") at("why-input").value = "";
  pressing = false;
}

export function answer(choice) {
  ask("answer", { choice }, { done: say(`did-answer-${choice}`) });
}

export function addTime(count) {
  if (seen()) ask("time", { by_ms: Math.round(count * 60000) }, { done: doneTime(count * 60000) });
}

function doneTime(by_ms) {
  return say(by_ms < 0 ? "took" : "added", { time: timeText(Math.abs(by_ms)) });
}

export function askTime() {
  const by = (sign) => ({ count }, form) => {
    const number = decimalOf(count);
    if (!number) return say("no-minutes");
    const by_ms = sign * Math.round(number * 60000);
    return ask("time", { by_ms }, { form, done: doneTime(by_ms) });
  };
  openDialog({
    title: say("time"),
    live: now,
    fields: [{ name: "count", label: say("in-minutes"), kind: "decimal", value: "10" }],
    choices: [
      { text: say("time-add"), kind: "main", act: by(1), testid: "time-add" },
      { text: say("time-take"), act: by(-1), testid: "time-take" },
    ],
  });
}

export function askBreak() {
  const call = (count, form) => ask("break", { duration_ms: Math.round(count * 60000) }, { form });
  openDialog({
    title: say("break-now"),
    text: say("break-text"),
    live: now,
    fields: [{ name: "count", label: say("in-minutes"), kind: "decimal", value: "10" }],
    choices: [
      {
        text: say("break-call"),
        kind: "main",
        testid: "break-call",
        act: ({ count }, form) => (decimalOf(count) ? call(decimalOf(count), form) : say("no-minutes")),
      },
      ...BREAKS.map((count) => ({ text: say("minutes", { count }), kind: "pick", act: (_values, form) => call(count, form) })),
    ],
  });
}

// What is left of the level is lost by going elsewhere; nothing is where nothing was played.
export function goTo(name, fields = {}) {
  const { clock, left_ms, entries, state } = seen();
  const there = { next: clock.index + 1, back: clock.index - 1, go: fields.index }[name];
  const entry = entries[there];
  if (state === "ready" || (!entry && !clock.called)) {
    ask(name, fields);
    return;
  }
  const ends = clock.called && name === "next";
  openDialog({
    testid: "sure",
    title: ends ? say("end-break-sure") : say("go-sure", { what: entryText(entry) }),
    text: ends ? say("end-break-text", { level: say("level", { level: clock.level }), time: timeText(clock.level_left_ms) }) : say("go-text", { time: timeText(left_ms), what: levelText(clock) }),
    live: now,
    choices: [{ text: say("go-yes"), kind: "main", testid: "yes", act: (_values, form) => ask(name, fields, { form }) }],
  });
}

export function entryText(entry) {
  if (entry.level === null) return `${say("on-break")}, ${minutes(entry.duration_ms)}`;
  return `${say("level", { level: entry.level })}, ${blindsText(entry.blinds)}`;
}

// The clock as it is, for a dialog that covers it.
export function now() {
  const desk = seen();
  if (!desk) return "";
  return say("now", { state: say(`state-${desk.state}`), level: levelText(desk.clock), time: at("clock").textContent });
}

function askGrave(name) {
  openDialog({
    testid: name,
    title: say(`${name}-sure`),
    text: say(`${name}-text`),
    live: now,
    choices: [{ text: say(`${name}-hold`), kind: "grave", hold: true, testid: `${name}-hold`, act: (_values, form) => ask(name, {}, { form }) }],
  });
}

async function changeRule(box) {
  box.dataset.busy = "1";
  const refused = await ask("rules", { [box.id]: box.checked });
  delete box.dataset.busy;
  if (refused) box.checked = seen()[box.id];
}

export function wireControls() {
  at("main").onclick = at("watch-main").onclick = pressMain;
  for (const button of document.querySelectorAll("[data-by]")) button.onclick = () => addTime(Number(button.dataset.by));
  for (const button of document.querySelectorAll("[data-answer]")) button.onclick = () => answer(button.dataset.answer);
  at("time").onclick = askTime;
  at("break").onclick = askBreak;
  at("next").onclick = () => goTo("next");
  at("back").onclick = () => goTo("back");
  at("end").onclick = () => askGrave("end");
  at("reset").onclick = () => askGrave("reset");
  for (const box of document.querySelectorAll("#rules input")) box.onchange = () => changeRule(box);
}
