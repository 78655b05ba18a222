// The blinds screen. The server sends the whole picture at every change and every second; between
// the messages, and without them, the clock counts here from the deadline.

import { base } from "/static/base.js";
import { controls, stayAwake } from "/static/controls.js";
import { fit, forget, linesOfPage } from "/static/fit.js";
import { pagesOf } from "/static/lines.js";
import { follow, setText, timeText } from "/static/live.js";
import { heightWanted, rewind, setHeight, setPages, tickPager } from "/static/pager.js";
import { cues, speaker } from "/static/sound.js";

const LAST_MS = 60000;
const POCKET_STATES = ["ready", "break", "holding"];
const BAR_STEPS = 300;
const VOLATILE = ["now_ms", "wall_ms", "deadline_ms", "remaining_ms", "catch_up_ms", "revision", "session", "duration_ms", "to_break_ms"];

const at = (id) => document.getElementById(id);
const asked = () => new URLSearchParams(location.search);

let picture = null;
let words = JSON.parse(document.body.dataset.words);
let stands = ""; // the picture without what changes by itself
let fitted = ""; // what the layout was made for
let heard = ""; // the announcements, as last seen
let pocket = false; // there is one

const sound = speaker(asked().get("sound") !== "off");
const cue = cues();

function setHidden(element, hidden) {
  if (element.hidden !== hidden) element.hidden = hidden;
}

