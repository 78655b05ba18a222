// The room in a player's hand. What is told comes at every change; each beat between has the
// time alone.

import { follow, setText, timeText } from "/static/live.js";

const LAST_MS = 60000;
const OVER = new Set(["last-level", "ended"]);

const at = (id) => document.getElementById(id);
const lang = document.documentElement.lang;

let heard = null; // the last message
let told = null;

const room = follow(`/pocket/events?lang=${lang}`, {
  message(message) {
    heard = message;
    if (message.told) show(message.told);
  },
  tick,
});

function show(next) {
  told = next;
  document.body.dataset.state = told.state;
  setText(at("name"), told.name);
  document.title = told.name || told.heading;
  setText(at("level"), told.heading);
  setText(at("state"), told.word);
  at("state").toggleAttribute("data-said", told.word === told.heading);
  part("why", told.why);
  part("note", told.banner);
  fit("blinds", told.blinds);
  part("ante", told.ante);
  setText(at("next-label"), told.next_label);
  part("next", told.on_break ? "" : told.next);
  part("then", told.on_break ? `${told.next_label} ${told.next}` : "");
  part("next-ante", told.next_ante);
  part("players", told.players);
  part("average", told.average);
  list("notices", told.notices, line);
  list("prizes", told.prizes, line);
  list("coming", told.coming, row);
  for (const name of ["prizes", "coming"]) at(`${name}-part`).hidden = !told[name].length;
}

// A value, which with its label is not there when it is not known.
function part(id, text) {
  setText(at(id), text);
  (at(`${id}-part`) ?? at(id)).hidden = !text;
}

// As large as the line allows: the style sheet knows how wide so many letters are.
function fit(id, text) {
  setText(at(id), text);
  at(id).style.setProperty("--letters", text.length);
}

function list(id, values, make) {
  const key = JSON.stringify(values);
  if (at(id).dataset.key === key) return;
  at(id).dataset.key = key;
  at(id).hidden = !values.length;
  at(id).replaceChildren(...values.map(make));
}

function line(text) {
  const item = document.createElement("li");
  item.textContent = text;
  return item;
}

function row(coming) {
  const item = at("row").content.cloneNode(true).firstElementChild;
  item.toggleAttribute("data-break", coming.is_break);
  for (const name of ["heading", "blinds", "length"]) {
    item.querySelector(`.${name}`).textContent = coming[name];
  }
  item.querySelector(".ante").textContent = coming.ante && `(${coming.ante})`;
  return item;
}

function tick() {
  const stale = room.stale();
  at("stale").hidden = !stale;
  if (stale) setText(at("stale"), staleText());
  if (!heard || !told) return;
  const left = told.deadline_ms === null ? told.remaining_ms : room.left(told.deadline_ms);
  const over = OVER.has(told.state);
  fit("clock", over ? "" : timeText(left));
  at("clock").hidden = at("track").hidden = over;
  document.body.toggleAttribute("data-last", told.deadline_ms !== null && left <= LAST_MS);
  const share = told.duration_ms > 0 ? Math.min(1, left / told.duration_ms) : 0;
  at("left").style.transform = `scaleX(${share.toFixed(4)})`;
  part("break", told.to_break_ms === null ? "" : timeText(left + told.to_break_ms));
  setText(at("local"), localTime());
}

function staleText() {
  const text = at("stale").dataset.silent.replace("{age}", timeText(room.silence()));
  return told && told.deadline_ms !== null ? `${text}, ${at("stale").dataset.runsOn}` : text;
}

function localTime() {
  const ms = heard.wall_ms + (room.now() - heard.now_ms) + heard.utc_offset_s * 1000;
  return new Date(ms).toISOString().slice(11, 16);
}
