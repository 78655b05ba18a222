// The list of players. A row is made once and kept: looking for somebody only hides the others.

import { mayAct, mayRule } from "../clock/asking.js";
import { number, say } from "../clock/words.js";
import { setText } from "../live.js";
import { placeText } from "./asking.js";
import { plain, typed, wireFind } from "./find.js";
import { askPlayer } from "./player.js";

const at = (id) => document.getElementById(id);

const rows = new Map(); // by the player's id: { line, cells, shown, text }

export function showList(picture) {
  const there = new Set();
  let before = null;
  for (const player of picture.players) {
    there.add(player.id);
    const row = rows.get(player.id) ?? made(player.id);
    if (row.player !== player) fill(row, player);
    const wanted = before ? before.nextSibling : at("players").firstChild;
    if (wanted !== row.line) at("players").insertBefore(row.line, wanted);
    before = row.line;
  }
  for (const [id, row] of rows) {
    if (there.has(id)) continue;
    row.line.remove();
    rows.delete(id);
  }
  filter();
}

function made(id) {
  const line = document.createElement("tr");
  const cells = ["name", "id", "seat", "chips", "status", "paid"].map((kind) => {
    const cell = document.createElement("td");
    cell.className = kind;
    line.append(cell);
    return cell;
  });
  const name = document.createElement("button");
  name.type = "button";
  cells[0].append(name);
  line.dataset.id = id;
  const row = { line, cells: [name, ...cells.slice(1)], said: "", text: "" };
  rows.set(id, row);
  return row;
}

export function chipsText({ chips }) {
  return chips === undefined ? "" : number(chips);
}

export function statusText({ status, place, at: seat, coming }) {
  if (coming) return say("status-coming");
  if (status === "out" && place) return say("status-out-place", { place });
  return seat && status === "entered" ? "" : say(`status-${status}`);
}

export function hasPaid({ paid, owes }) {
  return Boolean(paid) && !owes;
}

function fill(row, player) {
  row.player = player;
  const seat = player.at ? placeText(player.at) : "";
  const texts = [player.name, player.id, seat, chipsText(player), statusText(player), hasPaid(player) ? say("paid-yes") : say("paid-no")];
  const said = texts.join("\n");
  if (row.said === said) return;
  row.said = said;
  row.text = plain([player.name, player.id, player.at?.table ?? ""].join(" "));
  row.line.dataset.status = player.status;
  row.line.toggleAttribute("data-paid", hasPaid(player));
  row.cells.forEach((cell, number) => setText(cell, texts[number]));
}

function filter() {
  const words = typed(at("find"));
  let count = 0;
  for (const row of rows.values()) {
    const fits = words.every((word) => row.text.includes(word));
    if (row.line.hidden === fits) row.line.hidden = !fits;
    count += fits;
  }
  const all = rows.size;
  setText(at("found"), words.length ? say("found", { count: number(count), all: number(all) }) : "");
  at("none").hidden = count > 0;
  setText(at("none"), say(all ? "none-found" : "none"));
  at("list").hidden = !count;
}

// Whoever has just entered is to be seen.
export function clear() {
  at("find").value = "";
  filter();
}

export function wireList() {
  wireFind(at("find"), filter);
  at("players").onclick = ({ target }) => {
    const id = target.closest("tr")?.dataset.id;
    if (id && (mayAct() || mayRule())) askPlayer(id);
  };
}
