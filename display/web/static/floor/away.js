// When the room cannot be heard, and what happened meanwhile.

import { setText } from "/static/live.js";
import { at, button, el, renew } from "./dom.js";
import { seen } from "./room.js";
import { happenedLine } from "./happened.js";
import { age, t } from "./words.js";

export const missedKeys = new Set(); // alerts that came while this page was away
const KEY = "cutcard-floor-heard";
const STALE_MS = 3500;
const KEPT_MS = 12 * 3600 * 1000;
let heard_ms = Number(localStorage.getItem(KEY)) || null; // the room's time
let missed = [];
let more = false;
let from_ms = null;
let away = true; // a page that has just been opened was away too

// Returns true when something has to be shown anew.
export function heard() {
  const { floor } = seen;
  const back = away && floor.heard;
  if (floor.heard) away = false;
  if (back && heard_ms !== null && heard_ms <= floor.now_ms && floor.now_ms - heard_ms < KEPT_MS && floor.now_ms - heard_ms > STALE_MS) learn(heard_ms);
  if (floor.heard) {
    heard_ms = floor.now_ms;
    localStorage.setItem(KEY, String(heard_ms));
  }
}

async function learn(since_ms) {
  const asked_ms = from_ms ?? since_ms;
  try {
    const answer = await fetch(`/floor/since/${Math.floor(asked_ms)}`);
    if (!answer.ok) return;
    const told = await answer.json();
    from_ms = asked_ms;
    more = told.more;
    missed = told.happened.filter((each) => each.what === "raised" || each.what === "closed" || each.what === "escalated");
    for (const each of missed) if (each.what === "raised") missedKeys.add(each.key);
    showMissed();
  } catch {
    away = true; // again with the next picture
    heard_ms = since_ms;
  }
}

function showMissed() {
  at("missed").hidden = !missed.length;
  setText(at("missed-title"), t(missed.length === 1 ? "missed-one" : "missed-count", { count: missed.length }));
  renew(at("missed-list"), missed, () => [
    ...(more ? [el("li", { textContent: t("missed-more") })] : []),
    ...missed.slice(-50).map(happenedLine),
  ]);
}

export function missedRead() {
  missed = [];
  from_ms = null;
  missedKeys.clear();
  showMissed();
}

export function showSilence() {
  const stale = seen.room.silence() > STALE_MS;
  const deaf = !stale && seen.floor !== null && !seen.floor.heard;
  if (stale || deaf) away = true;
  seen.lost = stale;
  document.body.toggleAttribute("data-offline", stale || deaf);
  at("offline").hidden = !stale && !deaf;
  setText(at("offline-what"), deaf ? t("deaf") : t("offline"));
  setText(at("offline-age"), stale ? age(seen.room.silence()) : "");
}

at("missed").append(button(t("missed-read"), missedRead, "", { act: "missed-read" }));
