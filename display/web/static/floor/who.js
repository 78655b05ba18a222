// Who acts: whoever is signed in on this browser, or else the name that was asked for once.

const KEY = "cutcard-floor-name";
const MAY_DECIDE = ["floor", "director", "admin"];
let person = null;

export async function learn() {
  try {
    const answer = await fetch("/me.json");
    if (answer.ok) person = await answer.json();
  } catch {
    // without the room nothing else goes either
  }
}

export function who() {
  return person ? person.name : localStorage.getItem(KEY) ?? "";
}

export const isSignedIn = () => person !== null;
export const mayDecide = () => person === null || MAY_DECIDE.includes(person.role);

export function call(name) {
  localStorage.setItem(KEY, name);
}
