// All tables, found by typing, and what is muted at them.

import { at, button, el, renew } from "./dom.js";
import { decide } from "./send.js";
import { seen } from "./room.js";
import { mayDecide } from "./who.js";
import { named, t, zoneName } from "./words.js";

const SHOWN = 60;

export function showTables() {
  const { tables, alerts, mutes } = seen.floor;
  const wanted = at("table-search").value.trim().toLowerCase();
  const open = new Map();
  for (const each of alerts) open.set(each.table, Math.min(each.priority, open.get(each.table) ?? 9));
  const found = tables.filter((each) => `${each.id} ${each.sections.join(" ")}`.toLowerCase().includes(wanted));
  const rows = found.slice(0, SHOWN).map((each) => ({ ...each, worst: open.get(each.id) ?? 0 }));
  renew(at("tables"), [rows, found.length], () => [
    ...rows.map(tableRow),
    ...(found.length > SHOWN ? [el("li", { className: "more", textContent: t("tables-more", { count: found.length - SHOWN }) })] : []),
    ...(found.length ? [] : [el("li", { textContent: t("tables-none") })]),
  ]);
  at("mutes-part").hidden = !mutes.length;
  renew(at("mutes"), [mutes, mutes.map((each) => Boolean(listed(each))), mayDecide()], () => mutes.map(muteRow));
}

const listed = ({ table }) => seen.floor.tables.find(({ id }) => id === table);

function tableRow(each) {
  const state = !each.live ? t("not-heard") : each.hand === null ? t("no-hand") : t("hand", { hand: each.hand });
  const called = each.floor === "called" || each.floor === "coming" ? t(`floor-${each.floor}`) : "";
  return el("li", { className: "row", data: { worst: each.worst } },
    el("b", { textContent: each.id }),
    el("span", { textContent: [state, called, each.sections.join(", ")].filter(Boolean).join(" · ") }),
    each.worst ? el("em", { textContent: t(`priority-${each.worst}`) }) : null);
}

function muteRow(each) {
  const left = each.left === null ? t("mute-until-checked") : t("mute-left", { count: each.left });
  const who = each.by ? `${each.by}${each.reason ? `: ${each.reason}` : ""}` : "";
  // To end a mute is to mute it for the hand that runs when it is tapped.
  const end = () => {
    const { session, hand } = listed(each);
    decide({ key: `mute ${each.table}`, table: each.table, session, hand, finding: "" }, "mute",
      { code: each.code, hands: 1, ...(each.zone && { zone: each.zone }) });
  };
  return el("li", { className: "row" },
    el("b", { textContent: each.table }),
    el("span", { textContent: [each.code && named("finding", each.code), each.zone && zoneName(each.zone), left, who].filter(Boolean).join(" · ") }),
    mayDecide() && each.left !== null && listed(each) ? button(t("unmute"), end, "", { act: "unmute" }) : null,
    el("div", { className: "refusal", role: "alert", hidden: true, data: { place: `mute ${each.table}` } }));
}

at("table-search").oninput = () => seen.floor && showTables();
