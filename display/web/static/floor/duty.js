// Who is on duty where, notes from one to the next, and what this phone can do.

import { signIn } from "/static/me.js";
import { ask, line, picks } from "./ask.js";
import { at, button, el, renew } from "./dom.js";
import { act, refuse } from "./send.js";
import { me, now, seen } from "./room.js";
import { awakeState, play, soundState, vibrates } from "./sound.js";
import { mayDecide, mayDirect, ownTables, who } from "./who.js";
import { age, t } from "./words.js";

export function showDuty() {
  const { people, sections, notes } = seen.floor;
  const here = me();
  const may = mayDecide();
  renew(at("my-duty"), [here && [here.sections, here.director, here.everything], who(), may], () => myDuty(here, may));
  renew(at("people"), [people.map(({ raised, ...each }) => each), may], () => people.length ? people.map((each) => personRow(each, may)) : [el("li", { textContent: t("nobody-on-duty") })]);
  renew(at("sections"), [sections, may], () => Object.entries(sections).map(([name, tables]) => sectionRow(name, tables, may)));
  at("sections-none").hidden = Object.keys(sections).length > 0;
  at("new-section").hidden = at("new-note").hidden = at("test-alert").hidden = !may;
  showNotes(at("notes"), notes, may);
  showPhone();
}

export function showPhone() {
  if (!seen.floor) return;
  const { pushes } = seen.floor;
  const sound = soundState();
  renew(at("phone"), [sound, awakeState(), vibrates(), pushes], () => [
    [t("sound"), t(`sound-${sound}`), sound === "on"],
    [t("screen"), t(`awake-${awakeState()}`), awakeState() === "on"],
    [t("vibration"), t(vibrates() ? "vibration-on" : "vibration-none"), vibrates()],
    [t("locked"), t("locked-said"), false],
    [t("pushes"), pushes.on ? t("pushes-on", { sent: pushes.sent, failed: pushes.failed }) + (pushes.fault ? ` ${pushes.fault}` : "") : t("pushes-off"), pushes.on && !pushes.fault],
  ].map(([name, text, fine]) => el("div", { data: { fine } }, el("dt", { textContent: name }), el("dd", { textContent: text }))));
  at("allow-sound").hidden = sound !== "tap";
}

export function showNotes(list, notes, may) {
  const mine = notes.filter((each) => !each.to || each.to === who());
  const rows = mine.map((each) => [each.id, each.by, each.to, each.text]);
  list.hidden = !rows.length;
  renew(list, [rows, may], () => mine.map((each) => el("li", { className: "note" },
    el("span", { className: "note-by", textContent: t(each.to ? "note-to-you" : "note-from", { name: each.by, age: age(now() - each.at_ms) }) }),
    el("p", { textContent: each.text }),
    may ? button(t("note-read"), () => act("duty", "read-note", { id: each.id }), "", { act: "read-note" }) : null)));
}

function myDuty(here, may) {
  if (!may) return [el("p", { textContent: t("only-looking") })];
  if (!here) return [el("p", { textContent: t("you-are-off") }), button(t("sign-on"), signOn, "main", { act: "sign-on" })];
  const where = here.everything && !here.director ? t("all-tables") : here.sections.join(", ") || t("director");
  return [
    el("p", {}, el("b", { textContent: t("you-are-on") }), ` ${where}`),
    el("div", { className: "acts" },
      button(t("change-sections"), signOn, "", { act: "sections" }),
      button(t("hand-shift"), handShift, "", { act: "shift" }),
      button(t("sign-off"), () => act("duty", "duty", { on: false }), "", { act: "sign-off" })),
  ];
}

function personRow(each, may) {
  const where = each.director ? [t("director"), ...each.sections] : each.everything ? [t("all-tables")] : each.sections;
  const busy = each.open ? t("has-open", { count: each.open }) : "";
  return el("li", { className: "row" },
    el("b", { textContent: each.name }),
    el("span", { textContent: [where.join(", "), busy].filter(Boolean).join(" · ") }),
    may && each.name !== who() ? button(t("sign-off-other"), () => sure(each.name), "", { act: "sign-off-other" }) : null);
}

function sure(name) {
  ask({ title: t("sign-off-title", { name }), text: t("sign-off-means"), choices: [{ text: t("sign-off-other"), kind: "grave", act: () => { act("duty", "duty", { on: false, person: name }); } }] });
}

