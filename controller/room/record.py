"""All that the room has to remember, and one door for what is asked of it: pure."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import suppress

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.clock_why import ONE_LEFT
from controller.contract.messages import Place
from controller.contract.observations import nearest
from controller.room import (
    buying,
    conduct,
    hand_for_hand,
    incidents,
    money_acts,
    races,
    register,
    register_acts,
    tournament,
)
from controller.room.acts import ACTS, Act, ActError, convert, perform
from controller.room.arrivals import settled
from controller.room.away import at_first_deal
from controller.room.buying import BUYING_ACTS, Till
from controller.room.clock import ClockState, standing
from controller.room.conduct import CONDUCT_ACTS, Conduct, HandOf, Undisqualify, When
from controller.room.entered import (
    Busts,
    after_finishes,
    meant,
    one_by_one,
    with_entries,
    with_winner_named,
)
from controller.room.finishes import Bust, Unbust
from controller.room.hand_for_hand import ROUND_ACTS, HandForHand
from controller.room.incidents import Incidents
from controller.room.known import NOTHING, Known
from controller.room.money import Account, Money
from controller.room.money_acts import MONEY_ACTS
from controller.room.moves import Moves
from controller.room.races import RACE_ACTS, ColourUp, Races, RaceTable, Unrace
from controller.room.register import Moment, Register
from controller.room.register_acts import REGISTER_ACTS, Redraw, Sit
from controller.room.shares import Shared, share, smallest, without
from controller.room.tournament import TELLS, Tell, Tournament

_KINDS: Mapping[str, type[Act]] = {
    **{
        name: kind
        for acts in (
            ACTS,
            TELLS,
            REGISTER_ACTS,
            BUYING_ACTS,
            CONDUCT_ACTS,
            ROUND_ACTS,
            MONEY_ACTS,
        )
        for name, (kind, _) in acts.items()
    },
    **RACE_ACTS,
    "busts": Busts,
}


class Record(Struct, frozen=True, kw_only=True):
    """`revision` counts the changes of the clock, and `lineage` is the name of this record, by
    which a room knows what was published of it before. `closed` are the tables that the room
    has closed and has to open again. `seen` is what the tables have seen of players' conduct,
    beside what was given; `races` are of chips that left play, `shared` are forfeited stacks.
    `together`: all tables play hand for hand. `configured` is the clock at its start as the
    settings had it."""

    clock: ClockState
    lineage: str = ""
    revision: int = 0
    tournament: Tournament = Tournament()
    register: Register = Register()
    conduct: Conduct = Conduct()
    money: Money = Money()
    seen: Incidents = ()
    races: Races = Races()
    shared: Shared = Shared()
    closed: tuple[str, ...] = ()
    together: HandForHand | None = None
    configured: ClockState | None = None

    @property
    def account(self) -> Account:
        """What there is to reckon with."""
        return Account(self.money, self.register, self.tournament)


def with_clock(record: Record, clock: ClockState) -> Record:
    """The record with another clock; the same one for the same clock."""
    if clock == record.clock:
        return record
    return replace(record, clock=clock, revision=record.revision + 1)


def as_configured(record: Record, configured: ClockState) -> Record:
    """The record under settings that may be others now: a clock that was not started takes them,
    one that was goes on as it is."""
    if configured == record.configured:
        return record
    clock = record.clock if record.clock.begun else configured
    return replace(with_clock(record, clock), configured=configured)


def asked(name: str, fields: Mapping[str, object]) -> Act:
    """What was asked, from its name and fields. Raises ActError for what there is not."""
    if name not in _KINDS:
        raise ActError(f"there is no '{name[:40]}'{nearest(name[:40], _KINDS)}")
    return convert(name, fields, _KINDS[name])


def after(record: Record, name: str, act: Act, now_ms: int, known: Known = NOTHING) -> Record:
    """The record after `act`; its clock has been advanced to `now_ms` before.

    Raises ActError where that can't be done now, with the reason.
    """
    changed = _after(record, name, act, now_ms, known)
    if name == "reset":
        changed = replace(changed, money=money_acts.anew(changed.money))
    else:
        money_acts.check_paid_out(record.account, changed.account)
    is_played = changed.clock.begun and not changed.clock.over
    return changed if is_played or changed.together is None else replace(changed, together=None)


def _after(record: Record, name: str, act: Act, now_ms: int, known: Known) -> Record:
    if isinstance(act, Busts):
        for one in one_by_one(act):
            record = _told(record, "bust", one, now_ms, known)
        return record
    if name in TELLS:
        return _told(record, name, act, now_ms, known)
    if name in CONDUCT_ACTS:
        return _conduct(record, name, act, now_ms, known)
    if name in RACE_ACTS:
        return _raced(record, act, now_ms, known)
    if name in MONEY_ACTS:
        money = money_acts.perform(record.account, name, act, known.wall_ms)
        return replace(record, money=money)
    if name in REGISTER_ACTS or name in BUYING_ACTS:
        players = _registered(record, name, act, now_ms, known)
        check_own(players, known.others)
        told = _without_undone(record, players)
        if (isinstance(act, Sit) and act.announce) or isinstance(act, Redraw):
            told = _announced(replace(record, tournament=told), players, act, now_ms)
        if (players.players, record.register.players) != ((), ()):
            told = with_entries(told, players)
        players = conduct.with_penalties(record.conduct, players)
        return replace(record, register=players, tournament=told)
    if act.revision is not None and act.revision != record.revision:
        raise ActError("the clock has changed in the meantime; look again")
    if name in ROUND_ACTS:
        clock, together = hand_for_hand.perform(record.clock, record.together, name, act, now_ms)
        return replace(with_clock(record, clock), together=together)
    if name == "resume":
        hand_for_hand.check_resumes(record.clock, record.together)
    changed = with_clock(record, perform(record.clock, name, act, now_ms))
    if name == "start":
        return replace(changed, register=at_first_deal(record.register, now_ms))
    if name == "reset":
        anew = replace(changed, races=Races(last=record.races.last), shared=Shared())
        return _with_told(anew, tournament.anew(record.tournament), with_register=True)
    if name == "reopen":
        return _with_told(changed, tournament.reopened(record.tournament))
    return changed


def check_own(players: Register, others: Mapping[str, str]) -> None:
    """Raises ActError where a table is in the list that another event has; `others` are these
    tables, with that event's name."""
    taken = next((each.table for each in players.tables if each.table in others), None)
    if taken is not None:
        raise ActError(f"table {taken} is one of {others[taken]}: take it out of that list first")


