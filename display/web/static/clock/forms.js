// Dialogs: a few fields, and buttons that say what they do. What was typed stays until it is done.
//
//   openForm({ title, text, lines, live, fields, choices, closed })
//
// `lines` are pairs of words, to be read. `live()` is the line about the room as it is now. A
// field has `name`, `label`, and where it is wanted `value`, `kind` (text, short, number, decimal,
// lines, tick, file), `most`, `options`, `suggest`, `hint`, and as `placeholder` what it stands for
// while it is empty. A choice has `text` and `act(values, form)`, which returns, or promises, true
// or "" to close the dialog, or the reason why it stays; with `hold` its button has to be held.

import { setText } from "../live.js";

const HOLD_MS = 1200;
const open = new Set();

export function formOpen() {
  return [...open].some((form) => form.dialog.open);
}

// The lines about the room as it is now.
export function refreshForms() {
  for (const form of open) form.refresh();
}

export function openForm({ title, text = "", live = null, fields = [], choices = [], lines = [], testid = "", closed = () => {} }) {
  const dialog = document.getElementById("form").content.cloneNode(true).firstElementChild;
  const part = (name) => dialog.querySelector(name);
  setText(part("h2"), title.replace(/…$/, ""));
  setText(part(".text"), text);
  part(".text").hidden = !text;
  if (testid) dialog.dataset.testid = testid;
  part(".lines").replaceChildren(...lines.flatMap(([key, words]) => [element("dt", key), element("dd", words)]));
  part(".lines").hidden = !lines.length;
  const inputs = fields.map((field) => addField(part(".fields"), field));
  const form = {
    dialog,
    values: () => Object.fromEntries(inputs.map((input) => [input.name, valueOf(input)])),
    refuse(reason) {
      part(".refusal").hidden = !reason;
      setText(part(".refusal"), reason);
      if (reason) part(".refusal").scrollIntoView({ block: "nearest" });
    },
    refresh() {
      const line = live ? live() : "";
      part(".live").hidden = !line;
      setText(part(".live"), line);
    },
    close() {
      dialog.close();
      gone();
    },
  };
  // At once: a browser tells of it later, and by then another dialog may be open.
  const gone = () => {
    if (!open.delete(form)) return;
    dialog.remove();
    closed();
  };
  part(".choices").replaceChildren(...choices.map((choice) => button(choice, form)));
  part(".cancel").onclick = form.close;
  part("form").onsubmit = (event) => event.preventDefault();
  dialog.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.target.tagName !== "INPUT") return;
    event.preventDefault();
    part(".choices button")?.click();
  });
  dialog.addEventListener("close", gone);
  document.body.append(dialog);
  open.add(form);
  form.refresh();
  dialog.showModal();
  begin(inputs.find((input) => "select" in input && input.type !== "checkbox"), part);
  return form;
}

// On a phone the keyboard would come up unasked and cover the buttons.
function begin(typed, part) {
  const keyboard = matchMedia("(hover: hover)").matches;
  if (typed && keyboard) typed.select();
  const first = typed ? (keyboard ? typed : part("h2")) : part(".choices button");
  (first || part("h2")).focus();
}

function addField(box, { name, label, kind = "text", value = "", most = 200, options = null, suggest = [], hint = "", placeholder = "", accept = "" }) {
  const line = document.createElement("label");
  const words = element("span", label);
  const tag = options ? "select" : kind === "lines" ? "textarea" : "input";
  const input = document.createElement(tag);
  input.name = name;
  if (options) {
    input.append(...options.map(([key, text]) => new Option(text, key, false, key === value)));
  } else if (kind === "tick") {
    input.type = "checkbox";
    input.checked = Boolean(value);
    line.className = "tick";
  } else if (kind === "file") {
    input.type = "file";
    input.accept = accept;
  } else {
    input.value = value;
    input.placeholder = placeholder;
    input.maxLength = most;
    input.autocomplete = "off";
    if (kind === "lines") input.rows = 6;
    if (suggest.length) line.append(suggested(input, suggest));
    if (kind === "number") input.inputMode = "numeric";
    if (kind === "decimal") input.inputMode = "decimal";
  }
  if (["short", "number", "decimal"].includes(kind)) line.className = "short";
  line.append(...(kind === "tick" ? [input, words] : [words, input]));
  if (hint) line.append(element("small", hint));
  box.append(line);
  return input;
}

function suggested(input, words) {
  const list = document.createElement("datalist");
  list.id = `${input.name}-suggested`;
  list.append(...words.map((each) => new Option(each)));
  input.setAttribute("list", list.id);
  return list;
}

function element(tag, text) {
  const made = document.createElement(tag);
  made.textContent = text;
  return made;
}

function valueOf(input) {
  if (input.type === "checkbox") return input.checked;
  return input.type === "file" ? input.files[0] || null : input.value;
}

function button(choice, form) {
  const made = document.createElement("button");
  made.type = "button";
  made.className = choice.kind || "";
  if (choice.testid) made.dataset.testid = choice.testid;
  made.append(element("span", choice.text), ...(choice.more || []).map((words) => element("small", words)));
  let busy = false;
  const act = async () => {
    if (busy) return;
    busy = true;
    form.refuse("");
    const reason = await choice.act(form.values(), form);
    busy = false;
    if (reason === true || reason === "") form.close();
    else if (reason) form.refuse(reason);
  };
  if (choice.hold) holdToAct(made, act);
  else made.onclick = act;
  return made;
}

// For what can't be undone: held for a moment, by finger, mouse or key. What presses a button
// without holding anything, as a screen reader does, has the dialog for a confirmation.
function holdToAct(button, act) {
  let timer = 0;
  const begin = () => {
    if (timer) return;
    button.toggleAttribute("data-held", true);
    timer = setTimeout(() => {
      end();
      act();
    }, HOLD_MS);
  };
  const end = () => {
    clearTimeout(timer);
    timer = 0;
    button.removeAttribute("data-held");
  };
  let pressed = -HOLD_MS;
  const press = () => {
    pressed = performance.now();
    begin();
  };
  const release = () => {
    pressed = performance.now();
    end();
  };
  button.classList.add("hold");
  button.addEventListener("pointerdown", press);
  for (const name of ["pointerup", "pointerleave", "pointercancel", "blur"]) button.addEventListener(name, release);
  button.addEventListener("keydown", (event) => {
    if (event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    if (!event.repeat) press();
  });
  button.addEventListener("keyup", release);
  button.addEventListener("contextmenu", (event) => event.preventDefault());
  button.addEventListener("click", () => {
    if (performance.now() - pressed > HOLD_MS) act();
  });
}
