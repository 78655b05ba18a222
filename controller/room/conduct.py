"""Warnings and penalties: what was given to whom, and how much of it is served. Pure.

A penalty is counted in hands of the player's table, as they are really dealt there, from the next
one on. A round is a hand for everybody at the table when it is given, the offender too
(TDA24-71A2, TDA09-40b, UK-65A). A deal and its redeal are one hand (UK-33C, TDA24-35C4). Some
houses count minutes (NL10-HR-22). Who has several serves one after the other, hands and minutes
side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import Actor, Line
from controller.room.acts import Act, ActError
from controller.room.register import Player, PlayerId, Register, here, with_players

MAX_GIVEN = 5_000
_MINUTE_MS = 60_000

Unit = Literal["hands", "rounds", "minutes"]
Given = Literal["warning", "hands", "rounds", "minutes", "disqualified"]


class Penalty(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """What was given to a player, as he was called then: so many hands, rounds or minutes, which
    are `hands` in all, or until `until_ms`. `table`, `seat` and `hand` are where and when;
    `counted` is the last hand of which table is known, in its `session`, and `served` how many have
    counted.
    `at_ms` is the room's time, `wall_ms` the wall clock's."""

    id: int
    player: PlayerId
    name: Actor
    given: Given
    by: Actor
    at_ms: int
    wall_ms: int
    amount: int = 0
    hands: int | None = None
    until_ms: int | None = None
    reason: Line = ""
    table: str | None = None
    seat: int | None = None
    hand: int | None = None
    counted: tuple[str, int] | None = None
    session: str = ""
    served: int = 0
    over: Literal["", "served", "pardoned"] = ""

    @property
    def runs(self) -> bool:
        """Whether the player serves it, or is to."""
        return not self.over and self.given in ("hands", "rounds", "minutes")

    @property
    def is_served(self) -> bool:
        """Whether so many hands have been dealt; the last one may be under way."""
        return self.hands is not None and self.served >= self.hands


class Conduct(Struct, frozen=True):
    """All that was given, in its order. `last` is the id that was last given."""

    given: tuple[Penalty, ...] = ()
    last: int = 0


class Warn(Act, frozen=True, kw_only=True):
    """`warn`: a player is warned, for a `reason`. `disqualify`: he is out, and his chips leave play
    (TDA24-71D, TDA09-40d, UK-65D, NL10-HR-22)."""

    player: PlayerId


class Penalise(Act, frozen=True, kw_only=True):
    """`penalise`: a player is away for so many hands, rounds or minutes."""

    player: PlayerId
    unit: Unit
    amount: Annotated[int, Meta(ge=1, le=200)]


class Pardon(Act, frozen=True, kw_only=True):
    """`pardon`: what was given under this id is taken back, or ends now; it stays on record."""

    id: int


class Undisqualify(Act, frozen=True, kw_only=True):
    """`undisqualify`: that disqualification is taken back, and what it ended goes on; it stays on
    record."""

    id: int


class HandOf(Struct, frozen=True):
    """A hand of a table, by its number in one of the table's sessions."""

    table: str
    session: str
    number: int


class When(Struct, frozen=True):
    """The room's time, the wall clock's, and by table the hand that is under way there or was
    last."""

    now_ms: int
    wall_ms: int = 0
    hands: Mapping[str, HandOf] = {}


Both = tuple[Conduct, Register]


def perform(conduct: Conduct, register: Register, name: str, act: Act, when: When) -> Both:
    """What there is after the act `name`. Raises ActError with the reason where it can't be."""
    return CONDUCT_ACTS[name][1](conduct, register, act, when)


def _warn(conduct: Conduct, register: Register, act: Warn, when: When) -> Both:
    return _with(
        conduct, _line(conduct, register.player(act.player), "warning", act, when)
    ), register


def _disqualify(conduct: Conduct, register: Register, act: Warn, when: When) -> Both:
    player = register.player(act.player)
    if player.status == "out":
        raise ActError(f"{player.name} is out already")
    ended = replace(conduct, given=tuple(map(_ended_for(player.id), conduct.given)))
    return _with(ended, _line(conduct, player, "disqualified", act, when)), register


def _ended_for(player: str) -> Callable[[Penalty], Penalty]:
    return lambda one: replace(one, over="served") if one.runs and one.player == player else one


