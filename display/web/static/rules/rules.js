// The page of the rules: what is found as one types, and what an action amounts to.

import { at } from "/static/floor/dom.js";
import { lookUp, startFinding } from "./find.js";
import { startJudging } from "./bet.js";

const PARTS = ["find", "amounts"];

// On a phone one part is to be seen at a time: the one that the address names.
function showPart() {
  const named = location.hash.slice(1);
  const part = PARTS.includes(named) ? named : "find";
  document.body.dataset.part = part;
  for (const link of document.querySelectorAll("#parts a")) {
    if (link.dataset.part === part) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// A rule that is looked up is found on this page: what is filled in stays.
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-q]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.pushState(null, "", link.href);
  showPart();
  lookUp();
  at("find-title").focus({ preventScroll: true });
  scrollTo(0, 0);
});

window.addEventListener("hashchange", showPart);
window.addEventListener("popstate", () => {
  showPart();
  lookUp();
});
showPart();
startFinding();
startJudging();
