// Which alerts are heard here: those that call the one who holds this page, and no other.

import { at } from "./dom.js";
import { setText } from "/static/live.js";
import { callsMe, isElsewhere, seen, waits } from "./room.js";
import { play } from "./sound.js";
import { tableOf, titleOf } from "./words.js";

const AGAIN_MS = 8000;
let known = null; // key -> how far it had come
let playedAt = 0;

export function call() {
  const { alerts } = seen.floor;
  const before = known;
  known = new Map(alerts.map((each) => [each.key, calling(each)]));
  const fresh = alerts.filter((each) => !before?.has(each.key));
  const louder = alerts.filter((each) => known.get(each.key) > (before?.get(each.key) ?? -1));
  if (louder.length) sound(Math.min(...louder.map((each) => each.priority)));
  if (before && fresh.length) announce(fresh.filter((each) => !isElsewhere(each)));
}

// -1: not for me; else the level at which it calls.
const calling = (alert) => (waits(alert) && callsMe(alert) ? alert.level : -1);

// What stops a table is heard until it is taken.
export function callAgain() {
  if (performance.now() - playedAt < AGAIN_MS) return;
  const grave = seen.floor.alerts.some((each) => each.priority === 1 && (!each.owner || each.owner_away) && calling(each) >= 0);
  if (grave) sound(1);
}

function sound(priority) {
  playedAt = performance.now();
  play(priority);
}

function announce(alerts) {
  const said = alerts.map((each) => `${tableOf(each)}: ${titleOf(each)}.`);
  if (said.length) setText(at("announce"), said.join(" "));
}
