// What is heard and felt of an alert, and whether this phone stays awake for it.

const TONES = { 1: [5, 5], 2: [3], 3: [1] }; // beeps, in bursts
const HERTZ = { 1: 988, 2: 784, 3: 587 };
const BEEP_S = 0.13;
const GAP_S = 0.1;
const PAUSE_S = 0.45;
const BUZZ = { 1: [200, 80, 200, 80, 200, 80, 200, 80, 200], 2: [200, 80, 200, 80, 200], 3: [200] };

let audio = null;
let lock = null;
let changed = () => {};
export const played = []; // priorities, the newest last

export function watchSound(onChange) {
  changed = onChange;
  begin();
  addEventListener("pointerdown", begin, true);
  addEventListener("keydown", begin, true);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && stayAwake());
  stayAwake();
}

function begin() {
  try {
    audio ??= Object.assign(new AudioContext(), { onstatechange: () => changed() });
  } catch {
    return;
  }
  if (audio.state !== "running") audio.resume().then(() => changed(), () => {});
}

// `on`, `tap` where the browser wants a touch first, `none` where there is no sound at all.
export const soundState = () => (audio === null ? "none" : audio.state === "running" ? "on" : "tap");
export const vibrates = () => "vibrate" in navigator;
// `on`, `off` where it was refused, `https` where the address is not secure, `none` where it can't.
export function awakeState() {
  if (lock && !lock.released) return "on";
  if (!isSecureContext) return "https";
  return "wakeLock" in navigator ? "off" : "none";
}

export function play(priority) {
  played.push(priority);
  document.body.dataset.played = played.length;
  if (played.length > 100) played.shift();
  if (vibrates() && navigator.userActivation?.hasBeenActive) navigator.vibrate(BUZZ[priority]);
  if (soundState() !== "on") return;
  let at = audio.currentTime + 0.02;
  for (const beeps of TONES[priority]) {
    for (let n = 0; n < beeps; n += 1) {
      beep(HERTZ[priority], at);
      at += BEEP_S + GAP_S;
    }
    at += PAUSE_S;
  }
}

function beep(hertz, at) {
  const tone = new OscillatorNode(audio, { type: "triangle", frequency: hertz });
  const loud = new GainNode(audio, { gain: 0 });
  loud.gain.setValueAtTime(0, at);
  loud.gain.linearRampToValueAtTime(0.9, at + 0.01);
  loud.gain.setValueAtTime(0.9, at + BEEP_S - 0.02);
  loud.gain.linearRampToValueAtTime(0, at + BEEP_S);
  tone.connect(loud).connect(audio.destination);
  tone.start(at);
  tone.stop(at + BEEP_S);
}

async function stayAwake() {
  if (!isSecureContext || !("wakeLock" in navigator)) return;
  try {
    lock = await navigator.wakeLock.request("screen");
    lock.addEventListener("release", () => changed());
  } catch {
    lock = null;
  }
  changed();
}
