// A code in the address signs this browser in; only what reads pages spends it, not what looks ahead.

import { asked, at, refusal, remember, said } from "./ask.js";

const { code, to } = document.body.dataset;

async function join(sure) {
  at("choice").hidden = true;
  const told = await asked("/join", { code, to, sure });
  if (told.ok) {
    remember(told.name);
    location.replace(told.to);
  } else if (told.why === "other") {
    at("told").textContent = said("join-other", { name: told.here });
    at("yes").textContent = said("join-as", { name: told.name });
    at("no").textContent = said("join-stay", { name: told.here });
    at("choice").hidden = false;
  } else {
    at("told").textContent = refusal(told);
    at("login").hidden = false;
  }
}

at("yes").onclick = () => join(true);
at("no").onclick = () => location.replace(to);
join(false);
