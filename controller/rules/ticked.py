"""Which steps of a remedy are done, as far as the antennas and the entries tell."""

from __future__ import annotations

from controller.rules.defining_acts import ENTERED, PICK
from controller.rules.hand import Hand, OpenFinding
from controller.rules.procedure import (
    SIZE,
    Back,
    Pile,
    Reorder,
    Round,
    ScriptStep,
    Street,
    round_before,
)
from controller.rules.remedies import ASIDE, MOVEMENTS

_LIES: dict[str, tuple[Pile, Street | None]] = {
    "card-is-burn": ("burn", None),
    "second-burn-is-card": ("board", None),
    "turn-is-burn": ("burn", "turn"),
    "river-burn-is-turn": ("board", "turn"),
    "river-is-burn": ("burn", "river"),
    "card-is-river-burn": ("burn", "river"),
    "river-burn-is-river": ("board", "river"),
}
"""Where a card lies once a step is done that is one of several in one order; without a street, on
the finding's own."""


def ticked(hand: Hand, finding: OpenFinding) -> tuple[int, str]:
    """How many of a ruling's first steps are done, all up to the last one that is known to be; and
    the first step that is known not to be, empty if there is none."""
    done = 0
    for at, step in enumerate(finding.ruling.steps, 1):
        is_done = _is_done(hand, finding, step.id)
        if is_done is False:
            return done, step.id
        if is_done:
            done = at
    return done, ""


def _is_done(hand: Hand, finding: OpenFinding, step: str) -> bool | None:
    """None for a step that leaves no trace."""
    if step in finding.shown and step in ENTERED:
        return True
    order = next(
        (s for moves in finding.moves.values() for s in moves if isinstance(s, Reorder)), None
    )
    if order is not None and step in _LIES:
        pile, street = _LIES[step]
        return _lies(hand, order, pile, street or finding.street)
    if order is not None and step == "card-on-stub":
        return not any(map(hand.is_out, order.back))
    if step == "three-are-flop":
        return PICK in finding.shown and len(hand.board["flop"]) == SIZE["flop"]
    if step in finding.moves:
        made = all(_is_made(hand, move) for move in finding.moves[step])
        return None if step == "burn-one" and not made and not hand.reads_burns else made
    if step == "finish-round":
        return Round(round_before(finding.street)) not in hand.script
    if step in MOVEMENTS or step in ENTERED or step in ASIDE or step.startswith("ask-"):
        return False
    return None


def _lies(hand: Hand, order: Reorder, pile: Pile, street: Street | None) -> bool:
    piles = hand.burns if pile == "burn" else hand.board
    wanted = [tag for tag, to, of in order.places if (to, of) == (pile, street)]
    return street is not None and all(tag in piles[street] for tag in wanted)


def _is_made(hand: Hand, move: ScriptStep) -> bool:
    """Whether a part of the script is over; cards may be taken back before it is their turn."""
    if isinstance(move, Back) and not any(map(hand.is_out, move.tags)):
        return True
    return not any(move is step for step in hand.script)
