// The room as it was last told, and what of it concerns the one who holds this page.

import { who } from "./who.js";

export const seen = { floor: null, room: null, lost: true };

export const now = () => seen.room.now() ?? 0;
export const me = () => seen.floor.people.find((each) => each.name === who());
export const callsMe = (alert) => alert.calls.length === 0 || alert.calls.includes(who());
export const isMine = (alert) => alert.owner !== "" && alert.owner === who() && !alert.owner_away;

let listed = { floor: null, alerts: new Map() };
export function find(key) {
  const { floor } = seen;
  if (listed.floor !== floor) listed = { floor, alerts: new Map([...floor.ruled, ...floor.alerts].map((each) => [each.key, each])) };
  return listed.alerts.get(key);
}

// Whether somebody has still to take it, or to come back to it.
export function waits(alert) {
  const done = alert.ruling || alert.shelved || alert.dismissed || alert.state === "closed";
  return !done && (alert.owner === "" || alert.owner_away || alert.level > 0);
}

// Not in my sections, not mine, and not calling me.
export function isElsewhere(alert) {
  const here = me();
  if (!here || here.everything || alert.owner === who() || !alert.table) return false;
  return !alert.mine.includes(who()) && !callsMe(alert);
}

// Grouped by table and cause only in a flood.
export function groups() {
  const here = me();
  return (here ? here.flood : seen.floor.flood) ? seen.floor.groups : [];
}
