// Only the clock, as large as it can be; a tap or a key shows the most needed controls for a while.

const CONTROLS_MS = 5000;
const HASH = "#watch";
const at = (id) => document.getElementById(id);
let hiding = 0;

export function watching() {
  return document.body.hasAttribute("data-watch");
}

export function toggleWatch() {
  history.replaceState(null, "", watching() ? location.pathname + location.search : HASH);
  showWatch();
}

function showWatch() {
  const on = location.hash === HASH;
  document.body.toggleAttribute("data-watch", on);
  showBar(false);
}

function showBar(on) {
  at("watch-bar").hidden = !on;
  clearTimeout(hiding);
  if (on) hiding = setTimeout(() => showBar(false), CONTROLS_MS);
}

export function wireWatch() {
  at("watch").onclick = at("unwatch").onclick = (event) => {
    event.stopPropagation();
    toggleWatch();
  };
  document.addEventListener("click", () => watching() && showBar(true));
  document.addEventListener("keydown", () => watching() && showBar(true));
  showWatch();
}
