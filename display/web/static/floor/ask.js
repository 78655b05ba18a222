// One question at a time, from below, where the thumb is.

import { at, button, el } from "./dom.js";
import { setText } from "/static/live.js";

let about = null;

// `fields` are elements above the choices; a choice is {text, act, kind}. `act` may return false to
// stay. What is asked about an alert goes when the alert does.
export function ask({ alert = null, title, text = "", fields = [], choices }) {
  about = alert;
  setText(at("ask-title"), title);
  setText(at("ask-text"), text);
  at("ask-text").hidden = !text;
  at("ask-fields").replaceChildren(...fields);
  at("ask-choices").replaceChildren(...choices.map(({ text, act, kind = "" }) => button(text, () => {
    if (act() !== false) at("ask").close();
  }, kind)));
  at("ask-choices").toggleAttribute("data-many", choices.length > 5);
  if (!at("ask").open) at("ask").showModal();
  at("ask").scrollTop = 0;
  // A keyboard that comes up unasked would cover the choices.
  if (choices.length > 1 || !fields.length) at("ask-title").focus();
}

export const askedAbout = () => (at("ask").open ? about : null);
export const stopAsking = () => at("ask").close();

export function line(label, { value = "", max = 80 } = {}) {
  const input = el("input", { value, maxLength: max, autocomplete: "off" });
  return { field: el("label", {}, label, input), input };
}

// Several of a list, by tap.
export function picks(label, names, chosen) {
  const boxes = names.map((name) => el("label", { className: "pick" },
    el("input", { type: "checkbox", value: name, checked: chosen.includes(name) }), el("span", { textContent: name })));
  const field = el("fieldset", {}, el("legend", { textContent: label }), ...boxes);
  return { field, chosen: () => [...field.querySelectorAll("input:checked")].map((each) => each.value) };
}

at("ask-cancel").onclick = stopAsking;
at("ask-form").onsubmit = (event) => {
  event.preventDefault();
  at("ask-choices").firstElementChild?.click();
};
