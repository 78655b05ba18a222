// Warnings and penalties of one player: what there was, and what is given now.

import { mayAct, openDialog } from "../clock/asking.js";
import { number, say, wholeOf } from "../clock/words.js";
import { act, playerOf } from "./asking.js";

const UNITS = ["hands", "rounds", "minutes"];
const SHOWN = 8;

export function askConduct(id) {
  const player = playerOf(id);
  const given = player.given ?? [];
  const seen = player.seen ?? [];
  const last = given.findLast((each) => each.over !== "pardoned" && each.given !== "disqualified");
  const next = player.next;
  const choices = [
    choice("warn", "warn", () => askWarning(player)),
    ...(player.at ? [choice("penalise", "penalise", () => askPenalty(player))] : []),
    ...(mayAct() && player.status !== "out" ? [choice("disqualify", "disqualify", () => askDisqualify(player))] : []),
    ...(last ? [choice("pardon", "pardon", (form) => act("pardon", { id: last.id }, { form, done: say("done-pardon") }))] : []),
  ];
  openDialog({
    testid: "conduct",
    title: say("conduct-title", { player: player.name }),
    text: given.length || seen.length ? "" : say("conduct-none"),
    live: () => (next ? say("conduct-next", { what: givenText(next) }) : ""),
    lines: [
      ...seen.map((each) => [findingText(each), say("seen-last", { table: each.table, hand: number(each.hand) })]),
      ...given.slice(-SHOWN).map((each) => [givenText(each), stateText(each)]),
    ],
    choices,
  });
  return true;
}

function choice(key, testid, does) {
  return { text: say(key), testid: `conduct-${testid}`, act: (_values, form) => does(form) };
}

export function givenText({ given, amount }) {
  return say(`given-${given}`, { amount: number(amount ?? 0) });
}

const findingText = ({ code, count }) => say("seen-count", { what: say(`finding-${code}`), count: number(count) });

function stateText({ given, left, over, reason }) {
  const unit = given === "minutes" ? "minutes" : "hands";
  const now = over ? say(`over-${over}`) : left === undefined || left === null ? "" : say(`left-${unit}`, { left: number(left) });
  return [reason, now].filter(Boolean).join(" · ") || "–";
}

function reasonField() {
  return { name: "reason", label: say("reason"), most: 200, value: "" };
}

const why = (reason) => (reason.trim() ? { reason: reason.trim() } : {});
const taken = ({ id }) => ["pardon", { id }];

function askWarning({ id, name }) {
  openDialog({
    testid: "warning",
    title: `${name}: ${say("given-warning")}`,
    fields: [reasonField()],
    choices: [{
      text: say("warn-do"),
      kind: "main",
      testid: "warn-do",
      act: ({ reason }, form) => act("warn", { player: id, ...why(reason) }, { form, done: say("done-warn", { player: name }), undo: taken }),
    }],
  });
  return true;
}

function askPenalty({ id, name, next }) {
  const unit = UNITS.includes(next?.given) ? next.given : "rounds";
  openDialog({
    testid: "penalty",
    title: `${name}: ${say("penalise")}`,
    fields: [
      { name: "unit", label: say("unit"), kind: "short", value: unit, options: UNITS.map((each) => [each, say(`unit-${each}`)]) },
      { name: "amount", label: say("amount"), kind: "number", value: String(next?.amount || 1) },
      reasonField(),
    ],
    choices: [{
      text: say("penalise-do"),
      kind: "main",
      testid: "penalise-do",
      act({ unit: counted, amount: typed, reason }, form) {
        const amount = wholeOf(typed);
        if (!amount) return say("no-number", { what: say("amount") });
        return act("penalise", { player: id, unit: counted, amount, ...why(reason) }, { form, done: say("done-penalise", { player: name }), undo: taken });
      },
    }],
  });
  return true;
}

function askDisqualify({ id, name }) {
  openDialog({
    testid: "disqualifying",
    title: say("disqualify-sure", { player: name }),
    text: say("disqualify-text"),
    fields: [reasonField()],
    choices: [{
      text: say("disqualify-do"),
      kind: "grave",
      testid: "disqualify-do",
      act: ({ reason }, form) => act("disqualify", { player: id, ...why(reason) }, { form, done: say("done-disqualify", { player: name }), undo: ({ id: given }) => ["undisqualify", { id: given }] }),
    }],
  });
  return true;
}
