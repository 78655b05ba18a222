"""What the steps of a remedy mean on the table.

A ruling's steps are the remedy in the order in which it is done. Some are movements that the
antennas can follow: those become steps of the hand's script, put before whatever came next, and
so does the shuffle, which an entry shows. The rest (stop, cut, call the floor) leave no trace and
are the dealer's to tick.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.contract.events import RulingText
from controller.rules.defining_acts import PICK, SHUFFLE
from controller.rules.hand import Hand, OpenFinding
from controller.rules.procedure import (
    SIZE,
    STREETS,
    Back,
    Burn,
    PickBurn,
    Pile,
    Reorder,
    Round,
    ScriptStep,
    Settle,
    Shuffle,
    Street,
    Turn,
    later_streets,
    round_before,
)

TWO_BURNS = "two-burns-next"
"""The step after which the next street has two burns, to restore the true order."""

SECOND_BURN = "second-burn-next"
"""The step after which a second burn is the next street's burn."""

Places = tuple[tuple[str, Pile, Street], ...]


def true_order(hand: Hand, wrong: Street) -> Places:
    """Where each card belongs that has left the stub since the street where it went wrong.

    RR7-HE-5, with the roles fixed by the order of departure: burn, three for the flop, burn,
    turn, burn, river, as far as streets are out. Cards that went back into the stub have no
    place in it.
    """
    streets = (wrong, *(s for s in later_streets(wrong) if hand.board[s]))
    departed = departed_since(hand, wrong)
    places: list[tuple[Pile, Street]] = []
    for street in streets:
        places.append(("burn", street))
        places.extend([("board", street)] * SIZE[street])
    return tuple((tag, pile, street) for tag, (pile, street) in zip(departed, places, strict=False))


def departed_since(hand: Hand, wrong: Street) -> list[str]:
    """What has left the stub since a street, in that order."""
    streets = (wrong, *later_streets(wrong))
    return [tag for street in streets for tag in (*hand.burns[street], *hand.board[street])]


def _true_places(hand: Hand, street: Street) -> list[ScriptStep]:
    places = true_order(hand, street)
    return [Reorder(places, frozenset(departed_since(hand, street)[len(places) :]))]


def _second_back(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Back(street, frozenset(hand.burns[street][1:]))]


def _flop_and_burn_back(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Back(street, frozenset([*hand.board[street], *hand.burns[street][1:]]))]


def _cards_back(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Back(street, frozenset([*hand.board[street], *hand.early[street]]))]


def _first_stays(hand: Hand, street: Street) -> list[ScriptStep]:
    """The first of two cards is the turn and the other one the river's burn, where a burn can be
    read; on the river it goes back. Nothing where one of them lies there no more."""
    if len(hand.board[street]) < 2:
        return []
    first, second, *more = hand.board[street]
    places: Places = ((first, "board", street),)
    following = later_streets(street)[:1] if hand.reads_burns else ()
    if not following:
        return [Reorder(places, frozenset([second, *more]))]
    return [Reorder((*places, (second, "burn", following[0])), frozenset(more))]


def _last_out(hand: Hand, street: Street) -> list[ScriptStep]:
    return [Turn(hand.last_street() or street)]


MOVEMENTS: dict[str, Callable[[Hand, Street], list[ScriptStep]]] = {
    "flop-back": _cards_back,
    "card-back": _cards_back,
    "cards-back-in": _cards_back,
    "burn-one": lambda hand, street: [Burn(street, len(hand.burns[street]) + 1)],
    "new-flop": lambda _, street: [Turn(street)],
    "new-flop-no-burn": lambda _, street: [Turn(street)],
    "new-river-no-burn": lambda _, street: [Turn(street)],
    "new-turn-no-burn": lambda _, street: [Turn(street)],
    "stub-completes": lambda _, street: [Turn(street)],
    "deal-street": lambda _, street: [Turn(street)],
    "new-card": lambda _, street: [Turn(street)],
    "card-is-burn": _true_places,
    "offer-first-card": _first_stays,
    "second-burn-back": _second_back,
    "flop-and-burn-back": _flop_and_burn_back,
    "second-burn-is-card": _true_places,
    "next-card": _last_out,
    "turn-is-burn": _true_places,
    "next-card-is-river": _last_out,
    "offer-true-order": lambda hand, street: [
        *_true_places(hand, street),
        *_last_out(hand, street),
    ],
}


ASIDE = frozenset({"set-aside", "cards-aside"})
"""The steps at which cards are put aside until the river."""


def _moves(hand: Hand, finding: OpenFinding, ids: list[str]) -> dict[str, tuple[ScriptStep, ...]]:
    """By step what it is in the script."""
    street = finding.street or "flop"
    moves: dict[str, tuple[ScriptStep, ...]] = {}
    for name in ids:
        if name == SHUFFLE:
            moves[name] = (Shuffle(street, "cut" in ids),)
        elif name == PICK:
            own = "stub-completes" in ids
            moves[name] = (PickBurn("flop", frozenset(hand.board["flop"]), own),)
        elif name in MOVEMENTS and (steps := MOVEMENTS[name](hand, street)):
            moves[name] = tuple(steps)
    return moves