def _penalise(conduct: Conduct, register: Register, act: Penalise, when: When) -> Both:
    player = register.player(act.player)
    if player.at is None:
        raise ActError(f"{player.name} has no seat")
    line = _line(conduct, player, act.unit, act, when)
    if act.unit == "minutes":
        after = max((when.now_ms, *_until(conduct, player.id)))
        line = replace(line, until_ms=after + act.amount * _MINUTE_MS)
    else:
        at_table = sum(at.table == player.at.table for at in register.by_seat)
        line = replace(line, hands=act.amount * (at_table if act.unit == "rounds" else 1))
    away = with_players(register, [replace(player, status="penalty")])
    return _with(conduct, replace(line, amount=act.amount)), away


def _pardon(conduct: Conduct, register: Register, act: Pardon, when: When) -> Both:
    found = _given(conduct, act.id)
    if found.given == "disqualified":
        raise ActError(f"{found.name} is out: bring the player back in")
    changed = [replace(found, over="pardoned"), *_sooner(conduct, found, when.now_ms)]
    return _back(_replaced(conduct, changed), register)


def _undisqualify(conduct: Conduct, register: Register, act: Undisqualify, _when: When) -> Both:
    found = _given(conduct, act.id)
    if found.given != "disqualified":
        raise ActError("that was no disqualification")
    goes_on = [
        replace(one, over="")
        for one in conduct.given
        if one.player == found.player and one.id < found.id and _was_cut_short(one, found.at_ms)
    ]
    return _replaced(conduct, [replace(found, over="pardoned"), *goes_on]), register


def _was_cut_short(one: Penalty, at_ms: int) -> bool:
    """Whether it ran when its player was disqualified."""
    if one.over != "served":
        return False
    has_hands = one.hands is not None and not one.is_served
    return has_hands or (one.until_ms is not None and one.until_ms > at_ms)


def _given(conduct: Conduct, id_: int) -> Penalty:
    """What was given under this id. Raises ActError where there is none that holds."""
    found = next((one for one in conduct.given if one.id == id_), None)
    if found is None or found.over == "pardoned":
        raise ActError("that was not given, or is taken back already")
    return found


def _until(conduct: Conduct, player: str) -> Iterator[int]:
    """When each of what a player serves in minutes is over."""
    return (
        one.until_ms
        for one in conduct.given
        if one.runs and one.player == player and one.until_ms is not None
    )


def _sooner(conduct: Conduct, pardoned: Penalty, now_ms: int) -> list[Penalty]:
    """What of a player waits for minutes that are `pardoned` begins by so much sooner."""
    if not pardoned.runs or pardoned.until_ms is None:
        return []
    began_ms = max(now_ms, pardoned.until_ms - pardoned.amount * _MINUTE_MS)
    saved_ms = max(0, pardoned.until_ms - began_ms)
    return [
        replace(one, until_ms=one.until_ms - saved_ms)
        for one in conduct.given
        if one.runs
        and one.player == pardoned.player
        and one.until_ms is not None
        and one.until_ms > pardoned.until_ms
    ]


def _line(conduct: Conduct, player: Player, given: Given, act: Act, when: When) -> Penalty:
    if len(conduct.given) >= MAX_GIVEN:
        raise ActError(f"there are already {MAX_GIVEN} warnings and penalties")
    table = None if player.at is None else player.at.table
    hand = None if table is None else when.hands.get(table)
    return Penalty(
        id=conduct.last + 1,
        player=player.id,
        name=player.name,
        given=given,
        by=act.actor,
        at_ms=when.now_ms,
        wall_ms=when.wall_ms,
        reason=act.reason,
        table=table,
        seat=None if player.at is None else player.at.seat,
        hand=None if hand is None else hand.number,
        counted=None if hand is None else (hand.table, hand.number),
        session="" if hand is None else hand.session,
    )


def _with(conduct: Conduct, line: Penalty) -> Conduct:
    return Conduct((*conduct.given, line), line.id)


def _replaced(conduct: Conduct, changed: list[Penalty]) -> Conduct:
    now = {one.id: one for one in changed}
    return replace(conduct, given=tuple(now.get(one.id, one) for one in conduct.given))


# --- what hands and time make of them ---


def hand_begins(conduct: Conduct, register: Register, hand: HandOf, *, redeal: bool) -> Conduct:
    """A hand of a table began. It counts for who is away from there; a `redeal` has counted. Hands
    that nobody has told of in between count as they are numbered."""
    changed: list[Penalty] = []
    first = {one.id for one in _served_at(conduct, register, hand.table)}
    for one in _running_at(conduct, register, hand.table):
        before = _counted_before(one, hand)
        if one.hands is None or hand.number <= before:
            continue
        more = hand.number - before - redeal if one.id in first else 0
        served = min(one.served + more, one.hands)
        counted = hand.table, hand.number
        changed.append(replace(one, counted=counted, session=hand.session, served=served))
    return _replaced(conduct, changed) if changed else conduct


