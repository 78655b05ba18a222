// The floor page. The server sends everything at every change and every second; what is
// decided here goes out as a POST, and what the table says to it comes back in the stream.

const STALE_AFTER_MS = 3500;
const GIVE_UP_AFTER_MS = 10000;
const NOBODY_AFTER_MS = 30000;
const SETTLE_MS = 400;
const NAME_KEY = "cutcard-floor-name";
const REASONS = ["Misread", "Nothing happened", "Put right already", "Does not matter"];
const PRIORITIES = { 1: "Stop", 2: "Put right", 3: "Note" };
const STATUSES = { sent: "sent…", confirmed: "confirmed by the table", refused: "refused", unanswered: "not answered" };

const at = (id) => document.getElementById(id);

let floor = null;
let heardAt = performance.now();
let offset = 0; // room time minus this page's clock
let source = null;
let away = false;
const cards = new Map(); // key -> element
let known = null; // keys of the alerts that were open at the last message
const missed = new Set();
let asked = null; // what the open dialog is about

const keyOf = (alert) => `${alert.table}/${alert.finding}`;

function open() {
  if (source) source.close();
  source = new EventSource("/floor/events");
  source.onmessage = (message) => {
    heardAt = performance.now();
    floor = JSON.parse(message.data);
    floor.alerts = floor.alerts.filter((alert) => alert.kind === "finding");
    offset = floor.now_ms - heardAt;
    show();
    away = !floor.heard;
  };
}

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function ageText(ms) {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

// showing

function show() {
  const keys = new Set(floor.alerts.map(keyOf));
  const fresh = floor.alerts.filter((alert) => !known || !known.has(keyOf(alert)));
  if (known && away) fresh.forEach((alert) => missed.add(keyOf(alert)));
  const closedAway = known && away ? [...known].filter((key) => !keys.has(key)).length : 0;
  if (fresh.length || closedAway) announce(fresh, closedAway);
  known = keys;
  showCards();
  const needed = floor.alerts.filter((alert) => alert.priority < 3).length;
  setText(at("count"), needed ? String(needed) : "");
  document.title = needed ? `(${needed}) Floor` : "Floor";
  at("none").hidden = floor.alerts.length > 0;
  setText(at("none-more"), floor.heard ? "All tables are quiet." : "The tables cannot be heard.");
  at("lost").hidden = !floor.lost.length || !floor.heard;
  setText(at("lost"), `Not heard: table ${floor.lost.join(", ")}. What is shown of it may be old.`);
  setText(at("note"), floor.banner);
  showGiven(at("given"), floor.given, true);
  if (asked && asked.key && !keys.has(asked.key)) {
    at("ask").close();
    say(`${asked.table}: closed meanwhile`);
  }
  tick();
}

function announce(fresh, closedAway) {
  const parts = fresh.map((alert) => `Table ${alert.table}: ${alert.title}${alert.where && `, ${alert.where}`}.`);
  if (closedAway) parts.push(`${closedAway} closed while this page was away.`);
  setText(at("announce"), parts.join(" "));
}

function showCards() {
  const list = at("alerts");
  const order = floor.alerts.map((alert) => {
    const key = keyOf(alert);
    const data = JSON.stringify([alert, missed.has(key)]);
    let card = cards.get(key);
    if (!card) {
      card = at("card").content.cloneNode(true).firstElementChild;
      card.addEventListener("click", (event) => clicked(event, key));
      cards.set(key, card);
    }
    if (card.dataset.data !== data) {
      card.dataset.data = data;
      fill(card, alert);
    }
    return card;
  });
  for (const [key, card] of cards) {
    if (!order.includes(card)) {
      card.remove();
      cards.delete(key);
      missed.delete(key);
      settle();
    }
  }
  order.forEach((card, index) => {
    if (list.children[index] !== card) {
      list.insertBefore(card, list.children[index] || null);
      settle();
    }
  });
}

// Nobody's thumb shall hit what has just slid under it.
let settling = 0;
function settle() {
  document.body.toggleAttribute("data-settling", true);
  clearTimeout(settling);
  settling = setTimeout(() => document.body.removeAttribute("data-settling"), SETTLE_MS);
}

function fill(card, alert) {
  const part = (name) => card.querySelector(name);
  card.dataset.priority = alert.priority;
  card.dataset.at = alert.at;
  card.toggleAttribute("data-stale", alert.stale);
  card.toggleAttribute("data-coming", alert.coming !== null);
  card.toggleAttribute("data-ruled", alert.ruled !== "");
  card.toggleAttribute("data-dismissed", alert.dismissed !== "");
  card.setAttribute("aria-label", `Table ${alert.table}: ${alert.title}`);
  setText(part(".badge"), alert.question ? "Question" : PRIORITIES[alert.priority]);
  setText(part(".table"), `Table ${alert.table}`);
  setText(part(".title"), alert.where ? `${alert.title}, ${alert.where.toLowerCase()}` : alert.title);
  fillAdvice(part(".says"), alert.says, "Ruling: ");
  part(".until").hidden = !alert.until || alert.dismissed !== "";
  setText(part(".until"), `Only until ${alert.until}`);
  part(".advisory").hidden = !alert.advisory;
  if (alert.advisory) fillAdvice(part(".advisory"), alert.advisory, "Advice: ");
  showGiven(part(".lines"), alert.given, false);
  const act = (name) => part(`[data-act="${name}"]`);
  act("coming").hidden = alert.coming !== null || alert.priority === 3;
  act("first").hidden = !alert.first || alert.ruled !== "" || alert.priority === 3;
  if (alert.first) setText(act("first"), alert.first.outcome === "misdeal" ? "Misdeal…" : `Rule: ${alert.first.words}`);
  act("first").classList.toggle("grave", alert.first !== null && alert.first.outcome === "misdeal");
  act("misdeal").hidden = alert.priority === 3 || (!act("first").hidden && alert.first.outcome === "misdeal");
  act("other").hidden = alert.priority === 3;
  act("close").hidden = !alert.dismissed;
  if (alert.dismissed) for (const button of card.querySelectorAll("[data-act]")) button.hidden = button !== act("close");
  fillState(card, alert);
}

function fillAdvice(element, advice, label) {
  setText(element.querySelector(".outcome"), label + advice.words);
  setText(element.querySelector(".source"), advice.source);
  element.querySelector(".steps").replaceChildren(...advice.steps.map((text) => {
    const step = document.createElement("li");
    step.textContent = text;
    return step;
  }));
}

function fillState(card, alert) {
  const waits = performance.now() + offset - alert.at > NOBODY_AFTER_MS;
  let text = "";
  if (alert.stale) text = "Table is not heard: this may be old";
  else if (alert.dismissed) text = alert.dismissed;
  else if (alert.ruled) text = `Ruled: ${alert.ruled}. Until it is put right.`;
  else if (alert.coming) text = `${alert.coming} is coming`;
  else if (alert.coming === "") text = "Floor is coming";
  else if (alert.priority === 1 && waits) text = "Nobody is coming yet";
  else if (missed.has(keyOf(alert))) text = "New while this page was away";
  const state = card.querySelector(".state");
  setText(state, text);
  state.hidden = !text;
}

function showGiven(element, given, withTable) {
  const data = JSON.stringify(given);
  if (element.dataset.data === data) return;
  element.dataset.data = data;
  element.replaceChildren(...given.map((each) => {
    const line = document.createElement("p");
    line.className = "given";
    line.dataset.status = each.status;
    const where = withTable ? `Table ${each.table}. ` : "";
    const why = each.words ? `: ${each.words}` : "";
    line.textContent = `${where}${each.what} — ${STATUSES[each.status]}${why}`;
    return line;
  }));
}

function tick() {
  const silent = performance.now() - heardAt;
  if (silent > GIVE_UP_AFTER_MS || source.readyState === EventSource.CLOSED) retry();
  const stale = silent > STALE_AFTER_MS;
  const deaf = !stale && floor !== null && !floor.heard;
  if (stale || deaf) away = true;
  document.body.toggleAttribute("data-offline", stale || deaf);
  at("offline").hidden = !stale && !deaf;
  setText(at("offline-what"), stale ? "No connection: alerts do not arrive" : "The tables cannot be heard");
  setText(at("offline-age"), stale ? ageText(silent) : "");
  if (!floor) return;
  for (const alert of floor.alerts) {
    const card = cards.get(keyOf(alert));
    setText(card.querySelector(".age"), ageText(performance.now() + offset - alert.at));
    fillState(card, alert);
    for (const button of card.querySelectorAll("button")) button.disabled = stale || deaf || alert.stale;
  }
}

let retriedAt = 0;
function retry() {
  if (performance.now() - retriedAt < 2000) return;
  retriedAt = performance.now();
  open();
}

// A line of this page's own, among those of the room.
function say(text) {
  const line = document.createElement("p");
  line.className = "given";
  line.dataset.status = "refused";
  line.textContent = text;
  at("given").append(line);
  setTimeout(() => line.remove(), 8000);
}

// deciding

function clicked(event, key) {
  const button = event.target.closest("button[data-act]");
  const alert = floor.alerts.find((each) => keyOf(each) === key);
  if (!button || !alert) return;
  const act = button.dataset.act;
  if (act === "coming") decide(alert, "coming", {});
  else if (act === "other") askOutcome(alert);
  else if (act === "dismiss") askReason(alert);
  else if (act === "close") decide(alert, "dismiss", {});
  else if (act === "misdeal" || alert.first.outcome === "misdeal") askMisdeal(alert);
  else decide(alert, "ruling", { outcome: alert.first.outcome });
}

// The alert as it was seen decides what is sent: the table refuses what is not so any more.
async function decide(alert, name, more) {
  const actor = localStorage.getItem(NAME_KEY);
  if (!actor) {
    askName(() => decide(alert, name, more));
    return;
  }
  const fields = { actor, session: alert.session, hand: alert.hand, finding: Number(alert.finding), ...more };
  try {
    const response = await fetch(`/floor/${encodeURIComponent(alert.table)}/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Requested-With": "cutcard" },
      body: JSON.stringify(fields),
    });
    if (!response.ok) say(`Table ${alert.table}: not sent: ${(await response.json()).error}`);
  } catch {
    say(`Table ${alert.table}: not sent: no connection`);
  }
}

function choice(text, act, kind = "") {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = text;
  button.className = kind;
  button.onclick = act;
  return button;
}

function ask(alert, title, text, choices, label = "") {
  asked = alert ? { key: keyOf(alert), table: `Table ${alert.table}` } : { key: "" };
  setText(at("ask-title"), title);
  setText(at("ask-text"), text);
  at("ask-text").hidden = !text;
  at("ask-label").hidden = !label;
  setText(at("ask-label-text"), label);
  at("ask-input").value = "";
  at("ask-choices").replaceChildren(...choices);
  at("ask").showModal();
  // A keyboard that comes up unasked would cover the reasons.
  if (label && choices.length > 1) at("ask-title").focus();
}

function settled(act) {
  return () => {
    at("ask").close();
    act();
  };
}

function askOutcome(alert) {
  ask(alert, `Table ${alert.table}: rule otherwise`, alert.title, alert.others.map((other) =>
    choice(other.words, settled(() => decide(alert, "ruling", { outcome: other.outcome })))));
}

function askReason(alert) {
  const close = (reason) => settled(() => decide(alert, "dismiss", { reason }));
  const own = choice("Dismiss with this reason", () => {
    const reason = at("ask-input").value.trim();
    if (reason) close(reason)();
    else at("ask-input").focus();
  });
  ask(alert, `Table ${alert.table}: dismiss`, `${alert.title}. Why?`,
    [own, ...REASONS.map((reason) => choice(reason, close(reason)))], "Another reason");
}

function askMisdeal(alert) {
  ask(alert, `Table ${alert.table}: misdeal?`, "The hand is void: bets go back, all cards are taken back and dealt again.",
    [choice("Yes, misdeal", settled(() => decide(alert, "misdeal", {})), "grave")]);
}

function askName(then) {
  const keep = choice("That is me", () => {
    const name = at("ask-input").value.trim();
    if (!name) {
      at("ask-input").focus();
      return;
    }
    localStorage.setItem(NAME_KEY, name);
    at("ask").close();
    showName();
    if (then) then();
  }, "main");
  ask(null, "Who are you?", "Your name goes with everything that you decide, to the table and into its record.",
    [keep], "Name");
  at("ask-input").value = localStorage.getItem(NAME_KEY) || "";
}

function showName() {
  const name = localStorage.getItem(NAME_KEY);
  setText(at("who"), name ? name : "Who are you?");
  at("who").setAttribute("aria-label", name ? `You are ${name}. Change` : "Say who you are");
}

at("who").onclick = () => askName(null);
at("ask-cancel").onclick = () => at("ask").close();
at("ask").addEventListener("close", () => { asked = null; });
at("ask-form").onsubmit = (event) => {
  event.preventDefault();
  at("ask-choices").firstElementChild.click();
};

showName();
if (!localStorage.getItem(NAME_KEY)) askName(null);
open();
setInterval(tick, 200);
