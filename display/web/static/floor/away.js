// When the room cannot be heard, and what happened meanwhile.

import { setText } from "/static/live.js";
import { at, button, el, renew } from "./dom.js";
import { seen } from "./room.js";
import { happenedLine } from "./happened.js";
import { age, t } from "./words.js";

export const missedKeys = new Set(); // alerts that came while this page was away
const KEY = "cutcard-floor-heard"; // the room's time when it was last heard, and this phone's
const STALE_MS = 3500;
const GONE_MS = 2000; // of a page that is loaded again
const KEPT_MS = 12 * 3600 * 1000;
const LATE_MS = 3000; // tables tell a room that has just come back what they have
let last = JSON.parse(localStorage.getItem(KEY) ?? "null");
let missed = [];
let more = false;
let from_ms = null;
let back_ms = null; // when this page was back
let told_n = -1; // the newest line of the history when it was asked for
let away = true; // a page that has just been opened was away too

export function heard() {
  const { now_ms, heard: hears, news } = seen.floor;
  if (!hears) return;
  if (away) {
    // The room's own time stands while it is gone.
    const gone_ms = last ? Date.now() - last.wall_ms : 0;
    if (gone_ms > GONE_MS && gone_ms < KEPT_MS) {
      from_ms ??= Math.min(last.room_ms, now_ms);
      back_ms = now_ms;
      told_n = -1;
    }
    away = false;
  }
  const newest = news[0]?.n ?? 0;
  if (back_ms !== null && newest !== told_n) {
    told_n = newest;
    learn();
  }
  if (back_ms !== null && now_ms - back_ms > LATE_MS) back_ms = null;
  last = { room_ms: now_ms, wall_ms: Date.now() };
  localStorage.setItem(KEY, JSON.stringify(last));
}

async function learn() {
  try {
    const answer = await fetch(`/floor/since/${Math.floor(from_ms)}`);
    if (!answer.ok) return;
    const told = await answer.json();
    more = told.more;
    missed = told.happened.filter((each) => each.what === "raised" || each.what === "closed" || each.what === "escalated");
    for (const each of missed) if (each.what === "raised") missedKeys.add(each.key);
    showMissed();
  } catch {
    told_n = -1; // again with the next picture
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
  from_ms = back_ms = null;
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
  setText(at("offline-what"), deaf ? t("deaf") : stale ? t("offline") : "");
  setText(at("offline-age"), stale ? age(seen.room.silence()) : "");
}

at("missed").append(button(t("missed-read"), missedRead, "", { act: "missed-read" }));
