// Nothing moves under a thumb, and no thumb hits what has just slid under it.

const ACTS = ".acts button, .refusal button";
const SETTLE_MS = 400;
let held = false; // a thumb is on the page, or its click is still to come
const owed = new Set(); // what was to be shown meanwhile
let releasing = 0;
let settling = 0;

// Shows something: now, or once no thumb is on the page.
export function still(show) {
  if (held) {
    owed.add(show);
    return;
  }
  const before = places();
  show();
  if (hasSlid(before, places())) settle();
}

// The acts that are to be seen, and where. What lies behind a dialog is out of reach.
function places() {
  const top = [...document.querySelectorAll("dialog[open]")].at(-1) ?? document;
  return [...top.querySelectorAll(ACTS)].flatMap((button) => {
    const { left, top, right, bottom } = button.getBoundingClientRect();
    if (left === right || bottom < 0 || top > innerHeight) return [];
    const key = button.closest("[data-key]")?.dataset.key;
    return [{ act: `${key} ${button.dataset.act ?? button.textContent}`, left, top, right, bottom }];
  });
}

// Whether one act has come to where another one was.
function hasSlid(before, after) {
  const stood = new Map(before.map((each) => [each.act, each]));
  return after.some((now) => before.some((other) =>
    other.act !== now.act && meet(now, other) && !meet(stood.get(now.act), other)));
}

function meet(one, other) {
  return one !== undefined && one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}

function settle() {
  document.body.toggleAttribute("data-settling", true);
  clearTimeout(settling);
  settling = setTimeout(() => document.body.removeAttribute("data-settling"), SETTLE_MS);
}

function letGo() {
  clearTimeout(releasing);
  held = false;
  if (owed.size) setTimeout(() => still(showOwed), 0); // after what the click does
}

function showOwed() {
  const shows = [...owed];
  owed.clear();
  for (const show of shows) show();
}

addEventListener("pointerdown", () => {
  clearTimeout(releasing);
  held = true;
}, true);
// On a busy phone the click comes late.
addEventListener("pointerup", () => (releasing = setTimeout(letGo, SETTLE_MS)), true);
for (const what of ["click", "pointercancel", "blur"]) addEventListener(what, letGo, what !== "blur");