def with_rounds(record: Record, now_ms: int, together: HandForHand) -> Record:
    """The record as the tables go on hand for hand; the clock stands meanwhile."""
    clock = hand_for_hand.held_clock(record.clock, together, now_ms)
    return replace(with_clock(record, clock), together=together)


def pass_time(record: Record, now_ms: int) -> Record:
    """The record without what has had its time, but for the clock."""
    told = record.tournament
    coming = _coming(record.register) if told.moves else frozenset[tuple[str, Place]]()
    told = tournament.pass_time(told, now_ms, coming)
    given, players = conduct.pass_time(record.conduct, record.register, now_ms)
    return replace(record, tournament=told, conduct=given, register=players)


def arrived(record: Record, table: str, seats: Collection[int]) -> Record:
    """The record once a hand of a table has these seats: who waited for one there plays, and who
    was on the way has come."""
    players = settled(register.arrived(record.register, table, seats))
    return replace(record, register=players, tournament=_without_undone(record, players))


def hand_begins(record: Record, hand: HandOf, *, redeal: bool) -> Record:
    """The record once a hand of a table began; see `conduct.hand_begins`."""
    given = conduct.hand_begins(record.conduct, record.register, hand, redeal=redeal)
    return replace(record, conduct=given)


def hand_ends(record: Record, hand: HandOf) -> Record:
    """The record once a hand of a table is over; see `conduct.hand_ends`."""
    given, players = conduct.hand_ends(record.conduct, record.register, hand)
    return replace(record, conduct=given, register=players)


def without_old(record: Record, before_wall_ms: int) -> Record:
    """The record without what is kept of players for so long only."""
    given = conduct.without_old(record.conduct, before_wall_ms)
    seen = incidents.without_old(record.seen, before_wall_ms)
    return replace(record, conduct=given, seen=seen)


def _registered(record: Record, name: str, act: Act, now_ms: int, known: Known) -> Register:
    begun, level = record.clock.begun, record.clock.level
    if name in REGISTER_ACTS:
        moment = Moment(now_ms, begun, level)
        return register_acts.perform(record.register, name, act, moment)
    stack = tournament.figures(record.tournament, None, record.clock.structure.stack).starting_stack
    return buying.perform(record.register, name, act, Till(level, begun, stack, known.chips))


def _coming(register: Register) -> frozenset[tuple[str, Place]]:
    """Who is on the way where."""
    return frozenset(
        (each.name, Place(each.at.table, each.at.seat))
        for each in register.players
        if each.coming and each.at is not None
    )


def _without_undone(record: Record, after: Register) -> Tournament:
    """The tournament without the moves to seats that were left for others since, or to none, or at
    which somebody has arrived."""
    told = record.tournament
    left = {
        (player.name, Place(player.at.table, player.at.seat))
        for player in record.register.players
        if player.at is not None
        and (
            (now := after.by_id.get(player.id)) is None
            or now.at != player.at
            or (player.coming and not now.coming)
        )
    }
    moves = tuple(each for each in told.moves if (each.player, each.to) not in left)
    return told if moves == told.moves else replace(told, moves=moves)


