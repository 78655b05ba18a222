"""What the room knows of a tournament beside its clock, as the desk tells it: pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import (
    DeadButton,
    Finish,
    Line,
    Move,
    Notice,
    Place,
    Racing,
    RoomTournament,
    TimeCall,
    WallAlert,
)
from controller.room import finishes as places
from controller.room import moves
from controller.room.acts import Act, ActError
from controller.room.finishes import Bust, Unbust
from controller.room.moves import Moves, Unmove
from controller.room.tables import TableSeen
from firmware_bridge.sensed import Chips

MAX_NOTICES = 10
MAX_PRIZES = 100
TOLD_FINISHES = 30
"""So many finishes are published; who was out before them is told by the room's pages."""
MINUTE_MS = 60_000

Count = Annotated[int, Meta(ge=0, le=100_000)]
AllChips = Annotated[int, Meta(ge=0, le=10**15)]
Words = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*(?![\s\S])")]
Minutes = Annotated[float, Meta(gt=0, le=24 * 60)]


class InAndOut(Struct, frozen=True):
    """Who was in and who was out."""

    players_left: int | None
    finishes: tuple[Finish, ...]


class Figures(Struct, frozen=True):
    """What is told, or else follows: how many are left, what each began with, the chips in play."""

    players_left: int | None = None
    starting_stack: int | None = None
    chips: int | None = None


class Tournament(Struct, frozen=True):
    """What the desk has told; what it has not told follows, see `following`. `chips` are those in
    play. `finishes` are in the order in which they were told. `last_notice`, `last_move` and
    `last_finish` are the ids that were last given. `before_end` is how it stood before one player
    was left and that ended it. `stacks_bought` and `chips_bought` are what came into play beside
    the entries, `chips_out` have left it with players, and races have added `chips_raced`."""

    name: str = ""
    entries: int | None = None
    players_left: int | None = None
    starting_stack: int | None = None
    chips: int | None = None
    prizes: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    last_notice: int = 0
    moves: tuple[Move, ...] = ()
    last_move: int = 0
    finishes: tuple[Finish, ...] = ()
    last_finish: int = 0
    before_end: InAndOut | None = None
    stacks_bought: int = 0
    chips_bought: int = 0
    chips_out: int = 0
    chips_raced: int = 0


class Tell(Act, frozen=True, kw_only=True):
    """`tournament`: what is known now; what is not given stays as it was."""

    name: Line | None = None
    entries: Count | None = None
    players_left: Count | None = None
    starting_stack: Chips | None = None
    chips: AllChips | None = None
    prizes: Annotated[tuple[Line, ...], Meta(max_length=MAX_PRIZES)] | None = None
    forget: Annotated[tuple[Words, ...], Meta(max_length=10)] = ()
    """Names of what is not known any more: it follows from the rest again."""


class Say(Act, frozen=True, kw_only=True):
    """`notice`: a line for everyone, for so many minutes or until it is taken away."""

    text: Words
    minutes: Minutes | None = None


class Unsay(Act, frozen=True, kw_only=True):
    """`unnotice`: the line with this id is taken away."""

    id: int


def tell(tournament: Tournament, act: Tell, _now_ms: int) -> Tournament:
    """The tournament with what was told. Raises ActError for what can't be so."""
    fields = ("name", "entries", "players_left", "starting_stack", "chips", "prizes")
    given = {name: value for name in fields if (value := getattr(act, name)) is not None}
    empty = Tournament()
    for name in act.forget:
        if name not in fields:
            raise ActError(f"'{name[:40]}' is not known of a tournament")
        given[name] = getattr(empty, name)
    after = _with_places(replace(tournament, **given))
    return after if left(after) == 1 else replace(after, before_end=None)


def _with_places(told: Tournament) -> Tournament:
    """The finishes as they follow from how many are left. Raises ActError for what can't be so."""
    entries, told_left, out = told.entries, told.players_left, _out(told)
    if told_left is not None:
        if entries is not None and told_left > entries:
            raise ActError(f"{told_left} players can't be left out of {entries} entries")
        return replace(told, finishes=places.with_room(told.finishes, told_left))
    if not out:
        return told
    if entries is None:
        raise ActError("players are out: tell how many are left, or the entries to count from")
    if entries <= out:
        raise ActError(f"{out} players are out already: there are more than {entries} entries")
    return replace(told, finishes=places.counted(told.finishes, entries - out))


