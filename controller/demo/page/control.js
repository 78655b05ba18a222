// The control page. The demo sends everything at every change and every second; what a
// person does goes out as a POST.

const STALE_AFTER_MS = 3500;
const SUITS = { s: "♠", h: "♥", d: "♦", c: "♣" };
const PRIORITIES = { 1: "Stop", 2: "Fix", 3: "Note" };
const REASONS = ["misread", "nothing happened", "does not matter"];
const PARTS = {
  seats: ["The players play by themselves.", "You play every seat."],
  answers: ["The dealer answers and fixes mistakes automatically.", "The dealer waits for your answers, here or on the dealer’s screen."],
  floor: ["A floorperson comes automatically.", "You are the floor, here or on the floor page."],
};
const WAITS = { answer: "The dealer waits for an answer.", call: "The dealer waits: call the floor.", floor: "The dealer waits for the floor.", step: "The dealer waits for the next step." };
const SHARES = [[0, "never"], [0.02, "1 in 50"], [0.1, "1 in 10"], [0.3, "1 in 3"]];
const STATUSES = { sent: "sent…", confirmed: "accepted", refused: "refused", unanswered: "no answer" };

const at = (id) => document.getElementById(id);
let shown = null;
let heardAt = performance.now();

function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// Rebuilds only what has changed, so that nothing moves under a finger or loses the focus.
function fill(element, data, build) {
  const key = JSON.stringify(data);
  if (element.dataset.data === key) return;
  element.dataset.data = key;
  const focused = element.contains(document.activeElement) ? document.activeElement.textContent : null;
  element.replaceChildren(...build());
  if (focused !== null) {
    const again = [...element.querySelectorAll("button")].find((each) => each.textContent === focused);
    if (again) again.focus();
  }
}

function make(tag, text, attributes = {}) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

function button(text, act, kind = "") {
  const element = make("button", text, { type: "button" });
  if (kind) element.className = kind;
  element.onclick = act;
  return element;
}