function setAttribute(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

function show(id, text, part = id) {
  setText(at(id), text);
  setHidden(at(part), !text);
}

function left() {
  if (picture.deadline_ms === null) return picture.remaining_ms;
  return room.left(picture.deadline_ms);
}

// A running level has its last minute whether the room says so in time or not.
function stateNow() {
  const runs = picture.state === "running" || picture.state === "last-minute";
  if (!runs || picture.deadline_ms === null) return picture.state;
  return left() <= LAST_MS ? "last-minute" : "running";
}

function message(next) {
  if (!POCKET_STATES.includes(picture?.state) && POCKET_STATES.includes(next.state)) loadPocket();
  picture = next;
  words = picture.words;
  stands = JSON.stringify(picture, (name, value) => (VOLATILE.includes(name) ? undefined : value));
  setAttribute(document.documentElement, "lang", picture.language);
  setAttribute(document.documentElement, "data-theme", theme());
  for (const element of document.querySelectorAll("[data-word]")) setText(element, words[element.dataset.word]);
  showTexts();
  const news = JSON.stringify(picture.announcements);
  if (news !== heard && picture.announcements.length) rewind(false);
  heard = news;
}

function theme() {
  const given = asked().get("theme");
  return document.body.dataset.themes.split(" ").includes(given) ? given : picture.theme;
}

function inches() {
  const given = Number(asked().get("diagonal"));
  if (given >= 3 && given <= 1000) return given;
  return picture ? picture.diagonal_inches : 55;
}

function showTexts() {
  show("word", picture.word, "state");
  show("level", picture.heading);
  setHidden(at("clock"), !picture.counts);
  setHidden(at("track"), !picture.counts);
  show("blinds", picture.blinds);
  show("ante", picture.ante, "ante-part");
  at("blinds-row").toggleAttribute("data-shown", Boolean(picture.blinds));
  setText(at("next-label"), picture.next_label);
  setText(at("next"), picture.next);
  setHidden(at("next-part"), !picture.next_label);
  show("next-ante", picture.next_ante, "next-ante-part");
  show("race-off", picture.race_off);
  show("players", picture.players, "players-part");
  show("average", picture.average, "average-part");
  show("note", picture.banner);
  if (picture.logo) setAttribute(at("logo"), "src", picture.logo);
  setHidden(at("logo"), !picture.logo || broken);
  setHidden(at("pocket"), !pocket || !POCKET_STATES.includes(picture.state));
}

let broken = false;
at("logo").addEventListener("error", () => (broken = true));
at("logo").addEventListener("load", () => (fitted = ""));

function loadPocket() {
  const image = new Image();
  image.addEventListener("load", () => {
    at("pocket").src = image.src;
    pocket = true;
    if (picture) showTexts();
    tick();
  });
  image.addEventListener("error", () => {
    pocket = false;
    if (picture) showTexts();
  });
  image.src = `${base}/pocket.svg`;
}

// What is said of the state, and the pages.
function showLines() {
  const fill = (text) =>
    text.replace("{left}", timeText(left() ?? 0)).replace("{catch_up}", timeText(catchUp()));
  const lines = picture.said.map(fill);
  const home = at("said");
  while (home.children.length > lines.length) home.lastElementChild.remove();
  while (home.children.length < lines.length) home.append(document.createElement("p"));
  lines.forEach((line, index) => setText(home.children[index], line));
}

function catchUp() {
  return Math.max(0, (picture.catch_up_ms ?? 0) - (room.now() - picture.now_ms));
}

function current(lines) {
  const now = room.now();
  return lines.filter((line) => now < (line.deadline_ms ?? line.until_ms ?? Infinity));
}

function announced(line) {
  return line.deadline_ms === null ? line : { ...line, text: `${line.text}  ${timeText(room.left(line.deadline_ms))}` };
}

// What is said, as pages of the strip.
function pages(said, weight = 600) {
  const style = getComputedStyle(document.body);
  const width = document.body.clientWidth - 2 * parseFloat(style.paddingLeft) - 4;
  return said.flatMap((each) => pagesOf(each, { width, px: parseFloat(style.fontSize), weight }, linesOfPage()));
}

const plain = (text) => (text ? [{ text, parts: [] }] : []);

// A line that counts leaves room for its time, so that the layout does not move with it.
function showPages() {
  setPages("announcements", pages(current(picture.announcements).map(announced)));
  setPages("notices", pages(current(picture.notices)));
  setPages("name", pages(plain(at("name-top").hidden ? picture.name : ""), 500));
  setPages("prizes", pages(picture.prizes));
  setPages("old-level", pages(picture.old_level, 500));
  const unheard = setPages("unheard", pages(plain(picture.heard ? "" : words.unheard)));
  if (setPages("alerts", pages(picture.alerts)) || unheard) rewind(true);
}

// In the first row if there is room in it, else it takes its turn.
function showName() {
  const high = at("top").offsetHeight;
  show("name-top", picture?.name ?? "");
  const isFull = at("local-time").parentElement !== at("top") || at("next-break").parentElement !== at("top");
  if (isFull || at("top").offsetHeight > high) setHidden(at("name-top"), true);
}

// Lays out anew when anything has changed that takes room.
function layOut() {
  const { innerWidth: width, innerHeight: height } = window;
  const shown = picture && [current(picture.announcements).length, current(picture.notices).length];
  const texts = ["clock", "next-break", "said"].map((id) => (at(id).hidden ? -1 : at(id).textContent.length));
  const key = JSON.stringify([width, height, inches(), stands, shown, texts, at("pocket").hidden, at("logo").hidden]);
  if (key === fitted) return;
  fitted = key;
  setHidden(at("name-top"), true);
  fit(inches(), heightWanted); // the font size, by which pages are cut
  showName();
  if (picture) showPages();
  setHeight(fit(inches(), heightWanted));
}

function tick() {
  showTrouble();
  if (picture) {
    const ms = left() ?? 0;
    setAttribute(document.body, "data-state", stateNow());
    if (picture.counts) {
      setText(at("clock"), timeText(ms));
      const share = Math.round(Math.min(1, ms / picture.duration_ms) * BAR_STEPS) / BAR_STEPS;
      const bar = `scaleX(${share})`;
      if (at("left").style.transform !== bar) at("left").style.transform = bar;
    }
    setHidden(at("next-break"), picture.to_break_ms === null);
    if (picture.to_break_ms !== null) setText(at("next-break-time"), timeText(ms + picture.to_break_ms));
    setText(at("local-time"), localTime());
    showLines();
    if (picture.announcements.some((line) => line.deadline_ms !== null)) showPages();
    const entry = picture.state === "last-level" ? null : picture.entry;
    const due = cue(entry, ms, picture.deadline_ms !== null, performance.now());
    if (due) sound.play(due);
  }
  tickPager();
  layOut();
}

// The room's wall, not this machine's.
function localTime() {
  const there = new Date(picture.wall_ms + (room.now() - picture.now_ms) + picture.utc_offset_s * 1000);
  const two = (number) => String(number).padStart(2, "0");
  return `${two(there.getUTCHours())}:${two(there.getUTCMinutes())}`;
}

// Nothing else is in the strip then: what was told last may be over.
function showTrouble() {
  let said = [""];
  if (room?.stale()) {
    const trouble = words.unlinked.replace("{age}", timeText(room.silence()));
    const runs = picture && picture.deadline_ms !== null;
    said = runs ? pages(plain(`${trouble}, ${words["runs-on"]}`)) : pages(plain(trouble));
    if (said.length > 1) said = pages(plain(trouble));
  }
  show("stale", said[0]);
  const silent = { tap: words["tap-for-sound"], none: words["no-sound"] };
  show("hint", silent[sound.trouble()] ?? "");
}

function address() {
  const language = asked().get("lang");
  return language ? `/screen/events?lang=${encodeURIComponent(language)}` : "/screen/events";
}

let room = null;
room = follow(address, { message, tick });
controls({
  sound,
  changed() {
    if (picture) setAttribute(document.documentElement, "data-theme", theme());
    room.reopen();
  },
});
stayAwake();
window.addEventListener("resize", tick);
for (const weight of [500, 600]) document.fonts.load(`${weight} 20px "Barlow Condensed"`);
document.fonts.addEventListener("loadingdone", () => {
  forget();
  fitted = "";
});
