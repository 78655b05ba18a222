"""Whether a journal is the one of which the room was told how far it had come: pure."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from controller.archive.kept import KeptHead
from controller.storage.chains import Chain


class Other(Struct, frozen=True):
    """What the room heard of another journal of this table: so many words, of hands up to `last`.
    It was set aside, or this one was put in its place."""

    table: str
    chain: str
    heads: int
    last: int


class Verdict(Struct, frozen=True):
    """What was found of a journal.

    So many words of the room `agree`, and so many are of lines that are not kept any more.
    `differs`: from which hand to which one something was changed, added or taken away; what
    comes after is unknown. `faults` say what it is. `uncovered` are hands that are over and of
    which the room has heard nothing that agrees. `lines` and `sealed` are how many are kept.
    """

    name: str
    lines: int
    sealed: int
    agree: int = 0
    too_old: int = 0
    differs: tuple[int, int] | None = None
    faults: tuple[str, ...] = ()
    uncovered: tuple[int, ...] = ()
    others: tuple[Other, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether all of it is as the room has heard it."""
        return self.differs is None and not self.faults and not self.uncovered


def wanted(name: str, heads: Sequence[KeptHead]) -> tuple[frozenset[int], frozenset[int]]:
    """The numbers of the lines and of the sealed lines whose links have to be known."""
    own = [head for head in heads if head.chain == name]
    return frozenset(h.n for h in own), frozenset(h.boxes for h in own if h.boxes)


def check(name: str, lines: Chain, sealed: Chain, heads: Sequence[KeptHead]) -> Verdict:
    """Compares a journal's chains, read with the links that are `wanted`, with what the room heard
    of it."""
    own = sorted((h for h in heads if h.chain == name), key=lambda h: (h.n, h.boxes, h.heard_ms))
    told = [(head, _agrees(lines, head.n, head.link), _sealed_agrees(sealed, head)) for head in own]
    wrong = [(head, line, box) for head, line, box in told if False in (line, box)]
    right = [head for head, line, box in told if False not in (line, box) and (line or box)]
    faults = [
        f"{what} {chain.bad} does not follow from the one before"
        for what, chain in (("line", lines), ("sealed line", sealed))
        if chain.bad is not None
    ]
    differs = None
    if wrong:
        first = wrong[0][0]
        before = max((head.hand for head in right if head.n < first.n), default=0)
        differs = before + 1, max(first.hand, before + 1)
        faults.append(_words(first, wrong[0][1], lines, sealed))
    reached = max((head.n for head in right), default=-1)
    uncovered = _uncovered(lines, reached)
    return Verdict(
        name,
        lines=lines.last - lines.before,
        sealed=sealed.last - sealed.before,
        agree=len(right),
        too_old=len(told) - len(wrong) - len(right),
        differs=differs,
        faults=tuple(faults),
        uncovered=tuple(h for h in uncovered if differs is None or h < differs[0]),
        others=_others(heads, own, name),
    )


def _agrees(chain: Chain, n: int, link: str) -> bool | None:
    """None where it can't be known any more."""
    if n < chain.before:
        return None
    known = chain.links.get(n)
    return known is not None and known.hex() == link


def _sealed_agrees(sealed: Chain, head: KeptHead) -> bool | None:
    return _agrees(sealed, head.boxes, head.sealed) if head.boxes else None


def _uncovered(lines: Chain, reached: int) -> tuple[int, ...]:
    if not lines.spans:
        return ()
    newest = lines.spans[-1].hand
    return tuple(sorted({s.hand for s in lines.spans if s.hand < newest and s.last > reached}))


def _words(head: KeptHead, line: bool | None, lines: Chain, sealed: Chain) -> str:
    at, n, chain = ("line", head.n, lines) if line is False else ("sealed line", head.boxes, sealed)
    if n > chain.last and chain.bad is None:
        return f"it ends with {at} {chain.last}, and the room has heard of {at} {n}"
    return f"{at} {n} is not the one that the room has heard of"


def _others(heads: Sequence[KeptHead], own: Sequence[KeptHead], name: str) -> tuple[Other, ...]:
    tables = {head.table for head in own or heads}
    found: dict[tuple[str, str], Other] = {}
    for head in heads:
        if head.chain != name and head.table in tables:
            key = head.table, head.chain
            before = found.get(key, Other(*key, 0, 0))
            found[key] = Other(*key, before.heads + 1, max(before.last, head.hand))
    return tuple(found.values())


def words(verdict: Verdict) -> list[str]:
    """The verdict in plain lines."""
    said = [f"{verdict.lines} lines and {verdict.sealed} sealed lines are kept"]
    if verdict.agree:
        said.append(f"{verdict.agree} words of the room agree with it")
    if verdict.too_old:
        said.append(f"{verdict.too_old} words of the room are of lines that are not kept any more")
    if verdict.differs is not None:
        said.append(f"REWRITTEN from {_range(verdict.differs)} on")
    said += [f"FAULT: {fault}" for fault in verdict.faults]
    if verdict.uncovered:
        first, last = verdict.uncovered[0], verdict.uncovered[-1]
        said.append(f"NOT COVERED: {_range((first, last))}: the room has heard nothing of it")
    said += [
        f"another journal of table {other.table}, {other.chain}, had come to hand {other.last}:"
        " one that was set aside, or the one that was here before"
        for other in verdict.others
    ]
    return said if not verdict.is_whole else [*said, "it is as the room has heard of it"]


def _range(hands: tuple[int, int]) -> str:
    first, last = hands
    return f"hand {first}" if first == last else f"hands {first} to {last}"
