// Players to choose from by what is typed: each by a label of its own.

// `label` says what one is called; of those for whom that is the same each has the id too.
export function byLabel(players, label) {
  const count = new Map();
  for (const each of players) count.set(label(each), (count.get(label(each)) ?? 0) + 1);
  return new Map(players.map((each) => [count.get(label(each)) > 1 ? `${label(each)} (${each.id})` : label(each), each]));
}

// Who is meant by a label, or by a name that only one of them has.
export function meant(known, typed) {
  const same = [...known.values()].filter((each) => each.name.toLowerCase() === typed.toLowerCase());
  return known.get(typed) ?? (same.length === 1 ? same[0] : null);
}
