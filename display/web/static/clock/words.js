// What the page says: its words come with it, in one language.

const words = JSON.parse(document.body.dataset.words);

export function say(key, values = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export function knows(key) {
  return key in words;
}

// 12,500, as it is written in that language.
export function number(amount) {
  return String(amount).replace(/\B(?=(\d{3})+$)/g, words.thousands);
}

export function decimal(amount) {
  return String(Number(amount.toFixed(2))).replace(".", words.decimal);
}

export function minutes(ms) {
  return say("minutes", { count: decimal(ms / 60000) });
}

// A length of time, for people: 3 h 20 min.
export function hours(ms) {
  const all = Math.round(ms / 60000);
  if (all < 60) return say("minutes", { count: all });
  return say("hours", { hours: Math.floor(all / 60), minutes: String(all % 60).padStart(2, "0") });
}

export function blindsText(blinds) {
  return blinds ? `${number(blinds.small)} / ${number(blinds.big)}` : "";
}

export function anteText(blinds) {
  return blinds && blinds.ante ? say("ante-of", { ante: number(blinds.ante) }) : "";
}

export function withAnte(blinds) {
  return [blindsText(blinds), anteText(blinds)].filter(Boolean).join(" · ");
}

export function levelText(clock) {
  return clock.on_break ? say("on-break") : say("level", { level: clock.level });
}

export function placeText({ table, seat }) {
  return say(seat ? "place-seat" : "place-table", { table, seat });
}

// Names in a line: of many the first, and how many others there are.
export function listed(names, most = 12, joint = ", ") {
  const first = names.slice(0, most).join(joint);
  return names.length > most ? say("and-more", { listed: first, count: names.length - most }) : first;
}

// The local time of the room, 21:05.
export function timeOfDay(wall_ms, utc_offset_s) {
  return new Date(wall_ms + utc_offset_s * 1000).toISOString().slice(11, 16);
}

// What people type as a whole number: 12500 or 12,500 in any language; null where it is none.
export function wholeOf(text) {
  const typed = text.trim();
  if (!/^(\d+|\d{1,3}([\s.,'’]\d{3})+)$/.test(typed)) return null;
  const digits = typed.replace(/\D/g, "");
  return digits.length <= 15 ? Number(digits) : null;
}

export function decimalOf(text) {
  const plain = text.trim().replace(",", ".");
  return /^\d{1,4}(\.\d{1,4})?$/.test(plain) ? Number(plain) : null;
}
