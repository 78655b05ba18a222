// Who are you, and what is your PIN? Names are those that this device knows: strangers get no list.

import { asked, at, forget, make, names, refusal, remember, roleName, said, whoAmI, words } from "./ask.js";
import { pad } from "./pad.js";

const { to, needs } = document.body.dataset;
const RANKS = ["viewer", "floor", "director", "admin"];
let waiting = 0;
let editing = false;

function tell(text, grave = true) {
  at("told").textContent = text;
  at("told").hidden = !text;
  at("told").toggleAttribute("data-grave", grave);
}

function showNames() {
  const known = names();
  at("names").replaceChildren(...known.map((name) => {
    const chip = make("button", name, { type: "button", className: "chip" });
    chip.setAttribute("aria-pressed", String(at("name").value === name));
    if (editing) {
      chip.classList.add("going");
      chip.setAttribute("aria-label", `${words.forget}: ${name}`);
    }
    chip.onclick = () => {
      if (editing) {
        forget(name);
        if (at("name").value === name) at("name").value = "";
      } else {
        at("name").value = name;
        at("other").hidden = true;
        at("pin").focus();
      }
      showNames();
    };
    return chip;
  }));
  if (known.length && !editing) {
    const other = make("button", words.others, { type: "button", className: "chip quiet" });
    other.onclick = () => {
      at("other").hidden = false;
      at("name").value = "";
      showNames();
      at("name").focus();
    };
    at("names").append(other);
  }
  at("edit").hidden = !known.length;
  at("edit").textContent = editing ? words.done : words.forget;
  at("names").hidden = !known.length;
  if (!known.length) at("other").hidden = false;
}

function ready() {
  at("enter").disabled = waiting > 0 || !at("name").value.trim() || at("pin").value.length < 4;
}

function wait(seconds) {
  waiting = seconds;
  ready();
  if (!waiting) {
    tell("");
    return;
  }
  tell(said("wait", { seconds: waiting }));
  setTimeout(() => wait(waiting - 1), 1000);
}

async function enter() {
  if (at("enter").disabled) return;
  const name = at("name").value.trim();
  at("enter").disabled = true;
  const told = await asked("/login", { name, pin: at("pin").value, to });
  at("pin").value = "";
  dots("");
  if (told.ok) {
    remember(told.name);
    location.replace(told.to);
    return;
  }
  document.body.classList.remove("shake");
  void document.body.offsetWidth;
  document.body.classList.add("shake");
  tell(refusal(told));
  ready();
  if (told.why === "wait" || (told.why === "wrong" && told.wait_s > 1)) wait(told.wait_s);
}

function dots(value) {
  at("dots").textContent = "●".repeat(value.length);
  ready();
}

async function begin() {
  const kept = names();
  if (kept.length) at("name").value = kept[0];
  showNames();
  at("other").hidden = kept.length > 0;
  const me = await whoAmI();
  if (!me) {
    if (!at("other").hidden) at("name").focus();
    return;
  }
  const enough = RANKS.indexOf(me.role) >= RANKS.indexOf(needs || "viewer");
  if (needs && enough) {
    // A link from elsewhere brings no cookie along; from here it does.
    location.replace(to);
    return;
  }
  at("in").hidden = false;
  at("in-as").textContent = said("signed-in", { name: me.name, role: roleName(me.role) });
  at("go-on").hidden = !enough;
  at("go-on").href = to;
  if (needs && !enough) tell(said("needs", { role: roleName(needs) }));
}

pad(at("keys"), at("pin"), { changed: dots });
at("name").addEventListener("input", () => { ready(); });
at("form").addEventListener("submit", (event) => {
  event.preventDefault();
  enter();
});
at("edit").onclick = () => {
  editing = !editing;
  showNames();
};
at("sign-out").onclick = async () => {
  const told = await asked("/logout", {});
  if (told.ok) location.replace("/login");
  else tell(refusal(told));
};
begin().finally(() => { document.body.dataset.ready = ""; });
