// Makes everything as large as it must be on this screen, and the clock as large as it can be.
// What there is no room for goes to the pager, the least important first.
//
// At 10 m capitals of 64 mm can be read in comfort and of 47 mm just so. A screen that is too small
// for that is written full all the same.

const LOUD_MM = 64;
const PLAIN_MM = 47;
const POCKET_MM = 150;
const POCKET_PAD = 0.1; // of its side, for the white around the code
const MM_PER_INCH = 25.4;
const CAPITAL = 0.7; // of the font size
const MOST_SHARE = 0.0695; // of the shorter side: as large as plain text gets
const LEAST_SHARE = 0.055;
const BOX = { width: 0.5, height: 0.36 }; // what the word's box adds, in em
const MOST_PAGES = 8;
const PAGE = { line: 1.06, around: 0.12 }; // of the strip, in em: see screen.css
const STANDING = ["paused", "question", "ended"];
const SAME = 0.01; // pixels
const LOUDER = 1.4; // how much larger than it has to be a word is that tells of a standing clock

// The first to leave its row is the first here.
const MOVABLE = ["next-ante-part", "average-part", "players-part", "race-off", "next-part", "local-time", "next-break"];
const UNIMPORTANT = 4; // of them are given up for more than what is needed
const ORDER = ["next-part", "next-ante-part", "race-off", "players-part", "average-part", "next-break", "local-time"];

const at = (id) => document.getElementById(id);

export function sizes(width, height, inches) {
  const shorter = Math.min(width, height);
  const pxPerMm = Math.hypot(width, height) / (inches * MM_PER_INCH);
  const wanted = PLAIN_MM * pxPerMm * 1.03; // letters end on whole pixels
  const capital = Math.min(Math.max(wanted, LEAST_SHARE * shorter), MOST_SHARE * shorter);
  const plain = capital / CAPITAL;
  return { plain, loud: (plain * LOUD_MM) / PLAIN_MM, pxPerMm, unit: shorter / 1080 };
}

const homes = new Map(); // id -> [where it belongs, before what]

function homeOf(id) {
  if (!homes.has(id)) homes.set(id, [at(id).parentElement, at(id).nextElementSibling]);
  return homes.get(id);
}

// Everything back to where it belongs, in the order of the page.
function bringBack() {
  for (const id of MOVABLE) homeOf(id);
  for (const id of [...ORDER].reverse()) {
    if (at(id).parentElement.id !== "moved") continue;
    at(id).classList.remove("page");
    at(id).removeAttribute("data-away");
    homeOf(id)[0].insertBefore(at(id), followerOf(id));
  }
}

function followerOf(id) {
  const [home, next] = homeOf(id);
  return next && next.parentElement === home ? next : null;
}

// How many lines a page of the strip may have. Room for one page is kept, whether there is something
// in it or not: the clock is as large with it as without.
export function linesOfPage() {
  return window.innerHeight > window.innerWidth ? 2 : 1;
}

// How high a page of so many lines is, in em.
export const pageHeight = (lines) => lines * PAGE.line + PAGE.around;

// Lays the page out; `wanted` tells how high the strip could be, in em. Returns how high it is.
export function fit(inches, wanted) {
  const { innerWidth: width, innerHeight: height } = window;
  const size = sizes(width, height, inches);
  const set = (name, px) => document.documentElement.style.setProperty(name, `${px.toFixed(2)}px`);
  set("--u", size.unit);
  set("--plain", size.plain);
  set("--loud", size.loud);
  set("--gap", 44 * size.unit);
  document.body.toggleAttribute("data-tall", height > width);
  bringBack();
  setStrip(1, size);
  for (let moved = 0; ; moved += 1) {
    fitBlinds(size, set);
    const stage = arrange(size, set, moved < UNIMPORTANT);
    const rest = MOVABLE.filter((id) => !at(id).hidden && at(id).parentElement.id !== "moved");
    if ((stage.fits && !tooWide()) || !rest.length) return morePages(wanted(), size, set);
    const id = stage.fits ? (rest.find((one) => isTooWide(at(one))) ?? rest[0]) : rest[0];
    at("moved").append(at(id));
    at(id).classList.add("page");
  }
}

function setStrip(pages, size) {
  const height = pages * pageHeight(linesOfPage());
  at("pager").style.height = `${(height * size.plain).toFixed(2)}px`;
  return height;
}

// What the clock does not need, the strip may have.
function morePages(wanted, size, set) {
  let pages = 1;
  const kept = arrange(size, set);
  while (setStrip(pages, size) < wanted && pages < MOST_PAGES) {
    setStrip(pages + 1, size);
    const then = arrange(size, set);
    if (!then.fits || Math.abs(then.clock - kept.clock) > SAME || Math.abs(then.word - kept.word) > SAME) break;
    pages += 1;
  }
  const height = setStrip(pages, size);
  arrange(size, set);
  return height;
}

function isTooWide(element) {
  return element.offsetWidth > element.parentElement.clientWidth + 1;
}

