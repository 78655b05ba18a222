"""Who plays in a tournament, where each one sits, and what has become of each: pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Annotated, Literal

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.contract.messages import Actor
from controller.room.acts import ActError
from controller.room.seat_draw import AtSeat, Draw, RoomTable

MAX_PLAYERS = 5_000
MAX_TABLES = 500
KEPT_DRAWS = 20

PlayerId = Annotated[
    str, Meta(min_length=1, max_length=40, pattern=r"^[^\x00-\x20\x7f]+(?![\s\S])")
]
PlayerStatus = Literal["entered", "waiting", "seated", "absent", "penalty", "out"]
"""`entered`: has no seat; `waiting`: sits, and is dealt in by the table once the book lets him be;
`absent`, `penalty`: sits, and is not there."""


Purchase = Literal["re-entry", "rebuy", "add-on"]


class Player(Struct, frozen=True, omit_defaults=True, kw_only=True):
    """One who has entered. `number` counts those who entered, in their order. `at` is where he
    sits; who is out has sat at `last` and is the finish `finish` of the tournament. `bought` is
    what he has had beside his entry, `delivered` what of it is at his table, and `owes` what of it
    he has not paid; `earlier` are the finishes before his re-entries. Who is absent is so since
    `away_ms`, in the room's time; `no_show`: he has never been there. `played`: he has had a hand
    with the stack of this entry; `new`: none since he came to this table from another, or to his
    first while others played. `came` is the seat that he has left for this one, and while he is
    `coming` he is not there yet; he `brings` so many chips, as far as that is known. `forfeited`
    are the chips that left play with him, by the finish.
    """

    id: PlayerId
    name: Actor
    number: int
    paid: bool = False
    status: PlayerStatus = "entered"
    at: AtSeat | None = None
    last: AtSeat | None = None
    finish: int | None = None
    earlier: tuple[int, ...] = ()
    bought: tuple[Purchase, ...] = ()
    delivered: tuple[Purchase, ...] = ()
    owes: tuple[Purchase, ...] = ()
    away_ms: int | None = None
    no_show: bool = False
    played: bool = False
    new: bool = False
    came: AtSeat | None = None
    coming: bool = False
    brings: int | None = None
    forfeited: Mapping[int, int] = {}

    @property
    def chips_out(self) -> int:
        """The chips that have left play with him."""
        return sum(self.forfeited.get(each, 0) for each in (self.finish, *self.earlier) if each)

    @property
    def entries(self) -> int:
        """How often he has entered."""
        return 1 + self.bought.count("re-entry")

    @property
    def entry(self) -> str:
        """What tells this entry of his from the others: a stack is that of an entry."""
        return self.id if self.entries == 1 else f"{self.id} {self.entries}"


class Pending(Struct, frozen=True):
    """A player who moves to a seat once this level has ended."""

    player: PlayerId
    to: AtSeat
    level: int


class Offer(Struct, frozen=True):
    """What may be bought by the end of the level `until`, so often by each, with no more chips than
    `at_most`; it brings `chips`, or the starting stack. `over`: some have had it, and nobody may
    any more."""

    until: int | None = None
    most: int | None = None
    at_most: int | None = None
    chips: int | None = None
    over: bool = False


class Moment(Struct, frozen=True):
    """When something is asked: the room's time, whether the clock was started, and its level."""

    now_ms: int
    playing: bool = False
    level: int = 0


class Before(Struct, frozen=True, omit_defaults=True):
    """How a player sat before he was drawn to another seat, if he did; see `Player`."""

    at: AtSeat | None = None
    status: PlayerStatus = "entered"
    new: bool = False
    came: AtSeat | None = None
    coming: bool = False


class Drawn(Struct, frozen=True, omit_defaults=True):
    """A draw of seats, and which it gave, in the order of its players; in the same order how they
    sat `before`. `undone`: it was taken back."""

    at_ms: int
    draw: Draw
    given: tuple[AtSeat, ...]
    before: tuple[Before, ...] = ()
    undone: bool = False


class Withdrawn(Struct, frozen=True):
    """A player who was withdrawn, and the groups that he was kept apart in."""

    player: Player
    apart: tuple[tuple[PlayerId, ...], ...] = ()


