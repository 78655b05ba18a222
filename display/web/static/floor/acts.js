// What can be done with an alert, and doing it.

import { ask, line } from "./ask.js";
import { askConduct } from "./conduct.js";
import { act, decide } from "./send.js";
import { find, isMine, seen } from "./room.js";
import { mayDecide, who } from "./who.js";
import { named, pair, t, tableOf, titleOf } from "./words.js";

const REASONS = ["misread", "nothing-happened", "put-right", "does-not-matter"];
const SHELVE_REASONS = ["table-busy", "waits-for-hand", "someone-asked"];
const MINUTES = [2, 5, 15];
const MUTE_HANDS = [5, 20, 100];

// The names of the acts: those that the card has, and those that are behind it.
export function actsOf(alert) {
  if (!mayDecide()) return { main: [], more: [] };
  if (alert.amendable) return { main: ["amend"], more: alert.table ? ["conduct"] : [] };
  if (alert.dismissed) return { main: ["close"], more: [] };
  if (alert.shelved) return { main: ["unshelve"], more: [] };
  const isFinding = alert.kind === "finding";
  const mine = isMine(alert);
  const open = isFinding && !alert.ruling;
  const rules = open && alert.priority < 3;
  const main = [];
  const more = [];
  (alert.priority < 3 ? main : more).push(mine ? null : alert.owner && !alert.owner_away ? "take-over" : "take");
  if (rules && alert.first) main.push("rule");
  else if (rules) main.push("other");
  if (open && alert.priority === 3) main.push("dismiss");
  if (isFinding && alert.ruling) main.push("amend");
  if (!isFinding && (mine || alert.kind !== "call")) main.push("close");
  if (rules && alert.first) more.push("other");
  if (open && alert.priority < 3) more.push("dismiss");
  if (rules && alert.first !== "misdeal") more.push("misdeal");
  if (alert.coming === null && alert.table && alert.priority < 3 && alert.kind !== "lost" && alert.hand !== null) more.push("coming");
  if (!alert.owner || mine) more.push("hand-over");
  if (mine) more.push("give-back");
  if (alert.priority > 1 && alert.shelvings_left) more.push("shelve");
  if (isFinding && alert.priority > 1) more.push("mute");
  if (alert.table && ["finding", "call"].includes(alert.kind)) more.push("conduct");
  return { main: main.filter(Boolean), more: more.filter(Boolean) };
}

export function labelOf(name, alert) {
  if (name === "rule") {
    const isMisdeal = alert.first === "misdeal";
    return isMisdeal ? t("act-misdeal") : t("rule-it", { outcome: named("outcome", alert.first) });
  }
  if (name === "take-over") return t("act-take-over", { name: alert.owner });
  return t(`act-${name}`);
}

export const isGrave = (name, alert) => name === "misdeal" || (name === "rule" && alert.first === "misdeal");

export function perform(name, key) {
  const alert = find(key);
  if (!alert) return;
  const doing = {
    take: () => take(alert),
    "take-over": () => act(key, "take", { key, over: true }),
    "give-back": () => act(key, "give-back", { key }),
    unshelve: () => act(key, "unshelve", { key }),
    close: () => (alert.kind === "finding" ? decide(alert, "dismiss", {}) : act(key, "close", { key })),
    coming: () => decide({ ...alert, finding: "" }, "coming", {}),
    rule: () => (alert.first === "misdeal" ? askMisdeal(alert) : rule(alert, alert.first)),
    other: () => askOutcome(alert, false),
    amend: () => askOutcome(alert, true),
    dismiss: () => askReason(alert),
    misdeal: () => askMisdeal(alert),
    shelve: () => askShelf(alert),
    mute: () => askMute(alert),
    "hand-over": () => askPerson(alert),
    conduct: () => askConduct(alert),
  };
  doing[name]();
}

// Of two at once the second is told who has it, and may take it over.
function take(alert) {
  const { key } = alert;
  return act(key, "take", { key }, () => ({
    label: t("take-it-over"),
    act: () => act(key, "take", { key, over: true }),
  }));
}

