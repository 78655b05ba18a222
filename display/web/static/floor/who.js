// Who is signed in on this browser. Nobody is: the page of signing in comes.

import { me } from "/static/me.js";

const AGAIN_MS = 2000;
let person = null;
let asked_ms = -Infinity;

// Without an answer it stays who it was: without the room nothing else goes either.
export async function learn() {
  asked_ms = performance.now();
  person = (await me().catch(() => null)) ?? person;
}

// For while nothing is heard: a session that has ended closes the stream as a lost room does.
export function learnAgain() {
  if (performance.now() - asked_ms > AGAIN_MS) learn();
}

export const who = () => person?.name ?? "";
export const ownTables = () => person?.tables ?? [];
export const mayDirect = () => person?.rights.includes("clock") ?? false;
export const mayDecide = () => person?.rights.includes("decide") ?? false;
