"""What the steps of a remedy mean on the table.

A ruling's steps are the remedy in the order in which it is done. Some are movements that the
antennas can follow: those become steps of the hand's script, put before whatever came next.
The rest (shuffle, cut, call the floor) leave no trace and are the dealer's to tick.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.events import RulingText
from controller.rules.hand import Hand, OpenFinding
from controller.rules.procedure import (
    SIZE,
    Back,
    Burn,
    PickBurn,
    Pile,
    Reorder,
    ScriptStep,
    Settle,
    Street,
    Turn,
    later_streets,
)

TWO_BURNS = "two-burns-next"
"""The step after which the next street has two burns, to restore the true order."""

Places = tuple[tuple[str, Pile, Street], ...]


def true_order(hand: Hand, wrong: Street) -> Places:
    """Where each card belongs that has left the stub since the street where it went wrong.

    RR7-HE-5, with the roles fixed by the order of departure: burn, three for the flop, burn,
    turn, burn, river. Cards that went back into the stub have no place in it.
    """
    streets = (wrong, *later_streets(wrong))
    departed = [tag for street in streets for tag in (*hand.burns[street], *hand.board[street])]
    places: list[tuple[Pile, Street]] = []
    for street in streets:
        places.append(("burn", street))
        places.extend([("board", street)] * SIZE[street])
    return tuple((tag, pile, street) for tag, (pile, street) in zip(departed, places, strict=False))


def _true_places(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Reorder(true_order(hand, street))]


def _cards_back(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Back(street, frozenset([*hand.board[street], *hand.early[street]]))]


def _last_out(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Turn(hand.last_street() or street)]


_MOVEMENTS: dict[str, Callable[[Hand, Street], list[ScriptStep]]] = {
    "flop-back": _cards_back,
    "card-back": _cards_back,
    "burn-one": lambda hand, street: [Burn(street, len(hand.burns[street]) + 1)],
    "new-flop": lambda _, street: [Turn(street)],
    "new-flop-no-burn": lambda _, street: [Turn(street)],
    "new-river-no-burn": lambda _, street: [Turn(street)],
    "new-card": lambda _, street: [Turn(street)],
    "pick-burn": lambda hand, _: [PickBurn("flop", frozenset(hand.board["flop"]))],
    "card-is-burn": _true_places,
    "next-card": _last_out,
    "turn-is-burn": _true_places,
    "next-card-is-river": _last_out,
    "offer-true-order": lambda hand, street: [
        *_true_places(hand, street),
        *_last_out(hand, street),
    ],
}


def begin(hand: Hand, finding: OpenFinding) -> None:
    """The remedy's first movement has been made: what the antennas can follow of the rest
    comes next in the script, and the ruling stands from now on.

    Where the floor decides, the advisory ruling's movements are followed. A premature street
    is put right once its round is over. Nothing changes where nothing moves.
    """
    ruling: RulingText | None = finding.ruling
    while ruling is not None:
        ids = [step.id for step in ruling.steps]
        if "set-aside" in ids:
            _set_aside(hand, finding)
            return
        steps = [
            step
            for name in ids
            if name in _MOVEMENTS
            for step in _MOVEMENTS[name](hand, finding.street or "flop")
        ]
        if steps:
            finding.under_way = True
            finding.inserted = [*steps, Settle(finding.id)]
            at = _street_begins(hand, finding.street) if _is_early(hand, finding) else 0
            hand.script[at:at] = finding.inserted
            return
        ruling = ruling.advisory


def drop(hand: Hand, finding: OpenFinding) -> None:
    """Takes what the remedy put into the script out of it again."""
    hand.script = [s for s in hand.script if not any(s is own for own in finding.inserted)]
    finding.inserted = []


def _is_early(hand: Hand, finding: OpenFinding) -> bool:
    return finding.street is not None and bool(hand.early[finding.street])


def _street_begins(hand: Hand, street: Street | None) -> int:
    """Where in the script the street is dealt."""
    return next(
        (
            at
            for at, step in enumerate(hand.script)
            if isinstance(step, Burn | Turn) and step.street == street
        ),
        0,
    )


def _set_aside(hand: Hand, finding: OpenFinding) -> None:
    """RR7-HE-8, UK-RP5B: another burn, the would-be river as the turn, a river without one."""
    finding.under_way = True
    settle = Settle(finding.id)
    finding.inserted = [settle]
    script: list[ScriptStep] = []
    for step in hand.script:
        match step:
            case Burn(street="turn"):
                script.append(Burn("turn", len(hand.burns["turn"]) + 1))
            case Burn(street="river"):
                pass
            case Turn(street="river"):
                script += [step, settle]
            case _:
                script.append(step)
    hand.script = script


def burns_wanted(hand: Hand, street: Street) -> tuple[int, int]:
    """The fewest and the most cards that may be burned for a street.

    Two after a missing burn that stands; one or two while the dealer has not answered whether
    it was missing.
    """
    owing = owing_burn(hand, street)
    if owing is None:
        return 1, 1
    return (2 if owing.certain else 1), 2


def next_burned(hand: Hand, street: Street) -> Street:
    """The street whose burn comes next after `street`: the one a picked card is burned for."""
    return next((s for s in later_streets(street) if not hand.board[s]), street)


def owing_burn(hand: Hand, street: Street) -> OpenFinding | None:
    """The open finding whose remedy is a second burn before this street."""
    for finding in hand.findings:
        if (
            finding.street is not None
            and later_streets(finding.street)[:1] == (street,)
            and finding.asks_for(TWO_BURNS)
        ):
            return finding
    return None