class ButtonDrawn(Struct, frozen=True):
    """To which seat of a table the button was drawn, by which seed."""

    table: str
    seat: int
    seed: str


class Register(Struct, frozen=True, dict=True):
    """The players in the order in which they entered, the tables there are, and the draws, the last
    one last. `apart` are players who are not drawn to one table. After the level `late_until`
    nobody enters. `offers` is what may be bought. Somebody moves once two tables differ by `gap`
    players, or as the book has it, and the tables that are `waived` play on however short they are.
    A table halts once it is `halt` players short, with 0 none does, or as the book has it. Of those
    who were `withdrawn` the last ones are kept. Those that `gathers` names deal no hand while
    somebody is on the way to one of them, or while one that is `undrawn` has no button. `pending`
    move once their level has ended, and `put_off` is how many were left when no table was to break
    for now. `buttons` are those that were drawn, the last one last.
    """

    players: tuple[Player, ...] = ()
    tables: tuple[RoomTable, ...] = ()
    draws: tuple[Drawn, ...] = ()
    apart: tuple[tuple[PlayerId, ...], ...] = ()
    numbers: int = 0
    late_until: int | None = None
    offers: Mapping[Purchase, Offer] = {}
    gap: int | None = None
    halt: int | None = None
    waived: tuple[str, ...] = ()
    withdrawn: tuple[Withdrawn, ...] = ()
    gathers: tuple[str, ...] = ()
    undrawn: tuple[str, ...] = ()
    pending: tuple[Pending, ...] = ()
    put_off: int | None = None
    buttons: tuple[ButtonDrawn, ...] = ()

    @cached_property
    def entries(self) -> int:
        """How often somebody has entered."""
        bought = (each.bought for each in self.players if each.bought)
        return len(self.players) + sum(each.count("re-entry") for each in bought)

    @cached_property
    def chips_out(self) -> int:
        """The chips that have left play with players."""
        return sum(each.chips_out for each in self.players if each.forfeited)

    @cached_property
    def by_id(self) -> Mapping[str, Player]:
        """The players by their ids."""
        return {each.id: each for each in self.players}

    @cached_property
    def by_name(self) -> Mapping[str, Player]:
        """The players by their names, of several of one name the last."""
        return {each.name: each for each in self.players}

    @cached_property
    def left_seats(self) -> tuple[AtSeat, ...]:
        """The seats that players have left for those at which they are not known yet."""
        return tuple(each.came for each in self.players if each.came is not None)

    @cached_property
    def by_seat(self) -> Mapping[AtSeat, Player]:
        """Who sits where."""
        return {each.at: each for each in self.players if each.at is not None}

    @cached_property
    def seats_of(self) -> Mapping[str, int]:
        """How many seats each table has."""
        return {each.table: each.seats for each in self.tables}

    def player(self, id_: str) -> Player:
        """The player with this id. Raises ActError where there is none."""
        found = self.by_id.get(id_)
        if found is None:
            raise ActError(f"nobody has the id {id_}")
        return found

    def without_seat(self) -> tuple[Player, ...]:
        """Those who wait for a seat, who entered first before the others."""
        return tuple(each for each in self.players if each.status == "entered")

    def free(self) -> tuple[AtSeat, ...]:
        """The seats at which nobody sits, table by table."""
        all_ = (AtSeat(t.table, n) for t in self.tables for n in range(1, t.seats + 1))
        return tuple(seat for seat in all_ if seat not in self.by_seat)


def place(register: Register, table: str | None, seat: int | None) -> AtSeat | None:
    """The seat that was meant; None for none. Raises ActError where there is none such."""
    if table is None and seat is None:
        return None
    if table is None or seat is None:
        raise ActError("a seat needs its table, and a table a seat")
    count = register.seats_of.get(table)
    if count is None:
        raise ActError(f"there is no table {table} in this tournament")
    if seat > count:
        raise ActError(f"table {table} has {count} seats, and no seat {seat}")
    return AtSeat(table, seat)


def taken(at: AtSeat, by: Player) -> str:
    """Why nobody else can sit there."""
    return f"{by.name} sits at table {at.table}, seat {at.seat}"


