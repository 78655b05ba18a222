"""What the tables have of the register, beside what they are to have: pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import SeatOrder, SeatsCommand
from controller.contract.observations import SeatStatus
from controller.contract.sight import SeatChips
from controller.contract.view import BETWEEN_HANDS, TableView
from controller.room.register import Player, Register
from controller.room.seat_draw import AtSeat
from controller.rules.button import Positions, comes_behind, positions
from controller.rules.tournament_rules import TournamentRules

SeatingState = Literal["taken", "sent", "pending", "refused", "away"]
"""`sent`: not answered yet; `pending`: the table has taken it, and it counts from its next riffle;
`taken`: it counts; `refused`: the table has said why not; `away`: it can't be heard."""


class SeatDiffers(Struct, frozen=True):
    """A seat of which register and table say different things, though the table has been told:
    `player` has it by the register and is not dealt in, or, without one, somebody is dealt in
    there, whom the table calls `shown`, if it names him."""

    seat: int
    player: str = ""
    shown: str = ""


class TableSeating(Struct, frozen=True):
    """How far a table of the tournament has what the register has; `trouble` is why not."""

    table: str
    state: SeatingState
    trouble: str = ""
    differs: tuple[SeatDiffers, ...] = ()


class ProposedOut(Struct, frozen=True):
    """A player who has nothing left after a hand that he began with `began`, if that is known.
    `entrant` is his id; `share`: by the book of the table all of one hand share their places."""

    table: str
    seat: int
    entrant: str
    player: str
    hand: int
    began: int | None = None
    share: bool = False


def said_out(
    proposed: Iterable[ProposedOut], view: TableView, after: int
) -> tuple[ProposedOut, ...]:
    """Of those proposed at a table all who lost their last chips in its first hand `after` that one
    in which there is anybody, once the dealer has said of each that he is out: while one is not
    certain, their order is not."""
    here = [one for one in proposed if one.table == view.table and one.hand > after]
    first = min((one.hand for one in here), default=None)
    outs = tuple(one for one in here if one.hand == first)
    return outs if is_over(view) and all(one.seat in view.gone for one in outs) else ()


def sitting(view: TableView) -> tuple[SeatChips, ...]:
    """Who sits where by a table and what he has: between two hands everybody, else who has a hand,
    with what he began it with."""
    if view.stacks is not None:
        return view.stacks
    return tuple(SeatChips(each.seat, each.stack, each.player) for each in view.seats)


def has_chips(view: TableView, one: ProposedOut) -> bool:
    """Whether a table shows that who had nothing left after a hand has something since."""
    is_later = view.hand > one.hand or (view.hand == one.hand and view.stacks is not None)
    return is_later and any(each.seat == one.seat and each.chips for each in sitting(view))


class SeatTold(Struct, frozen=True):
    """Who a table was told to have at a seat, by his entry, and how he is; nobody is empty."""

    entrant: str = ""
    player: str = ""
    status: SeatStatus = "empty"


Seats = Mapping[int, SeatTold]


class SeatsTold(Struct, frozen=True):
    """What a table has taken in one of its sessions, the last time in which `hand`, and what it was
    `asked` and has not answered yet, with what that carries. After what came to nothing it is told
    again at `again_ms`. `is_whole`: also seats where it deals somebody in whom the room has never
    put there are to be empty. `agrees` are the seats of which its picture has said since that the
    player is there, or is not, as it was told."""

    session: str
    seats: Seats = {}
    hand: int | None = None
    asked: SeatsCommand | None = None
    carries: Seats = {}
    again_ms: int | None = None
    trouble: str = ""
    is_whole: bool = False
    agrees: frozenset[int] = frozenset()

    @property
    def order(self) -> str:
        """The id of what it was asked; nothing where it has answered."""
        return "" if self.asked is None else self.asked.id


