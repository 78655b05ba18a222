// The dialog of ask.html: what it asks, and what is done with the answer.

import { at, make, words } from "./ask.js";

let act = null; // what the open dialog does

export function ask(title, text, fields, yes, does, grave = false) {
  at("ask-title").textContent = title;
  at("ask-text").textContent = text;
  at("ask-text").hidden = !text;
  at("ask-fields").replaceChildren(...fields);
  at("ask-told").hidden = true;
  at("ask-yes").textContent = yes;
  at("ask-yes").hidden = !yes;
  at("ask-no").textContent = yes ? words.cancel : words.close;
  at("ask-yes").className = grave ? "grave" : "main";
  act = does;
  at("ask").showModal();
  const first = at("ask-fields").querySelector("input, select");
  (first || at("ask-title")).focus();
}

export function field(label, input) {
  const around = make("label", "");
  around.append(make("span", label), input);
  return around;
}

export function textField(label, name, settings = {}) {
  return field(label, make("input", "", { name, autocomplete: "off", ...settings }));
}

export const given = (name) => at("ask-fields").querySelector(`[name=${name}]`)?.value.trim() ?? "";

// What is asked shows `load` when it is closed, and every so many milliseconds while it is not open.
export function keep(load, everyMs) {
  at("ask-no").onclick = () => at("ask").close();
  at("ask").addEventListener("close", () => {
    at("ask-fields").replaceChildren();
    load();
  });
  at("ask-form").addEventListener("submit", async (event) => {
    event.preventDefault();
    if (!act) return;
    const told = await act();
    if (told.ok) {
      at("ask").close();
      return;
    }
    at("ask-told").textContent = told.error || words.offline;
    at("ask-told").hidden = false;
  });
  load();
  setInterval(() => { if (!at("ask").open && !document.hidden) load(); }, everyMs);
}
