// What is about all players at once: a file, the tables, the draw, until when one may enter.

import { openDialog } from "../clock/asking.js";
import { listed, number, say, wholeOf } from "../clock/words.js";
import { groupText } from "./apart.js";
import { act, seen, sendFile } from "./asking.js";

const USUAL_SEATS = 9;
const SHOWN_GROUPS = 8;

export function askImport() {
  openDialog({
    testid: "importing",
    title: say("import"),
    text: say("import-text"),
    fields: [{ name: "file", label: say("file"), kind: "file", accept: ".csv,text/csv" }],
    choices: [{
      text: say("import-do"),
      kind: "main",
      testid: "import-do",
      act: ({ file }, form) => (file ? sendFile(file, { form, done: imported }) : say("no-file")),
    }],
  });
}

function imported({ count, left_out: leftOut }) {
  const done = counted("done-import", count);
  return leftOut.length ? say("import-left-out", { done, columns: listed(leftOut) }) : done;
}

function counted(key, count, values = {}) {
  return say(count === 1 ? `${key}-one` : key, { count: number(count), ...values });
}

export function askTables() {
  const { tables, heard } = seen();
  const before = tables.map(({ table, seats }) => ({ table, seats }));
  const shown = before.length ? before : heard.map((table) => ({ table, seats: USUAL_SEATS }));
  const others = heard.filter((name) => !shown.some((each) => each.table === name));
  openDialog({
    testid: "tabling",
    title: say("tables"),
    text: say("tables-text"),
    live: others.length ? () => say("tables-others", { tables: listed(others) }) : null,
    fields: [{ name: "tables", label: say("tables-field"), kind: "lines", most: 40000, value: shown.map((each) => `${each.table} ${each.seats}`).join("\n") }],
    choices: [{
      text: say("keep-changes"),
      kind: "main",
      testid: "tables-save",
      act({ tables: typed }, form) {
        const found = [];
        for (const [at, line] of typed.split("\n").entries()) {
          if (!line.trim()) continue;
          const parts = line.trim().match(/^(.*\S)[\s,;:]+(\d{1,2})$/);
          const seats = Number(parts?.[2]);
          if (!parts || seats < 2 || seats > 10) return say("tables-line", { line: at + 1 });
          found.push({ table: parts[1], seats });
        }
        return act("tables", { tables: found }, { form, done: say("done-tables"), undo: ["tables", { tables: before }] });
      },
    }],
  });
}

export function askDraw() {
  const { tables, apart } = seen();
  if (!tables.length) return;
  openDialog({
    testid: "drawing",
    title: say("draw"),
    live: () => {
      const { unseated, free } = seen();
      return [say("draw-text", { count: number(unseated), free: number(free) }), unseated > free ? say("draw-few") : ""].filter(Boolean).join(" ");
    },
    lines: apart.length ? [[say("apart-groups"), listed(apart.map(groupText), SHOWN_GROUPS, "; ")]] : [],
    fields: [{ name: "seed", label: say("draw-seed"), most: 80, hint: say("draw-hint") }],
    choices: [{
      text: say("draw-do"),
      kind: "main",
      testid: "draw-do",
      act: ({ seed }, form) => act("draw", seed.trim() ? { seed: seed.trim() } : {}, { form, done: (told) => counted("done-draw", told.count, { seed: told.seed }), undo: ({ seed: drawn }) => ["undraw", { seed: drawn }] }),
    }],
  });
}

export function askLate() {
  const before = seen().late_until;
  openDialog({
    testid: "late",
    title: say("late"),
    live: () => (seen().level ? say("level", { level: seen().level }) : ""),
    fields: [{ name: "level", label: say("late-until"), kind: "number", most: 4, value: before === null ? "" : String(before), hint: say("late-hint") }],
    choices: [{
      text: say("late-save"),
      kind: "main",
      testid: "late-save",
      act({ level: typed }, form) {
        const level = typed.trim() ? wholeOf(typed) : null;
        if (typed.trim() && level === null) return say("no-number", { what: say("late-until") });
        return act("late", { level }, { form, done: say("done-late"), undo: ["late", { level: before }] });
      },
    }],
  });
}

// How far tables may differ before somebody moves.
export function askEven() {
  const { gap: before, halt: haltBefore } = seen();
  openDialog({
    testid: "even",
    title: say("even"),
    text: say("even-text"),
    fields: [{ name: "gap", label: say("even-gap"), kind: "number", most: 1, value: before === null ? "" : String(before), hint: say("even-hint") }, { name: "halt", label: say("even-halt"), kind: "number", most: 1, value: haltBefore === null ? "" : String(haltBefore), hint: say("even-halt-hint") }],
    choices: [{
      text: say("late-save"),
      kind: "main",
      testid: "even-save",
      act(typed, form) {
        const fields = {};
        for (const name of ["gap", "halt"]) {
          const text = typed[name].trim();
          fields[name] = text ? wholeOf(text) : null;
          if (text && fields[name] === null) return say("no-number", { what: say(`even-${name}`) });
        }
        return act("even", fields, { form, done: say("done-even"), undo: ["even", { gap: before, halt: haltBefore }] });
      },
    }],
  });
}
