// What the pages of signing in have in common: words, asking the room, waiting.

export const words = JSON.parse(document.body.dataset.words);
export const at = (id) => document.getElementById(id);

export function said(key, blanks = {}) {
  return words[key].replace(/\{(\w+)\}/g, (_, name) => blanks[name] ?? "");
}

export function roleName(role) {
  return words[`role-${role}`] || role;
}

export async function ask(path, fields) {
  const answer = await fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Requested-With": "cutcard" },
    body: JSON.stringify(fields),
  });
  let told = {};
  try {
    told = await answer.json();
  } catch {
    // no answer of ours: its status says enough
  }
  return { ok: answer.ok, status: answer.status, ...told };
}

export async function whoAmI() {
  try {
    const answer = await fetch("/me.json");
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

export function make(name, text, settings = {}) {
  const element = document.createElement(name);
  element.textContent = text;
  return Object.assign(element, settings);
}

const REFUSALS = {
  wrong: "wrong", wait: "wait", busy: "busy", code: "join-code", taken: "setup-taken",
  pin: "bad-pin", name: "bad-name",
};

export function refusal(told) {
  if (!told.status) return words.offline;
  return said(REFUSALS[told.why] || "busy", { seconds: told.wait_s });
}

export async function asked(path, fields) {
  try {
    return await ask(path, fields);
  } catch {
    return { ok: false, status: 0 };
  }
}

// The names that have signed in on this device, the last one first; never a PIN.
const NAMES = "cutcard-names";
const MOST_NAMES = 6;

export function names() {
  try {
    const kept = JSON.parse(localStorage.getItem(NAMES) || "[]");
    return Array.isArray(kept) ? kept.filter((each) => typeof each === "string").slice(0, MOST_NAMES) : [];
  } catch {
    return [];
  }
}

export function remember(name) {
  localStorage.setItem(NAMES, JSON.stringify([name, ...names().filter((each) => each !== name)].slice(0, MOST_NAMES)));
}

export function forget(name) {
  localStorage.setItem(NAMES, JSON.stringify(names().filter((each) => each !== name)));
}