def begin(hand: Hand, finding: OpenFinding) -> None:
    """The remedy's first movement has been made: what the antennas can follow of the rest
    comes next in the script, and the ruling stands from now on.

    Where the floor decides, the advisory ruling's movements are followed. A premature street
    is put right once its round is over. Nothing changes where nothing moves.
    """
    ruling: RulingText | None = finding.ruling
    if finding.ruling.outcome == "stands":
        _play_on(hand, finding)
        return
    while ruling is not None:
        ids = [step.id for step in ruling.steps]
        if not ASIDE.isdisjoint(ids):
            _set_aside(hand, finding, ids)
            return
        if _insert(hand, finding, ids):
            return
        ruling = ruling.advisory


def _insert(hand: Hand, finding: OpenFinding, ids: list[str]) -> bool:
    """Puts what is done at these steps into the script; False if it is nothing."""
    moves = _moves(hand, finding, ids)
    if moves:
        finding.under_way = True
        finding.moves = moves
        finding.inserted = [s for steps in moves.values() for s in steps]
        finding.inserted.append(Settle(finding.id))
        at = _street_begins(hand, finding.street) if _is_early(hand, finding) else 0
        hand.script[at:at] = finding.inserted
    return bool(moves)


def _play_on(hand: Hand, finding: OpenFinding) -> None:
    """The floor lets a burn error stand: the next street's burns restore the true order."""
    if finding.street is None:
        return
    for street in later_streets(finding.street)[:1]:
        if finding.asks_for(TWO_BURNS):
            hand.script = [Burn(street, 2) if s == Burn(street) else s for s in hand.script]
        elif finding.asks_for(SECOND_BURN):
            _move_burns(hand, hand.burns[finding.street][1:], street)


def drop(hand: Hand, finding: OpenFinding) -> None:
    """Takes what the remedy put into the script out of it again."""
    hand.script = [s for s in hand.script if not any(s is own for own in finding.inserted)]
    finding.inserted, finding.moves = [], {}


def plays_on(hand: Hand, finding: OpenFinding) -> bool:
    """Whether the betting round goes on before anything is put right: the card does not play, and
    that is all for now."""
    is_open = Round(round_before(finding.street)) in hand.script
    return finding.asks_for("do-not-play") and is_open


def concerns(hand: Hand, finding: OpenFinding, street: Street) -> bool:
    """Whether what is still to be done of a remedy that is under way may change this street."""
    moves = [step for steps in finding.moves.values() for step in steps]
    for step in (one for one in moves if any(one is other for other in hand.script)):
        match step:
            case Reorder():
                return True
            case Back(street=begins) | PickBurn(street=begins) | Burn(street=begins):
                pass
            case Shuffle(street=begins) | Turn(street=begins):
                pass
            case _:
                continue
        if street in (begins, *later_streets(begins)):
            return True
    return False


def streets_dealt(finding: OpenFinding) -> set[Street]:
    """The streets that a remedy has dealt."""
    moves = [step for steps in finding.moves.values() for step in steps]
    return {step.street for step in moves if isinstance(step, Turn)}


def took_another_card(hand: Hand, finding: OpenFinding) -> bool:
    """Whether a second burn was to go on top of the stub, and the street began with another
    card."""
    steps = finding.moves.get("second-burn-back", ())
    back = {tag for step in steps if isinstance(step, Back) for tag in step.tags}
    came = hand.board[finding.street][:1] if finding.street is not None else []
    return bool(back) and "deal-street" in finding.moves and not back.issuperset(came)


def leave_out(hand: Hand, finding: OpenFinding, step: ScriptStep) -> None:
    """Takes one step out of the remedy, which does not settle the finding any more."""
    out = [s for s in finding.inserted if s is step or isinstance(s, Settle | Shuffle)]
    hand.script = [s for s in hand.script if not any(s is one for one in out)]
    finding.inserted = [s for s in finding.inserted if not any(s is one for one in out)]
    finding.moves = {}


def other_way(hand: Hand, finding: OpenFinding) -> None:
    """Both cards of a turn or river with two have gone where the first one might have stayed: the
    would-be river is the turn, or the river is dealt again."""
    if finding.street is None:
        return
    drop(hand, finding)
    if later_streets(finding.street):
        _set_aside(hand, finding, ["cards-aside", "burn-one", SHUFFLE, "cut"])
    else:
        _insert(hand, finding, ["cards-back-in", SHUFFLE, "cut", "new-river-no-burn"])
    for tag in list(hand.board[finding.street]):
        hand.take_off_board(tag, finding.street)


def has_other_way(finding: OpenFinding) -> bool:
    """Whether the floor may choose between two ways (`other_way`)."""
    return "offer-first-card" in finding.moves


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