def left(told: Tournament, seen: int | None = None) -> int | None:
    """How many are left: the desk's number, or else what follows."""
    return told.players_left if told.players_left is not None else _following_left(told, seen)


def following(told: Tournament, seen: int | None, stack: int | None) -> Figures:
    """What follows where the desk has told no number of its own: left are all who have entered and
    are not out, or without entries those who are `seen` at the tables; each began with the
    structure's `stack`, and that times the entries is in play."""
    each = told.starting_stack if told.starting_stack is not None else stack
    chips = None if told.entries is None or each is None else _in_play(told, told.entries, each)
    return Figures(_following_left(told, seen), stack, chips)


def figures(told: Tournament, seen: int | None, stack: int | None) -> Figures:
    """What holds: the desk's own numbers, and where there is none what follows."""
    follows = following(told, seen, stack)
    return Figures(
        left(told, seen),
        told.starting_stack if told.starting_stack is not None else follows.starting_stack,
        told.chips if told.chips is not None else follows.chips,
    )


def _in_play(told: Tournament, entries: int, each: int) -> int:
    brought = (entries + told.stacks_bought) * each + told.chips_bought
    return brought - told.chips_out + told.chips_raced


def _each(now: Figures) -> int | None:
    return now.chips // now.players_left if now.chips is not None and now.players_left else None


def _following_left(told: Tournament, seen: int | None) -> int | None:
    out = _out(told)
    if told.entries is None:
        return None if out else seen
    return told.entries - out if told.entries > out or not out else None


def _out(told: Tournament) -> int:
    return len(places.without_winner(told.finishes))


def _follows(told: Tournament) -> bool:
    return told.players_left is None and told.entries is not None


def bust(tournament: Tournament, act: Bust, now_ms: int) -> Tournament:
    """The tournament with one player less. Raises ActError for what can't be so."""
    if act.place is not None and act.place > (tournament.entries or act.place):
        raise ActError(f"there is no place {act.place}: there are {tournament.entries} entries")
    number = tournament.last_finish + 1
    out, still = places.out(tournament.finishes, left(tournament), act, number, now_ms)
    told = None if _follows(tournament) else still
    return replace(tournament, finishes=out, players_left=told, last_finish=number)


def unbust(tournament: Tournament, act: Unbust, _now_ms: int) -> Tournament:
    """The tournament with a player in it again. Raises ActError where nobody is out."""
    out, still = places.back_in(tournament.finishes, left(tournament) or 0, act)
    told = None if _follows(tournament) else still
    return replace(tournament, finishes=out, players_left=told, before_end=None)


def won(before: Tournament, after: Tournament, now_ms: int, *, ends: bool) -> Tournament:
    """The tournament `after` one player was left, who has won it; `ends`: that is its end."""
    number = after.last_finish + 1
    then = InAndOut(before.players_left, before.finishes) if ends else before.before_end
    return replace(
        after,
        finishes=places.with_winner(after.finishes, number, now_ms),
        last_finish=number,
        before_end=then,
    )


def reopened(tournament: Tournament) -> Tournament:
    """The tournament as it stood before one player was left, if that had ended it."""
    before = tournament.before_end
    if before is None:
        return tournament
    return replace(
        tournament,
        players_left=before.players_left,
        finishes=before.finishes,
        before_end=None,
    )


def move(tournament: Tournament, act: Moves, now_ms: int) -> Tournament:
    """The tournament with a move announced. Raises ActError where that can't be."""
    number = tournament.last_move + 1
    after = moves.announced(tournament.moves, act, number, now_ms)
    return replace(tournament, moves=after, last_move=number)


def unmove(tournament: Tournament, act: Unmove, _now_ms: int) -> Tournament:
    """The tournament without a move. Raises ActError where it is not there."""
    return replace(tournament, moves=moves.taken_away(tournament.moves, act))


