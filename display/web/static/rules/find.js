// Rules found as one types.

import { setText } from "/static/live.js";
import { signIn } from "/static/me.js";
import { at, el } from "/static/floor/dom.js";
import { t } from "/static/floor/words.js";
import { addressOf, ask, linkTo } from "./links.js";

const STILL_MS = 200; // since the last letter

let waiting = 0;
let last = 0; // an answer that comes after a later question's is not shown

// What the address asks for.
export function lookUp() {
  const asked = new URLSearchParams(location.search);
  at("q").value = asked.get("q") ?? "";
  at("in-book").value = asked.get("book") ?? "";
  find();
}

export function startFinding() {
  at("q").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(typed, STILL_MS);
  });
  at("in-book").addEventListener("change", typed);
  at("find-form").addEventListener("submit", (event) => {
    event.preventDefault();
    typed();
    at("q").blur(); // a phone's keys make room for what is found
  });
  lookUp();
}

function typed() {
  history.replaceState(null, "", addressOf(at("q").value.trim(), at("in-book").value) + location.hash);
  find();
}

async function find() {
  clearTimeout(waiting);
  const mine = ++last;
  let found = { ok: false, status: 0, said: { error: t("lost") } };
  try {
    found = await ask("/rules.json", { q: at("q").value.trim(), book: at("in-book").value });
  } catch {
    // The room is not to be reached, or what has answered is not the room.
  }
  if (mine !== last) return;
  if (found.status === 401) signIn();
  else show(found.ok ? found.said : { said: found.said.error, rules: [], unknown: "", more: "" });
}

function show({ said, rules, unknown, more }) {
  setText(at("said"), said);
  for (const [id, text] of [["unknown", unknown], ["more", more]]) {
    setText(at(id), text);
    at(id).hidden = !text;
  }
  at("rules").replaceChildren(...rules.map(ruleOf));
}

function ruleOf(rule) {
  const about = [
    part(t("others"), rule.differs.flatMap((each) => [
      el("p", { className: "ids" }, ...linked(each)),
      el("p", { className: "how", lang: "en", textContent: each.how }),
    ])),
    part(t("decides"), listed(rule.findings)),
    part(t("told"), listed(rule.prompts)),
    part(t("here"), rule.met ? [el("p", { textContent: rule.why ? `${rule.met}: ${rule.why}` : rule.met })] : []),
  ];
  return el("li", { data: { id: rule.id, testid: "rule" } },
    el("h3", {}, linkTo(rule.id), el("span", { className: rule.verified ? "book" : "book unverified", textContent: rule.book })),
    el("p", { className: "where", textContent: [rule.section, rule.number].filter(Boolean).join(", ") }),
    el("p", { className: "summary", lang: "en", textContent: rule.summary }),
    el("dl", {}, ...about.flat()));
}

function part(label, said) {
  return said.length ? [el("dt", { textContent: label }), el("dd", {}, ...said)] : [];
}

function listed(named) {
  return named.length ? [el("ul", {}, ...named.map(({ id, text }) => el("li", {}, linkTo(id, text))))] : [];
}

// What the catalogue writes of other rules, with a link for each that it has.
function linked({ rules, ids }) {
  return rules.split(/([^\w-]+)/).map((each) => (ids.includes(each) ? linkTo(each) : each.replace("/", " / ")));
}
