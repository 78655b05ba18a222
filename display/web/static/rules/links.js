// Links that look something up on this page.

import { el } from "/static/floor/dom.js";

// The address of a search, in the language of this page.
export function addressOf(q, book = "") {
  const lang = new URLSearchParams(location.search).get("lang");
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ q, book, lang })) if (value) asked.set(name, value);
  return asked.size ? `/rules?${asked}` : "/rules";
}

export function linkTo(q, text = q) {
  return el("a", { href: addressOf(q), textContent: text, data: { q } });
}

// A question to the room: what it says, and whether it could be answered.
export async function ask(path, given) {
  const lang = new URLSearchParams(location.search).get("lang");
  const answer = await fetch(`${path}?${new URLSearchParams({ ...given, ...(lang ? { lang } : {}) })}`);
  return { ok: answer.ok, status: answer.status, said: await answer.json() };
}