def say(tournament: Tournament, act: Say, now_ms: int) -> Tournament:
    """The tournament with one more notice. Raises ActError where there are too many."""
    if len(tournament.notices) >= MAX_NOTICES:
        raise ActError(f"there are already {MAX_NOTICES} notices; remove one first")
    number = tournament.last_notice + 1
    until_ms = None if act.minutes is None else now_ms + round(act.minutes * MINUTE_MS)
    notice = Notice(number, act.text, until_ms)
    return replace(tournament, notices=(*tournament.notices, notice), last_notice=number)


def unsay(tournament: Tournament, act: Unsay, _now_ms: int) -> Tournament:
    """The tournament without a notice. Raises ActError where it is not there."""
    others = tuple(each for each in tournament.notices if each.id != act.id)
    if len(others) == len(tournament.notices):
        raise ActError("that notice is no longer there")
    return replace(tournament, notices=others)


def pass_time(
    tournament: Tournament, now_ms: int, coming: Collection[tuple[str, Place]] = ()
) -> Tournament:
    """The tournament without the notices and moves that have had their time. That somebody is
    `coming` to a seat is said until he is there."""
    left = tuple(each for each in tournament.notices if (each.until_ms or now_ms + 1) > now_ms)
    go = tuple(
        each if each.until_ms > now_ms else replace(each, until_ms=now_ms + MINUTE_MS)
        for each in tournament.moves
        if each.until_ms > now_ms or (each.player, each.to) in coming
    )
    if (left, go) == (tournament.notices, tournament.moves):
        return tournament
    return replace(tournament, notices=left, moves=go)


def anew(tournament: Tournament) -> Tournament:
    """The next tournament: nothing is known but what is the house's."""
    return Tournament(
        notices=tournament.notices,
        last_notice=tournament.last_notice,
        last_move=tournament.last_move,
        last_finish=tournament.last_finish,
    )


def payload(
    tournament: Tournament,
    seen: int | None,
    stack: int | None = None,
    *,
    prizes: tuple[str, ...] = (),
    finishes: tuple[Finish, ...] = (),
    session: str = "",
    show: str = "",
    calls: tuple[TimeCall, ...] = (),
    dead_buttons: tuple[DeadButton, ...] = (),
    race_off: tuple[int, ...] = (),
    racing: tuple[Racing, ...] = (),
    alerts: tuple[WallAlert, ...] = (),
    round_: int | None = None,
    tables: tuple[str, ...] = (),
) -> RoomTournament:
    """What is published; `seen` are the players that all tables together show, `stack` the
    structure's, `show` the name where the desk has given none. The rest is said beside that; of
    the `finishes`, best place first, the first ones."""
    now = figures(tournament, seen, stack)
    return RoomTournament(
        name=tournament.name or show,
        entries=tournament.entries,
        players_left=now.players_left,
        chips=now.chips,
        average_stack=_each(now),
        prizes=prizes,
        notices=tournament.notices,
        session=session,
        moves=tournament.moves,
        finishes=finishes[:TOLD_FINISHES],
        calls=calls,
        dead_buttons=dead_buttons,
        race_off=race_off,
        racing=racing,
        alerts=alerts,
        round=round_,
        tables=tables,
    )


def players_seen(tables: Iterable[TableSeen]) -> int | None:
    """The players at all tables; None while some table can't be heard or has not dealt."""
    count = 0
    for table in tables:
        if not table.live or table.hand is None or table.hand.view.phase is None:
            return None
        count += sum(seat.state != "out" and seat.stack != 0 for seat in table.hand.view.seats)
    return count or None


TELLS: Mapping[str, tuple[type[Act], Callable[[Tournament, Any, int], Tournament]]] = {
    "tournament": (Tell, tell),
    "notice": (Say, say),
    "unnotice": (Unsay, unsay),
    "move": (Moves, move),
    "unmove": (Unmove, unmove),
    "bust": (Bust, bust),
    "unbust": (Unbust, unbust),
}
"""What the desk tells of a tournament: name → what it carries and what it does."""
