// A small bar that shows while somebody moves the mouse or taps, and keeps the screen awake.

const SHOWN_MS = 4000;

const at = (id) => document.getElementById(id);

// The address with one word of its query changed: the page is the same after a reload.
export function choose(name, value) {
  const address = new URL(location.href);
  address.searchParams.set(name, value);
  history.replaceState(null, "", address);
}

export function controls({ sound, changed }) {
  let hiding = 0;
  const after = (list, now) => list[(list.indexOf(now) + 1) % list.length];
  const listed = (name) => document.body.dataset[name].split(" ");

  function wake() {
    at("controls").hidden = false;
    document.body.toggleAttribute("data-awake", true);
    clearTimeout(hiding);
    hiding = setTimeout(() => {
      at("controls").hidden = true;
      document.body.removeAttribute("data-awake");
    }, SHOWN_MS);
  }

  for (const what of ["pointermove", "pointerdown", "keydown"]) window.addEventListener(what, wake);
  window.addEventListener("contextmenu", (event) => event.preventDefault());
  at("full").addEventListener("click", () => {
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    else document.documentElement.requestFullscreen().catch(() => {});
  });
  at("try-sound").addEventListener("click", () => sound.play("change"));
  at("other-theme").addEventListener("click", () => {
    choose("theme", after(listed("themes"), document.documentElement.dataset.theme));
    changed();
  });
  at("other-language").addEventListener("click", () => {
    choose("lang", after(listed("languages"), document.documentElement.lang));
    changed();
  });
}

// Where the browser allows it; it ends whenever the page was hidden.
export function stayAwake() {
  const ask = () => {
    if (document.visibilityState === "visible") navigator.wakeLock?.request("screen").catch(() => {});
  };
  document.addEventListener("visibilitychange", ask);
  ask();
}
