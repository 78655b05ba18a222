// The clock's desk. The room sends the whole picture at every change and every second; what is
// asked here goes out as a POST, and what came of it is in the next picture.

import { follow } from "../live.js";
import { hideRefused, learnWho, mayLeave, took, seen } from "./asking.js";
import { showControls, wireControls } from "./controls.js";
import { refreshForms } from "./forms.js";
import { showGame, tickGame, wireGame } from "./game.js";
import { showHead, showQuestion, tickConnection, tickHead } from "./head.js";
import { wireKeys } from "./keys.js";
import { bringRunning, showLevels, wireLevels } from "./levels.js";
import { showNews, wireNews } from "./news.js";
import { wireStructures } from "./structures.js";
import { wireWatch } from "./watch.js";

const at = (id) => document.getElementById(id);

const room = follow(`/clock/events?lang=${document.documentElement.lang}`, {
  message(picture) {
    took(picture);
    show();
  },
  tick() {
    const picture = seen();
    tickConnection(room, picture);
    if (!picture) return;
    tickHead(picture, room);
    tickGame(room);
    refreshForms();
  },
  opened: () => learnWho(show),
  refused: () => mayLeave() && learnWho(show),
  mayReload: mayLeave,
});

function show() {
  const picture = seen();
  if (!picture) return;
  showHead(picture);
  showQuestion(picture, room);
  showControls(picture);
  showLevels(picture);
  showGame(picture);
  showNews(picture);
}

function showTab(name) {
  document.body.dataset.tab = name;
  for (const tab of at("tabs").children) {
    if (tab.dataset.show === name) tab.setAttribute("aria-current", "page");
    else tab.removeAttribute("aria-current");
  }
  scrollTo(0, 0);
  if (seen()) bringRunning(seen().clock.index, true);
}

for (const tab of at("tabs").children) tab.onclick = () => showTab(tab.dataset.show);
at("refused-close").onclick = hideRefused;
wireControls();
wireLevels();
wireStructures();
wireGame();
wireNews();
wireKeys();
wireWatch();
showTab("clock");
