// An alert as a card of the list.

import { setText } from "/static/live.js";
import { actsOf, isGrave, labelOf } from "./acts.js";
import { at, button, renew } from "./dom.js";
import { find, isMine, now, seen } from "./room.js";
import { givenLine } from "./happened.js";
import { missedKeys } from "./away.js";
import { age, named, pair, reasonOf, t, tableOf, titleOf } from "./words.js";

const FIRST = ["take", "rule", "other"]; // what is gold where it comes first

export function makeCard(alert) {
  const card = at("card").content.cloneNode(true).firstElementChild;
  card.dataset.key = alert.key;
  card.querySelector(".refusal").dataset.place = alert.key;
  return card;
}

export function fillCard(card, alert) {
  const part = (name) => card.querySelector(name);
  mark(card, alert);
  card.setAttribute("aria-label", pair(tableOf(alert), titleOf(alert)));
  setText(part(".badge"), badgeOf(alert));
  setText(part(".table"), tableOf(alert));
  setText(part(".title"), titleOf(alert));
  part(".open").setAttribute("aria-label", t("open-alert", { table: tableOf(alert), title: titleOf(alert) }));
  setText(part(".says"), saysOf(alert));
  part(".says").hidden = !part(".says").textContent;
  const last = alert.given.slice(-1).filter((each) => each.status !== "confirmed");
  renew(part(".lines"), last, () => last.map((each) => givenLine(each, false)));
  const { main, more } = actsOf(alert);
  showActs(part(".acts"), alert, more.length ? [...main, "more"] : main);
  tickCard(card, alert);
}

export function mark(element, alert) {
  element.dataset.priority = alert.priority;
  element.dataset.state = alert.shelved ? "shelved" : alert.dismissed ? "dismissed" : alert.state;
  element.toggleAttribute("data-mine", isMine(alert));
  element.toggleAttribute("data-stale", alert.stale);
}

export function badgeOf(alert) {
  if (alert.kind === "test") return t("test");
  if (alert.ruling) return t("ruled-badge");
  return alert.question ? t("question") : t(`priority-${alert.priority}`);
}

function saysOf(alert) {
  if (!alert.says || alert.ruling || alert.dismissed) return "";
  if (alert.says.outcome !== "floor") return t("ruling-is", { outcome: named("outcome", alert.says.outcome) });
  return alert.advisory ? t("advice-is", { outcome: named("outcome", alert.advisory.outcome) }) : t("floor-decides");
}

// The buttons of these acts; the same ones stay where they are.
export function showActs(element, alert, names) {
  const acts = names.map((name) => [name, name === "more" ? t("act-more") : labelOf(name, alert)]);
  renew(element, acts, () => acts.map(([name, label], index) => {
    const kind = [isGrave(name, alert) && "grave", index === 0 && FIRST.includes(name) && "main"].filter(Boolean).join(" ");
    const made = button(label, null, kind, { act: name });
    made.dataset.testid = name === "take-over" ? "take" : name;
    return made;
  }));
}

export function ownerOf(alert) {
  if (alert.dismissed) {
    const { by, hand, reason } = alert.dismissed;
    const who = by ? t("dismissed-by", { name: by, hand }) : t("dismissed-dealer", { hand });
    return reason ? pair(who, reasonOf(reason)) : who;
  }
  if (alert.ruling) return ruledText(alert);
  if (alert.shelved) return t("shelved-by", { name: alert.shelved.by, reason: alert.shelved.reason, left: age(alert.shelved.until_ms - now()) });
  if (alert.owner_away) return t("owner-away", { name: alert.owner });
  if (alert.owner) {
    const took = age(now() - alert.taken_ms);
    if (isMine(alert)) return t(alert.coming === null ? "you-have-it" : "you-come", { age: took });
    return t(alert.coming === alert.owner ? "has-it-comes" : "has-it", { name: alert.owner, age: took });
  }
  const comes = alert.coming ? t("is-coming", { name: alert.coming }) : alert.coming === "" ? t("floor-coming") : "";
  return [t("nobody-has-it"), comes].filter(Boolean).join(" · ");
}

function ruledText({ ruling, amendable }) {
  const outcome = named("outcome", ruling.outcome);
  const ruled = ruling.by ? t("ruled-by", { outcome, name: ruling.by }) : t("ruled-there", { outcome });
  return `${ruled} ${t(amendable ? "until-riffle" : "until-put-right")}`;
}

export function levelOf(alert) {
  if (!alert.level) return "";
  const why = t(`why-${alert.why || "not-taken"}`);
  return t(alert.level > 1 ? "calls-directors" : "calls-all", { why });
}

// What changes with time only.
export function tickCard(card, alert) {
  setText(card.querySelector(".age"), age(now() - (alert.amendable ? alert.ruling.at_ms : alert.at)));
  setText(card.querySelector(".owner"), ownerOf(alert));
  const level = card.querySelector(".level");
  const said = alert.stale ? t("stale") : missedKeys.has(alert.key) ? t("new-while-away") : levelOf(alert);
  setText(level, said);
  level.hidden = !said;
  const dead = seen.lost || !seen.floor.heard;
  for (const each of card.querySelectorAll("[data-act]")) {
    const toTable = !["take", "take-over", "more", "give-back", "hand-over", "shelve", "unshelve"].includes(each.dataset.act);
    const closesHere = each.dataset.act === "close" && alert.kind !== "finding";
    each.disabled = each.dataset.act !== "more" && (seen.lost || (toTable && !closesHere && (dead || alert.stale)));
  }
}

export const tickAll = () => {
  for (const card of document.querySelectorAll(".card[data-key]")) {
    const alert = find(card.dataset.key);
    if (alert) tickCard(card, alert);
  }
};
