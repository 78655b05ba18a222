// A sound at one minute and at the change of level, made here: there are no files.

const LAST_MS = 60000;
const GAP_MS = 5000; // who has not looked for longer has slept, and is told nothing late
const TONES = {
  test: [[660, 0, 0.12]],
  minute: [[880, 0, 0.25], [880, 0.4, 0.25]],
  change: [[523, 0, 0.3], [659, 0.32, 0.3], [784, 0.64, 0.7]],
};
const CHECK_MS = 1500;

// When it sounds. Looked at ten times a second; a clock that is moved while it stands makes no sound.
export function cues() {
  let last = null;
  let over = null; // the entry whose end has been told
  return (entry, left, runs, now) => {
    const before = last;
    const ended = !runs && entry === null;
    last = null;
    if (ended && before && before.left > 0 && before.left < GAP_MS) return "change";
    if (!runs || left === null) return null;
    last = { entry, left, now };
    if (!before || now - before.now > GAP_MS || now < before.now) return null;
    if (entry !== before.entry) {
      const told = over === before.entry;
      over = null;
      return told ? null : "change";
    }
    if (left === 0 && before.left > 0) {
      const told = over === entry;
      over = entry;
      return told ? null : "change";
    }
    return left <= LAST_MS && before.left > LAST_MS ? "minute" : null;
  };
}

// Plays, if the browser lets it. `trouble()` is "" while it does, "tap" where somebody has to touch the
// screen first, "none" where the machine has no sound.
export function speaker(on) {
  let audio = null;
  let trouble = "";
  let tested = false;

  function begin() {
    if (!on) return;
    try {
      audio ??= new AudioContext();
    } catch {
      trouble = "none";
      return;
    }
    if (audio.state === "running") test();
    else trouble = "tap";
    audio.onstatechange = () => {
      if (audio.state === "running") test();
      else trouble = "tap";
    };
    audio.resume().catch(() => {});
  }

  // Heard once at the start; and whether the sound really moves on.
  function test() {
    trouble = "";
    if (tested) return;
    tested = true;
    play("test");
    const from = audio.currentTime;
    setTimeout(() => {
      if (audio.state === "running" && audio.currentTime <= from) trouble = "none";
    }, CHECK_MS);
  }

  function play(name) {
    if (!audio || audio.state !== "running") return;
    for (const [pitch, after, length] of TONES[name]) {
      const tone = audio.createOscillator();
      const loudness = audio.createGain();
      const start = audio.currentTime + after;
      tone.frequency.value = pitch;
      tone.type = "triangle";
      loudness.gain.setValueAtTime(0, start);
      loudness.gain.linearRampToValueAtTime(name === "test" ? 0.15 : 0.8, start + 0.02);
      loudness.gain.setValueAtTime(name === "test" ? 0.15 : 0.8, start + length * 0.6);
      loudness.gain.linearRampToValueAtTime(0, start + length);
      tone.connect(loudness).connect(audio.destination);
      tone.start(start);
      tone.stop(start + length);
    }
  }

  function touched() {
    if (!audio || audio.state !== "running") begin();
  }

  if (on) {
    begin();
    for (const what of ["pointerdown", "keydown"]) window.addEventListener(what, touched);
  }
  return { play, trouble: () => trouble };
}
