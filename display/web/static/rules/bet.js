// What an action amounts to: the form, with chips to tap, and its answer.

import { signIn } from "/static/me.js";
import { at, button, el } from "/static/floor/dom.js";
import { t } from "/static/floor/words.js";
import { ask, linkTo } from "./links.js";

const BOOK = "cutcard-rules-book";
const CHIPS = [1, 5, 25, 100, 500, 1_000, 5_000, 25_000, 100_000, 500_000, 1_000_000];
const SHOWN = 5; // chips to tap, from the one below the big blind

export function startJudging() {
  const kept = localStorage.getItem(BOOK);
  if ([...at("book").options].some((each) => each.value === kept)) at("book").value = kept;
  at("book").addEventListener("change", () => localStorage.setItem(BOOK, at("book").value));
  at("big").addEventListener("input", layChips);
  for (const clear of document.querySelectorAll("[data-clear]")) {
    clear.onclick = () => {
      at(clear.dataset.clear).value = "";
      stale();
    };
  }
  layChips();
  at("bet-form").addEventListener("input", stale);
  at("bet-form").addEventListener("submit", (event) => {
    event.preventDefault();
    judge();
  });
}

function layChips() {
  const big = Number(at("big").value.replace(/\D/g, "")) || 100;
  const from = Math.max(0, CHIPS.findLastIndex((each) => each <= big) - 1);
  for (const row of document.querySelectorAll(".chips")) {
    const into = at(row.dataset.into);
    const field = t(row.dataset.into);
    row.replaceChildren(...CHIPS.slice(from).slice(0, SHOWN).map((chip) => {
      const made = button(`+${chip.toLocaleString(document.documentElement.lang)}`, () => {
        into.value = withChip(into.value, chip);
        stale();
      });
      made.setAttribute("aria-label", t("chip-add", { chip, field }));
      return made;
    }));
  }
}

// `1000,2x100` and another 100 are `1000,3x100`.
function withChip(text, chip) {
  const parts = text.split(",").map((each) => each.trim()).filter(Boolean);
  const [, count, value] = /^(?:(\d+)x)?(\d+)$/.exec(parts.at(-1) ?? "") ?? [];
  if (Number(value) === chip) parts[parts.length - 1] = `${Number(count ?? 1) + 1}x${chip}`;
  else parts.push(String(chip));
  return parts.join(",");
}

// An answer is not one to what has been filled in since.
function stale() {
  at("amounts-to").hidden = true;
}

async function judge() {
  const given = Object.fromEntries([...new FormData(at("bet-form"))].filter(([, value]) => String(value).trim()));
  showFaults({}, "");
  try {
    const { ok, status, said } = await ask("/rules/bet.json", given);
    if (status === 401) signIn();
    else if (ok) show(said);
    else showFaults(said.faults ?? {}, said.error);
  } catch {
    showFaults({}, t("lost"));
  }
}

function show({ what, why, more, rules, next, book }) {
  const place = at("amounts-to");
  place.replaceChildren(
    el("h3", { textContent: what }),
    ...[why, ...more].map((textContent) => el("p", { textContent })),
    ...(next ? [el("p", { className: "next", textContent: next })] : []),
    el("p", { className: "by", textContent: t("by", { book }) }),
    el("dl", {}, ...rules.flatMap(({ id, text }) => [
      el("dt", {}, text ? linkTo(id) : id),
      el("dd", { lang: "en", textContent: text }),
    ])),
  );
  place.hidden = false;
  place.scrollIntoView({ block: "nearest" });
}

// Each fault beside its field; one of no field that is to be seen stands below the form.
function showFaults(faults, error) {
  stale();
  for (const old of document.querySelectorAll("#bet-form .fault")) old.remove();
  for (const old of document.querySelectorAll("#bet-form [aria-invalid]")) {
    old.removeAttribute("aria-invalid");
    old.removeAttribute("aria-describedby");
  }
  const wrong = Object.keys(faults).map((name) => at("bet-form").elements[name]).filter(Boolean);
  for (const field of wrong) {
    const id = `fault-${field.name}`;
    field.setAttribute("aria-invalid", "true");
    field.setAttribute("aria-describedby", id);
    field.closest(".field").append(el("p", { id, className: "fault", textContent: faults[field.name] }));
    field.closest("details")?.setAttribute("open", "");
  }
  at("bet-fault").textContent = wrong.length ? "" : error;
  at("bet-fault").hidden = !at("bet-fault").textContent;
  wrong[0]?.focus();
}
