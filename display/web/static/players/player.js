// What can be done with one player.

import { mayAct, openDialog } from "../clock/asking.js";
import { number, say } from "../clock/words.js";
import { askApart } from "./apart.js";
import { act, placeText, playerOf, seen, sitsAt } from "./asking.js";
import { buy, purchases } from "./buying.js";
import { askConduct } from "./conduct.js";
import { chipsText, hasPaid, statusText } from "./list.js";

const OUT_LEAVES = 2; // with one less the tournament is over

export function askPlayer(id) {
  const player = playerOf(id);
  if (!player) return;
  if (!mayAct()) {
    askConduct(id); // what the floor may do
    return;
  }
  const chips = player.chips === undefined ? "" : `${say("col-chips")}: ${chipsText(player)}`;
  openDialog({
    testid: "player",
    title: player.name,
    text: [player.id, player.at ? placeText(player.at) : "", chips, statusText(player), say(hasPaid(player) ? "paid-yes" : "paid-no")].filter(Boolean).join(" · "),
    choices: choicesFor(player),
  });
}

function choicesFor(player) {
  const { id, name } = player;
  const pay = hasPaid(player)
    ? choice("unpaid-do", "unpaid", (form) => correct(player, { paid: false }, "done-unpaid", form))
    : choice("paid-do", "paid", (form) => paid(player, form));
  const rename = choice("rename", "rename", () => askName(player));
  const conduct = choice("conduct", "conduct", () => askConduct(id));
  const buys = purchases(player).map((what) => choice(`what-${what}`, what, (form) => buy(player, what, form)));
  if (player.status === "out") {
    const back = choice("back-in", "back-in", (form) => act("unbust", { id: player.finish }, { form, done: say("done-back-in", { player: name }) }));
    return [{ ...back, kind: "main" }, ...buys, conduct, pay, rename];
  }
  const found = [{ ...choice("seat-ask", "seat", () => askSeat(player)), kind: player.at ? "" : "main" }];
  if (!player.at && seen().tables.length) found.push(choice("card", "card", () => askCard(player)));
  if (player.at) {
    found.push(choice("stand", "stand", (form) => stand(player, form)));
    if (player.status !== "penalty") found.push(player.status === "absent" ? choice("present", "present", (form) => mark(player, "seated", form)) : choice("absent", "absent", (form) => mark(player, "absent", form)));
  }
  found.push(choice("out", "out", () => askOut(player)));
  found.push(...buys, conduct);
  found.push(pay, choice("apart", "apart", () => instead(askApart(player))), rename, choice("withdraw", "withdraw", () => askWithdraw(player)));
  return found;
}

function choice(key, testid, does) {
  return { text: say(key), testid: `player-${testid}`, act: (_values, form) => does(form) };
}

// Another dialog takes the place of the first one.
function instead(options) {
  openDialog(options);
  return true;
}

function seatAct(id, at) {
  return at ? ["sit", { player: id, table: at.table, seat: at.seat }] : ["stand", { player: id }];
}

export function stand({ id, name, at }, form = null) {
  return act("stand", { player: id }, { form, done: say("done-stand", { player: name }), undo: seatAct(id, at) });
}

function mark({ id, name, status }, to, form) {
  const done = say(to === "absent" ? "done-absent" : "done-present", { player: name });
  const before = status === "absent" ? "absent" : "seated";
  return act("mark", { player: id, status: to }, { form, done, undo: ["mark", { player: id, status: before }] });
}

function correct({ id, name, paid = false }, fields, done, form) {
  const before = "paid" in fields ? { paid } : { name };
  return act("correct", { player: id, ...fields }, {
    form,
    done: say(done, { player: fields.name ?? name }),
    undo: ["correct", { player: id, ...before }],
  });
}

// All that he owes.
function paid({ id, name, paid: entry = false, owes = [] }, form) {
  return act("pay", { player: id }, { form, done: say("done-paid", { player: name }), undo: ["owe", { player: id, entry: !entry, what: owes }] });
}

export function sharesText({ each, count, odd }) {
  return say("shares", { each: number(each), count: number(count), odd: number(odd) });
}

export function out({ id, name }, form = null, more = {}) {
  return act("bust", { entrant: id, ...more }, {
    form,
    done: ({ shares }) => (shares ? say("done-out-shares", { player: name, shares: sharesText(shares) }) : say("done-out", { player: name })),
    undo: ({ finish }) => ["unbust", { id: finish }],
  });
}

