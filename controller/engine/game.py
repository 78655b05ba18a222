"""The game at one table, from hand to hand: what each observation means, and to which hand."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any

import msgspec

from controller.contract.events import (
    Event,
    FloorCalled,
    FloorComing,
    Prompt,
    Result,
    Start,
    StartSeat,
)
from controller.contract.observations import (
    Award,
    Boxed,
    CallClock,
    CallFloor,
    ClockCancel,
    Close,
    Coming,
    Confirm,
    DealerMisdeal,
    DeckChange,
    DeckCheck,
    Dismiss,
    Done,
    Exposed,
    FloorClock,
    FloorDismiss,
    FloorMisdeal,
    FloorRuling,
    Gap,
    Gone,
    HandTabled,
    Learner,
    Level,
    Mute,
    Observation,
    Open,
    Pick,
    Press,
    Reader,
    Reshuffled,
    Riffle,
    RoundClosed,
    SeatChange,
    Seen,
    SignIn,
    Table,
    TableBlinds,
    Timing,
    TimingChange,
    Unwatched,
    level_of,
)
from controller.contract.sight import Sight
from controller.contract.wagered import WagerAnswer, WagerQuestion
from controller.contract.zones import seat_of
from controller.engine.implied import FirstCards
from controller.engine.late import (
    goes_on,
    is_awarded_late,
    is_being_dealt,
    is_broken_off,
    is_riffled_late,
    may_be_taken_in,
)
from controller.engine.seeing import amounts_to, between_hands, in_hand
from controller.engine.shuffle import Shuffle
from controller.engine.state import EngineState, Redeal
from controller.hand.inventory import Inventory
from controller.hand.places import Places
from controller.hand.resolver import Resolver
from controller.hand.setup import Setup
from controller.hand.watch import Watch
from controller.rules.between_hands import CHANGE_DECK, BetweenHands
from controller.rules.button import Positions
from controller.rules.decisions import Decided, rule_anew, told
from controller.rules.disputes import Disputes
from controller.rules.faced import plays
from controller.rules.hand import Hand
from controller.rules.irregularity import Numbering
from controller.rules.missing_card import ShortDeck
from controller.rules.odds import Rates
from controller.rules.outcome import undone
from controller.rules.procedure import Showdown
from controller.rules.routine import is_told
from controller.rules.rulebook import RuleBook
from controller.rules.sequence import EMPTY_DEALT


@dataclass(frozen=True, slots=True)
class Beginning:
    """What a hand began from: the state before it, the deck in play and the tags of those that
    rest, what lay on the table, and the observations that it began with."""

    state: EngineState
    deck: Mapping[str, str] | None = field(repr=False)
    resting: frozenset[str] = field(repr=False)
    lying: tuple[Seen | Gone, ...] = field(repr=False)
    first: tuple[Observation, ...] = field(repr=False)


class Game:
    """Takes observations in the order of `t` and returns the events that follow from each.

    `book` gives a rule book by its id and may raise for an unknown one; nothing else raises
    on any order of valid observations. `rulebook` overrides the one a `table` record names;
    `number` gives findings their numbers.
    """

    def __init__(
        self, book: Callable[[str], RuleBook], rulebook: str | None, number: Numbering
    ) -> None:
        """Before the first `table` record every other observation is without effect."""
        self.beginning: Beginning | None = None
        self._book = book
        self._override = rulebook
        self._number_finding = number
        self._events: list[Event] = []
        self._hands = 0
        self._setup: Setup | None = None
        self._resolver = Resolver(None, {})
        self._places = Places(0.5)
        self._table: Table | None = None
        self._t = 0.0
        self._told_t = 0.0
        self._watch: Watch | None = None
        self._deadline: float | None = None
        self._has_changed = True
        self._last_hand: Hand | None = None
        self._redeal: Redeal | None = None
        self._open = True
        self._under_way = False
        self._shuffle = Shuffle()
        self._first_cards = FirstCards(self._shuffle)
        self._checked: tuple[str, ...] | None = None
        self._decided: tuple[Decided, ...] = ()
        self._disputes = Disputes(self._emit)
        self._deck = ShortDeck(self._emit, number)
        self._between = BetweenHands()
        self._inventory: Inventory | None = None
        self._lay: frozenset[str] | None = None
        self._stale: set[tuple[str, str]] = set()
        self._begun_shut: Hand | None = None
        self._taken_in: Hand | None = None
        self._undealt: Redeal | None = None
        self._awarded = True
        self._award_t = -inf
        self._handlers: dict[type[Any], Callable[[Any], None]] = {
            Table: self._on_table,
            Seen: self._on_seen,
            Gone: self._on_gone,
            Press: self._on_press,
            Riffle: self._on_riffle,
            Reader: self._on_reader,
            SeatChange: self._on_seat,
            Level: self._on_level,
            DeckChange: self._on_deck,
            Open: self._on_open,
            Close: lambda _: self._set_open(is_open=False),
            SignIn: self._on_sign_in,
            Learner: self._on_learner,
            DeckCheck: self._on_deck_check,
            Exposed: self._on_face_up,
            Boxed: self._on_face_up,
            Award: self._on_award,
            Reshuffled: lambda o: self._for_hand(lambda w: w.reshuffled(o.t)),
            RoundClosed: lambda o: self._for_hand(lambda w: w.round_closed(o.t)),
            HandTabled: lambda o: self._for_hand(lambda w: w.tabled(o.seat, o.t)),
            Confirm: lambda o: self._for_hand(lambda w: w.confirm(o.finding, o.t)),
            Done: lambda o: self._for_hand(lambda w: w.done(o.finding, o.step, o.t)),
            Dismiss: self._on_dismiss,
            FloorDismiss: self._on_dismiss,
            FloorRuling: self._on_ruling,
            Pick: lambda o: self._for_hand(lambda w: w.pick(o.tag, o.t)),
            DealerMisdeal: lambda o: self._on_misdeal(o.t),
            FloorMisdeal: lambda o: self._on_misdeal(o.t),
            Gap: self._on_gap,
            Unwatched: lambda _: self._on_unwatched(),
            CallFloor: self._on_call_floor,
            Coming: self._on_coming,
            Mute: self._on_mute,
            CallClock: lambda o: self._for_hand(lambda w: w.call_clock(o.seat, o.t)),
            FloorClock: lambda o: self._for_hand(lambda w: w.call_clock(o.seat, o.t, o.seconds)),
            ClockCancel: lambda o: self._for_hand(lambda w: w.stop_clock(o.t)),
        }

    def observe(self, observation: Observation) -> list[Event]:
        """Takes one observation; returns what follows from it, in order."""
        if type(observation) is TimingChange:
            # It ends no inventory after a gap, and lets nothing become certain.
            if self._setup is not None:
                self._setup.next_window = observation.order_window
            return []
        t = observation.t
        if self._inventory is not None and not self._end_inventory(observation):
            return []
        if t is not None:
            self._until(observation.since if isinstance(observation, Gap) else t)
            self._t = t
        handler = self._handlers.get(type(observation))
        if handler is not None:
            handler(observation)
            self._has_changed |= not isinstance(observation, Gone)
        events, self._events = self._events, []
        if events:
            self._told_t = events[-1].t
        return events

    @property
    def _last_told(self) -> float:
        """When what was told last happened: nothing is told that was before."""
        return self._events[-1].t if self._events else self._told_t

    # --- gaps -----------------------------------------------------------------------------

    def _on_gap(self, gap: Gap) -> None:
        """Nobody has watched: all that is read from here on is held until it is all there."""
        if self._setup is not None:
            self._inventory = Inventory(gap)
            if (watch := self._running()) is not None:
                watch.judge.quiet_until = inf
            self._has_changed = True

    def _end_inventory(self, observation: Observation) -> bool:
        """Whether what lies there after a gap has all been read by now; it is taken in, and then
        what came beside it."""
        inventory = self._inventory
        if inventory is None or inventory.holds(observation):
            return False
        self._inventory = None
        self._t = max(self._t, inventory.t)
        for reader in inventory.readers:
            self._on_reader(reader)
        self._take_in(inventory)
        self._has_changed = True
        return True

    def _take_in(self, inventory: Inventory) -> None:
        t, watch = inventory.t, self._running()
        came, lay = inventory.came(self._places), self._places.tags()
        dealt_anew = self._is_another_hand(watch, came, lay)
        left = inventory.left(self._places, self._cards_read(), dealt_anew=dealt_anew)
        puck_lay = self._puck_seats()
        for gone in left:
            self._places.forget(gone.tag, gone.zone)
        self._stale = {placed for placed in self._cards_read() if not inventory.tells(*placed)}
        if dealt_anew:
            self._end_unseen(watch, t)
            watch = None
        for seen in came:
            self._places.seen(seen.tag, seen.zone, t)
        if watch is None:
            return
        if puck_lay != self._puck_seats() and self._setup is not None:
            self._setup.believe()  # it is moved for the next hand, which may have begun
        self._puck_moved(t)
        thing = self._resolver.thing
        watch.nobody_watched(
            t,
            [gone for gone in left if thing(gone.tag) is None],
            [seen for seen in came if thing(seen.tag) is None],
            inventory.presses,
        )
        told = frozenset(self._places.tags()).difference(tag for tag, _ in self._stale)
        self._lay = told if watch.hand.dealt_out else None
        self._after(watch)

    def _cards_out(self) -> Iterator[tuple[str, str]]:
        """The cards that lie anywhere but in the stub, each with its zone."""
        for tag in self._places.tags():
            if self._resolver.thing(tag) is None:
                yield from ((tag, zone) for zone in self._places.zones(tag) if zone != "stub")

    def _cards_read(self) -> list[tuple[str, str]]:
        """Those of them that lie where somebody reads."""
        setup, t = self._setup, self._t
        return [out for out in self._cards_out() if setup and not setup.was_lost(out[1], t)]

    def _forget_stale(self) -> None:
        """A hand begins: what lay there before a gap and was not told of since does no more."""
        stale, self._stale = self._stale, set()
        for tag, zone in stale:
            self._places.forget(tag, zone)

    def _is_another_hand(
        self, watch: Watch | None, came: Sequence[Seen], lay: Sequence[str]
    ) -> bool:
        """Whether cards have come to two seats that are not of the hand that ran; of one that is
        not watched only those are known that `lay` on the table."""
        if self._under_way or (watch is not None and not watch.hand.dealt_out):
            return False
        known: Collection[str] = () if watch is None else watch.hand.roles
        if watch is not None and not watch.judge.watching:
            known = {*known, *lay}
        new = (s for s in came if s.tag not in known and self._first_cards.is_new(s.tag))
        fresh = {seat_of(seen.zone) for seen in new}
        return len(fresh - {None}) > 1

    def _is_dealt_anew(self, hand: Hand, lay: frozenset[str]) -> bool:
        """Whether cards lie at two seats or more, and none there that `lay` on the table when the
        hand went on after a gap, or was dealt to that seat: its end and the next riffle were in
        that."""
        own = {(tag, seat) for _, seat, tag in hand.dealt}
        fresh = set()
        for tag in self._places.tags():
            seat = self._places.seat(tag)
            is_stale = (tag, f"seat/{seat}") in self._stale
            if seat is not None and not is_stale and self._resolver.thing(tag) is None:
                if tag in lay or (tag, seat) in own:
                    return False
                fresh.add(seat)
        return len(fresh) > 1

    def _end_unseen(self, watch: Watch | None, t: float) -> None:
        """The hand that ran is over, and how it ended nobody saw. One is being played whose
        beginning nobody saw either: it is not watched, what anybody has after it is not known, and
        where the button is the next deal shows."""
        if watch is not None:
            watch.hand.betting.lose_track()
            watch.complete(t)
            self._after(watch)
        state, setup = self.state(), self._setup
        if state is None or setup is None:
            return
        due = self._due(setup)
        button = state.table.button if due is None else due.button
        for seat in setup.seats:
            setup.set_stack(seat, None)
        setup.believe()
        state = self.state() or state
        table = msgspec.structs.replace(state.table, under_way=True, button=button)
        anew = msgspec.structs.replace(state, table=table, positions=None)
        self.restore(anew, self._resolver.deck, self.lying(), self._resolver.resting)

    # --- between hands --------------------------------------------------------------------

    @property
    def hand(self) -> int | None:
        """The number of the running hand, or None between hands."""
        return self._hands if self._running() else None

    @property
    def next_timing(self) -> Timing | None:
        """The timing of the hand that begins next; None before the first `table` record."""
        return None if self._setup is None else self._setup.next_timing

    @property
    def next_hand(self) -> int:
        """The number of the hand that begins next."""
        return self._hands + 1

    def state(self) -> EngineState | None:
        """What is carried on to the next hand; None while one is running or before the first
        `table` record."""
        setup = self._setup
        if setup is None or self._table is None or self._running() or self._under_way:
            return None
        place = setup.positions
        return EngineState(
            table=msgspec.structs.replace(
                self._table,
                seats=tuple(setup.seats[s] for s in sorted(setup.seats)),
                blinds=setup.blinds,
                posts=setup.posts,
                under_way=False,
                routine=setup.routine,
                timing=setup.next_timing,
            ),
            hands=self._hands,
            t=self._t,
            positions=None if place is None else (place.button, place.small, place.big),
            more_bigs=() if place is None else place.more,
            ahead=setup.ahead,
            next_blinds=setup.next_blinds,
            redeal=self._redeal,
            is_open=self._open,
            dealer=setup.dealer,
            unread_until={z: None if t == inf else t for z, t in setup.unread_until.items()},
            decided=self._decided,
            disputed=self._disputes.open,
            short_deck=self._deck.open,
            trust=setup.trust,
            belief=setup.belief,
            rates=setup.rates,
            chips=setup.chips,
            instead=setup.instead,
            before=setup.before if self._redeal else None,
            between=self._between,
            awarded=self._awarded,
            told=setup.told,
            undealt=self._undealt,
            award_t=None if self._award_t == -inf else self._award_t,
        )

    @property
    def waits_since(self) -> float | None:
        """Since when something is held of which it is told later: what lies there after a gap, or
        has come to seats before the deal."""
        if self._inventory is not None:
            return self._inventory.t
        return None if self._shuffle.due is None else self._told_t

    @property
    def has_table(self) -> bool:
        """Whether the table was set up."""
        return self._table is not None

    def count_on(self, hands: int) -> None:
        """So many hands have been numbered before."""
        self._hands = max(self._hands, hands)

    @property
    def awaits_first_act(self) -> bool:
        """Whether nobody has acted in the running hand."""
        watch = self._running()
        return watch is not None and not watch.hand.acted_streets

    def plays(self, seat: int) -> bool:
        """Whether a seat is in the running hand."""
        watch = self._running()
        return watch is not None and seat in watch.hand.betting.players

    def seems_out(self, seat: int) -> bool:
        """Whether nobody is taken to play at a seat in this hand though there are signs of it: it
        was believed until the deal seemed to show otherwise, or cards were dealt there. Where
        nobody watches, or has until a moment ago, nothing is a sign. A hand of which one player
        seems to be left goes on for this until its award."""
        watch = self._watch
        if watch is None or not self._open or (watch.hand.over and self._awarded):
            return False
        return self._inventory is None and watch.seems_out(seat)

    def asked_whether_in(self, finding_id: int) -> tuple[int, ...]:
        """The seats where nobody was known to play and cards were dealt, if that is what the
        question of this id asks."""
        watch = self._running()
        finding = None if watch is None else watch.hand.finding(finding_id)
        is_it = finding is not None and finding.code == EMPTY_DEALT and not finding.certain
        return finding.seats if finding is not None and is_it else ()

    @property
    def rates(self) -> Rates:
        """What the table has measured of itself."""
        return Rates() if self._setup is None else self._setup.rates

    def sight(self) -> Sight:
        """What everybody at the table may know beside the events."""
        setup, watch = self._setup, self._running()
        if setup is None:
            return Sight()
        if watch is None:
            due = self._due(setup)
            sight = between_hands(setup, self._hands + 1, due, is_open=self._open)
            return msgspec.structs.replace(sight, is_watched=not self._under_way)
        return in_hand(setup, watch, is_open=self._open)

    def amounts_to(self, question: WagerQuestion) -> WagerAnswer | None:
        """What an action amounted to; None before the table is set up."""
        return None if self._setup is None else amounts_to(self._setup, self._running(), question)

    def _due(self, setup: Setup) -> Positions | None:
        """The positions of the hand that begins next, if there are players for one."""
        redeal = self._redeal.seats if self._redeal else None
        return setup.due(self._hands + 1, redeal)

    def told_of_the_next(self) -> list[Event]:
        """What was told already of the hand that begins next and still holds."""
        return self._deck.told()

    def restore(
        self,
        state: EngineState,
        deck: Mapping[str, str] | None,
        lying: Iterable[Seen | Gone],
        resting: Iterable[str] = (),
    ) -> None:
        """Goes on from a state, with this deck in play, the decks of other tags `resting`, and
        these tags on the table."""
        self._disputes.open = ()  # these come again with the state
        self._on_table(
            msgspec.structs.replace(state.table, deck=None if deck is None else dict(deck))
        )
        self._resolver = Resolver(deck, state.table.objects, resting)
        setup = self._setup
        if setup is None:
            return
        self._hands, self._t = state.hands, state.t
        if state.positions is not None:
            setup.positions = Positions(*state.positions, state.more_bigs)
        setup.ahead = state.ahead
        setup.dealer = state.dealer
        setup.unread_until = {z: inf if t is None else t for z, t in state.unread_until.items()}
        setup.next_blinds = state.next_blinds
        self._redeal, self._open, self._decided = state.redeal, state.is_open, state.decided
        self._disputes.open = state.disputed
        self._deck.restore(state.short_deck, state.hands + 1, setup.book)
        setup.trust, setup.belief, setup.rates = state.trust, state.belief, state.rates
        setup.chips, setup.instead, setup.before = state.chips, state.instead, state.before
        self._between, self._awarded, setup.told = state.between, state.awarded, state.told
        self._undealt = state.undealt
        self._award_t = -inf if state.award_t is None else state.award_t
        for read in lying:
            if isinstance(read, Seen):
                self._places.seen(read.tag, read.zone, read.t)
            else:
                self._places.gone(read.tag, read.zone, read.t)
        self._first_cards.hand_over(self._places)

    def pending(self) -> tuple[DeckCheck, ...]:
        """What has been observed and waits for the next hand, to be told to an engine that is
        restored."""
        return () if self._checked is None else (DeckCheck(t=self._t, tags=self._checked),)

    def lying(self) -> list[Seen | Gone]:
        """The tags on the table as readings, for a state that is kept; those that may just be
        leaving it too. What was not told of after a gap does not lie there for the next hand."""
        there = (placed for placed in self._places.lying() if placed[:2] not in self._stale)
        seen = [Seen(t, zone, tag) for tag, zone, t in there]
        return [*seen, *(Gone(t, zone, tag) for tag, zone, t in self._places.leaving())]

    # --- time -----------------------------------------------------------------------------

    def _until(self, t: float) -> None:
        """Lets everything become certain that does so before `t`, in its order."""
        while True:
            departure = self._places.next_departure
            if self._has_changed:
                self._deadline = self._watch.next_deadline if self._watch else None
                self._has_changed = False
            deadline = self._deadline
            later = deadline is not None and departure is not None and departure <= deadline
            due = departure if deadline is None or later else deadline
            if self._shuffle.due is not None and self._shuffle.due <= min(t, due or t):
                self._end_shuffle(self._shuffle.due)
                continue
            if due is None or due > t:
                return
            self._has_changed = True
            if due == departure:
                tag, zone = self._places.depart()
                if self._resolver.thing(tag) is not None:
                    if self._resolver.thing(tag) == "button":
                        self._puck_moved(due)
                elif (running := self._running()) is not None:
                    running.left(tag, zone, due)
                if self._watch is not None:
                    self._note_taken_in(self._watch)
            elif self._watch:
                self._watch.expire(due)
                self._t = max(self._t, due)
                self._after(self._watch)

    # --- the table ------------------------------------------------------------------------

    def _on_table(self, table: Table) -> None:
        book = self._book(self._override or table.rulebook)
        self._table = msgspec.structs.replace(table, deck=None)
        self.beginning = None
        self._setup = setup = Setup.of(table, book)
        if table.under_way:
            setup.believe()
        self._resolver = Resolver(table.deck, table.objects)
        self._places = Places(table.timing.flicker)
        self._inventory = self._lay = None
        self._between = BetweenHands()
        self._watch = None
        self._last_hand = None
        self._redeal = self._undealt = None
        self._under_way = table.under_way
        self._shuffle = Shuffle()
        self._first_cards = FirstCards(self._shuffle)
        self._checked = None
        self._decided = ()
        self._deck.close("expired", self._t)
        self._disputes.close("expired", self._t)

    def _on_deck(self, change: DeckChange) -> None:
        """The hand that has only begun is dealt with the new deck; one of which cards are out
        stays with its own."""
        watch = self._running()
        if watch is not None and not self._shuffle.awaits_first_card(watch.hand):
            self._resolver = self._resolver.with_deck(change.deck)
        else:
            self._resolver.change_deck(change.deck)
            if watch is not None:
                watch.deck_changed(change.t)
        self._check_deck(change.t)
        if self._setup is not None:
            players = len(self._setup.entitled())
            self._between = self._between.deck_changed(players)
            self._say_due(change.t)

    def _on_seat(self, change: SeatChange) -> None:
        if self._setup is None:
            return
        if change.stack is not None and self._running():
            self._setup.given[change.seat] = change.stack
        self._setup.change_seat(change, plays=self.plays(change.seat))
        if change.status == "empty":
            self._for_hand(lambda watch: watch.nobody_at(change.seat, change.t or self._t))

    def _on_level(self, level: Level) -> None:
        blinds = TableBlinds(**level_of(level))
        is_new = self._setup is not None and self._setup.set_level(blinds)
        if is_new and self._watch and (self._running() or self._redeal):
            self._watch.level("level-waits", blinds, level.t)
        if is_new:
            push_begins = self._setup is not None and self._setup.book.push_begins
            self._between = self._between.level_changed(push_begins=push_begins)
            self._say_due(level.t)

    def _say_due(self, t: float) -> None:
        """What the dealer's routine asks for between two hands."""
        setup = self._setup
        if setup is None or self._running() is not None:
            return
        due, self._between = self._between.due, msgspec.structs.replace(self._between, due=())
        for text_id in due:
            if text_id == CHANGE_DECK and not self._resolver.resting:
                continue
            if is_told(text_id, setup.book, setup.routine):
                self._events.append(Prompt(t, self._number(), text_id, {}))

    def _on_reader(self, reader: Reader) -> None:
        if self._setup is not None:
            self._setup.hear_of(reader)

    def _on_sign_in(self, sign_in: SignIn) -> None:
        setup = self._setup
        if setup is not None:
            if setup.dealer not in (None, sign_in.name):
                watch = self._running()
                is_played = watch is not None and not isinstance(watch.hand.head, Showdown)
                is_push = self._open and not is_played
                self._between = self._between.dealer_changed(is_push=is_push)
            setup.dealer = sign_in.name
            self._say_due(sign_in.t)

    def _on_learner(self, learner: Learner) -> None:
        if self._setup is not None:
            routine = self._setup.routine
            self._setup.routine = msgspec.structs.replace(routine, learner=learner.on)

    def _on_call_floor(self, call: CallFloor) -> None:
        """Who calls is the dealer that has signed in, unless the entry says otherwise."""
        dealer = None if self._setup is None else self._setup.dealer
        self._events.append(FloorCalled(call.t, self._number(), call.by or dealer))
        self._for_hand(lambda watch: watch.floor_called(call.t))

    def _on_coming(self, coming: Coming) -> None:
        self._events.append(FloorComing(coming.t, self._number(), coming.by))
        self._for_hand(lambda watch: watch.floor_called(coming.t))

    def _on_mute(self, mute: Mute) -> None:
        if self._setup is not None:
            last = self._hands + mute.hands - (self._running() is not None)
            self._setup.trust = self._setup.trust.muted(mute.code, mute.zone, last)

    def _on_deck_check(self, check: DeckCheck) -> None:
        self._checked = check.tags
        self._check_deck(check.t)

    def _check_deck(self, t: float) -> None:
        """A check belongs to the hand that begins next, or to the one that has only begun; one
        of the other deck waits until that is in play. A deck that is unknown may still come into
        play until the hand begins."""
        setup, watch, tags = self._setup, self._running(), self._checked
        if setup is None or tags is None or (watch is not None and watch.hand.dealt):
            return
        if not self._resolver.is_of_this_deck(tags):
            if watch is not None and self._resolver.is_of_no_deck(tags):
                self._checked = None
                watch.other_deck(t)
            return
        self._checked = None
        is_short = self._resolver.missing(tags) > 0
        if watch is not None:
            watch.deck_checked(is_short=is_short, t=t)
        elif not is_short:
            self._deck.close("remedied", t)
        elif self._open and not self._under_way:
            self._deck.is_short(self._number(), setup.book, t)

    def _on_face_up(self, said: Exposed | Boxed) -> None:
        if plays(said):
            return
        if self._running() is None:
            self._first_cards.say(said)
        self._for_hand(lambda watch: _say_face_up(watch, said))

    def _on_open(self, opened: Open) -> None:
        """A hand that was riffled just before is watched from its first card on."""
        self._set_open(is_open=True)
        watch = self._running()
        if watch is not None and watch.hand is self._begun_shut:
            watch.judge.watching |= self._shuffle.awaits_first_card(watch.hand)
        if not self._hands:
            self._between = self._between.opened()
            self._say_due(opened.t)

    def _on_unwatched(self) -> None:
        self._begun_shut = None
        self._for_hand(lambda watch: watch.judge.stop())

    def _set_open(self, *, is_open: bool) -> None:
        self._open = is_open
        if not is_open:
            self._between = self._between.push_over()
        if self._watch is not None and not is_open:
            self._watch.judge.stop()

    # --- hands ----------------------------------------------------------------------------

    def _running(self) -> Watch | None:
        return self._watch if self._watch is not None and not self._watch.hand.over else None

    def _number(self) -> int:
        """The running hand, or the coming one."""
        return self._hands if self._running() else self._hands + 1

    def _for_hand(self, act: Callable[[Watch], None]) -> None:
        watch = self._running()
        if watch is not None:
            act(watch)
            self._after(watch)

    def _after(self, watch: Watch) -> None:
        """A hand that an award has ended before its first card is the one that is dealt then, if
        there is no other riffle."""
        if watch.hand.over and self._last_hand is not watch.hand:
            self._last_hand = hand = watch.hand
            self._lay, self._awarded = None, hand.undone
            absent = tuple(sorted(watch.absent))
            again = Redeal(hand.redeal_of or hand.number, tuple(hand.betting.players), absent)
            self._undealt = None if hand.has_begun or not self._reads_seats(hand) else again
            if hand.undone:
                self._redeal = again
            self._first_cards.hand_over(self._places, hand.dealt)
            self._decided = watch.decisions.made
            self._disputes.open = watch.disputed
            if self._setup is not None:
                self._setup.hand_over(hand, watch.stacks_after or {})
            self._check_deck(self._t)
            self._between = self._between.hand_over()
            self._say_due(self._t)

    def _end_under_way(self) -> None:
        """The hand that nobody watched is over: its cards start nothing."""
        if self._under_way:
            self._under_way = False
            self._first_cards.hand_over(self._places)

    def _on_dismiss(self, dismiss: Dismiss | FloorDismiss) -> None:
        self._deck.close("dismissed", dismiss.t, dismiss.finding)
        self._disputes.close("dismissed", dismiss.t, dismiss.finding)
        by_floor = isinstance(dismiss, FloorDismiss)
        self._for_hand(lambda w: w.dismiss(dismiss.finding, dismiss.t, by_floor=by_floor))

    def _on_ruling(self, ruling: FloorRuling) -> None:
        """The floor decides, or decides otherwise."""
        setup = self._setup
        if setup and self._deck.rule(ruling.finding, ruling.outcome, setup.book, ruling.t):
            return
        if setup and self._rule_disputed(ruling, setup):
            return
        watch = self._running()
        if watch is not None:
            is_known = watch.rule(ruling.finding, ruling.outcome, ruling.t)
            self._after(watch)
        else:
            is_known = self._rule_anew(ruling)
        if not is_known:
            said = {"finding": ruling.finding}
            self._events.append(Prompt(ruling.t, self._number(), "ruling-too-late", said))

    def _rule_disputed(self, ruling: FloorRuling, setup: Setup) -> bool:
        """The hand is over, and what is ruled on outlived it; False if nothing of this id did. If
        the hand is void all have what they began it with, and the next one is its redeal; if it is
        so no more nobody's chips are known."""
        ruled = self._disputes.rule(ruling.finding, ruling.outcome, setup.book, ruling.t)
        if ruled is None:
            return False
        before, after = ruled
        if after.is_void and not before.is_void:
            setup.begin_again(after.place, after.stacks)
            self._redeal = Redeal(after.redeal, tuple(seat for seat, _ in after.stacks))
            self._events.append(Result(ruling.t, after.hand, (), None, undone(after.stacks)))
            self._events.append(Prompt(ruling.t, self._number(), "collect-void", {}))
        elif before.is_void and not after.is_void:
            setup.begin_again(after.place, [(seat, None) for seat, _ in after.stacks])
            self._redeal = None
        return True

    def _rule_anew(self, ruling: FloorRuling) -> bool:
        """The hand is over: all that is left is to tell it."""
        before = next((d for d in self._decided if d.finding == ruling.finding), None)
        if before is None or self._setup is None:
            return False
        if before.ruling.outcome != ruling.outcome:
            anew = rule_anew(before, ruling.outcome, self._setup.book)
            self._decided = tuple(anew if d is before else d for d in self._decided)
            self._events += told(anew, self._hands, ruling.t)
        return True

    def _on_misdeal(self, t: float) -> None:
        self._end_under_way()
        self._for_hand(lambda watch: watch.misdeal(t))

    def _on_award(self, award: Award) -> None:
        """Amid the deal it is the last hand's, entered once more; and late, if it has had none."""
        self._end_under_way()
        watch = self._running()
        known = self._award_t if self._awarded else None
        if watch is None or not is_awarded_late(
            watch, self._places, award.t, awarded=known, reads_seats=self._reads_seats(watch.hand)
        ):
            self._for_hand(lambda watch: watch.award(award.t))
        self._awarded, self._award_t = True, award.t

    def _on_riffle(self, riffle: Riffle) -> None:
        self._under_way = False
        watch = self._running()
        if watch is not None:
            if not watch.hand.has_begun:
                return
            if watch.awaits_shuffle:
                watch.reshuffled(riffle.t)
                return
            if is_riffled_late(watch, self._places, riffle.t):
                watch.hand.riffled = True
                return
            self._end_by_the_next(watch, riffle.t)
        self._begin(riffle.t, (riffle,))
        self._shuffle.spread(riffle.t)

    def _reads_seats(self, hand: Hand) -> bool:
        """Whether the cards of a player are read."""
        setup = self._setup
        return setup is not None and any(setup.has(f"seat/{s}") for s in hand.betting.players)

    def _end_by_the_next(self, watch: Watch, t: float) -> None:
        """The next hand begins, and this one was not ended. What was no deal at all keeps nobody
        out of the one that comes now."""
        was_none = is_broken_off(watch, t)
        if watch.awaits_misdeal or was_none:
            watch.misdeal(t)
        else:
            watch.complete(t)
        self._after(watch)
        setup, again = self._setup, self._redeal
        if was_none and setup is not None and again is not None:
            seats = tuple(setup.entitled())
            self._redeal = Redeal(
                again.hand, seats if len(seats) > 1 else again.seats, again.absent
            )

    def _begin(self, t: float, first: tuple[Riffle] | tuple[Seen | Exposed | Boxed, ...]) -> None:
        """A hand begins with these observations: a riffle, or the first cards and what was said
        of them."""
        setup = self._setup
        self._first_cards.hand_begins()
        self._shuffle.hand_begins()
        self._forget_stale()
        if setup is None:
            return
        pitched = {seen.tag for seen in first if isinstance(seen, Seen)}
        if pitched and self._redeal is None:
            self._redeal = self._undealt
        self._undealt = None
        state = self.state()
        lying = tuple(read for read in self.lying() if read.tag not in pitched)
        place, redeal = self._due(setup), self._redeal
        self._redeal = None
        if place is None:
            if pitched:
                setup.believe()  # a hand is played among people of whom nobody has told
            return
        seats = setup.entitled() if redeal is None else setup.redealt(redeal.seats)
        deck, resting = self._resolver.deck, self._resolver.resting
        self.beginning = None if state is None else Beginning(state, deck, resting, lying, first)
        before, is_redeal, keeps_level = setup.blinds, redeal is not None, self._between.keeps_level
        setup.has_other_deck = bool(resting)
        setup.hand_begins(place, seats, is_redeal=is_redeal, keeps_level=is_redeal or keeps_level)
        self._between = self._between.push_over()
        self._decided = ()
        self._disputes.close("expired", t)
        self._hands += 1
        hand = setup.new_hand(self._hands, t, place, seats)
        hand.redeal_of = redeal.hand if redeal else None
        hand.were_absent = frozenset(redeal.absent if redeal else ())
        hand.riffled = not pitched
        hand.findings = self._deck.hand_over()
        self._events.append(_start(hand, setup, implied=bool(pitched)))
        self._watch = Watch(
            hand,
            setup,
            resolver=self._resolver,
            places=self._places,
            emit=self._emit,
            number=self._number_finding,
        )
        self._begun_shut = None if self._open else hand
        if not self._open:
            self._watch.judge.stop()
        if setup.blinds != before:
            self._watch.level("new-level", setup.blinds, t)
        elif keeps_level and setup.next_blinds not in (None, setup.blinds):
            self._watch.level("level-waits", setup.next_blinds, t)
        self._last_hand = None
        self._check_deck(t)
        self._watch.puck(self._puck_seats(), t)

    def _emit(self, event: Event) -> None:
        self._events.append(event)

    # --- what is read ---------------------------------------------------------------------

    def _on_seen(self, seen: Seen) -> None:
        if self._setup is None:
            return
        if self._stale:
            self._stale.discard((seen.tag, seen.zone))
        thing = self._resolver.thing(seen.tag)
        if thing is not None:
            if thing == "button" and self._places.seen(seen.tag, seen.zone, seen.t):
                self._puck_moved(seen.t)
            return
        if not self._places.seen(seen.tag, seen.zone, seen.t):
            return
        watch = self._running()
        is_at_seat = seat_of(seen.zone) is not None
        lay = self._lay
        if watch and is_at_seat and lay is not None and self._is_dealt_anew(watch.hand, lay):
            self._end_unseen(watch, seen.t)
            return
        if watch is not None and watch.hand is self._taken_in and goes_on(watch, seen):
            self._taken_in = None
        if watch is not None and is_at_seat and self._open and watch.hand is self._taken_in:
            if first := self._first_cards.came(seen, self._places):
                self._end_by_the_next(watch, first[0].t)
                self._begin_dealt(first)
            return
        if watch is not None and not watch.hand.dealt and self._awaits_pitch(watch.hand):
            if not self._shuffle.comes(seen):
                return
            self._deal_begins(watch, seen.t)
        if watch is not None:
            watch.arrived(seen.tag, seen.zone, seen.t)
            if watch.hand.over:
                self._after(watch)
            return
        if self._watch is not None:
            self._watch.arrived_after(seen.tag, seen.zone, seen.t)
        if not is_at_seat and seen.zone != "stub":
            self._first_cards.spread(seen)
        if is_at_seat and not self._under_way:
            self._between_hands(seen)

    def _awaits_pitch(self, hand: Hand) -> bool:
        return self._shuffle.awaits_pitch(hand) and self._reads_seats(hand)

    def _end_shuffle(self, t: float) -> None:
        """What has come to a seat, and lies there once nothing is spread any more, was dealt."""
        watch, self._shuffle.due = self._running(), None
        if watch is None or not self._awaits_pitch(watch.hand):
            return
        if self._lies_at_seats():
            self._has_changed = True
            self._deal_begins(watch, t)
            self._after(watch)

    def _lies_at_seats(self) -> bool:
        return any(self._places.seat(tag) is not None for tag, _ in self._cards_out())

    def _deal_begins(self, watch: Watch, t: float) -> None:
        def is_card(tag: str) -> bool:
            return self._resolver.thing(tag) is None

        for seen in self._shuffle.over(watch.hand, self._places, is_card, t):
            came = max(seen.t, self._last_told)
            self._until(came)
            watch.arrived(seen.tag, seen.zone, came)
            self._has_changed = True
        self._until(t)

    def _puck_moved(self, t: float) -> None:
        watch = self._running()
        if watch is not None:
            watch.puck(self._puck_seats(), t)

    def _puck_seats(self) -> list[int]:
        pucks = [tag for tag in self._places.tags() if self._resolver.thing(tag) == "button"]
        return [seat for tag in pucks for seat in self._places.seats(tag)]

    def _between_hands(self, seen: Seen) -> None:
        if not self._open:  # the cards of a chip race, say
            self._first_cards.hand_over(self._places)
            return
        if first := self._first_cards.came(seen, self._places):
            self._begin_dealt(first)

    def _note_taken_in(self, watch: Watch) -> None:
        """No card lies anywhere any more: whatever is missing of the hand was forgotten, and the
        cards of two seats begin the next one."""
        hand = watch.hand
        if hand is self._taken_in or not may_be_taken_in(watch):
            return
        if not any(self._cards_out()):
            self._taken_in = hand
            self._first_cards.taken_in(() if hand.undone else hand.dealt)

    def _begin_dealt(self, first: tuple[Seen | Exposed | Boxed, ...]) -> None:
        """A hand begins with its first cards, which have been dealt."""
        self._begin(first[0].t, first)
        watch = self._running()
        if watch is not None:
            for one in first:
                while (due := watch.next_deadline) is not None and due <= one.t:
                    watch.expire(due)
                if isinstance(one, Seen):
                    watch.arrived(one.tag, one.zone, one.t)
                else:
                    _say_face_up(watch, one)
            self._after(watch)

    def first_cards(self, seen: Seen) -> tuple[str, ...]:
        """The cards with which a deal begins once this is observed: the hand's first, or those
        that begin one; none of them if it begins no deal."""
        seat, watch = seat_of(seen.zone), self._running()
        known = self._places.zones(seen.tag)
        is_unclear = self._setup is None or self._inventory is not None or self._under_way
        if seat is None or is_unclear or seen.zone in known:
            return ()
        if watch is not None and watch.hand is not self._taken_in:
            is_first = self._shuffle.awaits_first_card(watch.hand)
            begins = is_first and seat in watch.hand.betting.players
            return (seen.tag,) if begins else ()
        return self._first_cards.would_begin(seen, self._places)

    def _on_gone(self, gone: Gone) -> None:
        self._places.gone(gone.tag, gone.zone, gone.t)
        hand = None if self._watch is None else self._watch.hand
        if hand is None or hand.over or (not hand.dealt and self._awaits_pitch(hand)):
            self._shuffle.left(gone.tag, gone.t)

    def _on_press(self, press: Press) -> None:
        watch = self._running()
        if watch is not None and self._awaits_pitch(watch.hand) and self._lies_at_seats():
            self._deal_begins(watch, press.t)
        if watch is not None and self._is_before_the_deal(watch, press):
            watch.hand.needless[press.seat] += 1
            return
        self._for_hand(lambda w: w.press(press.seat, press.button, press.amount, press.by, press.t))

    def _is_before_the_deal(self, watch: Watch, press: Press) -> bool:
        """Whether no card has been read yet and it is another's turn, or not one at each seat in
        the rhythm of the deal: what is pressed is of the hand before, or of none."""
        hand = watch.hand
        if hand.dealt_out or not self._reads_seats(hand) or self._is_blind(hand):
            return False
        if not hand.dealt:
            return press.seat != hand.betting.next_to_act()
        return len(hand.dealt) < len(hand.betting.players) and is_being_dealt(watch, press.t)

    def _is_blind(self, hand: Hand) -> bool:
        """Whether the reader of a player's cards is missing."""
        setup = self._setup
        zones = [f"seat/{seat}" for seat in hand.betting.players]
        return setup is None or any(setup.was_lost(zone, hand.t) for zone in zones)


def _say_face_up(watch: Watch, said: Exposed | Boxed) -> None:
    tell = watch.boxed if isinstance(said, Boxed) else watch.exposed
    tell(said.seat, said.nth, said.tag, said.t)


def _start(hand: Hand, setup: Setup, *, implied: bool) -> Start:
    players = hand.betting.players
    return Start(
        hand.t,
        hand.number,
        tuple(StartSeat(s, players[s].stack, players[s].name) for s in sorted(players)),
        hand.positions.button,
        setup.level,
        setup.dealer,
        implied,
        hand.redeal_of,
    )
