// What is always on top: state, level, time, blinds, what comes; and what is not as it should be.

import { setText, timeText } from "../live.js";
import { anteText, blindsText, levelText, listed, placeText, say } from "./words.js";

const STANDS = ["ready", "paused", "question", "holding", "ended", "last-level"];
const AGE_AFTER_MS = 1000;

const at = (id) => document.getElementById(id);

export function showHead(desk) {
  const { clock, state } = desk;
  document.body.dataset.state = state;
  setText(at("state"), say(`state-${state}`));
  at("state").dataset.state = state;
  setText(at("level"), say("level-of", { level: levelText(clock), count: desk.entries.filter((each) => each.level).length }));
  if (clock.on_break) setText(at("level"), say("on-break"));
  const shown = clock.on_break ? clock.next_blinds : clock.blinds;
  setText(at("blinds"), blindsText(shown));
  setText(at("ante"), anteText(shown));
  setText(at("then"), thenText(clock));
  showTroubles(desk);
}

function thenText(clock) {
  if (clock.on_break) return clock.next_blinds ? say("then", { what: nextLevel(clock) }) : "";
  if (clock.next_is_break) return say("then", { what: say("on-break") });
  if (!clock.next_blinds) return say("nothing-then");
  return say("then", { what: [blindsText(clock.next_blinds), anteText(clock.next_blinds)].filter(Boolean).join(" · ") });
}

function nextLevel(clock) {
  return say("level", { level: clock.called ? clock.level : clock.level + 1 });
}

export function tickHead(desk, room) {
  const { clock } = desk;
  const left = clock.deadline_ms === null ? clock.remaining_ms || 0 : room.left(clock.deadline_ms);
  setText(at("clock"), timeText(left));
  at("clock").classList.toggle("long", at("clock").textContent.length > 5);
  const share = clock.duration_ms ? Math.min(1, left / clock.duration_ms) : 0;
  at("left").style.transform = `scaleX(${share.toFixed(4)})`;
  const toBreak = clock.to_break_ms === null || clock.on_break || clock.ended ? null : left + clock.to_break_ms;
  setText(at("to-break"), toBreak === null || clock.next_is_break ? "" : say("break-in", { time: timeText(toBreak) }));
  document.title = `${timeText(left)} ${STANDS.includes(desk.state) ? say(`state-${desk.state}`) : levelText(clock)}`;
}

export function tickConnection(room, desk) {
  const stale = room.stale();
  const deaf = !stale && desk !== null && !desk.heard;
  at("offline").hidden = !stale && !deaf;
  document.body.toggleAttribute("data-offline", stale);
  setText(at("offline-what"), say(stale ? "offline" : "deaf"));
  setText(at("offline-age"), stale && room.silence() > AGE_AFTER_MS ? timeText(room.silence()) : "");
}

// Lines for whoever runs the room: what is wrong, and what tables are late.
function showTroubles(desk) {
  const lines = desk.faults.map((text) => ["fault", text]);
  if (desk.stands_by) lines.unshift(["fault", say("stands-by")]);
  if (desk.banner) lines.push(["fault", desk.banner]);
  if (desk.state === "holding") {
    lines.push(["late", desk.playing.length ? say("still-playing", { tables: listed(desk.playing) }) : say("none-playing")]);
  }
  if (desk.old_level.length) lines.push(["late", say("old-level", { tables: listed(desk.old_level) })]);
  for (const text of tableTroubles(desk)) lines.push(["late", text]);
  const key = JSON.stringify(lines);
  if (at("troubles").dataset.shown === key) return;
  at("troubles").dataset.shown = key;
  at("troubles").replaceChildren(...lines.map(([kind, text]) => {
    const line = document.createElement("li");
    line.dataset.kind = kind;
    line.textContent = text;
    return line;
  }));
}

// One line for each thing that is wrong, however many tables it is about.
function tableTroubles({ levels, dead_buttons }) {
  const lines = [];
  const silent = levels.filter((each) => each.unanswered).map((each) => each.table);
  if (silent.length) lines.push(say(silent.length === 1 ? "not-answering" : "not-answering-many", { count: silent.length, tables: listed(silent) }));
  for (const trouble of new Set(levels.map((each) => each.trouble).filter(Boolean))) {
    const tables = levels.filter((each) => each.trouble === trouble).map((each) => each.table);
    lines.push(say(tables.length === 1 ? "table-trouble" : "table-trouble-many", { table: tables[0], tables: listed(tables), trouble }));
  }
  if (dead_buttons.length === 1) lines.push(say("dead-button", dead_buttons[0]));
  if (dead_buttons.length > 1) lines.push(say("dead-button-many", { places: listed(dead_buttons.map(placeText), 5, " · ") }));
  return lines;
}

export function showQuestion(desk, room) {
  const { question } = desk.clock;
  at("question").hidden = !question;
  if (!question) return;
  const ago = timeText(Math.max(0, desk.now_ms - question.stopped_ms));
  setText(at("question-why"), say(`cause-${question.cause}`, { ago }));
  const gives = {
    resume: [levelText(desk.clock), timeText(desk.left_ms)],
    stay: [levelText(desk.clock), timeText(desk.left_ms)],
    "catch-up": desk.catch_up && [levelText(desk.catch_up), timeText(desk.catch_up.left_ms)],
  };
  for (const button of at("question").querySelectorAll("[data-answer]")) {
    const [level, time] = gives[button.dataset.answer] || ["", ""];
    setText(button.querySelector("span"), say(button.dataset.answer === "stay" ? "gives-standing" : "gives", { level, time }));
  }
}