def wanted(register: Register, table: str, view: TableView, rules: TournamentRules) -> Seats:
    """What a table is to have at each of its seats. Until he has his first hand there, who came has
    to wait where he would be between button and small blind in the next one, in books that have him
    wait (see `TournamentRules.arrivals`): with everybody who comes that may change. Who is away
    gets no dead hand there either."""
    chairs = range(1, register.seats_of.get(table, 0) + 1)
    sitting_ = {seat: register.by_seat.get(AtSeat(table, seat)) for seat in chairs}
    players = {s: None if one is not None and one.coming else one for s, one in sitting_.items()}
    waits = rules.arrivals is None or rules.arrivals.way == "behind-button"
    come = {seat for seat, each in players.items() if each is not None}
    behind = _behind(view, come) if waits else frozenset[int]()
    return {seat: _at(each, waits=seat in behind) for seat, each in players.items()}


def _at(player: Player | None, *, waits: bool) -> SeatTold:
    if player is None:
        return SeatTold()
    if waits and (player.new or player.status == "waiting"):
        return SeatTold(player.entry, player.name, "waiting")
    return SeatTold(player.entry, player.name, _AWAY.get(player.status, "seated"))


_AWAY: Mapping[str, SeatStatus] = {"absent": "absent", "penalty": "penalty"}


def _behind(view: TableView, come: Collection[int]) -> frozenset[int]:
    """Of the chairs at which players sit those where one who comes has to wait, if that is how the
    book has it: all others are there for the hand to come, but who has nothing left."""
    seats = dealt_in(view)
    last = positions_of(view)
    if last is None and len(seats) > 1:
        last = positions(view.button, seats)
    if last is None:
        return frozenset()
    if view.stacks is not None:
        seats = frozenset(each.seat for each in view.stacks if each.chips != 0)
    return frozenset(chair for chair in come if comes_behind(last, {*seats, *come}, chair))


def left_for_others(register: Register, view: TableView) -> frozenset[int]:
    """The seats of a table that players have left for others, where nobody is now: on their way
    there, or still shown here by their names."""
    left = [at for at in register.left_seats if at.table == view.table]
    for each in sitting(view):
        at, named = AtSeat(view.table, each.seat), register.by_name.get(each.player or "")
        if named is not None and named.at not in (None, at):
            left.append(at)
    return frozenset(
        at.seat for at in left if (other := register.by_seat.get(at)) is None or other.coming
    )


def missing(to_have: Seats, told: SeatsTold, view: TableView, left: Collection[int] = ()) -> Seats:
    """The seats of which the table has something else. A table where the room has put nobody is
    left alone, and who is dealt in at a seat of which it was told nothing stays until somebody says
    that the register is right, but for the seats that players have `left` for other tables."""
    has, there = told.seats, dealt_in(view)
    is_used = any(each.entrant for each in (*to_have.values(), *has.values()))
    if not (left or told.is_whole or is_used):
        return {}
    return {
        seat: each
        for seat, each in to_have.items()
        if has.get(seat) != each
        and (each.entrant or seat in has or told.is_whole or seat in left or seat not in there)
    }


def orders(carries: Seats, stacks: Mapping[str, int]) -> tuple[SeatOrder, ...]:
    """What a command says of these seats; `stacks` are told of these players, by their ids."""
    return tuple(
        SeatOrder(each_seat, each.status, stacks.get(each.entrant), each.player or None)
        for each_seat, each in carries.items()
    )


def newcomers(carries: Seats, has: Seats, view: TableView) -> list[str]:
    """Who sits down where he did not sit before, by their entries: their chips come with them. Whom
    the table shows there with chips already has his, and so has who played without a name."""
    shown = {each.seat: each.player for each in sitting(view) if each.chips is not None}
    nameless = {each.seat for each in view.seats if each.stack and not each.player}
    return [
        each.entrant
        for seat, each in carries.items()
        if each.entrant
        and has.get(seat, SeatTold()).entrant != each.entrant
        and (seat in has or not (seat in nameless or shown.get(seat) == each.player))
    ]


def _shown(view: TableView) -> dict[int, str | None]:
    return {each.seat: each.player for each in sitting(view)}


def begun_anew(told: SeatsTold, session: str, view: TableView) -> SeatsTold:
    """What a table has of it in another session, or as another room hears of it first: what it
    shows still, and what it is asked it may have taken before. In a hand it does not show who sits
    there without one. Whom a dealer has put since where the table was told to have nobody has come
    without what he brings."""
    shown, goes_on = _shown(view), told.session == session

    def has(seat: int, each: SeatTold) -> bool:
        if seat not in shown:
            return not each.entrant or view.phase not in BETWEEN_HANDS
        return each.player == shown[seat] if each.entrant else goes_on

    seats = {seat: each for seat, each in told.seats.items() if has(seat, each)}
    hand = told.hand if seats else None
    return SeatsTold(session, seats, hand, asked=told.asked, carries=told.carries)


