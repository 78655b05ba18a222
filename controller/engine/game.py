"""The game at one table, from hand to hand: who takes each observation, and what can be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from controller.contract.events import Event
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
    Timing,
    TimingChange,
    Unwatched,
)
from controller.contract.sight import Sight
from controller.contract.wagered import WagerAnswer, WagerQuestion
from controller.engine import kept
from controller.engine.gaps import Gaps
from controller.engine.hands import Hands
from controller.engine.reads import Reads
from controller.engine.seeing import amounts_to, between_hands, in_hand
from controller.engine.situation import Beginning, Situation
from controller.engine.state import EngineState
from controller.engine.told import Told
from controller.rules.irregularity import Numbering
from controller.rules.odds import Rates
from controller.rules.rulebook import RuleBook
from controller.rules.sequence import EMPTY_DEALT


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
        self._now = now = Situation(lambda named: book(rulebook or named), number)
        hands = Hands(now)
        self._told = told = Told(now, hands)
        self._gaps = gaps = Gaps(now, hands)
        self._reads = reads = Reads(now, hands, gaps)
        tell = hands.tell
        self._handlers: dict[type[Any], Callable[[Any], None]] = {
            Table: now.set_up,
            Seen: reads.seen,
            Gone: reads.gone,
            Press: reads.press,
            Gap: gaps.begin,
            Reader: told.reader,
            SeatChange: told.seat,
            Level: told.level,
            DeckChange: told.deck,
            DeckCheck: told.deck_check,
            SignIn: told.sign_in,
            Learner: told.learner,
            CallFloor: told.floor_called,
            Coming: told.floor_coming,
            Mute: told.mute,
            Riffle: hands.riffle,
            Award: hands.award,
            DealerMisdeal: lambda o: hands.misdeal(o.t),
            FloorMisdeal: lambda o: hands.misdeal(o.t),
            Open: hands.open,
            Close: lambda _: hands.close(),
            Unwatched: lambda _: hands.unwatched(),
            Exposed: hands.say_face_up,
            Boxed: hands.say_face_up,
            Dismiss: hands.dismiss,
            FloorDismiss: hands.dismiss,
            FloorRuling: hands.rule,
            Reshuffled: lambda o: tell(lambda w: w.reshuffled(o.t)),
            RoundClosed: lambda o: tell(lambda w: w.round_closed(o.t)),
            HandTabled: lambda o: tell(lambda w: w.tabled(o.seat, o.t)),
            Confirm: lambda o: tell(lambda w: w.confirm(o.finding, o.t)),
            Done: lambda o: tell(lambda w: w.done(o.finding, o.step, o.t)),
            Pick: lambda o: tell(lambda w: w.pick(o.tag, o.t)),
            CallClock: lambda o: tell(lambda w: w.call_clock(o.seat, o.t)),
            FloorClock: lambda o: tell(lambda w: w.call_clock(o.seat, o.t, o.seconds)),
            ClockCancel: lambda o: tell(lambda w: w.stop_clock(o.t)),
        }

    def observe(self, observation: Observation) -> list[Event]:
        """Takes one observation; returns what follows from it, in order."""
        now = self._now
        if type(observation) is TimingChange:
            # It ends no inventory after a gap, and lets nothing become certain.
            self._told.timing(observation)
            return []
        t = observation.t
        if now.inventory is not None and self._gaps.hold(now.inventory, observation):
            return []
        if t is not None:
            self._reads.until(observation.since if isinstance(observation, Gap) else t)
            now.t = t
        handler = self._handlers.get(type(observation))
        if handler is not None:
            handler(observation)
            now.has_changed |= not isinstance(observation, Gone)
        events, now.events = now.events, []
        if events:
            now.told_t = events[-1].t
        return events

    # --- the hand -------------------------------------------------------------------------

    @property
    def hand(self) -> int | None:
        """The number of the running hand, or None between hands."""
        return self._now.last_number if self._now.running() else None

    @property
    def beginning(self) -> Beginning | None:
        """What the last hand began from, once one has begun; None where that is not known."""
        return self._now.beginning

    @property
    def awaits_first_act(self) -> bool:
        """Whether nobody has acted in the running hand."""
        watch = self._now.running()
        return watch is not None and not watch.hand.acted_streets

    def plays(self, seat: int) -> bool:
        """Whether a seat is in the running hand."""
        watch = self._now.running()
        return watch is not None and seat in watch.hand.betting.players

    def seems_out(self, seat: int) -> bool:
        """Whether nobody is taken to play at a seat in this hand though there are signs of it: it
        was believed until the deal seemed to show otherwise, or cards were dealt there. Where
        nobody watches, or has until a moment ago, nothing is a sign. A hand of which one player
        seems to be left goes on for this until its award."""
        now, watch = self._now, self._now.watch
        if watch is None or not now.is_open or (watch.hand.over and now.awarded):
            return False
        return now.inventory is None and watch.seems_out(seat)

    def asked_whether_in(self, finding_id: int) -> tuple[int, ...]:
        """The seats where nobody was known to play and cards were dealt, if that is what the
        question of this id asks."""
        watch = self._now.running()
        finding = None if watch is None else watch.hand.finding(finding_id)
        is_it = finding is not None and finding.code == EMPTY_DEALT and not finding.certain
        return finding.seats if finding is not None and is_it else ()

    @property
    def waits_since(self) -> float | None:
        """Since when something is held of which it is told later: what lies there after a gap, or
        has come to seats before the deal."""
        now = self._now
        if now.inventory is not None:
            return now.inventory.t
        return None if now.shuffle.due is None else now.told_t

    def first_cards(self, seen: Seen) -> tuple[str, ...]:
        """The cards with which a deal begins once this is observed: the hand's first, or those
        that begin one; none of them if it begins no deal."""
        return self._reads.first_cards(seen)

    # --- the table ------------------------------------------------------------------------

    @property
    def has_table(self) -> bool:
        """Whether the table was set up."""
        return self._now.table is not None

    @property
    def rates(self) -> Rates:
        """What the table has measured of itself."""
        return Rates() if self._now.setup is None else self._now.setup.rates

    def sight(self) -> Sight:
        """What everybody at the table may know beside the events."""
        now = self._now
        setup, watch = now.setup, now.running()
        if setup is None:
            return Sight()
        if watch is None:
            sight = between_hands(setup, now.last_number + 1, now.due(setup), is_open=now.is_open)
            return msgspec.structs.replace(sight, is_watched=not now.under_way)
        return in_hand(setup, watch, is_open=now.is_open)

    def amounts_to(self, question: WagerQuestion) -> WagerAnswer | None:
        """What an action amounted to; None before the table is set up."""
        setup = self._now.setup
        return None if setup is None else amounts_to(setup, self._now.running(), question)

    # --- between hands --------------------------------------------------------------------

    @property
    def next_timing(self) -> Timing | None:
        """The timing of the hand that begins next; None before the first `table` record."""
        return None if self._now.setup is None else self._now.setup.next_timing

    @property
    def next_hand(self) -> int:
        """The number of the hand that begins next."""
        return self._now.last_number + 1

    def count_on(self, hands: int) -> None:
        """So many hands have been numbered before."""
        self._now.last_number = max(self._now.last_number, hands)

    def told_of_the_next(self) -> list[Event]:
        """What was told already of the hand that begins next and still holds."""
        return self._now.short_deck.told()

    def state(self) -> EngineState | None:
        """What is carried on to the next hand; None while one is running or before the first
        `table` record."""
        return kept.state(self._now)

    def pending(self) -> tuple[DeckCheck, ...]:
        """What has been observed and waits for the next hand, to be told to an engine that is
        restored."""
        return kept.pending(self._now)

    def lying(self) -> list[Seen | Gone]:
        """The tags on the table as readings, for a state that is kept."""
        return kept.lying(self._now)

    def restore(
        self,
        state: EngineState,
        deck: Mapping[str, str] | None,
        lying: Iterable[Seen | Gone],
        resting: Iterable[str] = (),
    ) -> None:
        """Goes on from a state, with this deck in play, the decks of other tags `resting`, and
        these tags on the table."""
        kept.restore(self._now, state, deck, lying, resting)
