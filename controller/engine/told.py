"""What a table is told beside the play: who sits there, the level, the deck, the dealer, the floor,
its readers and how quick they are."""

from __future__ import annotations

import msgspec

from controller.contract.events import FloorCalled, FloorComing
from controller.contract.observations import (
    CallFloor,
    Coming,
    DeckChange,
    DeckCheck,
    Learner,
    Level,
    Mute,
    Reader,
    SeatChange,
    SignIn,
    TableBlinds,
    TimingChange,
    level_of,
)
from controller.engine.between import check_deck, say_due
from controller.engine.hands import Hands
from controller.engine.situation import Situation
from controller.rules.procedure import Showdown


class Told:
    """Takes what is told, for this hand or the coming one."""

    def __init__(self, now: Situation, hands: Hands) -> None:
        """`hands` hear what concerns the one that runs."""
        self._now = now
        self._hands = hands

    def deck(self, change: DeckChange) -> None:
        """The hand that has only begun is dealt with the new deck; one of which cards are out
        stays with its own."""
        now = self._now
        watch = now.running()
        if watch is not None and not now.shuffle.awaits_first_card(watch.hand):
            now.resolver = now.resolver.with_deck(change.deck)
        else:
            now.resolver.change_deck(change.deck)
            if watch is not None:
                watch.deck_changed(change.t)
        check_deck(now, change.t)
        if now.setup is not None:
            now.between = now.between.deck_changed(len(now.setup.entitled()))
            say_due(now, change.t)

    def deck_check(self, check: DeckCheck) -> None:
        """The deck lay on its reader."""
        self._now.checked = check.tags
        check_deck(self._now, check.t)

    def seat(self, change: SeatChange) -> None:
        """Who sits there, or nobody."""
        now, seat = self._now, change.seat
        if now.setup is None:
            return
        watch = now.running()
        if change.stack is not None and watch:
            now.setup.given[seat] = change.stack
        plays = watch is not None and seat in watch.hand.betting.players
        now.setup.change_seat(change, plays=plays)
        if change.status == "empty":
            self._hands.tell(lambda watch: watch.nobody_at(seat, change.t or now.t))

    def level(self, level: Level) -> None:
        """A level was announced."""
        now, setup = self._now, self._now.setup
        blinds = TableBlinds(**level_of(level))
        if setup is None or not setup.set_level(blinds):
            return
        if now.watch and (now.running() or now.redeal):
            now.watch.level("level-waits", blinds, level.t)
        now.between = now.between.level_changed(push_begins=setup.book.push_begins)
        say_due(now, level.t)

    def reader(self, reader: Reader) -> None:
        """An antenna is lost or there again."""
        if self._now.setup is not None:
            self._now.setup.hear_of(reader)

    def timing(self, change: TimingChange) -> None:
        """The antennas have been measured: from the next hand on."""
        if self._now.setup is not None:
            self._now.setup.next_window = change.order_window

    def sign_in(self, sign_in: SignIn) -> None:
        """Who deals from here on."""
        now, setup = self._now, self._now.setup
        if setup is None:
            return
        if setup.dealer not in (None, sign_in.name):
            watch = now.running()
            is_played = watch is not None and not isinstance(watch.hand.head, Showdown)
            now.between = now.between.dealer_changed(is_push=now.is_open and not is_played)
        setup.dealer = sign_in.name
        say_due(now, sign_in.t)

    def learner(self, learner: Learner) -> None:
        """Whether the dealer wants to be told more."""
        if (setup := self._now.setup) is not None:
            setup.routine = msgspec.structs.replace(setup.routine, learner=learner.on)

    def floor_called(self, call: CallFloor) -> None:
        """Who calls is the dealer that has signed in, unless the entry says otherwise."""
        now = self._now
        dealer = None if now.setup is None else now.setup.dealer
        now.emit(FloorCalled(call.t, now.number(), call.by or dealer))
        self._hands.tell(lambda watch: watch.floor_called(call.t))

    def floor_coming(self, coming: Coming) -> None:
        """Somebody from the floor comes."""
        now = self._now
        now.emit(FloorComing(coming.t, now.number(), coming.by))
        self._hands.tell(lambda watch: watch.floor_called(coming.t))

    def mute(self, mute: Mute) -> None:
        """A kind of finding is for the record only, for so many hands."""
        now = self._now
        if now.setup is not None:
            last = now.last_number + mute.hands - (now.running() is not None)
            now.setup.trust = now.setup.trust.muted(mute.code, mute.zone, last)