function askOut(player) {
  const live = () => [say("out-place", { place: seen().left }), seen().left === OUT_LEAVES ? say("out-last") : ""].filter(Boolean).join(". ");
  return instead({
    testid: "out",
    title: say("out-sure", { player: player.name }),
    live,
    fields: player.chips ? [{ name: "forfeits", label: say("forfeits"), kind: "tick" }] : [],
    choices: [{ text: say("out-do"), kind: "main", testid: "out-do", act: ({ forfeits }, form) => out(player, form, forfeits ? { forfeits } : {}) }],
  });
}

// From the drawing deck: a suit for each table, a rank for each seat.
function askCard({ id, name }) {
  return instead({
    testid: "carding",
    title: `${name}: ${say("card")}`,
    fields: [{ name: "card", label: say("card-field"), most: 2, value: "", hint: say("card-hint") }],
    choices: [{
      text: say("seat-save"),
      kind: "main",
      testid: "card-save",
      act({ card }, form) {
        const typed = card.trim();
        const drawn = typed.slice(0, 1).toUpperCase() + typed.slice(1).toLowerCase();
        return act("card", { player: id, card: drawn }, { form, done: say("done-card", { player: name, card: drawn }), undo: ["stand", { player: id }] });
      },
    }],
  });
}

function askName(player) {
  return instead({
    testid: "renaming",
    title: say("rename"),
    fields: [{ name: "name", label: say("col-name"), value: player.name, most: 80 }],
    choices: [{
      text: say("rename-save"),
      kind: "main",
      testid: "rename-save",
      act: ({ name }, form) => (name.trim() ? correct(player, { name: name.trim() }, "done-rename", form) : say("no-player")),
    }],
  });
}

function askWithdraw({ id, name }) {
  return instead({
    testid: "withdrawing",
    title: say("withdraw-sure", { player: name }),
    text: say("withdraw-text"),
    choices: [{
      text: say("withdraw-do"),
      kind: "grave",
      testid: "withdraw-do",
      act: (_values, form) => act("withdraw", { player: id }, { form, done: say("done-withdraw", { player: name }), undo: ["reinstate", { player: id }] }),
    }],
  });
}

// A table, and one of its seats: a free one, or after those for who sits already another's, who
// gets his.
function askSeat(player) {
  const tables = seen().tables;
  if (!tables.length) return say("no-tables-yet");
  const free = (table) => seatsOf(table).filter((seat) => !sitsAt(table.table, seat));
  const first = tables.find((each) => each.table === player.at?.table && free(each).length) ?? tables.find((each) => free(each).length) ?? tables[0];
  const form = openDialog({
    testid: "seating",
    title: `${player.name}: ${say("seat-ask")}`,
    fields: [
      { name: "table", label: say("table"), kind: "short", value: first.table, options: tables.map((each) => [each.table, say("table-free", { table: each.table, count: free(each).length })]) },
      { name: "seat", label: say("seat"), kind: "short", options: [] },
    ],
    choices: [{ text: say("seat-save"), kind: "main", testid: "seat-save", act: ({ table, seat }, shown) => sit(player, table, Number(seat), shown) }],
  });
  const field = (name) => form.dialog.querySelector(`[name=${name}]`);
  const fill = () => {
    const table = tables.find((each) => each.table === field("table").value);
    const seats = [...free(table), ...seatsOf(table).filter((seat) => sitsAt(table.table, seat))];
    field("seat").replaceChildren(...seats.flatMap((seat) => option(player, table.table, seat)));
  };
  field("table").onchange = fill;
  fill();
  return true;
}

const seatsOf = ({ seats }) => Array.from({ length: seats }, (_, number) => number + 1);

function option(player, table, seat) {
  const there = sitsAt(table, seat);
  if (!there) return [new Option(seat, seat)];
  if (!player.at || there.id === player.id) return [];
  return [new Option(say("seat-taken", { seat, player: there.name }), seat)];
}

export function sit(player, table, seat, form = null) {
  if (!seat) return say("seat-none");
  const other = sitsAt(table, seat);
  const swap = other ? { swap: true } : {};
  const [name, fields] = seatAct(player.id, player.at);
  return act("sit", { player: player.id, table, seat, ...swap }, {
    form,
    done: say("done-sit", { player: player.name, place: placeText({ table, seat }) }),
    undo: [name, { ...fields, ...swap }],
  });
}
