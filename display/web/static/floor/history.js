// What happened during the shift, and the shift in numbers.

import { setText } from "/static/live.js";
import { at, button, el, renew } from "./dom.js";
import { happenedLine } from "./happened.js";
import { me, seen } from "./room.js";
import { who } from "./who.js";
import { age, decimal, hour, t } from "./words.js";

const SHOWN = 100;
const WELL_RUN = [5, 15, 80];
let lines = []; // the newest first
let newest = -1;
let filter = "all";
let asking = false;

export function showHistory(tab) {
  if (tab === "history") learn();
  if (tab === "numbers") showNumbers();
}

async function learn() {
  const last = seen.floor.news[0]?.n ?? 0;
  if (last === newest || asking) return;
  asking = true;
  try {
    const answer = await fetch(`/floor/since/${Math.max(0, Math.floor(lines[0]?.at_ms ?? 0))}`);
    const told = await answer.json();
    const known = new Set(lines.map((each) => each.n));
    lines = [...told.happened.reverse().filter((each) => !known.has(each.n)), ...lines].slice(0, 1000);
    newest = last;
    show();
  } catch {
    // again with the next picture
  } finally {
    asking = false;
  }
}

function show() {
  for (const each of at("history-filters").children) each.setAttribute("aria-pressed", each.dataset.filter === filter);
  at("history-table").hidden = filter !== "table";
  const mine = me();
  const wanted = at("history-table").value.trim().toLowerCase();
  const is = {
    all: () => true,
    mine: (each) => [each.actor, each.to].includes(who()) || (mine && mine.tables.includes(each.table)),
    table: (each) => !wanted || (each.table ?? "").toLowerCase() === wanted,
  }[filter];
  const found = lines.filter(is).slice(0, SHOWN);
  renew(at("history-list"), [found, filter], () => (found.length ? found.map(happenedLine) : [el("li", { textContent: t("history-none") })]));
}

function showNumbers() {
  const { counts, limits } = seen.floor;
  const total = counts.raised.reduce((sum, each) => sum + each, 0);
  setText(at("numbers-since"), counts.since_ms ? t("since", { time: hour(Date.now() - (seen.floor.now_ms - counts.since_ms)), count: total }) : "");
  renew(at("shares"), [counts.shares, counts.raised], () => counts.shares.map((share, index) =>
    el("div", { className: "share", data: { priority: index + 1 } },
      el("span", { textContent: t(`priority-${index + 1}`) }),
      el("span", { className: "track" }, bar(share), el("i", { className: "aim", style: `left: ${WELL_RUN[index]}%` })),
      el("b", { textContent: `${share} %` }),
      el("span", { className: "aim-said", textContent: t("aim", { share: WELL_RUN[index], count: counts.raised[index] }) }))));
  const both = (pair) => (pair ? t("median-longest", { median: age(pair[0]), longest: age(pair[1]) }) : t("none-yet"));
  renew(at("figures"), [counts, limits], () => [
    [t("rate"), t("rate-said", { all: decimal(counts.rate), urgent: decimal(counts.rate_urgent), limit: limits.flood })],
    [t("to-take"), both(counts.to_take_ms)],
    [t("to-close"), both(counts.to_close_ms)],
    [t("escalated"), String(counts.escalated)],
    [t("dismissed"), String(counts.dismissed)],
  ].map(([name, value]) => el("div", {}, el("dt", { textContent: name }), el("dd", { textContent: value }))));
}

function bar(share) {
  const made = el("i", { className: "bar" });
  made.style.width = `${share}%`;
  return made;
}

at("history-filters").append(...["all", "mine", "table"].map((name) => button(t(`filter-${name}`), () => {
  filter = name;
  show();
}, "", { filter: name })));
at("history-table").oninput = show;