function sectionRow(name, tables, may) {
  return el("li", { className: "row" },
    el("b", { textContent: name }),
    el("span", { textContent: tables.join(", ") }),
    may ? button(t("change"), () => editSection(name, tables), "", { act: "edit-section" }) : null);
}

// The tap that signs on is what browsers want before they let a page be heard: it is tried after it.
export function signOn() {
  const here = me();
  const names = Object.keys(seen.floor.sections);
  const places = picks(t("your-sections"), names, here ? here.sections : []);
  const director = picks("", [t("director")], here?.director ? [t("director")] : []);
  ask({
    title: t(here ? "change-sections" : "sign-on"),
    text: ownTables().length ? t("no-section-is-own", { tables: ownTables().join(", ") }) : t("no-section-is-all"),
    fields: [...(names.length ? [places.field] : []), ...(mayDirect() ? [director.field] : [])],
    choices: [{ text: t(here ? "save" : "sign-on"), kind: "main", act: () => {
      const isNew = !here;
      act("duty", "duty", { on: true, sections: places.chosen(), director: director.chosen().length > 0 })
        .then((done) => done && isNew && trySound());
    } }],
  });
}

export function trySound() {
  play(1);
  ask({
    title: t("hear-title"),
    text: t(soundState() === "on" ? "hear-text" : `sound-${soundState()}`),
    choices: [
      { text: t("hear-yes"), kind: "main", act: () => {} },
      { text: t("hear-again"), act: () => { play(1); return false; } },
      { text: t("hear-no"), act: () => { refuse("duty", t("hear-help")); } },
    ],
  });
}

function editSection(name, tables) {
  const known = seen.floor.tables.map((each) => each.id);
  const title = line(t("section-name"), { value: name, max: 40 });
  const find = line(t("find-table"));
  const ids = picks(t("its-tables"), [...new Set([...tables, ...known])], tables);
  const narrow = () => {
    const wanted = find.input.value.trim().toLowerCase();
    let shown = 0;
    for (const each of ids.field.querySelectorAll("label")) {
      const fits = each.textContent.toLowerCase().includes(wanted) && shown < 60;
      each.hidden = !fits;
      shown += fits;
    }
  };
  find.input.oninput = narrow;
  narrow();
  title.field.hidden = Boolean(name);
  ask({
    title: name ? t("section-of", { name }) : t("new-section"),
    fields: [title.field, ...(known.length > 24 ? [find.field] : []), ids.field],
    choices: [
      { text: t("save"), kind: "main", act: () => {
        const wanted = title.input.value.trim();
        if (!wanted) {
          title.input.focus();
          return false;
        }
        act("duty", "section", { name: wanted, tables: ids.chosen() });
        return true;
      } },
      ...(name ? [{ text: t("remove-section"), act: () => { act("duty", "section", { name, tables: [] }); } }] : []),
    ],
  });
}

function handShift() {
  const note = noteField();
  const other = line(t("other-name"));
  const pass = (to) => {
    const text = note.input.value.trim();
    act("duty", "shift", { to, ...(text && { note: text }) });
  };
  ask({
    title: t("hand-shift"),
    text: t("hand-shift-means"),
    fields: [note.field, other.field],
    choices: [
      { text: t("hand-to-name"), act: () => {
        const name = other.input.value.trim();
        if (!name) {
          other.input.focus();
          return false;
        }
        pass(name);
        return true;
      } },
      ...seen.floor.people.filter((each) => each.name !== who()).map(({ name }) => ({ text: t("hand-to", { name }), act: () => pass(name) })),
    ],
  });
}

function noteField() {
  const input = el("textarea", { maxLength: 500, rows: 3 });
  return { field: el("label", {}, t("note"), input), input };
}

function leaveNote() {
  const note = noteField();
  const send = (to) => () => {
    const text = note.input.value.trim();
    if (!text) {
      note.input.focus();
      return false;
    }
    act("duty", "note", { text, ...(to && { to }) });
    return true;
  };
  ask({
    title: t("new-note"),
    fields: [note.field],
    choices: [{ text: t("note-for-all"), kind: "main", act: send("") },
      ...seen.floor.people.filter((each) => each.name !== who()).map(({ name }) => ({ text: t("note-for", { name }), act: send(name) }))],
  });
}

at("new-section").onclick = () => editSection("", []);
at("new-note").onclick = leaveNote;
at("test-alert").onclick = () => act("duty", "test", {});
at("try-sound").onclick = trySound;
at("someone-else").onclick = signIn;
