// The people of the room, for an admin: who they are, who is signed in, who did what.

import { asked, at, make, roleName, said, words } from "./ask.js";
import { ask, field, given, keep, textField } from "./dialog.js";

const ROLES = ["viewer", "floor", "director", "admin"];
const EVERY_MS = 5000;
const { lang } = document.documentElement;
let known = null;

function tell(text) {
  at("told").textContent = text;
  at("told").hidden = !text;
}

async function load() {
  try {
    const answer = await fetch(`/people.json?lang=${lang}`);
    if (answer.status === 401 || answer.status === 403) {
      location.assign("/login?to=/people&needs=admin");
      return;
    }
    known = await answer.json();
    tell("");
    show();
  } catch {
    tell(words.offline);
  }
}

function age(seconds) {
  const minutes = Math.max(0, Math.floor(seconds / 60));
  if (minutes < 1) return words.now;
  return minutes < 60 ? said("minutes", { n: minutes }) : said("hours", { n: Math.floor(minutes / 60) });
}

function show() {
  at("people").replaceChildren(...known.people.map(card));
  at("record").replaceChildren(...known.audit.map(line));
}

function card(person) {
  const item = make("li", "");
  const head = make("div", "", { className: "head" });
  head.append(make("strong", person.name), make("span", roleName(person.role), { className: `role ${person.role}` }));
  const mine = known.sessions.filter((each) => each.person === person.name);
  const about = [
    person.tables.length ? said("at-tables", { tables: person.tables.join(", ") }) : "",
    person.has_pin ? "" : words["no-pin"],
    mine.length ? said("signed-in", { n: mine.length, age: age(known.now - Math.max(...mine.map((each) => each.used))) }) : words["not-in"],
  ].filter(Boolean);
  const acts = make("div", "", { className: "row" });
  const add = (key, does) => {
    const button = make("button", words[key], { type: "button", onclick: does });
    button.dataset.act = key;
    acts.append(button);
  };
  add("role", () => askRole(person));
  add("new-pin", () => askPin(person));
  add("tables", () => askTables(person));
  add("code", () => showCode(person));
  if (mine.length) add("end", () => askEnd(person));
  add("remove", () => askRemove(person));
  item.append(head, make("p", about.join(" · ")), acts);
  item.dataset.person = person.name;
  return item;
}

function line(done) {
  const row = make("tr", "");
  const when = new Date(done.at * 1000).toLocaleString(lang, { dateStyle: "short", timeStyle: "medium", hourCycle: "h23" });
  const what = make("td", done.text);
  if (done.refused) what.append(make("em", said("refused", { reason: done.refused })));
  row.append(make("td", when), make("td", done.role), what);
  row.title = done.address;
  return row;
}

function roleField(role) {
  const select = make("select", "", { name: "role" });
  for (const each of ROLES) {
    select.append(make("option", `${roleName(each)}: ${words[`may-${each}`]}`, { value: each, selected: each === role }));
  }
  return field(words.role, select);
}

function pinField() {
  return textField(words.pin, "pin", { type: "password", inputMode: "numeric", maxLength: 12, autocomplete: "new-password" });
}

const tablesOf = () => given("tables").split(/[\s,]+/).filter(Boolean);
const send = (what, fields) => asked(`/people/${what}`, fields);

function askAdd() {
  ask(words.add, "", [textField(words.name, "name", { maxLength: 40 }), roleField("floor"), pinField(),
    textField(words["tables-of"], "tables", { placeholder: words["tables-all"] })], words.save,
  () => send("add", { name: given("name"), role: given("role"), pin: given("pin"), tables: tablesOf() }));
}

function askRole({ name, role }) {
  ask(`${name}: ${words.role}`, words["signs-in-again"], [roleField(role)], words.save, () => send("role", { name, role: given("role") }));
}

function askPin({ name }) {
  ask(`${name}: ${words["new-pin"]}`, words["signs-in-again"], [pinField()], words.save, () => send("pin", { name, pin: given("pin") }));
}

function askTables({ name, tables }) {
  ask(`${name}: ${words.tables}`, "", [textField(words["tables-of"], "tables", { value: tables.join(", "), placeholder: words["tables-all"] })],
    words.save, () => send("tables", { name, tables: tablesOf() }));
}

function askEnd({ name }) {
  ask(said("end-sure", { name }), "", [], words.end, () => send("sign-out", { name }), true);
}

function askRemove({ name }) {
  ask(said("remove-sure", { name }), words["remove-text"], [], words.remove, () => send("remove", { name }), true);
}

async function showCode({ name }) {
  const told = await send("code", { name });
  if (!told.ok) {
    tell(told.error || words.offline);
    return;
  }
  const address = make("p", told.url, { className: "url" });
  if (!told.svg) {
    ask(`${name}: ${words.code}`, document.body.dataset.noPhones, [address], "", null);
    return;
  }
  const drawn = new DOMParser().parseFromString(told.svg, "text/html").body.firstElementChild;
  const holder = make("div", "", { className: "qr" });
  holder.append(document.importNode(drawn, true));
  ask(`${name}: ${words.code}`, said("code-text", { name }), [holder, address], "", null);
}

at("add").onclick = askAdd;
keep(load, EVERY_MS);
