// Looking for something as people type: without capitals and accents, word by word.

const PHONE = matchMedia("(max-width: 640px)");

export function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
}

export function typed(input) {
  return plain(input.value).split(/\s+/).filter(Boolean);
}

// On a phone the keyboard leaves little room: the field, which sticks, goes to the top, what is
// found below it. The field itself cannot be scrolled to: where it sticks it is in sight already.
export function wireFind(input, filter) {
  const after = [...input.closest("label").parentElement.children];
  after.splice(0, after.indexOf(input.closest("label")) + 1);
  const toTop = () => PHONE.matches && after.find((each) => !each.hidden).scrollIntoView({ block: "start" });
  input.onfocus = toTop;
  input.oninput = () => {
    filter();
    toTop();
  };
}
