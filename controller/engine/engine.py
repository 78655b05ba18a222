"""The engine: a pure function of the table log, one observation at a time.

It is the game (`game.py`) with a memory of the running hand, so that the dealer's last entry
can be taken back: the hand is played again without it, and what is different now is said.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from controller.contract.events import Action, Closed, Event, Prompt, Start
from controller.contract.observations import (
    Award,
    Boxed,
    CallClock,
    Confirm,
    DealerMisdeal,
    Dismiss,
    Done,
    Exposed,
    FloorDismiss,
    FloorRuling,
    Gap,
    Gone,
    HandTabled,
    Observation,
    Press,
    Reshuffled,
    RoundClosed,
    SeatChange,
    Seen,
    Tick,
    Timing,
    Undo,
    Unwatched,
    is_floor_input,
)
from controller.contract.picture import Happening
from controller.contract.sight import Sight
from controller.contract.texts import TAKEN_OVER
from controller.contract.wagered import WagerAnswer, WagerQuestion
from controller.contract.zones import seat_of
from controller.engine.game import Game
from controller.engine.retold import differences
from controller.engine.situation import Beginning
from controller.engine.state import EngineState
from controller.rules.belief import Belief
from controller.rules.irregularity import Amiss, Numbering
from controller.rules.odds import Rates
from controller.rules.rulebook import RuleBook

LONGEST_HAND = 20_000
"""Observations of one hand that are remembered: in a longer one nothing can be taken back."""

Entry = (
    Boxed
    | CallClock
    | Confirm
    | Dismiss
    | Done
    | Exposed
    | HandTabled
    | Reshuffled
    | RoundClosed
    | Unwatched
)
Ending = Award | DealerMisdeal
"""What ends a hand, and may be taken back until the next one begins."""


class _Numbers:
    """Numbers findings. One that comes again as a hand is played again keeps its number."""

    def __init__(self) -> None:
        self.last = 0
        self._given: list[tuple[object, int]] = []
        self._again: list[tuple[object, int]] = []

    def begin_hand(self) -> None:
        self._given = []

    def play_again(self) -> None:
        self._again, self._given = self._given, []

    def played_again(self) -> None:
        self._given += self._again
        self._again = []

    def __call__(self, amiss: Amiss) -> int:
        what = (amiss.code, amiss.street, amiss.seats)
        known = next((given for given in self._again if given[0] == what), None)
        if known is not None:
            self._again.remove(known)
            self._given.append(known)
            return known[1]
        self.last += 1
        self._given.append((what, self.last))
        return self.last


class Engine:
    """Takes observations in the order of `t` and returns the events that follow from each.

    `book` gives a rule book by its id and may raise for an unknown one; nothing else raises
    on any order of valid observations. `rulebook` overrides the one a `table` record names.
    """

    def __init__(self, book: Callable[[str], RuleBook], rulebook: str | None = None) -> None:
        """Before the first `table` record every other observation is without effect."""
        self._book = book
        self._rulebook = rulebook
        self._numbers = _Numbers()
        self._game = Game(book, rulebook, self._numbers)
        self._beginning: Beginning | None = None
        self._since: list[Observation] = []
        self._sat: dict[int, SeatChange] = {}
        self._may_play_again: dict[type[Any], Callable[[Any], list[Event]]] = {
            Undo: self._undo,
            Press: self._press,
            Gap: self._gap,
            Dismiss: self._dismiss,
            FloorDismiss: self._dismiss,
            SeatChange: self._seat,
        }
        self._taken_over: int | None = None
        self._as_told: Beginning | None = None
        self._told: list[Happening] = []
        self._coming: list[Event] = []
        self._said: list[Event] = []

    def observe(self, observation: Observation) -> list[Event]:
        """Takes one observation; returns what follows from it, in order."""
        if self._sat and type(observation) is Seen:
            return self._seen(observation)
        anew = self._may_play_again.get(type(observation))
        return self._observe(observation) if anew is None else anew(observation)

    def _observe(self, observation: Observation) -> list[Event]:
        beginning, numbered = self._game.beginning, self._numbers.last
        events = self._game.observe(observation)
        if self._game.beginning is not beginning:
            self._begin_hand(events, numbered)
            return events
        kind = type(observation)
        if kind is not Tick and len(self._since) <= LONGEST_HAND:
            self._since.append(observation)
        if events or kind is Done:
            self._tell(observation, events)
        return [event for event in events if not self._was_said(event)] if self._said else events

    def _was_said(self, event: Event) -> bool:
        """Whether this was told before a gap, and comes again after it, at another time."""
        known = replace(event, t=0.0)
        if known not in self._said:
            return False
        self._said.remove(known)
        return True

    def _tell(self, observation: Observation, events: list[Event]) -> None:
        """Adds what followed to the account of this hand, or of the coming one."""
        coming = self._game.next_hand
        for event in events:
            (self._coming if event.hand == coming else self._told).append(event)
            if type(event) is Prompt and event.text_id == TAKEN_OVER:
                self._taken_over = len(self._since)
        if isinstance(observation, Done | FloorRuling):
            self._told.append(observation)

    @property
    def told(self) -> tuple[Happening, ...]:
        """The last hand's account as it now stands, from its start."""
        return tuple(self._told)

    @property
    def ruled(self) -> frozenset[int]:
        """The findings of the last hand that the floor has ruled on: it may do so once more until
        the next riffle."""
        closed = (event for event in self._told if isinstance(event, Closed))
        return frozenset(event.id for event in closed if event.how == "ruled")

    @property
    def since(self) -> tuple[Observation, ...]:
        """What has been observed since the last hand began, without what was taken back."""
        return tuple(self._since)

    @property
    def beginning(self) -> Beginning | None:
        """What the last hand began from, once one has begun; None where that is not known."""
        return self._beginning

    # --- between hands --------------------------------------------------------------------

    @property
    def hand(self) -> int | None:
        """The number of the running hand, or None between hands."""
        return self._game.hand

    @property
    def has_table(self) -> bool:
        """Whether a `table` record was told."""
        return self._game.has_table

    @property
    def next_timing(self) -> Timing | None:
        """The timing of the hand that begins next; None before the first `table` record."""
        return self._game.next_timing

    @property
    def next_hand(self) -> int:
        """The number of the hand that begins next."""
        return self._game.next_hand

    @property
    def findings(self) -> int:
        """The number of the last finding."""
        return self._numbers.last

    @property
    def rates(self) -> Rates:
        """What the table has measured of its people and readers, until the last hand that is
        over."""
        return self._game.rates

    def state(self) -> EngineState | None:
        """What is carried on to the next hand; None while one is running or before the first
        `table` record."""
        state = self._game.state()
        return None if state is None else replace(state, findings=self._numbers.last)

    def sight(self) -> Sight:
        """What everybody at the table may know beside the events."""
        return self._game.sight()

    def amounts_to(self, question: WagerQuestion) -> WagerAnswer | None:
        """What an action amounted to as the hand stands, by the book in force; None before the
        first `table` record."""
        return self._game.amounts_to(question)

    def pending(self) -> tuple[Observation, ...]:
        """What waits for the next hand: to be observed anew by an engine that goes on from a
        state."""
        return self._game.pending()

    def lying(self) -> list[Seen | Gone]:
        """The tags on the table as readings, for a state that is kept."""
        return self._game.lying()

    def first_cards(self, seen: Seen) -> tuple[str, ...]:
        """The cards with which a deal begins once this is observed, for whoever has to know
        before that with which deck it is dealt: the hand's first, or those that begin a hand.
        None if it begins no deal."""
        return self._game.first_cards(seen)

    def count_on(self, hands: int, findings: int) -> None:
        """So many have been numbered before, as far as was known elsewhere: numbers go on from
        there, between two hands."""
        if self.hand is None:
            self._game.count_on(hands)
            self._numbers.last = max(self._numbers.last, findings)

    def restore(
        self,
        state: EngineState,
        deck: Mapping[str, str] | None,
        lying: Iterable[Seen | Gone],
        resting: Iterable[str] = (),
    ) -> None:
        """Goes on from a state, with this deck in play, the decks of other tags `resting`, and
        these tags on the table."""
        self._numbers.last = state.findings
        self._game.restore(state, deck, lying, resting)
        self._coming = self._game.told_of_the_next()

    # --- who plays after all --------------------------------------------------------------

    def _press(self, press: Press) -> list[Event]:
        """By the first press of a hand it is certain who is taken to play."""
        game, seat = self._game, press.seat
        if not (game.awaits_first_act or game.seems_out(seat)):
            return self._observe(press)
        events = self._observe(Tick(press.t))
        anew = self._beginning_with(seat) if game.seems_out(seat) else None
        if anew is None:
            return [*events, *self._observe(press)]
        self._since.append(press)
        return [*events, *self._take_in(seat, press.t, anew)]

    def _dismiss(self, dismiss: Dismiss | FloorDismiss) -> list[Event]:
        """Who was dealt cards at a seat where nobody was known plays, it is said."""
        seats = self._game.asked_whether_in(dismiss.finding)
        events = self._observe(dismiss)
        for seat in seats:
            anew = self._beginning_with(seat)
            if anew is not None:
                events += self._take_in(seat, dismiss.t, anew)
        return events

    def _seat(self, change: SeatChange) -> list[Event]:
        """Who is told to sit where cards were dealt, or are dealt then, plays this hand: he came
        before it."""
        game, seat, t = self._game, change.seat, change.t
        sits = change.status == "seated" and game.hand is not None
        was_taken_in = self._was_taken_in(seat)
        is_of_this_hand = sits and (was_taken_in or game.seems_out(seat))
        anew = self._beginning_with(seat, change) if is_of_this_hand else None
        if anew is not None and t is not None:
            events = self._observe(Tick(t))
            if not was_taken_in:
                return [*events, *self._take_in(seat, t, anew)]
            self._beginning = anew
            return [*events, *self._play_again(anew, t)]
        events = self._observe(change)
        self._sat.pop(seat, None)
        if sits and not game.plays(seat):
            self._sat[seat] = change
        return events

    def _was_taken_in(self, seat: int) -> bool:
        """Whether a seat plays this hand where nobody was told to sit before it."""
        told = self._as_told
        if told is None or not self._game.plays(seat):
            return False
        return all(s.seat != seat or s.status == "empty" for s in told.state.table.seats)

    def _seen(self, seen: Seen) -> list[Event]:
        events = self._observe(seen)
        told = self._sat.get(seat_of(seen.zone) or 0)
        if told is None or not self._game.seems_out(told.seat):
            return events
        del self._sat[told.seat]
        anew = self._beginning_with(told.seat, told)
        if anew is None or told not in self._since:  # it may have been taken back
            return events
        self._since.remove(told)
        return [*events, *self._take_in(told.seat, seen.t, anew)]

    def _beginning_with(self, seat: int, told: SeatChange | None = None) -> Beginning | None:
        """What this hand began from if somebody plays at a seat; None where he does not play it
        even so, or it is not the same hand."""
        beginning = self._beginning
        if beginning is None or len(self._since) > LONGEST_HAND:
            return None
        state = beginning.state.with_player(seat, told)
        anew = dataclasses.replace(beginning, state=state)
        trial = self._game_from(anew, _Numbers())
        for observation in self._since:
            trial.observe(observation)
        is_played = trial.hand == self._game.next_hand - 1 and trial.plays(seat)
        return anew if is_played else None

    def _take_in(self, seat: int, t: float, anew: Beginning) -> list[Event]:
        """Who was taken to be out plays: the hand is played again with him."""
        self._as_told = self._as_told or self._beginning
        self._beginning = anew
        args = {"out": [], "in": [seat], "button": None}
        said = Prompt(t, self._game.next_hand - 1, TAKEN_OVER, args)
        events = self._play_again(anew, said.t, said)
        self._taken_over = len(self._since)
        return events

    # --- gaps -----------------------------------------------------------------------------

    def _gap(self, gap: Gap) -> list[Event]:
        """What was told of the time in which nobody watched tells no order either: where that was
        taken for one, the hand is played again with all of it after the gap."""
        beginning, since = self._beginning, self._since
        early = [o for o in since if (o.t or 0.0) <= gap.since]
        first = () if beginning is None else beginning.first
        if (
            beginning is None
            or self._game.hand is None
            or len(early) in (0, len(since))
            or len(since) > LONGEST_HAND
            or any((o.t or 0.0) > gap.since for o in first)
        ):
            return self._observe(gap)
        late = [
            o if isinstance(o, Press) else replace(o, t=gap.t)
            for o in since
            if (o.t or 0.0) > gap.since
        ]
        self._since = [*early, gap, *late]
        acts = [event for event in self._told if isinstance(event, Action)]
        events = self._play_again(beginning, gap.t)
        self._said = [replace(act, t=0.0) for act in acts if act not in self._told]
        return events

    # --- taking back ----------------------------------------------------------------------

    def _begin_hand(self, events: list[Event], numbered: int) -> None:
        """`numbered` is the number of the last finding before it."""
        self._numbers.begin_hand()
        self._beginning = beginning = self._game.beginning
        if beginning is not None:
            state = replace(beginning.state, findings=numbered)
            self._beginning = dataclasses.replace(beginning, state=state)
        self._since = list(beginning.first) if beginning else []
        self._taken_over = self._as_told = None
        self._sat = {}
        self._said = []
        self._told = [e for e in (*self._coming, *events) if e.hand == self._game.hand]
        self._coming = []

    def _undo(self, undo: Undo) -> list[Event]:
        """Takes back the dealer's last entry in this hand, or what ended the last one. What the
        floor has decided since then is final, and an entry before it stays."""
        due = self._observe(Tick(undo.t))
        beginning, hand = self._beginning, self._game.next_hand - 1
        entry = self._last_entry() if len(self._since) <= LONGEST_HAND else None
        taken_over = self._taken_over
        if beginning is not None and taken_over is not None and (entry or 0) < taken_over:
            return [*due, *self._take_as_told(beginning, undo.t)]
        if beginning is None or entry is None:
            hand = self._game.hand or self._game.next_hand
            # What is told of what is being counted, or waits for the deal, has an earlier time.
            waits = self._game.waits_since
            t = undo.t if waits is None else min(undo.t, waits)
            return [*due, Prompt(t, hand, "nothing-to-undo", {})]
        taken = self._since.pop(entry)
        name = taken.button if isinstance(taken, Press) else str(taken.__struct_config__.tag)
        said = Prompt(undo.t, hand, "undone", {"entry": name})
        return [*due, *self._play_again(beginning, undo.t, said)]

    def _take_as_told(self, beginning: Beginning, t: float) -> list[Event]:
        """What the deal or a press has shown is not so: what was told before is known, says the
        dealer."""
        beginning = self._as_told or beginning
        state = replace(beginning.state, belief=Belief())
        self._beginning = anew = dataclasses.replace(beginning, state=state)
        self._taken_over = self._as_told = None
        said = Prompt(t, self._game.next_hand - 1, "undone", {"entry": TAKEN_OVER})
        return self._play_again(anew, t, said)

    def _last_entry(self) -> int | None:
        for at in range(len(self._since) - 1, -1, -1):
            one = self._since[at]
            is_entry = isinstance(one, Entry) or (isinstance(one, Press) and one.by == "dealer")
            if is_floor_input(one) or (is_entry and self._game.hand is None):
                return None
            if is_entry or isinstance(one, Ending):
                return at
        return None

    def _game_from(self, beginning: Beginning, number: Numbering) -> Game:
        game = Game(self._book, self._rulebook, number)
        game.restore(beginning.state, beginning.deck, beginning.lying, beginning.resting)
        return game

    def _play_again(
        self, beginning: Beginning, t: float, said: Prompt | None = None
    ) -> list[Event]:
        """What has to be said beside this, once the hand has been played anew."""
        since, told, self._coming = self._since, self._told, []
        before = [e for e in self._told if not isinstance(e, Done)]
        start = next(at for at, e in enumerate(before) if isinstance(e, Start))
        self._game = self._game_from(beginning, self._numbers)
        self._numbers.play_again()
        self._told = [*before[:start]]
        for observation in (*since, Tick(t)):
            self._tell(observation, self._game.observe(observation))
        self._numbers.played_again()
        return differences(told, self._told, t, self._game.next_hand - 1, said)