def _counted_before(one: Penalty, hand: HandOf) -> int:
    """The last hand of this table that has counted. A table that has been exchanged begins to count
    anew."""
    if one.counted is None or one.counted[0] != hand.table:
        return hand.number - 1
    is_anew = one.session != hand.session and hand.number < one.counted[1]
    return hand.number - 1 if is_anew else one.counted[1]


def hand_ends(conduct: Conduct, register: Register, hand: HandOf) -> Both:
    """A hand of a table is over, and no misdeal: who has served with it is back for the next."""
    conduct = hand_begins(conduct, register, hand, redeal=False)
    served = [
        replace(one, over="served")
        for one in _served_at(conduct, register, hand.table)
        if one.is_served and one.counted == (hand.table, hand.number)
    ]
    return _back(_replaced(conduct, served), register) if served else (conduct, register)


def pass_time(conduct: Conduct, register: Register, now_ms: int) -> Both:
    """Minutes that have passed are served."""
    past = [
        replace(one, over="served")
        for one in conduct.given
        if one.runs and one.until_ms is not None and one.until_ms <= now_ms
    ]
    return _back(_replaced(conduct, past), register) if past else (conduct, register)


def without_old(conduct: Conduct, before_wall_ms: int) -> Conduct:
    """What is not kept any longer is gone, but for what still runs."""
    kept = tuple(one for one in conduct.given if one.runs or one.wall_ms >= before_wall_ms)
    return conduct if len(kept) == len(conduct.given) else replace(conduct, given=kept)


def _running_at(conduct: Conduct, register: Register, table: str) -> list[Penalty]:
    return [one for one in conduct.given if one.runs and _sits(register, one.player, table)]


def _sits(register: Register, player: str, table: str) -> bool:
    found = register.by_id.get(player)
    return found is not None and found.at is not None and found.at.table == table


def _served_at(conduct: Conduct, register: Register, table: str) -> list[Penalty]:
    """What each player of a table serves now: the oldest that runs."""
    found: dict[str, Penalty] = {}
    for one in _running_at(conduct, register, table):
        found.setdefault(one.player, one)
    return list(found.values())


def with_penalties(conduct: Conduct, register: Register) -> Register:
    """The register where everybody who sits and has something to serve is away for it."""
    away = {one.player for one in conduct.given if one.runs}
    found = [register.by_id[one] for one in away if one in register.by_id]
    gone = [
        replace(each, status="penalty")
        for each in found
        if each.at is not None and each.status != "penalty"
    ]
    return with_players(register, gone) if gone else register


def _back(conduct: Conduct, register: Register) -> Both:
    """Who serves nothing any more is there again."""
    away = {one.player for one in conduct.given if one.runs}
    back = [
        replace(each, status=here(each))
        for each in register.players
        if each.status == "penalty" and each.id not in away
    ]
    return conduct, with_players(register, back) if back else register


# --- what comes next ---


class Step(Struct, frozen=True):
    """What a repeated offence may bring; the floor decides."""

    given: Given
    amount: int = 0


ROUNDS = (
    Step("warning"),
    Step("hands", 1),
    *(Step("rounds", number) for number in (1, 2, 3, 4)),
    Step("disqualified"),
)
"""TDA09-40b, TDA24-71A1, UK-65A: repeat offences escalate."""
MINUTES = (Step("warning"), *(Step("minutes", n) for n in (10, 20, 30, 40)), Step("disqualified"))
"""NL10-HR-22."""


def next_step(given: Iterable[Penalty], steps: tuple[Step, ...] = ROUNDS) -> Step:
    """The step after the gravest of those that a player has had and that were not taken back."""
    had = [
        number
        for one in given
        if one.over != "pardoned"
        for number, step in enumerate(steps)
        if (one.given, one.amount) == (step.given, step.amount)
    ]
    return steps[min(max(had, default=-1) + 1, len(steps) - 1)]


Performed = Callable[[Conduct, Register, Any, When], Both]

CONDUCT_ACTS: Mapping[str, tuple[type[Act], Performed]] = {
    "warn": (Warn, _warn),
    "penalise": (Penalise, _penalise),
    "disqualify": (Warn, _disqualify),
    "pardon": (Pardon, _pardon),
    "undisqualify": (Undisqualify, _undisqualify),
}
"""Every act: its name → what it carries and what it does."""
