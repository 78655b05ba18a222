// Lines in words: of the history, and of what was sent to a table.

import { el } from "./dom.js";
import { hour, named, t } from "./words.js";

export function happenedLine(each) {
  const what = each.title || (each.code ? named("kind", each.code) : "");
  const where = each.table ? t("table", { table: each.table }) : "";
  return el("li", { className: "happened", data: { what: each.what, priority: each.priority ?? 0 } },
    el("time", { textContent: hour(each.wall_ms || Date.now()) }),
    el("span", {}, el("b", { textContent: [where, what].filter(Boolean).join(" · ") }), el("span", { className: "did", textContent: didText(each) })));
}

function didText(each) {
  const { actor = "", act = "", to = "", words = "", refused = "" } = each;
  const by = actor ? `${actor}: ` : "";
  if (each.what === "acted") {
    const parts = [named("did", act), to && to !== actor ? `→ ${to}` : "", words ? `(${words})` : ""].filter(Boolean).join(" ");
    return by + parts + (refused ? ` — ${t("status-refused")}: ${refused}` : "");
  }
  if (each.what === "escalated") return t(words.startsWith("2") ? "did-escalated-2" : "did-escalated-1");
  if (each.what === "closed") return by + named("how", act) + (words ? `: ${named("outcome", words)}` : "");
  if (each.what === "confirmed" || each.what === "refused" || each.what === "unanswered") {
    const did = act === "ruling" && each.what === "confirmed" ? t("rule-it", { outcome: named("outcome", words) }) : named("did", act);
    return `${by}${did} — ${t(`status-${each.what}`)}${each.what === "confirmed" || !words ? "" : `: ${words}`}`;
  }
  return by + named("did", each.what) + (words ? `: ${words}` : "");
}

export function givenLine(each, withTable) {
  const what = each.what === "ruling" ? t("rule-it", { outcome: named("outcome", each.outcome) }) : named("did", each.what);
  const where = withTable ? `${t("table", { table: each.table })}: ` : "";
  const why = each.words ? `: ${each.words}` : "";
  return el("li", { className: "given", textContent: `${where}${what}, ${each.by} — ${t(`status-${each.status}`)}${why}`, data: { status: each.status } });
}