def with_players(register: Register, changed: Iterable[Player]) -> Register:
    """The register with these players as they are now, and new ones after the others."""
    now = {**register.by_id, **{each.id: each for each in changed}}
    return replace(register, players=tuple(now.values()))


def seated(player: Player, at: AtSeat, *, playing: bool) -> Player:
    """A player at a seat: a newcomer, where the tables are `playing` already. Who is away is so at
    every table, and his stack goes on paying (HPT-LEAVE-03)."""
    stays = player.at is not None and player.at.table == at.table
    is_away = player.status in ("penalty", "absent")
    status = player.status if stays or is_away else _newcomer(playing)
    new = player.new if stays else playing
    return replace(
        player,
        at=at,
        status=status,
        new=new,
        came=_left(player, at) if playing else None,
        coming=player.coming and stays,
        last=None,
        finish=None,
    )


def _left(player: Player, at: AtSeat) -> AtSeat | None:
    """The seat at which the chips are that a player brings to another one: where he sat, or sat
    before, if he has not come from there yet."""
    if player.at is None or player.at == at or player.coming:
        return player.came
    if player.at.table == at.table:
        return player.came or player.at
    return player.at


def _newcomer(playing: bool) -> PlayerStatus:
    return "waiting" if playing else "seated"


def arrived(register: Register, table: str, seats: Iterable[int]) -> Register:
    """The register once a hand of `table` has dealt in these seats: who waited there plays."""
    there = (register.by_seat.get(AtSeat(table, seat)) for seat in seats)
    now = [_dealt(p) for p in there if p is not None and _is_expected(p)]
    return with_players(register, now) if now else register


def _is_expected(player: Player) -> bool:
    is_new = player.new or player.came is not None or not player.played
    return player.status == "waiting" or is_new


def _dealt(player: Player) -> Player:
    status: PlayerStatus = "seated" if player.status == "waiting" else player.status
    there = replace(player, came=None, coming=False, brings=None)
    return replace(there, status=status, played=True, new=False)


def bringing(register: Register, chips: Mapping[str, int]) -> Register:
    """The register with what these players bring to their next seats."""
    known = [(register.by_id[id_], count) for id_, count in chips.items() if id_ in register.by_id]
    changed = [replace(p, brings=count) for p, count in known if p.brings != count]
    return with_players(register, changed) if changed else register


def here(player: Player) -> PlayerStatus:
    """How a player is who sits and has nothing to serve."""
    if player.away_ms is not None:
        return "absent"
    return "waiting" if player.new else "seated"


def delivered(register: Register, player: str, what: tuple[Purchase, ...]) -> Register:
    """The register once what a player has bought is at his table."""
    found = register.by_id.get(player)
    return register if found is None else with_players(register, [replace(found, delivered=what)])


def out(register: Register, player: Player, finish: int, forfeits: int = 0) -> Register:
    """The register with a player out, and his seat free; he `forfeits` so many chips."""
    lost = {**player.forfeited, finish: forfeits} if forfeits else player.forfeited
    gone = replace(
        player,
        status="out",
        at=None,
        last=player.at,
        finish=finish,
        forfeited=lost,
        came=None,
        coming=False,
        brings=None,
    )
    return with_players(register, [gone])


def reconciled(register: Register, finishes: Iterable[int]) -> Register:
    """The register where only those are out of whom there is a finish: who is not, is back at his
    seat, or without one if somebody else sits there now."""
    there = frozenset(finishes)
    back = [p for p in register.players if p.finish is not None and p.finish not in there]
    for player in back:
        free = player.last is not None and player.last not in register.by_seat
        at = player.last if free else None
        status: PlayerStatus = "entered" if at is None else here(player)
        again = replace(player, status=status, at=at, last=None, finish=None)
        register = with_players(register, [again])
    never = [p for p in register.players if not there.issuperset(p.earlier)]
    return with_players(register, [_never_out(p, there) for p in never]) if never else register


def _never_out(player: Player, finishes: frozenset[int]) -> Player:
    """A player who was not out before he entered again: that was no entry."""
    earlier = tuple(each for each in player.earlier if each in finishes)
    bought = list(player.bought)
    for _ in range(len(player.earlier) - len(earlier)):
        bought.remove("re-entry")
    return replace(player, earlier=earlier, bought=tuple(bought))
