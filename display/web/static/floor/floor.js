// The floor's page. The server sends everything at every change and every second; the page shows
// what of it concerns the one who holds it.

import { follow, setText } from "/static/live.js";
import { perform } from "./acts.js";
import { askedAbout, stopAsking } from "./ask.js";
import { heard, showSilence } from "./away.js";
import { call, callAgain } from "./calling.js";
import { tickAll } from "./card.js";
import { at, el, renew } from "./dom.js";
import { showDuty, showPhone, signOn } from "./duty.js";
import { showHistory } from "./history.js";
import { givenLine } from "./happened.js";
import { showList } from "./list.js";
import { openAlert, showOpened, tickOpened } from "./opened.js";
import { find, seen } from "./room.js";
import { refuse, showRefusals } from "./send.js";
import { watchSound } from "./sound.js";
import { still } from "./still.js";
import { showTables } from "./tables.js";
import { learn, learnAgain, mayDecide, who } from "./who.js";
import { listed, pair, t, tableOf } from "./words.js";

let tab = "alerts";
let ticked = 0;

function show(picture) {
  // Of many tables most pictures do not tell: they are as they were.
  seen.floor = { ...picture, tables: picture.tables ?? seen.floor?.tables ?? [] };
  heard();
  showSilence();
  call();
  still(showAll);
}

function showAll() {
  if (!seen.floor) return;
  showList();
  showOpened();
  showDuty();
  if (tab === "tables") showTables();
  showHistory(tab);
  showRefusals();
  troubles();
  goneMeanwhile();
  setText(at("who"), who());
}

function troubles() {
  const { lost, heard: hears, given, faults, stands_by, banner, trouble } = seen.floor;
  const lines = [];
  if (stands_by) lines.push(t("stands-by"));
  if (hears && lost.length) lines.push(t(lost.length === 1 ? "lost" : "lost-many", { count: lost.length, tables: listed(lost) }));
  if (!mayDecide()) lines.push(t("only-looking"));
  lines.push(...faults, ...(banner ? [banner] : []));
  if (trouble.length) lines.push(t("trouble", { tables: listed(trouble.map((each) => each.table)) }));
  renew(at("troubles"), lines, () => lines.map((textContent) => el("li", { textContent })));
  renew(at("given"), given, () => given.slice(-5).map((each) => givenLine(each, true)));
}

// A question about what was closed meanwhile goes, and it is said.
function goneMeanwhile() {
  const asked = askedAbout();
  if (!asked || find(asked.key)) return;
  stopAsking();
  refuse("list", pair(tableOf(asked), t("closed-meanwhile")));
}

function tick() {
  showSilence();
  if (seen.lost) learnAgain();
  if (!seen.floor || performance.now() - ticked < 250) return;
  ticked = performance.now();
  callAgain();
  still(showTime);
}

function showTime() {
  tickAll();
  tickOpened();
  showRefusals();
}

function turnTo(name) {
  tab = name;
  document.body.dataset.tab = name;
  for (const each of document.querySelectorAll("[data-panel]")) each.hidden = each.dataset.panel !== name;
  for (const each of at("tabs").children) {
    if (each.dataset.to === name) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
  scrollTo(0, 0);
  showAll();
}

document.addEventListener("click", (event) => {
  const tapped = event.target.closest("[data-act], .open");
  const place = tapped?.closest("[data-key], #opened");
  if (!tapped || !place) return;
  const key = place.dataset.key ?? place.querySelector(".refusal").dataset.place;
  if (tapped.dataset.act === "more" || tapped.matches(".open")) openAlert(key);
  else perform(tapped.dataset.act, key);
});
for (const each of at("tabs").children) each.onclick = () => turnTo(each.dataset.to);
at("off-duty").onclick = signOn;

await learn();
turnTo("alerts");
setText(at("who"), who());
seen.room = follow("/floor/events", { message: show, tick });
watchSound(() => still(showPhone));
