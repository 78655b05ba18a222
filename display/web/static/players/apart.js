// Who is not drawn to one table: a couple, or who deals for the house.

import { say } from "../clock/words.js";
import { act, playerOf, seen } from "./asking.js";
import { byLabel, meant } from "./labels.js";

export function groupText(ids) {
  return ids.map((id) => playerOf(id)?.name ?? id).join(", ");
}

// What the dialog about this player has: somebody to name, and a button for each of his groups.
export function askApart(player) {
  const others = seen().players.filter((each) => each.id !== player.id && each.status !== "out");
  const known = byLabel(others, (each) => each.name);
  const groups = seen().apart.filter((ids) => ids.includes(player.id));
  return {
    testid: "apart",
    title: say("apart-title", { player: player.name }),
    text: say("apart-text"),
    fields: [{ name: "other", label: say("player"), most: 120, suggest: [...known.keys()] }],
    choices: [
      {
        text: say("apart-do"),
        kind: "main",
        testid: "apart-do",
        act({ other }, form) {
          const found = meant(known, other.trim());
          return found ? keep([player.id, found.id], false, form) : say("who-unknown");
        },
      },
      ...groups.map((ids) => ({
        text: say("apart-together", { players: groupText(ids) }),
        testid: "apart-together",
        act: (_values, form) => keep(ids, true, form),
      })),
    ],
  };
}

function keep(players, together, form) {
  return act("apart", { players, together }, {
    form,
    done: say(together ? "done-together-again" : "done-apart", { players: groupText(players) }),
    undo: ["apart", { players, together: !together }],
  });
}
