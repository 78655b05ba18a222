// Who sits where an alert is, what is on record of them, and what is given to one of them.

import { ask, line } from "./ask.js";
import { at, el, renew } from "./dom.js";
import { find } from "./room.js";
import { give, playersOf, refuse } from "./send.js";
import { mayDecide } from "./who.js";
import { named, pair, t, tableOf, titleOf } from "./words.js";

const GIVEN = ["warning", "hands", "rounds", "minutes"]; // the directors disqualify, at their desk

let told = { key: "", about: "", players: [] };

async function learn(alert) {
  const answer = await fetch(`${playersOf(alert)}/at/${encodeURIComponent(alert.table)}`);
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
}

// Those whom it is about, in the opened alert: what there was before is considered (RR7-DEC-8).
export async function tellPlayers(alert) {
  const about = JSON.stringify([alert.key, alert.seats, alert.timeline]);
  if (!mayDecide() || !alert.seats.length || !["finding", "call"].includes(alert.kind)) {
    at("opened-players").hidden = true;
    return;
  }
  if (told.about === about) return;
  told = { key: alert.key, about, players: told.key === alert.key ? told.players : [] };
  show();
  try {
    const { players } = await learn(alert);
    if (told.about !== about) return;
    told.players = players.filter((each) => alert.seats.includes(each.seat));
  } catch {
    told.about = ""; // again with the next picture
  }
  show();
}

function show() {
  const box = at("opened-players");
  box.hidden = !told.players.length;
  renew(box.querySelector("ul"), told.players, () => told.players.map((each) => el("li", {}, el("b", { textContent: nameOf(each) }), el("span", { textContent: recordOf(each) }))));
}

const nameOf = ({ seat, name }) => `${name}, ${t("seat", { seats: seat })}`;

function recordOf({ given = [], seen = [] }) {
  const before = [
    ...seen.map(({ code, count }) => t("times", { what: named("finding", code), count })),
    ...given.filter((each) => each.over !== "pardoned").map(stepText),
  ];
  return before.join(" · ") || t("no-record");
}

const stepText = ({ given, amount = 0 }) => t(`given-${given}`, { amount });

// One tap gives it: the step that would be the next one stands first. None is recommended.
export async function askConduct(alert) {
  let here;
  try {
    here = await learn(alert);
  } catch {
    refuse(alert.key, t("not-sent"));
    return;
  }
  if (!find(alert.key)) return;
  const heading = pair(tableOf(alert), t("act-conduct"));
  if (!here.players.length) {
    ask({ alert, title: heading, text: t("no-players"), choices: [] });
    return;
  }
  const about = here.players.filter((each) => alert.seats.includes(each.seat));
  if (about.length === 1) askStep(alert, about[0], here.steps);
  else ask({
    alert,
    title: heading,
    text: titleOf(alert),
    choices: (about.length ? about : here.players).map((each) => ({ text: nameOf(each), act: () => askStep(alert, each, here.steps) })),
  });
}

function askStep(alert, player, steps) {
  const { field, input } = line(t("reason-if-any"), { value: alert.kind === "finding" ? alert.title : "", max: 200 });
  const usual = steps.filter((each) => GIVEN.includes(each.given));
  const next = usual.find((each) => isStep(each, player.next)) ?? usual[0];
  ask({
    alert,
    title: nameOf(player),
    text: recordOf(player),
    fields: [field],
    choices: [next, ...usual.filter((each) => each !== next)].map((step) => ({
      text: stepText(step),
      act: () => { send(alert, player, step, input.value.trim()); },
    })),
  });
  return false; // another question stands where this one was
}

const isStep = (one, other) => one.given === other?.given && one.amount === other.amount;

async function send(alert, { id }, { given, amount }, reason) {
  const why = reason && { reason };
  const done = given === "warning" ? give(alert, "warn", { player: id, ...why }) : give(alert, "penalise", { player: id, unit: given, amount, ...why });
  if (await done) {
    told.about = "";
    const now = find(alert.key);
    if (now) tellPlayers(now);
  }
}