def positions_of(view: TableView) -> Positions | None:
    """The positions of a table's last hand, which may be running."""
    if view.small is None or view.big is None:
        return None
    return Positions(view.button, view.small, view.big)


def is_over(view: TableView) -> bool:
    """Whether a hand was played, and is over."""
    return view.phase is not None and view.phase in BETWEEN_HANDS


def began_after(view: TableView, hand: int | None) -> bool:
    """Whether a hand runs that began after what was taken in `hand`."""
    return hand is not None and view.hand > hand and view.phase not in BETWEEN_HANDS


def began_by(view: TableView, hand: int | None) -> bool:
    """Whether a hand has begun, and may be over, after what was taken in `hand`."""
    return hand is not None and view.hand > hand


def dealt_in(view: TableView) -> frozenset[int]:
    """The seats that have a hand."""
    return frozenset(each.seat for each in view.seats if each.state != "out")


def plays_there(register: Register, told: SeatsTold, view: TableView) -> frozenset[int]:
    """The seats that have a hand which is that of who sits there by the register: who has left one
    plays on there until his table has taken that he has gone."""
    found = set[int]()
    for each in view.seats:
        player = register.by_seat.get(AtSeat(view.table, each.seat))
        if player is None or each.state == "out":
            continue
        has = told.seats.get(each.seat, SeatTold()).entrant
        if player.entry == has or player.name == each.player:
            found.add(each.seat)
    return frozenset(found)


def arrivals(told: SeatsTold, view: TableView) -> SeatsTold:
    """What the table has once its hand deals in who had to wait."""
    if not began_after(view, told.hand):
        return told
    came = {
        seat: replace(each, status="seated")
        for seat, each in told.seats.items()
        if each.status == "waiting" and seat in dealt_in(view)
    }
    return replace(told, seats={**told.seats, **came}) if came else told


def dealers_word(told: SeatsTold, view: TableView) -> tuple[SeatsTold, Mapping[int, SeatTold]]:
    """What the table has, by a picture of it, and at which seats its dealer has said that a player
    has gone away or is back: where it showed before what it was told."""
    if told.order:
        return told, {}
    shown = {each.seat for each in sitting(view)}
    there = {
        seat: each
        for seat, each in told.seats.items()
        if each.status in ("seated", "absent") and seat in shown
    }
    same = {
        seat for seat, each in there.items() if (each.status == "absent") == (seat in view.absent)
    }
    said: Mapping[int, SeatTold] = {
        seat: replace(each, status="seated" if each.status == "absent" else "absent")
        for seat, each in there.items()
        if seat in told.agrees and seat not in same
    }
    agrees = frozenset(same | (told.agrees & said.keys()))
    if agrees == told.agrees and not said:
        return told, said
    return replace(told, seats={**told.seats, **said}, agrees=agrees), said


def differences(
    told: SeatsTold, view: TableView, broke: Collection[int]
) -> tuple[SeatDiffers, ...]:
    """Where a table has others in play than it was told, once a hand has begun after all was taken:
    in a hand those who are dealt in, between two those who sit there. Who is `broke` gets no
    hand."""
    if not began_by(view, told.hand):
        return ()
    there = dealt_in(view)
    if is_over(view) and view.stacks is not None:
        there = frozenset(each.seat for each in view.stacks if each.chips != 0)
    names = _shown(view)
    expected = {
        seat: each.player
        for seat, each in told.seats.items()
        if each.entrant and each.status != "waiting" and seat not in broke
    }
    sits = {seat for seat, each in told.seats.items() if each.entrant}
    absent = [SeatDiffers(seat, name) for seat, name in expected.items() if seat not in there]
    extra = [SeatDiffers(s, shown=names.get(s) or "") for s in there if s not in sits]
    return tuple(sorted((*absent, *extra), key=lambda each: each.seat))