def _set_aside(hand: Hand, finding: OpenFinding, ids: list[str]) -> None:
    """RR7-HE-8, UK-RP5B: another burn, the would-be river as the turn, a river without one."""
    finding.under_way = True
    aside = Back("turn", frozenset([*hand.board["turn"], *hand.early["turn"]]), aside=True)
    burn, turn = Burn("turn", len(hand.burns["turn"][:1]) + 1), Turn("turn")
    shuffle, settle = Shuffle("river", "cut" in ids), Settle(finding.id)
    finding.inserted = [aside, shuffle, settle]
    again: list[ScriptStep] = [aside, burn, turn] if hand.reads_burns else [aside, turn]
    script: list[ScriptStep] = []
    is_settled = False
    if hand.board["turn"]:
        finding.inserted += again[1:]
        script += again
        again = []
    for step in hand.script:
        match step:
            case Burn(street="turn"):
                pass
            case Turn(street="turn") if again:
                script += again
                again = []
            case Burn(street="river"):
                pass
            case Turn(street="river") if not is_settled:
                script += [shuffle, step, settle]
                finding.moves["river-no-burn"] = (step,)
                is_settled = True
            case _:
                script.append(step)
    hand.script = script
    moves: dict[str, ScriptStep] = dict.fromkeys(ASIDE, aside)
    moves |= dict.fromkeys(("aside-back", SHUFFLE), shuffle)
    moves |= {"burn-one": burn, "river-is-turn": turn}
    finding.moves |= {name: (move,) for name, move in moves.items() if name in ids}


_BURNS_MOVE = frozenset(
    {
        "second-burn-back",
        "flop-and-burn-back",
        "second-burn-is-card",
        "river-burn-is-river",
        "river-burn-is-turn",
        "offer-true-order",
    }
)


def moves_burns(ruling: RulingText) -> bool:
    """Whether a remedy, or the advice for one, takes a card off the burns."""
    return not _BURNS_MOVE.isdisjoint(_all_steps(ruling))


def burns_again(hand: Hand, street: Street) -> bool:
    """Whether a remedy that has not begun has another card burned for a street."""
    return any(
        f.street == street and not f.under_way and "burn-one" in _all_steps(f.ruling)
        for f in hand.findings
    )


def _all_steps(ruling: RulingText | None) -> set[str]:
    ids: set[str] = set()
    while ruling is not None:
        ids |= {step.id for step in ruling.steps}
        ruling = ruling.advisory
    return ids


def burns_wanted(hand: Hand, street: Street) -> tuple[int, int]:
    """The fewest and the most cards that may be burned for a street.

    Two after a missing burn that stands; one or two while the dealer has not answered whether
    it was missing, or where that is only advice for the floor.
    """
    owing = owing_burn(hand, street, advised=True)
    if owing is None:
        return 1, 1
    return (2 if owing.certain and owing.asks_for(TWO_BURNS) else 1), 2


def burned_for(hand: Hand, pick: PickBurn) -> Street:
    """Of which street the card is the burn that is picked."""
    return pick.street if pick.own else next_burned(hand, pick.street)


def next_burned(hand: Hand, street: Street) -> Street:
    """The street whose burn comes next after `street`: the one a picked card is burned for."""
    return next((s for s in later_streets(street) if not hand.board[s]), street)


def lent_burns(hand: Hand, street: Street, *, advised: bool = False) -> list[str]:
    """The second burns of the street before that still lie there and are this one's, unless it
    has one of its own."""
    if hand.burns[street]:
        return []
    lender = owing_burn(hand, street, SECOND_BURN, advised=advised)
    return [] if lender is None or lender.street is None else hand.burns[lender.street][1:]


def lend_burns(hand: Hand, street: Street, *, advised: bool = False) -> None:
    """The second burns of the street before become this one's. Where that is only advice, it is
    followed by burning none."""
    _move_burns(hand, lent_burns(hand, street, advised=advised), street)


def burns_stand_in(hand: Hand, street: Street) -> None:
    """After a premature turn its burn is as good as the river's, which has none as the last part
    of the remedy: another one is a second."""
    ends_a_remedy = any(isinstance(step, Settle) for step in hand.script[1:2])
    for before in STREETS:
        burns = hand.burns[before]
        if street in later_streets(before)[:1] and (ends_a_remedy or len(burns) > 1):
            _move_burns(hand, burns[:1], street)


def _move_burns(hand: Hand, moved: list[str], street: Street) -> None:
    for tag in list(moved):
        for tags in hand.burns.values():
            if tag in tags:
                tags.remove(tag)
        hand.burn(tag, street)


def owing_burn(
    hand: Hand, street: Street, step: str = TWO_BURNS, *, advised: bool = False
) -> OpenFinding | None:
    """The open finding whose remedy, or with `advised` the advice for one, is about the burn
    before this street: a second one more, or none as one lies there."""
    for finding in hand.findings:
        if (
            finding.street is not None
            and later_streets(finding.street)[:1] == (street,)
            and (finding.advises(step) if advised else finding.asks_for(step))
        ):
            return finding
    return None
