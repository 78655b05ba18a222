// How what is said is cut into lines and pages. A page begins with the label of what goes on in it:
// whoever looks up in the middle has to know what the rest belongs to.

import { ems } from "/static/fit.js";

const LABEL_END = ": ";
const LONGEST_LABEL = 0.5; // of a line: what is longer would be most of it
const STEPS = 7;

// The fewest lines that take it all.
function wrapped(text, { px, weight }, width) {
  const done = [];
  let line = "";
  const goesIn = (longer) => ems(longer, weight) * px <= width;
  const add = (part, by) => {
    const longer = line ? line + by + part : part;
    if (goesIn(longer)) {
      line = longer;
      return;
    }
    if (line) done.push(line);
    line = "";
    if (goesIn(part)) line = part;
    else for (const letter of part) add(letter, "");
  };
  for (const word of text.split(" ")) add(word, " ");
  if (line) done.push(line);
  return done;
}

// The same `cut`, but about as long as each other: as narrow as it goes without one more.
function evenly(cut, width) {
  const whole = cut(width);
  if (whole.length < 2) return whole;
  let [low, high] = [width / 2, width];
  for (let step = 0; step < STEPS; step += 1) {
    const middle = (low + high) / 2;
    if (cut(middle).length > whole.length) low = middle;
    else high = middle;
  }
  return cut(high);
}

// The pages of what is said (see `Said` in display/wall/said.py), as text with up to `most` lines.
// `box` tells the width of a line, the size of the font and its weight.
export function pagesOf(said, box, most) {
  if (!said.parts.length) return textPages(said.text, box, most);
  if (said.more) return textPages(shortened(said, box, most), box, most);
  const pages = [];
  for (let left = said.parts; left.length; ) {
    let number = 1;
    while (number < left.length && wrapped(filled(said, left.slice(0, number + 1)), box, box.width).length <= most) number += 1;
    pages.push(...textPages(filled(said, left.slice(0, number)), box, most));
    left = left.slice(number);
  }
  return pages;
}

function filled(said, parts, others = 0) {
  let listed = parts.join(said.joint);
  if (others) listed = said.more.replace("{n}", others).replace("{}", () => listed);
  return said.text.replace("{}", () => listed);
}

function shortened(said, box, most) {
  let text = "";
  for (let number = said.parts.length; number > 0; number -= 1) {
    text = filled(said, said.parts.slice(0, number), said.count - number);
    if (wrapped(text, box, box.width).length <= most) break;
  }
  return text;
}

function textPages(text, box, most) {
  const lines = evenly((width) => wrapped(text, box, width), box.width);
  if (lines.length <= most) return lines.length ? [lines.join("\n")] : [];
  const label = labelOf(text, box);
  const rest = text.slice(label.length).trim();
  const pages = evenly((width) => labelled(label, rest, box, width, most), box.width);
  if (pages.every((page) => page.length <= most)) return pages.map((page) => page.join("\n"));
  const found = []; // a word is wider than a page
  for (let at = 0; at < lines.length; at += most) found.push(lines.slice(at, at + most).join("\n"));
  return found;
}

function labelled(label, rest, box, width, most) {
  const pages = [];
  const wrap = (words) => wrapped([label, ...words].filter(Boolean).join(" "), box, width);
  let page = [];
  for (const word of rest.split(" ")) {
    if (page.length && wrap([...page, word]).length > most) {
      pages.push(wrap(page));
      page = [];
    }
    page.push(word);
  }
  pages.push(wrap(page));
  return pages;
}

// What a text begins with up to its colon, if that is short enough to be said again.
function labelOf(text, { width, px, weight }) {
  const end = text.indexOf(LABEL_END);
  if (end < 0) return "";
  const label = text.slice(0, end + 1);
  return ems(label, weight) * px <= LONGEST_LABEL * width ? label : "";
}
