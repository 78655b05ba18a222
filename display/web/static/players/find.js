// Looking for something as people type: without capitals and accents, word by word.

const PHONE = matchMedia("(max-width: 640px)");

export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function typed(input) {
  return plain(input.value).split(/\s+/).filter(Boolean);
}

// On a phone the keyboard leaves little room: the field goes to the top, what is found below it.
export function wireFind(input, filter) {
  const box = input.closest("label");
  const toTop = () => PHONE.matches && box.scrollIntoView({ block: "start" });
  input.onfocus = toTop;
  input.oninput = () => {
    filter();
    toTop();
  };
}
