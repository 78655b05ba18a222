// The first admin: a name, and a PIN typed twice.

import { asked, at, refusal, remember, words } from "./ask.js";
import { pad } from "./pad.js";

const { code } = document.body.dataset;
let first = "";

function tell(text) {
  at("told").textContent = text;
  at("told").hidden = !text;
}

function dots(value) {
  at("dots").textContent = "●".repeat(value.length);
  at("enter").disabled = !at("name").value.trim() || value.length < 4;
}

function empty() {
  at("pin").value = "";
  dots("");
}

async function enter() {
  if (at("enter").disabled) return;
  const pin = at("pin").value;
  empty();
  if (!first) {
    first = pin;
    at("pin-label").textContent = words["setup-again"];
    at("enter").textContent = words.make;
    tell("");
    at("pin").focus();
    return;
  }
  const same = first === pin;
  first = "";
  at("pin-label").textContent = words.pin;
  at("enter").textContent = words.next;
  if (!same) {
    tell(words["setup-differ"]);
    return;
  }
  const told = await asked("/setup", { code, name: at("name").value.trim(), pin });
  if (told.ok) {
    remember(told.name);
    location.replace(told.to);
    return;
  }
  tell(told.why === "code" ? words["setup-code"] : refusal(told));
}

pad(at("keys"), at("pin"), { changed: dots });
at("name").addEventListener("input", () => dots(at("pin").value));
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});
