// The events of the room: new ones, and closing one. What is so then is shown by the page anew.

const words = JSON.parse(document.body.dataset.words);
const form = document.getElementById("new");
const SAID = "cutcard-events-said";

const fill = (text, blanks) => text.replace(/\{(\w+)\}/g, (_, name) => blanks[name] ?? "");

function show(id, text) {
  for (const each of ["said", "refused"]) {
    document.getElementById(each).hidden = each !== id || !text;
  }
  document.getElementById(id).textContent = text;
}

async function post(path, body) {
  try {
    const answer = await fetch(path, {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Requested-With": "cutcard" },
      body,
    });
    const told = await answer.json();
    return answer.ok ? ["", told] : [fill(words.refused, { reason: told.error }), null];
  } catch {
    return [words["not-sent"], null];
  }
}

async function send(path, body, said) {
  const [refused, told] = await post(path, body);
  if (refused) {
    show("refused", refused);
    return;
  }
  sessionStorage.setItem(SAID, said(told));
  location.reload();
}

const chosen = () => form.elements.from.value;

function showChoice() {
  for (const each of form.querySelectorAll("[data-of]")) each.hidden = !each.dataset.of.split(" ").includes(chosen());
}

async function asked() {
  const { id, name, like, file } = form.elements;
  const fields = { id: id.value, name: name.value.trim() };
  if (chosen() === "like") return { ...fields, like: like.value };
  if (chosen() === "nothing") return fields;
  if (!file.files.length) throw new Error(words["no-file"]);
  const template = chosen() === "template";
  try {
    return { ...fields, template, file: JSON.parse(await file.files[0].text()) };
  } catch {
    throw new Error(words["not-json"]);
  }
}

form.addEventListener("change", showChoice);
form.elements.name.addEventListener("input", () => {
  const { id, name } = form.elements;
  if (id.dataset.own === undefined) {
    const plain = name.value.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase();
    id.value = plain.replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 32);
  }
});
form.elements.id.addEventListener("input", ({ target }) => (target.dataset.own = ""));
form.onsubmit = async (event) => {
  event.preventDefault();
  let fields;
  try {
    fields = await asked();
  } catch (error) {
    show("refused", error.message);
    return;
  }
  send("/events", JSON.stringify(fields), ({ left_out }) => {
    const made = fill(words.made, { name: fields.name });
    return left_out.length ? `${made} ${fill(words["left-out"], { tables: left_out.join(", ") })}` : made;
  });
};

for (const each of document.querySelectorAll(".close")) {
  each.onclick = () => {
    const { event, name } = each.closest("li").dataset;
    if (!confirm(fill(words["close-sure"], { name }))) return;
    send("/events/close", JSON.stringify({ id: event }), ({ file }) => fill(words[file ? "closed-at" : "closed"], { name, file }));
  };
}

show("said", sessionStorage.getItem(SAID) ?? "");
sessionStorage.removeItem(SAID);
showChoice();
document.querySelector("main").inert = false; // nothing would have followed from a tap until now
