// What every page that follows the room has in common: the stream of whole pictures, the room's
// time, and what to do when nothing comes. A page counts on by itself from the last picture.
//
//   const room = follow("/screen/events", {
//     message(picture) {},    // a new picture is to be shown
//     tick() {},              // ten times a second, and after every message
//     mayReload() {},         // optional: false while a reload would lose what somebody types
//     opened() {},            // optional: there is a stream, perhaps another one than before
//     refused() {},           // optional: the room has answered, but not with a stream
//   });
//   room.now()                // the room's time in ms; null before it was told
//   room.left(deadline_ms)    // ms until then, never less than 0
//   room.silence()            // ms since the room was last heard, or since the page began
//   room.stale()              // whether that is too long to be trusted
//   room.reopen()             // asks anew; the address may be a function that gives it
//
// The address is that of the page's event, as it would be in the first one.
//
// A picture has `now_ms`; and where it has them, at its top or in its `clock`: `version` of the
// program, and `session`, `lineage`, `revision`, which order pictures.

import { base } from "./base.js";

const STALE_MS = 3500; // the room speaks every second
const RETRY_MS = [4000, 6000, 10000];
const TICK_MS = 100;
const SLEPT_MS = 2000; // what the page's clocks skip or differ by when the machine has slept
const JUMP_MS = 2000;
const SAMPLES = 20;
const SURE_AFTER = 5; // so many messages in so long a time are no accident
const SURE_MS = 3000;
const LISTENS_MS = 3000; // a room that has just begun may not know yet that another one leads
const INSISTS_MS = 15000; // who says nothing else for so long means it
const OUTAGE_MS = 60000; // after which the page may be an old one

export function follow(address, { message, tick, mayReload = () => true, opened = () => {}, refused = () => {} }) {
  let source = null;
  let openedAt = 0;
  let attempts = 0;
  let heardAt = performance.now();
  let heardOnce = false;
  let shown = null; // what orders the picture that is shown
  let passedOverSince = null;
  let version = null;
  let offsets = []; // room time minus this page's clock, newest last
  let late = []; // those that are far below, with when they came
  let doubted = false; // the next one counts, whatever the others say
  let reloading = false;

  function open() {
    if (source) source.close();
    openedAt = performance.now();
    source = new EventSource(base + (typeof address === "function" ? address() : address));
    source.onmessage = received;
    source.onopen = opened;
  }

  function received({ data }) {
    let picture;
    try {
      picture = JSON.parse(data);
    } catch {
      return; // not from our room
    }
    const at = performance.now();
    const order = orderOf(picture);
    if (isOld(order, at)) return;
    const silentFor = at - heardAt;
    if (shown && (order.session !== shown.session || order.lineage !== shown.lineage)) doubted = true;
    shown = order;
    passedOverSince = null;
    learn(order.now_ms - at, at);
    const wasLost = heardOnce && silentFor > OUTAGE_MS;
    heardAt = at;
    heardOnce = true;
    attempts = 0;
    version ??= order.version;
    if (wasLost || order.version !== version) reloading = true;
    message(picture);
    tick();
  }

  // Late, or of a room that does not know better: it must not stand in the place of what is newer.
  function isOld(order, at) {
    const patience = shown ? doubt(shown, order) : 0;
    if (!patience) return false;
    passedOverSince ??= at;
    return at - passedOverSince < patience;
  }

  // A message can only come late, so the greatest offset is the truest. One that is far greater
  // tells that this machine has slept. Far less is late, unless it is said again and again.
  function learn(offset, at) {
    if (!offsets.length || doubted || offset > best() + JUMP_MS) {
      offsets = [offset];
      late = [];
      doubted = false;
    } else if (offset < best() - JUMP_MS) {
      late.push({ offset, at });
      if (late.length >= SURE_AFTER && at - late[0].at >= SURE_MS) {
        offsets = late.map((one) => one.offset);
        late = [];
      }
    } else {
      late = [];
      offsets.push(offset);
      if (offsets.length > SAMPLES) offsets.shift();
    }
  }

  function best() {
    return Math.max(...offsets);
  }

  // The page's two clocks go apart, or skip, when the machine sleeps; its connection may be dead.
  let ticked = { here: performance.now(), wall: Date.now() };
  function watch() {
    const now = { here: performance.now(), wall: Date.now() };
    const here = now.here - ticked.here;
    const apart = now.wall - ticked.wall - here;
    ticked = now;
    const skipped = Math.abs(here) > SLEPT_MS;
    if (skipped) doubted = true;
    if (skipped || apart > SLEPT_MS) open();
  }

  function retry() {
    const now = performance.now();
    heardAt = Math.min(heardAt, now);
    openedAt = Math.min(openedAt, now);
    const patience = RETRY_MS[Math.min(attempts, RETRY_MS.length - 1)];
    const closed = source.readyState === EventSource.CLOSED;
    const waited = now - Math.max(openedAt, heardAt);
    if (waited > patience || (closed && now - openedAt > 2000)) {
      attempts += 1;
      if (closed) refused();
      open();
    }
  }

  // Only from a server that has just answered: a failed reload would leave the browser's own page.
  let asking = false;
  function reload() {
    if (!reloading || asking || !mayReload()) return;
    asking = true;
    fetch(location.href, { cache: "no-store" })
      .then((answer) => answer.ok && location.reload())
      .catch(() => {})
      .finally(() => setTimeout(() => (asking = false), 2000));
  }

  const room = {
    now: () => (offsets.length ? performance.now() + best() : null),
    left: (deadline) => (offsets.length ? Math.max(0, deadline - room.now()) : null),
    silence: () => Math.max(0, performance.now() - heardAt),
    stale: () => room.silence() > STALE_MS,
    reopen: open,
  };

  open();
  setInterval(() => {
    watch();
    retry();
    reload();
    tick();
  }, TICK_MS);
  window.addEventListener("online", open);
  return room;
}

// How long `next` is to be passed over while `shown` is shown; 0 where it is the newer one.
function doubt(shown, next) {
  if (next.lineage !== shown.lineage) {
    return next.stands_by || next.revision < shown.revision ? LISTENS_MS : 0;
  }
  if (next.revision !== shown.revision) return next.revision < shown.revision ? INSISTS_MS : 0;
  return next.now_ms < shown.now_ms ? INSISTS_MS : 0;
}

function orderOf(picture) {
  const { session = "", lineage = "", revision = 0 } = { ...picture.clock, ...picture };
  const { now_ms, stands_by = false, version = null } = picture;
  return { session, lineage, revision, now_ms, stands_by, version };
}

// A length of time: 12:34, or 1:02:03 from an hour on. A second begun is a second.
export function timeText(ms) {
  const seconds = Math.ceil(ms / 1000);
  const two = (number) => String(number).padStart(2, "0");
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${two(minutes)}:${two(seconds % 60)}`;
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}`;
}

// Writes only what has changed: what is written is painted anew.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