def _raced(record: Record, act: Act, now_ms: int, known: Known) -> Record:
    """What a race adds or takes is in the chips in play."""
    after = record.races
    match act:
        case ColourUp():
            after, clock = races.coloured_up(after, record.clock, act)
            record = with_clock(record, clock)
        case RaceTable():
            after = races.race(after, (record.register, record.clock), act, known, now_ms)
        case Unrace():
            after = races.unrace(after, act)
    told = replace(record.tournament, chips_raced=after.difference)
    return replace(record, races=after, tournament=told)


def _announced(record: Record, after: Register, act: Act, now_ms: int) -> Tournament:
    """The tournament once all are told who goes to another table, as far as there is room."""
    told = record.tournament
    for player in after.players:
        before = record.register.by_id[player.id].at
        if before is None or player.at is None or before.table == player.at.table:
            continue
        moves = Moves(
            actor=act.actor,
            player=player.name,
            from_=Place(before.table, before.seat),
            to=Place(player.at.table, player.at.seat),
        )
        with suppress(ActError):
            told = tournament.move(told, moves, now_ms)
    return told


def _conduct(record: Record, name: str, act: Act, now_ms: int, known: Known) -> Record:
    """Who is disqualified is out, and his chips leave play (TDA24-71D, UK-65D, TDA09-40d)."""
    when = When(now_ms, known.wall_ms, known.hands)
    given, players = conduct.perform(record.conduct, record.register, name, act, when)
    record = replace(record, conduct=given, register=players)
    if name == "disqualify":
        (*_, line) = given.given
        out = Bust(actor=act.actor, reason=act.reason, entrant=line.player, forfeits=True)
        return _told(record, "bust", out, now_ms, known)
    if isinstance(act, Undisqualify):
        return _requalified(record, act, now_ms, known)
    return record


def _requalified(record: Record, act: Undisqualify, now_ms: int, known: Known) -> Record:
    """Who is out by this disqualification is back in; who went out by himself since is not."""
    line = next(one for one in record.conduct.given if one.id == act.id)
    player = record.register.by_id.get(line.player)
    out = None if player is None else player.finish
    by_it = [f.id for f in record.tournament.finishes if f.id == out and f.at_ms == line.at_ms]
    if by_it:
        return _told(record, "unbust", Unbust(actor=act.actor, id=out), now_ms, known)
    players = conduct.with_penalties(record.conduct, record.register)
    return replace(record, register=players)


def _told(record: Record, name: str, act: Act, now_ms: int, known: Known) -> Record:
    before, gone, forfeits, shared = record.tournament, None, 0, record.shared
    if isinstance(act, Bust):
        act, gone = meant(record.register, act)
        if act.forfeits and gone is not None and gone.at is not None:
            forfeits = known.chips.get(gone.entry, 0)
        elif act.shares and gone is not None:
            raced = (each.goes for each in record.races.tables)
            chip = smallest(record.clock.structure.chips, raced)
            one = share(record.register, gone, known, chip)
            shared = Shared((*shared.given, replace(one, finish=before.last_finish + 1)))
            forfeits = one.odd
        if tournament.left(before) is None:
            before = replace(before, players_left=known.players)
    told = TELLS[name][1](before, act, now_ms)
    players = after_finishes(record.register, told, gone, forfeits)
    were = record.register
    if (players.entries, players.chips_out) != (were.entries, were.chips_out):
        told = with_entries(told, players)
    players = conduct.with_penalties(record.conduct, players)
    changed = replace(record, tournament=told, register=players)
    changed = replace(changed, shared=without(shared, {each.id for each in told.finishes}))
    return _one_is_left(record, changed, act, now_ms)


def _with_told(record: Record, told: Tournament, *, with_register: bool = False) -> Record:
    """The record with another course of the tournament, `with_register` of the same entries."""
    players = register.reconciled(record.register, (each.id for each in told.finishes))
    if with_register and players.players:
        told = with_entries(told, players)
    shared = without(record.shared, {each.id for each in told.finishes})
    return replace(record, tournament=told, register=players, shared=shared)


def _one_is_left(before: Record, record: Record, act: Act, now_ms: int) -> Record:
    """The desk says that one player is left: that is the end of the tournament."""
    told = record.tournament
    is_counted = isinstance(act, Bust) or (isinstance(act, Tell) and act.players_left == 1)
    is_won = any(each.place == 1 for each in told.finishes)
    if not is_counted or tournament.left(told) != 1 or is_won or not record.clock.begun:
        return record
    ends = not record.clock.over
    won = tournament.won(before.tournament, told, now_ms, ends=ends)
    record = replace(record, tournament=with_winner_named(won, record.register))
    if not ends:
        return record
    over = replace(
        standing(record.clock, now_ms),
        over=True,
        holding=False,
        question=None,
        why=ONE_LEFT,
    )
    return with_clock(record, over)
