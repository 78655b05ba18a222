// The page's words, in its language, and how times are said.

const words = JSON.parse(document.body.dataset.words);
const language = document.documentElement.lang;

export function t(key, fields = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => fields[name]);
}

const MOST_LISTED = 12;

// Names of tables in a line: of many the first, and how many others there are.
export function listed(names) {
  const first = names.slice(0, MOST_LISTED).join(", ");
  return names.length > MOST_LISTED ? t("and-more", { listed: first, count: names.length - MOST_LISTED }) : first;
}

// A word and what follows it, as the language sets it.
export const pair = (label, text) => t("pair", { label, text });

// The word for an id of the room's, or the id itself where the house has ids of its own.
export function named(kind, id) {
  return words[`${kind}-${id}`] ?? id.replaceAll("-", " ");
}

// An antenna's place, seat/3, in words.
export function zoneName(zone) {
  const [kind, number] = zone.split("/");
  return [words[`zone-${kind}`] ?? kind, number].filter(Boolean).join(" ");
}

// Why something was dismissed: a reason of the dealer's screen, or what somebody has typed.
export const reasonOf = (reason) => words[`reason-${reason}`] ?? reason;

export function age(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return t("seconds", { count: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return t("minutes", { count: minutes });
  return t("hours", { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

export function hour(wall_ms) {
  return new Date(wall_ms).toLocaleTimeString(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
}

export function decimal(number) {
  return number.toLocaleString(language, { maximumFractionDigits: 1 });
}

export function titleOf(alert) {
  const title = alert.kind === "finding" || (alert.kind === "reader" && alert.title) ? alert.title : t(`kind-${alert.kind}`);
  if (!alert.seats.length) return title;
  const seats = alert.seats.join(", ");
  return `${title}, ${t(alert.seats.length === 1 ? "seat" : "seats", { seats })}`;
}

export function tableOf(alert) {
  return alert.table ? t("table", { table: alert.table }) : t("test");
}
