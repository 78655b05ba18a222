"""Where a hand's cards lie and what comes next, as it can be gone back to."""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.rules.hand import Hand, OpenFinding, Role
from controller.rules.procedure import ScriptStep, Street

Pile = dict[Street, list[str]]


@dataclass(frozen=True, slots=True)
class Layout:
    """A hand's script, its board, burns and early cards, and what each tag is in it."""

    script: tuple[ScriptStep, ...]
    board: Pile = field(repr=False)
    burns: Pile = field(repr=False)
    early: Pile = field(repr=False)
    roles: dict[str, Role] = field(repr=False)
    entrusted: frozenset[Street]
    inserted: tuple[ScriptStep, ...]
    moves: dict[str, tuple[ScriptStep, ...]] = field(repr=False)
    under_way: bool

    def lies_as(self, hand: Hand) -> bool:
        """Whether no card of a street has moved since."""
        return (self.board, self.burns, self.early) == (hand.board, hand.burns, hand.early)


def layout(hand: Hand, finding: OpenFinding) -> Layout:
    """The hand as it is now, and how far a finding's remedy has come."""
    return Layout(
        tuple(hand.script),
        _copy(hand.board),
        _copy(hand.burns),
        _copy(hand.early),
        dict(hand.roles),
        frozenset(hand.entrusted),
        tuple(finding.inserted),
        dict(finding.moves),
        finding.under_way,
    )


def go_back(hand: Hand, finding: OpenFinding, before: Layout, after: Layout) -> None:
    """What was done to the hand between the two is undone."""
    hand.script = list(before.script)
    hand.board, hand.burns, hand.early = map(_copy, (before.board, before.burns, before.early))
    for tag, role in before.roles.items():
        if after.roles.get(tag) != role:
            hand.roles[tag] = role
    hand.entrusted = set(before.entrusted)
    finding.inserted, finding.moves = list(before.inserted), dict(before.moves)
    finding.under_way = before.under_way


def _copy(pile: Pile) -> Pile:
    return {street: list(tags) for street, tags in pile.items()}
