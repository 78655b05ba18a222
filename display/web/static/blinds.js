// The wall. The server sends the whole picture at every change and every second; between
// the messages, and without them, the clock counts here from the deadline.

const STALE_AFTER_MS = 3500;
const GIVE_UP_AFTER_MS = 10000;
const SAMPLES = 20;
const MINUTE_MS = 60000;

const at = (id) => document.getElementById(id);

let wall = null;
let offsets = []; // room time minus this page's clock, newest last
let heardAt = performance.now();
let source = null;

function open() {
  if (source) source.close();
  source = new EventSource("/blinds/events");
  source.onmessage = (message) => {
    heardAt = performance.now();
    wall = JSON.parse(message.data);
    learnTime(wall.now_ms - heardAt);
    show();
  };
}

// A message can only come late, so the greatest offset is the truest. After a jump (this
// machine slept, the room's service began anew) only what is new counts.
function learnTime(offset) {
  if (offsets.length && Math.abs(offset - roomOffset()) > 2000) offsets = [];
  offsets.push(offset);
  if (offsets.length > SAMPLES) offsets.shift();
}

function roomOffset() {
  return Math.max(...offsets);
}

function remainingMs() {
  if (wall.deadline_ms === null) return wall.remaining_ms;
  return Math.max(0, wall.deadline_ms - (performance.now() + roomOffset()));
}

function timeText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${two(minutes)}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

function setText(id, text) {
  const element = at(id);
  if (element.textContent !== text) element.textContent = text;
}

function setFlag(name, on) {
  document.body.toggleAttribute(`data-${name}`, on);
}

function show() {
  document.body.dataset.mood = wall.mood;
  at("paused").hidden = wall.mood !== "paused";
  setText("heading", wall.heading);
  setText("blinds", wall.blinds);
  setFlag("wide", (wall.blinds + wall.ante).length > 17);
  at("ante-part").hidden = !wall.ante;
  setText("ante", wall.ante);
  setText("next-label", wall.next_label);
  setText("next", wall.next);
  at("next-ante-part").hidden = !wall.next_ante;
  setText("next-ante", wall.next_ante);
  setFlag("break", wall.on_break);
  at("note").hidden = !wall.banner;
  setText("note", wall.banner);
  showAlerts();
  tick();
}

function showAlerts() {
  const key = JSON.stringify([wall.alerts, wall.alert_count]);
  if (at("alerts").dataset.key === key) return;
  at("alerts").dataset.key = key;
  const lines = wall.alerts.map((alert, index) => {
    const line = at("alert-line").content.cloneNode(true).firstElementChild;
    line.dataset.priority = alert.priority;
    line.toggleAttribute("data-stale", alert.stale);
    line.querySelector(".where").textContent = alert.table;
    line.querySelector(".what").textContent = `— ${alert.what}`;
    const total = wall.alert_count === 1 ? "1 alert" : `${wall.alert_count} alerts`;
    const count = index === 0 ? total : "";
    line.querySelector(".more").textContent = alert.stale ? `lost${count && ", "}${count}` : count;
    return line;
  });
  at("alerts").replaceChildren(...lines);
}

function tick() {
  const silent = performance.now() - heardAt;
  if (silent > GIVE_UP_AFTER_MS || source.readyState === EventSource.CLOSED) retry();
  showTrouble(silent);
  if (!wall) return;
  const left = remainingMs();
  const text = timeText(left);
  setText("clock", text);
  setFlag("long", text.length > 5);
  setFlag("last", wall.deadline_ms !== null && left <= MINUTE_MS);
  at("left").style.transform = `scaleX(${Math.min(1, left / wall.duration_ms).toFixed(4)})`;
  at("to-break").hidden = wall.to_break_ms === null;
  if (wall.to_break_ms !== null) setText("to-break-time", timeText(left + wall.to_break_ms));
}

function showTrouble(silent) {
  const stale = silent > STALE_AFTER_MS;
  const deaf = !stale && wall !== null && !wall.heard;
  at("stale").hidden = !stale && !deaf;
  setText("stale-what", stale ? (wall ? "No connection, time is stale" : "No connection") : "Tables cannot be heard");
  setText("stale-age", stale ? timeText(silent) : "");
  const rows = (wall ? wall.alerts.length : 0) + (stale || deaf ? 1 : 0);
  document.body.dataset.extra = rows;
}

let retriedAt = 0;
function retry() {
  if (performance.now() - retriedAt < 2000) return;
  retriedAt = performance.now();
  open();
}

open();
setInterval(tick, 200);
