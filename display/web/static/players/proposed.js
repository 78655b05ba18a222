// Who seems to be out: one tap says so. "Not out" is of this page alone.

import { number, say } from "../clock/words.js";
import { act, groupedBy, seen } from "./asking.js";
import { out, sharesText } from "./player.js";

const at = (id) => document.getElementById(id);
const key = ({ entrant, table, seat, hand }) => [entrant, table, seat, hand].join("/");

const hidden = new Set();

function isShown(each) {
  return !hidden.has(key(each));
}

export function showProposed(picture, mayAct) {
  const shown = picture.proposed.filter(isShown);
  const late = picture.players.filter((each) => each.overdue);
  const { together: round } = picture;
  const drawn = JSON.stringify([shown, round, late.map((each) => [each.id, each.overdue]), mayAct]);
  if (at("proposed").dataset.shown === drawn) return;
  at("proposed").dataset.shown = drawn;
  // Who goes out while all tables play one hand is placed once all have played it.
  const mayPlace = mayAct && !round?.waits_for.length;
  const lines = shown.map((each) => line(each, mayPlace));
  if (mayPlace) lines.push(...together(shown, round).map(allOut));
  lines.push(...late.map((each) => overdueLine(each, mayAct)));
  at("proposed").replaceChildren(...lines);
}

// Several of one hand, or of the one that all tables play, of whom is known what decides their places.
function together(shown, round) {
  const hands = groupedBy(shown, ({ table, hand }) => (round ? "all" : `${table}/${hand}`));
  return [...hands.values()].filter((each) => each.length > 1 && (each[0].share || each.every(({ began }) => began !== null)));
}

function allOut(hand) {
  const item = document.createElement("li");
  const { share } = hand[0];
  const outs = hand.map(({ entrant, began }) => ({ entrant, ...(began === null ? {} : { began }) }));
  const done = say("done-busts", { count: number(hand.length) });
  item.append(button(say(share ? "busts-share" : "busts-stacks"), "main", () => act("busts", { outs, share }, { done, undo: ({ finishes }) => ["unbust", { ids: finishes }] })));
  return item;
}

function overdueLine(player, mayAct) {
  const item = document.createElement("li");
  const { minutes, cites, forfeits, shares } = player.overdue;
  const words = document.createElement("span");
  words.textContent = say("overdue", { player: player.name, minutes: number(minutes), rules: cites.join(", ") });
  item.append(words);
  const isShared = shares && !forfeits;
  if (isShared) words.append(` ${sharesText(shares)}`);
  if (mayAct && isShared) {
    item.append(
      button(say("out-shares"), "main", () => out(player, null, { shares: true })),
      button(say("out-bank"), "", () => out(player, null, { forfeits: true })),
    );
  } else if (mayAct) {
    item.append(button(say("out-do"), "main", () => out(player, null, forfeits ? { forfeits } : {})));
  }
  return item;
}

function line(proposed, mayAct) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  words.textContent = say("proposed", proposed);
  item.append(words);
  if (!mayAct) return item;
  const yes = button(say("out-do"), "main", () => out({ id: proposed.entrant, name: proposed.player }));
  const no = button(say("out-not"), "", () => {
    hidden.add(key(proposed));
    showProposed(seen(), true);
  });
  item.append(yes, no);
  return item;
}

export function button(text, kind, act) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = kind;
  made.textContent = text;
  made.onclick = act;
  return made;
}
