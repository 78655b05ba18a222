// Put into a page before its own code: its clocks are turned by the test, and the test sees what
// the page's stream has heard. Everything else is the browser's.
(() => {
  const soon = window.setTimeout.bind(window);
  const RealDate = Date;
  const began = RealDate.UTC(2001, 0, 1);
  let now = 0;
  let wall = 0;
  let ids = 0;
  const due = new Map();

  function later(call, delay, again, values) {
    const period = Math.max(1, delay || 0);
    due.set((ids += 1), { call, at: now + period, period: again ? period : null, values });
    return ids;
  }
  window.setTimeout = (call, delay, ...values) => later(call, delay, false, values);
  window.setInterval = (call, delay, ...values) => later(call, delay, true, values);
  window.clearTimeout = window.clearInterval = (id) => void due.delete(id);
  const nextFrame = window.requestAnimationFrame.bind(window);
  window.requestAnimationFrame = (call) => nextFrame(() => call(now));
  performance.now = () => now;
  window.Date = class extends RealDate {
    constructor(...given) {
      if (given.length) super(...given);
      else super(began + wall);
    }
    static now() {
      return began + wall;
    }
  };

  let stream = null; // the newest
  let messages = 0;
  window.EventSource = class extends EventSource {
    constructor(...given) {
      super(...given);
      const mine = { source: this, heard: null, failed: false, wake: () => {} };
      stream = mine;
      this.addEventListener("message", (event) => {
        if (stepped.deaf) return event.stopImmediatePropagation();
        mine.heard = JSON.parse(event.data).now_ms;
        soon(() => (messages += 1), 0); // when the page has shown it
        mine.wake();
      });
      this.addEventListener("open", () => (mine.failed = false));
      this.addEventListener("error", () => {
        mine.failed = true;
        mine.wake();
      });
    }
  };

  function runDue() {
    for (const [id, { call, at, period, values }] of [...due]) {
      if (at > now || !due.has(id)) continue;
      if (period === null) due.delete(id);
      else due.get(id).at = now + period;
      call(...values);
    }
  }

  const stepped = (window.stepped = {
    deaf: false, // the page hears nothing more
    // How many messages the page has heard, and the time of the last one.
    heardSoFar: () => [messages, stream?.heard],
    // Of the newest stream: what it has heard, whether it has failed, its state, and the page's time.
    stream: () => [stream?.heard, stream?.failed, stream?.source.readyState, now],
    // Time passes; the page's timers come no more often than every `grain` ms.
    pass(ms, grain) {
      const end = now + ms;
      while (now < end) {
        const step = Math.min(grain, end - now);
        now += step;
        wall += step;
        runDue();
      }
    },
    // The page's clocks move, and nothing of the page is done.
    skip(ms, wallMs) {
      now += ms;
      wall += wallMs;
    },
    // Returns once the newest stream has shown a picture of `told` or later, or has failed.
    async heard(told) {
      const patience = RealDate.now() + 60000;
      while (RealDate.now() < patience) {
        // One that only connects has heard nothing, and null is no less than 0 here.
        if (stream?.failed || (stream && stream.heard !== null && stream.heard >= told)) {
          await new Promise((done) => soon(done, 0));
          return stream.failed ? null : stream.heard;
        }
        await new Promise((done) => {
          if (stream) stream.wake = done;
          soon(done, 100);
        });
      }
      throw new Error(`told ${told}, heard ${stream?.heard}`);
    },
  });
})();
