// The tables of the room, for an admin: which are let in, and the codes by which new ones come.

import { asked, at, make, said, words } from "./ask.js";
import { ask, given, keep, textField } from "./dialog.js";

const EVERY_MS = 2000;
const { lang } = document.documentElement;

function tell(text) {
  at("told").textContent = text;
  at("told").hidden = !text;
}

async function load() {
  try {
    const answer = await fetch("/tables.json");
    if (answer.status === 401 || answer.status === 403) {
      location.assign("/login?to=/tables&needs=admin");
      return;
    }
    show(await answer.json());
  } catch {
    tell(words.offline);
  }
}

function show(known) {
  tell(known.fault || (known.spoilt ? words.spoilt : ""));
  at("offers").replaceChildren(...known.offers.map(offered));
  at("compare").hidden = !known.offers.length;
  at("tables").replaceChildren(...known.tables.map(card));
  at("none").hidden = Boolean(known.tables.length || known.fault);
}

function buttons(...those) {
  const row = make("div", "", { className: "row" });
  for (const [key, does] of those) {
    const button = make("button", words[key], { type: "button", onclick: does });
    button.dataset.act = key;
    row.append(button);
  }
  return row;
}

// For a table without a screen: what `cutcard pair --file` reads.
function fileOf(offer) {
  const rows = [...document.querySelectorAll("#compare .rows span")].map((row) => row.textContent);
  const here = location.hostname;
  const lines = [`code = "${offer.code}"`, `fingerprint = "${rows.join(" ")}"`];
  if (here !== "localhost" && !here.startsWith("127.")) lines.push(`address = "${here}"`);
  const text = lines.map((line) => `${line}\n`).join("");
  return `data:application/toml;charset=utf-8,${encodeURIComponent(text)}`;
}

function offered(offer) {
  const item = make("li", "");
  const minutes = Math.floor(offer.left_s / 60);
  item.dataset.offer = offer.table;
  item.append(
    make("strong", said("waiting", { table: offer.table })),
    make("p", offer.code, { className: "code", translate: false }),
    make("p", words.type),
    make("p", [
      minutes ? said("minutes", { n: minutes }) : words["last-minute"],
      offer.replaces ? said("was", { table: offer.replaces }) : "",
    ].filter(Boolean).join(" · ")),
    make("a", words.file, { href: fileOf(offer), download: "cutcard-pair.toml" }),
    buttons(["withdraw", async () => {
      await send("withdraw", { table: offer.table });
      load();
    }]),
  );
  return item;
}

function card({ table, live }) {
  const item = make("li", "");
  const head = make("div", "", { className: "head" });
  head.append(make("strong", table), make("span", words[live ? "live" : "away"], { className: "role" }));
  item.dataset.table = table;
  item.append(head, buttons(
    ["new-code", () => askCode(table)],
    ["rename", () => askName(table)],
    ["remove", () => askRemove(table)],
  ));
  return item;
}

const send = (what, fields) => asked(`/tables/${what}?lang=${lang}`, fields);
const nameField = (value) => textField(words.table, "table", { maxLength: 64, value });

function askAdd() {
  ask(words.add, "", [nameField("")], words["make-code"], () => send("add", { table: given("table") }));
}

function askCode(table) {
  ask(`${table}: ${words["new-code"]}`, words["new-code-text"], [], words["make-code"], () => send("add", { table }));
}

function askName(table) {
  ask(`${table}: ${words.rename}`, words["rename-text"], [nameField(table)], words["make-code"],
    () => send("add", { table: given("table"), replaces: table }));
}

function askRemove(table) {
  ask(said("remove-sure", { table }), words["remove-text"], [], words.remove, () => send("remove", { table }), true);
}

at("add").onclick = askAdd;
keep(load, EVERY_MS);