function tooWide() {
  return ["top", "coming", "field", "blinds-row"].some((id) => at(id).scrollWidth > at(id).clientWidth + 1);
}

// Blinds and ante on one line as large as it takes them; if even the least is too much, on more.
function fitBlinds(size, set) {
  const most = size.loud * (at("state").hidden ? 1.6 : 1.3);
  const row = at("blinds-row");
  const gap = 70 * size.unit;
  const one = (px) => {
    set("--blinds", px);
    set("--ante", Math.max(size.plain, px * 0.62));
    const ante = at("ante-part").hidden ? 0 : at("ante-part").offsetWidth + gap;
    return at("blinds").offsetWidth + ante <= row.clientWidth;
  };
  const alone = (px) => {
    set("--blinds", px);
    set("--ante", Math.max(size.plain, px * 0.5));
    return Math.max(at("blinds").offsetWidth, at("ante-part").offsetWidth) <= row.clientWidth;
  };
  document.body.removeAttribute("data-broken");
  if (!row.hasAttribute("data-shown") || greatest(size.loud, most, one)) return;
  if (greatest(size.loud, most, alone)) return;
  document.body.setAttribute("data-broken", "");
}

// Leaves the greatest size that is good; false where not even the least one is.
function greatest(least, most, isGood) {
  if (isGood(most)) return true;
  let [low, high] = [least, most];
  for (let step = 0; step < 6; step += 1) {
    const middle = (low + high) / 2;
    if (isGood(middle)) low = middle;
    else high = middle;
  }
  return isGood(low);
}

// How wide a text is, in font sizes; all digits are as wide as each other.
const known = new Map();
const ruler = document.createElement("span");
ruler.id = "ruler";

export function ems(text, weight = 600) {
  const key = `${weight} ${text.replace(/\d/g, "0")}`;
  if (!known.has(key)) {
    if (!ruler.isConnected) document.body.append(ruler);
    if (known.size > 5000) known.clear();
    ruler.style.fontWeight = weight;
    ruler.textContent = text.replace(/\d/g, "0");
    known.set(key, ruler.getBoundingClientRect().width / 100);
    ruler.textContent = "";
  }
  return known.get(key);
}

// The fonts have come: what was measured before was another one.
export function forget() {
  known.clear();
}

// The word of the state, the clock and the code for phones, in what the rows have left.
function arrange(size, set, louder = false) {
  const stage = at("stage");
  const gap = 44 * size.unit;
  const tall = document.body.hasAttribute("data-tall");
  let [width, height] = [stage.clientWidth, stage.clientHeight];
  const withPocket = !at("pocket").hidden;
  let fits = true;
  if (withPocket) {
    const least = (POCKET_MM * size.pxPerMm * 1.02) / (1 - POCKET_PAD);
    const side = tall ? Math.min(width * 0.42, height * 0.4) : Math.min(height * 0.94, width * 0.24);
    set("--pocket", side);
    if (side < Math.min(least, 0.35 * Math.min(window.innerWidth, window.innerHeight))) fits = false;
    if (tall) height -= side + gap;
    else width -= side + gap;
  }
  const word = at("state").hidden ? 0 : ems(at("word").textContent) + BOX.width;
  const clock = at("clock").hidden ? 0 : ems(at("clock").textContent);
  const best = word && clock ? bestOf(word, clock, width, height, gap) : only(word, clock, width, height);
  document.body.toggleAttribute("data-stacked", best.stacked);
  set("--word", best.word);
  set("--clock", best.clock);
  const stands = STANDING.includes(document.body.dataset.state);
  if ((word && best.word < size.loud * (louder && stands ? LOUDER : 1)) || (clock && best.clock < size.loud)) fits = false;
  return { fits, clock: best.clock, word: best.word };
}

function only(word, clock, width, height) {
  const most = 0.36 * Math.min(window.innerWidth, window.innerHeight);
  if (word) return { stacked: false, clock: 0, word: Math.min(most, (0.98 * height) / (CAPITAL + BOX.height), width / word) };
  return { stacked: false, word: 0, clock: clock ? Math.min((0.88 * height) / 0.73, width / clock) : 0 };
}

function bestOf(word, clock, width, height, gap) {
  const boxHeight = CAPITAL + BOX.height;
  const beside = Math.min((0.88 * height) / 0.73, (0.98 * (width - gap)) / (clock + 0.8 * word), (0.94 * height) / boxHeight / 0.8);
  const stackedClock = Math.min(width / clock, (0.92 * (height - gap)) / (0.73 + 0.6 * boxHeight));
  const stackedWord = Math.min(0.6 * stackedClock, width / word);
  const asStack = { stacked: true, clock: stackedClock, word: stackedWord };
  const asRow = { stacked: false, clock: beside, word: 0.8 * beside };
  const worth = (one) => Math.min(one.clock, 1.25 * one.word);
  return worth(asStack) > worth(asRow) ? asStack : asRow;
}
