// An alert opened: what happened, what the book says, and everything that can be done.

import { setText } from "/static/live.js";
import { actsOf } from "./acts.js";
import { badgeOf, levelOf, mark, ownerOf, showActs, tickCard } from "./card.js";
import { at, el, renew } from "./dom.js";
import { find, now, seen } from "./room.js";
import { givenLine } from "./happened.js";
import { showRefusals } from "./send.js";
import { tellPlayers } from "./conduct.js";
import { age, named, pair, t, tableOf, titleOf } from "./words.js";

const NEAR = ["other", "dismiss"]; // what lies under the thumb, beside the main acts

let key = "";
let told = { key: "", at: -1, lines: [], missing: false };

export function openAlert(wanted) {
  key = wanted;
  const panel = at("opened");
  panel.querySelector(".refusal").dataset.place = key;
  if (!panel.open) panel.showModal();
  panel.querySelector(".scroll").scrollTop = 0;
  showOpened();
  showRefusals(panel);
  at("opened-title").focus();
}

export function showOpened() {
  const panel = at("opened");
  if (!panel.open) return;
  const alert = find(key);
  panel.toggleAttribute("data-over", !alert);
  if (!alert) {
    setText(panel.querySelector(".owner"), t("closed-meanwhile"));
    showActs(panel.querySelector(":scope > .acts"), { key }, []);
    return;
  }
  mark(panel, alert);
  setText(panel.querySelector(".badge"), badgeOf(alert));
  setText(panel.querySelector(".table"), alert.hand === null ? tableOf(alert) : `${tableOf(alert)} · ${t("hand", { hand: alert.hand })}`);
  setText(at("opened-title"), titleOf(alert));
  renew(at("opened-ruling"), [alert.says, alert.advisory, alert.until, alert.ruling], () => rulingOf(alert));
  renew(at("opened-given"), alert.given, () => alert.given.map((each) => givenLine(each, false)));
  const { main, more } = actsOf(alert);
  const near = more.filter((each) => NEAR.includes(each));
  showActs(panel.querySelector(":scope > .acts"), alert, [...main, ...near]);
  showActs(at("opened-rest"), alert, more.filter((each) => !near.includes(each)));
  tickOpened();
  tell(alert);
  tellPlayers(alert);
}

export function tickOpened() {
  const panel = at("opened");
  const alert = panel.open && find(key);
  if (!alert) return;
  tickCard(panel, alert);
  const next = alert.escalates_ms === null || alert.level > 1 ? "" : t(alert.level ? "directors-in" : "all-in-time", { left: age(alert.escalates_ms - now()) });
  setText(at("opened-next"), [levelOf(alert) && !alert.stale ? "" : levelOf(alert), next].filter(Boolean).join(" "));
  at("opened-next").hidden = !at("opened-next").textContent;
}

function rulingOf(alert) {
  const parts = [];
  if (alert.says) parts.push(advice(alert.says, t("ruling"), alert.ruling ? "" : alert.until));
  if (alert.advisory) parts.push(advice(alert.advisory, t("advice"), ""));
  if (!alert.says) parts.push(el("p", { textContent: t(`asks-${alert.action}`) }));
  return parts;
}

function advice(said, label, until) {
  const outcome = said.outcome === "floor" ? t("floor-decides") : named("outcome", said.outcome);
  return el("section", { className: "advice" },
    el("h3", { textContent: pair(label, outcome) }),
    until ? el("p", { className: "until", textContent: t("only-until", { until: named("until", until) }) }) : null,
    el("ol", { className: "steps" }, ...said.steps.map((text) => el("li", { textContent: text }))),
    el("p", { className: "source" }, sourceOf(said)),
    el("dl", {}, ...said.rules.flatMap(({ id, text }) => [el("dt", { textContent: id }), el("dd", { textContent: text })])));
}

// The book with its rules, which lead to what it says of them: on a page of its own, since this one
// must neither close the alert nor miss the next.
function sourceOf({ book, cites }) {
  if (!cites.length) return named("book", book);
  const asked = new URLSearchParams({ q: cites.join(",") });
  const lang = new URLSearchParams(location.search).get("lang");
  if (lang) asked.set("lang", lang);
  return el("a", { href: `/rules?${asked}`, target: "_blank", rel: "noopener", textContent: pair(named("book", book), cites.join(", ")) });
}

// The hand in words, anew when there is more of it.
async function tell(alert) {
  if (told.key === alert.key && told.at === alert.timeline) return;
  if (told.key !== alert.key) told.lines = [];
  told = { ...told, key: alert.key, at: alert.timeline };
  showTimeline();
  try {
    const answer = await fetch(`/floor/timeline/${alert.key.split("/").map(encodeURIComponent).join("/")}`);
    const said = answer.ok ? await answer.json() : { lines: [], missing: false };
    if (told.key !== alert.key) return;
    told.lines = said.lines;
    told.missing = said.missing;
  } catch {
    told.at = -1; // again with the next picture
  }
  showTimeline();
}

function showTimeline() {
  renew(at("timeline"), [told.lines, told.missing], () => [
    ...(told.lines.length ? [] : [el("li", { textContent: t("no-timeline") })]),
    ...(told.missing ? [el("li", { className: "until", textContent: t("timeline-gaps") })] : []),
    ...told.lines.filter((text) => /[^=\-\s]/.test(text)).map((text) => el("li", { textContent: text })),
  ]);
}

at("opened-close").onclick = () => at("opened").close();
