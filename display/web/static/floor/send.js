// What is done goes out as a POST; what came of it is in the stream, and a refusal stands in
// words beside what was tapped.

import { t } from "./words.js";
import { button, el } from "./dom.js";
import { now } from "./room.js";
import { still } from "./still.js";
import { signIn } from "/static/me.js";

const SAID_MS = 15000;
const refusals = new Map(); // place -> {text, remedy, until}
const busy = new Set();

async function post(path, fields) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Requested-With": "cutcard" },
      body: JSON.stringify(fields),
    });
    if (answer.ok) return { ok: true, error: "" };
    if (answer.status === 401) signIn();
    const said = await answer.json().catch(() => ({}));
    return { ok: false, error: said.error ?? t("not-sent") };
  } catch {
    return { ok: false, error: t("not-sent") };
  }
}

// `place` is the key of an alert or the name of a panel: only one thing at a time goes out of it.
async function once(place, path, fields, remedy) {
  if (busy.has(place)) return false;
  busy.add(place);
  forget(place);
  const said = await post(path, fields);
  busy.delete(place);
  if (!said.ok) refuse(place, said.error, remedy);
  return said.ok;
}

export const act = (place, name, fields, remedy) => once(place, `/alerts/${name}`, fields, remedy);

// A warning or a penalty of a player.
export const give = (alert, name, fields) => once(alert.key, `${playersOf(alert)}/${name}`, fields);

// Where the players of an alert's table are: in the event that has it.
export const playersOf = ({ event }) => (event ? `/event/${event}/players` : "/players");

// The alert as it was seen decides what is sent: the table refuses what is not so any more.
export function decide(alert, name, more, remedy) {
  const { session, hand, finding } = alert;
  const about = finding ? { finding: Number(finding) } : {};
  const path = `/floor/${encodeURIComponent(alert.table)}/${name}`;
  return once(alert.key, path, { session, hand, ...about, ...more }, remedy);
}

// `remedy()` is what may be done about it, {label, act}, or null while nothing may.
export function refuse(place, text, remedy = () => null) {
  refusals.set(place, { text, remedy, until: now() + SAID_MS });
  still(showRefusals);
}

export function forget(place) {
  if (refusals.delete(place)) still(showRefusals);
}

export function showRefusals(inside = document) {
  for (const [place, each] of refusals) if (each.until < now()) refusals.delete(place);
  for (const element of inside.querySelectorAll("[data-place]")) {
    const said = refusals.get(element.dataset.place);
    const remedy = said?.remedy() ?? null;
    const shows = said && said.text + (remedy?.label ?? "");
    if (element.shows === shows) continue;
    element.shows = shows;
    element.hidden = !said;
    if (!said) element.replaceChildren();
    else {
      const again = remedy && button(remedy.label, () => {
        forget(element.dataset.place);
        remedy.act();
      });
      element.replaceChildren(el("span", { textContent: said.text }), ...(again ? [again] : []));
    }
  }
}
