// The keyboard: one key, one thing. Not while somebody types, and not over a dialog.

import { hideRefused, openDialog } from "./asking.js";
import { addTime, askBreak, goTo, pressMain } from "./controls.js";
import { formOpen } from "./forms.js";
import { askNotice } from "./game.js";
import { say } from "./words.js";
import { toggleWatch, watching } from "./watch.js";

const at = (id) => document.getElementById(id);

// A control that is disabled does nothing by its key either.
const usable = (id, act) => () => at(id).disabled || act();

const KEYS = new Map([
  [" ", pressMain],
  ["ArrowRight", usable("next", () => goTo("next"))],
  ["ArrowLeft", usable("back", () => goTo("back"))],
  ["+", usable("time", () => addTime(1))],
  ["=", usable("time", () => addTime(1))],
  ["-", usable("time", () => addTime(-1))],
  ["b", usable("break", askBreak)],
  ["n", askNotice],
  ["w", toggleWatch],
  ["?", askKeys],
]);
const LISTED = [["␣", "keys-main"], ["→", "keys-next"], ["←", "keys-back"], ["+ −", "keys-time"], ["B", "keys-break"], ["N", "keys-notice"], ["W", "keys-watch"], ["?", "keys-title"]];

export function askKeys() {
  openDialog({
    testid: "keys",
    title: say("keys-title"),
    lines: LISTED.map(([key, words]) => [key, say(words)]),
  });
}

function typing(element) {
  return element.matches("input:not([type=checkbox]), textarea, select");
}

// Whether what has the focus has it from a finger or a mouse.
let pointed = false;

export function wireKeys() {
  document.addEventListener("pointerdown", () => (pointed = true), true);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Tab") pointed = false;
    if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
    if (formOpen() || typing(event.target)) return;
    if (event.key === "Escape") {
      hideRefused();
      if (watching()) toggleWatch();
      return;
    }
    const act = KEYS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
    if (!act) return;
    // What the keyboard has chosen is pressed by its own key; what was only clicked is not.
    const chosen = event.target.closest("button, a, input");
    if (event.key === " " && chosen) {
      if (!pointed) return;
      chosen.blur();
    }
    event.preventDefault();
    if (!event.repeat || event.key === "+" || event.key === "-") act();
  });
  at("keys").onclick = askKeys;
}
