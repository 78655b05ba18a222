// Elements, made and kept.

export const at = (id) => document.getElementById(id);

export function el(tag, given = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(given)) {
    if (name === "data") Object.assign(element.dataset, value);
    else if (name in element) element[name] = value;
    else element.setAttribute(name, value);
  }
  element.append(...children.filter((each) => each !== null));
  return element;
}

export function button(text, onclick, className = "", data = {}) {
  return el("button", { type: "button", textContent: text, onclick, className, data });
}

// Redraws only what is not so already: what has the focus, or is under a thumb, stays.
export function renew(element, key, make) {
  const said = JSON.stringify(key);
  if (element.dataset.said === said) return false;
  element.dataset.said = said;
  element.replaceChildren(...make());
  return true;
}
