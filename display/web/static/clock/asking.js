// Asks the room for something, one thing after the other, and shows what came of it.

import { say, knows } from "./words.js";
import { formOpen, openForm } from "./forms.js";
import { base } from "../base.js";
import { setText } from "../live.js";
import { me, signIn } from "../me.js";

const ACTS = "clock"; // the right to it
const AGAIN_MS = 5000;
const ANSWER_MS = 6000;
const DONE_FOR_MS = 4000;
const RACE_MS = 2000;

const at = (id) => document.getElementById(id);

let picture = null;
let awaited = null; // the picture of what was asked here last: { revision, arrived }
let last = Promise.resolve();
const ours = new Map(); // the clock's revision before what was asked here, and after it

export function took(next) {
  if (picture && next.clock.revision < picture.clock.revision) ours.clear();
  picture = next;
  if (awaited && next.clock.revision >= awaited.revision) awaited.arrived();
}

export function seen() {
  return picture;
}

// What was asked here meanwhile is no surprise to whoever asked it.
function known(revision) {
  while (ours.has(revision)) revision = ours.get(revision);
  return revision;
}

// Until what was asked is on the screen: what comes next is decided on that.
function shown(revision) {
  if (!picture || picture.clock.revision >= revision) return null;
  return new Promise((arrived) => {
    awaited = { revision, arrived };
    setTimeout(arrived, RACE_MS);
  });
}

// Who asks: the person who is signed in on this browser. Null until that is known.
let person = null;

export function actor() {
  return person?.name ?? "";
}

// Whoever may only look is offered nothing else.
export function mayAct() {
  return person !== null && person.rights.includes(ACTS);
}

// Whoever may rule at the tables may warn and penalise.
export function mayRule() {
  return person !== null && person.rights.includes("decide");
}

// Learns it anew; `then` shows what depends on it. Whoever is out is led to sign in.
export async function learnWho(then) {
  const found = await me().catch(() => null);
  if (!found) setTimeout(() => person || learnWho(then), AGAIN_MS);
  person = found ?? person;
  showName();
  then();
}

function showName() {
  document.body.toggleAttribute("data-acts", mayAct());
  document.body.toggleAttribute("data-rules", mayRule());
  at("looks").hidden = !person || mayAct();
  setText(at("who"), actor());
}

// Whether nothing would be lost by leaving the page.
export function mayLeave() {
  return !formOpen() && !at("why-input")?.value;
}

// A dialog about the clock as it is seen now.
export function openDialog(options) {
  const form = openForm(options);
  form.since = picture?.clock.revision;
  return form;
}

// Resolves to "" when it is done, else to the reason why not, which `form` shows if it is from
// there. What was decided in a dialog was decided on the clock as it was when that was opened.
export function ask(name, fields = {}, { form = null, done = "" } = {}) {
  last = last.then(() => send(name, fields, form, done)).then((refused) => {
    if (!refused) return refused;
    if (form) form.since = null; // it shows what has changed, and may be asked again
    else showRefused(refused);
    return refused;
  });
  return last;
}

async function send(name, fields, form, done) {
  const revision = known(form?.since ?? picture?.clock.revision);
  const body = { revision, ...fields };
  const [refused, answer] = await post(`/clock/${name}`, JSON.stringify(body));
  if (refused) return refused;
  if (revision < answer.revision) ours.set(revision, answer.revision);
  showDone(done || say("done", { what: actText(name) }));
  await shown(answer.revision);
  return "";
}

// The reason why not, or else what was answered.
export async function post(address, body) {
  try {
    const response = await fetch(base + address, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Requested-With": "cutcard" },
      body,
      signal: AbortSignal.timeout(ANSWER_MS),
    });
    return await read(response);
  } catch (error) {
    return [noAnswer(error), null];
  }
}

export async function get(address) {
  try {
    return await read(await fetch(base + address, { signal: AbortSignal.timeout(ANSWER_MS) }));
  } catch (error) {
    return [noAnswer(error), null];
  }
}

async function read(response) {
  if (response.status === 401) {
    if (mayLeave()) signIn();
    return [say("signed-out"), null];
  }
  const answer = await response.json();
  return response.ok ? ["", answer] : [answer.error, null];
}

function noAnswer(error) {
  return say(error.name === "TimeoutError" ? "no-answer" : "not-sent");
}

function actText(name) {
  return knows(`did-${name}`) ? say(`did-${name}`) : name;
}

let clearing = 0;
export function showDone(text) {
  at("refused").hidden = true;
  at("answer").hidden = false;
  setText(at("answer"), text);
  clearTimeout(clearing);
  clearing = setTimeout(() => (at("answer").hidden = true), DONE_FOR_MS);
}

export function showRefused(reason) {
  at("answer").hidden = true;
  at("refused").hidden = false;
  setText(at("refused-what"), say("refused", { reason }));
}

export function hideRefused() {
  at("refused").hidden = true;
}
