"""What the room knows of a tournament beside its clock, as the desk tells it: pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.messages import Line, Notice, RoomTournament
from controller.room.acts import Act, ActError
from controller.room.tables import TableSeen

MAX_NOTICES = 10
MAX_PRIZES = 100
MINUTE_MS = 60_000

Count = Annotated[int, Meta(ge=0, le=100_000)]
Chips = Annotated[int, Meta(ge=0, le=10**15)]
Words = Annotated[str, Meta(min_length=1, max_length=200, pattern=r"^[^\x00-\x1f\x7f]*(?![\s\S])")]
Minutes = Annotated[float, Meta(gt=0, le=24 * 60)]


class Tournament(Struct, frozen=True):
    """What the desk has told. `chips` are those in play, where they are not each entry's
    `starting_stack`. `last_notice` is the id that was last given."""

    name: str = ""
    entries: int | None = None
    players_left: int | None = None
    starting_stack: int | None = None
    chips: int | None = None
    prizes: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    last_notice: int = 0


class Tell(Act, frozen=True, kw_only=True):
    """`tournament`: what is known now; what is not given stays as it was."""

    name: Line | None = None
    entries: Count | None = None
    players_left: Count | None = None
    starting_stack: Chips | None = None
    chips: Chips | None = None
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
    after = replace(tournament, **given)
    if None not in (after.entries, after.players_left) and after.players_left > after.entries:  # type: ignore[operator]
        raise ActError(f"{after.players_left} players can't be left of {after.entries} entries")
    return after


def say(tournament: Tournament, act: Say, now_ms: int) -> Tournament:
    """The tournament with one more notice. Raises ActError where there are too many."""
    if len(tournament.notices) >= MAX_NOTICES:
        raise ActError(f"there are {MAX_NOTICES} notices already; take one away first")
    number = tournament.last_notice + 1
    until_ms = None if act.minutes is None else now_ms + round(act.minutes * MINUTE_MS)
    notice = Notice(number, act.text, until_ms)
    return replace(tournament, notices=(*tournament.notices, notice), last_notice=number)


def unsay(tournament: Tournament, act: Unsay, _now_ms: int) -> Tournament:
    """The tournament without a notice. Raises ActError where it is not there."""
    others = tuple(each for each in tournament.notices if each.id != act.id)
    if len(others) == len(tournament.notices):
        raise ActError("that notice is not there any more")
    return replace(tournament, notices=others)


def pass_time(tournament: Tournament, now_ms: int) -> Tournament:
    """The tournament without the notices that have had their time."""
    left = tuple(each for each in tournament.notices if (each.until_ms or now_ms + 1) > now_ms)
    return tournament if left == tournament.notices else replace(tournament, notices=left)


def anew(tournament: Tournament) -> Tournament:
    """The next tournament: nothing is known but what is the house's."""
    return Tournament(notices=tournament.notices, last_notice=tournament.last_notice)


def payload(
    tournament: Tournament, seen: int | None, *, session: str = "", show: str = ""
) -> RoomTournament:
    """What is published; `seen` are the players that all tables together show, `show` the name
    where the desk has given none."""
    left = tournament.players_left if tournament.players_left is not None else seen
    chips = tournament.chips
    if chips is None and None not in (tournament.entries, tournament.starting_stack):
        chips = tournament.entries * tournament.starting_stack  # type: ignore[operator]
    return RoomTournament(
        name=tournament.name or show,
        entries=tournament.entries,
        players_left=left,
        chips=chips,
        average_stack=chips // left if chips is not None and left else None,
        prizes=tournament.prizes,
        notices=tournament.notices,
        session=session,
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
}
"""What the desk tells of a tournament: name → what it carries and what it does."""