function rule(alert, outcome, more = {}) {
  const amend = { label: t("act-amend"), act: () => perform("amend", alert.key) };
  return decide(alert, "ruling", { outcome, ...more }, () => (find(alert.key)?.ruling ? amend : null));
}

const heading = (alert, what) => pair(tableOf(alert), what);

function askOutcome(alert, amend) {
  const { field, input } = line(t("reason-if-any"));
  const outcomes = amend && alert.first && alert.first !== "misdeal" ? [alert.first, ...alert.others] : alert.others;
  ask({
    alert,
    title: heading(alert, t(amend ? "amend-title" : "other-title")),
    text: titleOf(alert),
    fields: [field],
    choices: outcomes.filter((each) => !amend || each !== alert.ruling.outcome).map((outcome) => ({
      text: named("outcome", outcome),
      act: () => {
        const reason = input.value.trim();
        rule(alert, outcome, { ...(reason && { reason }), ...(amend && { amend: true }) });
      },
    })),
  });
}

// One of the usual reasons by a tap, or another in words.
function withReason(alert, title, text, fields, label, reasons, send) {
  const { field, input } = line(t("another-reason"));
  const own = { text: label, act: () => {
    const reason = input.value.trim();
    if (!reason) {
      input.focus();
      return false;
    }
    send(reason);
    return true;
  } };
  const usual = reasons.map((each) => ({ text: t(`reason-${each}`), act: () => send(t(`reason-${each}`)) }));
  ask({ alert, title: heading(alert, title), text, fields: [...fields, field], choices: [own, ...usual] });
}

function askReason(alert) {
  withReason(alert, t("dismiss-title"), titleOf(alert), [], t("dismiss-so"), REASONS,
    (reason) => { decide(alert, "dismiss", { reason }); });
}

function askShelf(alert) {
  const most = seen.floor.limits.shelve_minutes;
  const minutes = chosen(t("shelve-for"), [...new Set(MINUTES.map((each) => Math.min(each, most)))], (n) => t("minutes", { count: n }));
  withReason(alert, t("shelve-title"), t("shelve-left", { count: alert.shelvings_left }), [minutes.field], t("shelve-so"),
    SHELVE_REASONS, (reason) => { act(alert.key, "shelve", { key: alert.key, minutes: minutes.value(), reason }); });
}

function askMute(alert) {
  const hands = chosen(t("mute-for"), MUTE_HANDS, (n) => t("hands", { count: n }));
  withReason(alert, t("mute-title"), t("mute-means"), [hands.field], t("mute-so"),
    ["misread", "does-not-matter"], (reason) => { decide(alert, "mute", { code: alert.code, hands: hands.value(), reason, finding: undefined }); });
}

function chosen(label, numbers, say) {
  const field = document.createElement("fieldset");
  field.className = "radios";
  const legend = document.createElement("legend");
  legend.textContent = label;
  field.append(legend, ...numbers.map((number, index) => {
    const row = document.createElement("label");
    const input = Object.assign(document.createElement("input"), { type: "radio", name: "number", value: number, checked: index === 0 });
    const text = document.createElement("span");
    text.textContent = say(number);
    row.className = "pick";
    row.append(input, text);
    return row;
  }));
  return { field, value: () => Number(field.querySelector("input:checked").value) };
}

function askMisdeal(alert) {
  ask({
    alert,
    title: heading(alert, t("misdeal-title")),
    text: t("misdeal-means"),
    choices: [{ text: t("misdeal-yes"), kind: "grave", act: () => { decide(alert, "misdeal", {}); } }],
  });
}

function askPerson(alert) {
  const { key } = alert;
  const others = seen.floor.people.filter((each) => each.name !== who());
  ask({
    alert,
    title: heading(alert, t("hand-over-title")),
    text: others.length ? titleOf(alert) : t("nobody-else"),
    choices: others.map(({ name }) => ({ text: name, act: () => { act(key, "hand-over", { key, to: name }); } })),
  });
}