async function send(name, fields = {}) {
  try {
    const response = await fetch(`/do/${name}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Requested-With": "cutcard" },
      body: JSON.stringify(fields),
    });
    say(response.ok ? "" : (await response.json()).error);
  } catch {
    say("not sent: no connection");
  }
}

let saying = 0;
function say(text) {
  at("said").hidden = !text;
  setText(at("said"), text);
  clearTimeout(saying);
  if (text) saying = setTimeout(() => say(""), 6000);
}

function card(code) {
  const element = make("li", code[0].replace("T", "10") + SUITS[code[1]], { class: "card" });
  element.dataset.suit = code[1];
  return element;
}

function chips(count) {
  return count.toLocaleString("en");
}

// showing

function show() {
  const view = shown.view;
  setText(at("hand"), view.hand ? `Hand ${view.hand}` : "No hand yet");
  const blinds = view.blinds ? `, blinds ${view.blinds.small}-${view.blinds.big}` : "";
  setText(at("phase"), view.phase ? `${view.phase}${blinds}` : "");
  setText(at("prompt"), shown.watched ? view.prompt || "Shuffle for the next hand" : "The table’s service is down; the dealer waits");
  at("prompt").toggleAttribute("data-away", !shown.watched);
  const board = view.board || [];
  fill(at("board"), board, () => [...board.map(card), ...Array.from({ length: Math.max(0, 5 - board.length) }, () => make("li", "", { class: "card", "data-suit": "" }))]);
  showSeats(view);
  fill(at("findings"), view.findings || [], () => (view.findings || []).map(finding));
  setText(at("summary"), shown.summary);
  showNext();
  showPeople();
  for (const part of Object.keys(PARTS)) showPart(part);
  showPresses(view);
  showAnswers(view);
  showFloor(view);
}

function showSeats(view) {
  const seats = view.seats || [];
  fill(at("seats"), [seats, view.to_act, view.button], () => seats.map((seat) => {
    const line = make("li", "", { "data-state": seat.state || "live" });
    if (seat.seat === view.to_act) line.setAttribute("aria-current", "true");
    const name = make("b", `Seat ${seat.seat}`);
    if (seat.seat === view.button) name.append(make("span", "D", { class: "button", title: "Button" }));
    line.append(name, make("span", seat.stack === undefined ? "" : chips(seat.stack), { class: "stack" }));
    const did = seat.last_action ? `${seat.last_action}${seat.bet ? ` ${chips(seat.bet)}` : ""}` : seat.seat === view.to_act ? "to act" : "";
    line.append(make("span", did, { class: "did" }));
    if (seat.tabled) {
      const cards = make("ol", "", { class: "tabled" });
      cards.append(...seat.tabled.map(card));
      line.append(cards);
    }
    return line;
  }));
}

function finding(each) {
  const element = make("article", "", { "data-priority": each.priority });
  const where = each.seats && each.seats.length ? `, seat ${each.seats.join(", ")}` : "";
  const title = make("h3");
  title.append(make("span", PRIORITIES[each.priority], { class: "badge" }), `${each.title}${where}`);
  element.append(title, ...ruling(each.ruling));
  if (each.ruling.advisory) element.append(make("p", "Advice:", { class: "hint" }), ...ruling(each.ruling.advisory));
  return element;
}

function ruling(each) {
  const steps = make("ol", "", { class: "steps" });
  steps.append(...each.steps.map((step) => make("li", step.text)));
  const book = shown.books[each.rulebook] || each.rulebook;
  return [make("p", `${book}: ${shown.outcomes[each.outcome]} (${each.cites.join(", ")}).`, { class: "hint" }), steps];
}

function showNext() {
  const made = shown.errors.find((each) => each.code === shown.error);
  const playing = shown.idle ? "Between two hands." : made ? `In this hand: ${made.title}.` : "This hand is clean.";
  setText(at("now"), shown.paused ? `${playing} ${shown.idle ? "Paused." : "Pause after it."}` : playing);
  const picked = shown.errors.some((each) => each.code === shown.ordered) ? shown.ordered : "";
  fill(at("errors"), shown.errors, () => [
    make("option", "With an error…", { value: "" }),
    ...shown.errors.map((each) => make("option", each.title, { value: each.code })),
  ]);
  if (document.activeElement !== at("errors")) at("errors").value = picked;
  at("errors").toggleAttribute("data-picked", picked !== "");
  for (const choice of document.querySelectorAll("[data-order]")) choice.setAttribute("aria-pressed", String(choice.dataset.order === shown.ordered));
  setText(at("pause"), shown.paused ? "Resume" : "Pause after this hand");
  at("pause").className = shown.paused ? "main" : "";
}

function showPeople() {
  for (const habit of document.querySelectorAll("[data-habit]")) {
    const share = shown.people[habit.dataset.habit];
    if (document.activeElement !== habit) habit.value = String(share);
    habit.toggleAttribute("data-picked", share > 0);
  }
  at("attentive").setAttribute("aria-pressed", String(Object.values(shown.people).every((share) => share === 0)));
}

function showPart(part) {
  const section = at(`part-${part}`);
  const person = shown.persons.includes(part);
  section.toggleAttribute("data-person", person);
  setText(section.querySelector(".part"), person ? "Hand back" : "Take over");
  const waiting = { answers: ["answer", "call", "step"], floor: ["floor"], seats: [] }[part].includes(shown.waits_for);
  setText(section.querySelector(".hint"), waiting ? WAITS[shown.waits_for] : PARTS[part][Number(person)]);
  section.toggleAttribute("data-waiting", waiting);
  section.querySelector(".own").hidden = !person;
}

function showPresses(view) {
  const seat = view.to_act;
  const bets = (view.seats || []).map((each) => each.bet || 0);
  const facing = Math.max(0, ...bets, view.phase === "preflop" && view.blinds ? view.blinds.big : 0);
  fill(at("presses"), [seat, facing], () => {
    if (!seat) return [make("p", "It is nobody’s turn.")];
    const press = (name) => () => send("press", { seat, button: name });
    const bet = facing ? "raise" : "bet";
    if (facing) at("amount").value = 2 * facing;
    else at("amount").value = view.blinds ? view.blinds.big : 1;
    return [
      make("p", `Seat ${seat}`, { class: "whose" }),
      button("Check", press("check")), button("Call", press("call")),
      button(facing ? "Raise to" : "Bet", () => send("press", { seat, button: bet, amount: Number(at("amount").value) })),
      button("All-in", press("all-in")), button("Fold", press("fold"), "grave"),
    ];
  });
}

function showAnswers(view) {
  at("step").disabled = shown.waits_for !== "step";
  const findings = view.findings || [];
  fill(at("answers"), [findings.map((each) => [each.id, each.ruling]), view.floor], () => {
    const made = [];
    const enter = (input, more = {}) => () => send("answer", { input, ...more });
    for (const each of findings) {
      const steps = each.ruling.steps;
      made.push(make("p", each.title, { class: "whose" }));
      if (steps[0].id.startsWith("ask-")) made.push(button("Yes, it happened", enter("confirm", { finding: each.id }), "main"));
      else made.push(choose("Step done…", steps.map((step) => [step.text, () => send("answer", { input: "done", finding: each.id, step: step.id })])));
      made.push(choose("Dismiss…", REASONS.map((reason) => [reason, () => send("answer", { input: "dismiss", finding: each.id, reason })])));
    }
    made.push(make("p", "The table", { class: "whose" }));
    if (!view.floor) made.push(button("Call floor", enter("call-floor")));
    made.push(button("Betting done", enter("round-closed")), button("Undo", enter("undo")));
    made.push(button("Misdeal", enter("misdeal"), "grave"));
    return made;
  });
}

// A button that is a list: what is picked is done at once.
function choose(title, choices) {
  const list = make("select", "", { "aria-label": title });
  list.append(make("option", title, { value: "" }), ...choices.map(([text], index) => make("option", text, { value: String(index) })));
  list.onchange = () => {
    if (list.value !== "") choices[Number(list.value)][1]();
    list.value = "";
  };
  return list;
}

function showFloor(view) {
  const findings = view.findings || [];
  fill(at("floor"), [findings.map((each) => [each.id, each.ruling]), view.floor], () => {
    const made = [];
    const decide = (input, more = {}) => () => send("floor", { input, ...more });
    if (view.floor !== "coming") made.push(button("Coming", decide("coming")));
    for (const each of findings) {
      made.push(make("p", each.title, { class: "whose" }));
      const advised = each.ruling.outcome === "floor" ? each.ruling.advisory && each.ruling.advisory.outcome : each.ruling.outcome;
      if (advised) made.push(button(`Rule: ${shown.outcomes[advised]}`, decide("ruling", { finding: each.id, outcome: advised }), "main"));
      if (each.ruling.outcome === "floor-pick") made.push(button("Pick", decide("pick")));
      made.push(choose("Dismiss…", REASONS.map((reason) => [reason, () => send("floor", { input: "dismiss", finding: each.id, reason })])));
    }
    made.push(button("Misdeal", decide("misdeal"), "grave"));
    return made;
  });
  fill(at("outcome"), [shown.outcomes, findings.map((each) => each.id)], () => [
    make("option", findings.length ? "choose…" : "nothing is open", { value: "" }),
    ...(findings.length ? Object.entries(shown.outcomes).map(([code, words]) => make("option", words, { value: code })) : []),
  ]);
  fill(at("given"), shown.given, () => shown.given.map((each) =>
    make("li", `${each.what}: ${STATUSES[each.status]}${each.words ? ` (${each.words})` : ""}`, { "data-status": each.status })));
}

// doing

for (const toggle of document.querySelectorAll("button[data-part]")) {
  toggle.onclick = () => send("part", { part: toggle.dataset.part, person: !shown.persons.includes(toggle.dataset.part) });
}
for (const choice of document.querySelectorAll("[data-order]")) {
  choice.onclick = () => send("order", { error: choice.dataset.order });
}
at("errors").onchange = () => {
  send("order", { error: at("errors").value });
  at("errors").blur();
};
for (const habit of document.querySelectorAll("[data-habit]")) {
  habit.append(...SHARES.map(([share, words]) => make("option", words, { value: String(share) })));
  habit.onchange = () => {
    send("people", { ...shown.people, [habit.dataset.habit]: Number(habit.value) });
    habit.blur();
  };
}
at("attentive").onclick = () => send("people", {});
at("pause").onclick = () => send("pause", { paused: !shown.paused });
at("step").onclick = () => send("step");
at("outcome").onchange = () => {
  const [first] = shown.view.findings || [];
  if (first && at("outcome").value) send("floor", { input: "ruling", finding: first.id, outcome: at("outcome").value });
  at("outcome").value = "";
};

const source = new EventSource("/events");
source.onmessage = (message) => {
  heardAt = performance.now();
  shown = JSON.parse(message.data);
  show();
};
setInterval(() => {
  const stale = performance.now() - heardAt > STALE_AFTER_MS;
  at("offline").hidden = !stale;
  document.body.toggleAttribute("data-offline", stale);
}, 300);
