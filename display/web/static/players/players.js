// The players of the tournament. The room sends all of them whenever something has changed, and in
// between only that it is there; what is asked here goes out as a POST.

import { learnWho, mayAct, mayLeave } from "../clock/asking.js";
import { refreshForms } from "../clock/forms.js";
import { number, say } from "../clock/words.js";
import { follow, setText } from "../live.js";
import { act, hideRefused, seen, took } from "./asking.js";
import { askOffers } from "./buying.js";
import { showEnded } from "./ended.js";
import { clear, showList, wireList } from "./list.js";
import { showMoves } from "./moves.js";
import { showProposed } from "./proposed.js";
import { askRounds, showRound } from "./rounds.js";
import { showTables, wireTables } from "./tables.js";
import { askDraw, askEven, askImport, askLate, askTables } from "./whole.js";

const FIGURES = ["entered", "left", "unseated", "free"];

const at = (id) => document.getElementById(id);

const room = follow("/players/events", {
  message(picture) {
    if (!picture.players) return; // nothing has changed
    took(picture);
    show();
  },
  tick() {
    at("offline").hidden = !room.stale();
    refreshForms();
  },
  opened: () => learnWho(show),
  refused: () => mayLeave() && learnWho(show),
  mayReload: () => mayLeave() && !at("name").value,
});

function show() {
  const picture = seen();
  if (!picture) return;
  for (const name of FIGURES) setText(document.querySelector(`[data-testid=${name}]`), number(picture[name]));
  const { late_until: level, closed } = picture;
  at("late").hidden = level === null;
  if (level !== null) setText(at("late"), say(closed ? "late-closed" : "late-open", { level }));
  showEnded(picture, mayAct());
  showProposed(picture, mayAct());
  showRound(picture, mayAct());
  showMoves(picture, mayAct());
  showList(picture);
  showTables(picture, mayAct());
  showDrawn(picture.drawn);
  at("draw").disabled = !picture.unseated || !picture.free;
}

function showDrawn(drawn) {
  at("drawn").hidden = !drawn;
  const key = drawn?.undone ? "drawn-undone" : drawn?.count === 1 ? "drawn-one" : "drawn";
  if (drawn) setText(at("drawn").firstElementChild, say(key, { count: number(drawn.count), seed: drawn.seed }));
}

// On a narrow screen one part at a time.
function showPart(name) {
  document.body.dataset.part = name;
  for (const each of at("parts").children) {
    if (each.dataset.show === name) each.setAttribute("aria-current", "page");
    else each.removeAttribute("aria-current");
  }
}

// The focus stays for the next one.
at("add").onsubmit = async (event) => {
  event.preventDefault();
  const name = at("name").value.trim();
  if (!name) return;
  at("name").value = "";
  at("name").focus();
  const refused = await act("enter", { name }, {
    done: say("done-enter", { player: name }),
    undo: ({ player }) => ["withdraw", { player }],
  });
  if (refused && !at("name").value) at("name").value = name;
  if (!refused) clear();
};

for (const each of at("parts").children) each.onclick = () => showPart(each.dataset.show);
at("refused-close").onclick = hideRefused;
at("import").onclick = askImport;
at("tables").onclick = askTables;
at("draw").onclick = askDraw;
at("late-ask").onclick = askLate;
at("offers").onclick = askOffers;
at("even").onclick = askEven;
at("together").onclick = askRounds;
wireList();
wireTables();
showPart("players");
