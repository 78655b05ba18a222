// A field for a PIN with keys for one thumb. The field itself takes a keyboard's keys too.

const LONGEST = 12;

export function pad(keys, field, { changed = () => {} } = {}) {
  const show = () => changed(field.value);
  field.addEventListener("input", () => {
    field.value = field.value.replace(/\D/g, "").slice(0, LONGEST);
    show();
  });
  keys.addEventListener("click", (event) => {
    const key = event.target.closest("button[data-key]");
    if (!key) return;
    if (key.dataset.key === "delete") field.value = field.value.slice(0, -1);
    else if (field.value.length < LONGEST) field.value += key.dataset.key;
    show();
  });
}
