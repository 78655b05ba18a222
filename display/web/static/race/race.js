// The worksheets of a chip race. How many cards are dealt, and who wins, the room says; what has been
// entered is shown by the page as it then is.

import { get, post } from "../clock/asking.js";
import { number, say } from "../clock/words.js";
import { setText } from "../live.js";

const DECK = 52;
const rows = (sheet) => [...sheet.querySelectorAll("tbody tr")];
const field = (row, name) => row.querySelector(`[name=${name}]`);
const count = (row) => Number(field(row, "chips").value) || 0;

async function countCards(sheet) {
  const chips = rows(sheet).map(count);
  const [refused, found] = await get(`/race/deal.json?chip=${sheet.dataset.chip}&chips=${chips.join(",")}`);
  refuse(sheet, refused);
  if (refused || rows(sheet).map(count).join() !== chips.join()) return;
  rows(sheet).forEach((row, n) => {
    const isCounted = field(row, "chips").value !== "";
    setText(row.querySelector("output"), isCounted ? String(found.cards[n]) : "");
    row.toggleAttribute("data-out", isCounted && !found.cards[n]);
  });
  const cards = found.cards.reduce((sum, each) => sum + each, 0);
  const told = say("in-race", { count: number(found.chips), into: number(Number(sheet.dataset.into)) });
  setText(sheet.querySelector(".in-race"), cards > DECK ? `${told} · ${say("too-many")}` : told);
}

function refuse(form, reason) {
  const line = form.querySelector(".refusal");
  line.hidden = !reason;
  setText(line, reason ? say("refused", { reason }) : "");
}

function asked(sheet) {
  const isCards = sheet.dataset.by !== "won";
  const seats = rows(sheet).map((row) => ({
    seat: Number(row.dataset.seat),
    chips: count(row),
    only: field(row, "only").checked,
    cards: isCards ? field(row, "cards").value.trim().split(/[\s,]+/).filter(Boolean) : [],
  }));
  const won = rows(sheet).flatMap((row) => Array(Number(field(row, "won").value) || 0).fill(Number(row.dataset.seat)));
  return { table: sheet.dataset.table, chip: Number(sheet.dataset.chip), seats, won: isCards ? [] : won };
}

async function send(form, name, fields) {
  const [refused] = await post(`/race/${name}`, JSON.stringify(fields));
  if (refused) refuse(form, refused);
  else location.reload();
}

function by(sheet, what) {
  sheet.dataset.by = what;
  for (const each of sheet.querySelectorAll("[data-by]")) each.setAttribute("aria-pressed", String(each.dataset.by === what));
}

for (const sheet of document.querySelectorAll(".sheet")) {
  by(sheet, "cards");
  for (const each of sheet.querySelectorAll("button[data-by]")) each.onclick = () => by(sheet, each.dataset.by);
  for (const row of rows(sheet)) field(row, "chips").oninput = () => countCards(sheet);
  sheet.onsubmit = (event) => {
    event.preventDefault();
    send(sheet, "race", asked(sheet));
  };
  countCards(sheet);
}

for (const each of document.querySelectorAll("[data-undo]")) {
  each.onclick = async () => {
    const [refused] = await post("/race/unrace", JSON.stringify({ id: Number(each.dataset.undo) }));
    const line = document.getElementById("refused");
    line.hidden = !refused;
    if (refused) setText(line, say("refused", { reason: refused }));
    else location.reload();
  };
}

const colour = document.getElementById("colour");
if (colour) {
  colour.onsubmit = (event) => {
    event.preventDefault();
    const { when, ends } = event.submitter.dataset;
    send(colour, "colour-up", { chip: Number(colour.elements.chip.value) || 0, when, ends: ends !== undefined });
  };
}
document.getElementById("print")?.addEventListener("click", () => window.print());
document.querySelector("main").inert = false; // nothing would have followed from a tap until now
