// Hand for hand: of which tables the hand is awaited, and what one does about it.

import { openDialog } from "../clock/asking.js";
import { decimalOf, listed, number, say } from "../clock/words.js";
import { act } from "./asking.js";
import { button } from "./proposed.js";

const SHOWN = 6;

const at = (id) => document.getElementById(id);

export function showRound({ together, proposed }, mayAct) {
  at("together").disabled = Boolean(together);
  const drawn = JSON.stringify([together, proposed.length, mayAct]);
  if (at("round").dataset.shown === drawn) return;
  at("round").dataset.shown = drawn;
  at("round").replaceChildren(...(together ? [line(together, proposed, mayAct)] : []));
}

function line({ round, waits_for: waits, reached }, proposed, mayAct) {
  const item = document.createElement("li");
  const words = document.createElement("span");
  const key = waits.length ? "together-waits" : proposed.length ? "together-outs" : reached ? "together-reached" : "together-title";
  words.textContent = say(key, { round: number(round), tables: listed(waits, SHOWN) });
  item.append(words);
  if (!mayAct) return item;
  if (waits.length) item.append(button(say("together-next"), "", () => act("next-round", {}, { done: say("done-together-next") })));
  item.append(button(say("together-end"), reached ? "main" : "", () => act("table-by-table", {}, { done: say("done-together-end") })));
  return item;
}

export function askRounds() {
  openDialog({
    testid: "together",
    title: say("together-title"),
    text: say("together-text"),
    fields: [{ name: "minutes", label: say("together-minutes"), kind: "decimal", most: 4, hint: say("together-hint") }],
    choices: [{
      text: say("together-do"),
      kind: "main",
      testid: "together-do",
      act({ minutes: typed }, form) {
        const minutes = typed.trim() ? decimalOf(typed) : undefined;
        if (minutes === null) return say("no-number", { what: say("together-minutes") });
        return act("hand-for-hand", minutes === undefined ? {} : { minutes }, {
          form,
          done: say("done-together"),
          undo: ["table-by-table", {}],
        });
      },
    }],
  });
}
