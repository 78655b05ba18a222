"""From one hand to the next: how one begins, what it is the redeal of, and when it is over."""

from __future__ import annotations

from collections.abc import Callable

from controller.contract.events import Prompt, Result, Start, StartSeat
from controller.contract.observations import (
    Award,
    Boxed,
    Dismiss,
    Exposed,
    FloorDismiss,
    FloorRuling,
    Open,
    Riffle,
    Seen,
)
from controller.engine import kept
from controller.engine.between import check_deck, say_due
from controller.engine.late import is_awarded_late, is_broken_off, is_riffled_late
from controller.engine.situation import Beginning, First, Situation
from controller.engine.state import Redeal
from controller.hand.setup import Setup
from controller.hand.watch import Watch
from controller.rules.decisions import rule_anew, told
from controller.rules.faced import plays
from controller.rules.hand import Hand
from controller.rules.outcome import undone


class Hands:
    """The hands of one table, one after another."""

    def __init__(self, now: Situation) -> None:
        """They are played where `now` is."""
        self._now = now

    # --- beginning ------------------------------------------------------------------------

    def riffle(self, riffle: Riffle) -> None:
        """A hand begins, or the one that runs goes on: a reshuffle, or a riffle told late."""
        now = self._now
        now.under_way = False
        watch = now.running()
        if watch is not None:
            if not watch.hand.has_begun:
                return
            if watch.awaits_shuffle:
                watch.reshuffled(riffle.t)
                return
            if is_riffled_late(watch, now.places, riffle.t):
                watch.hand.riffled = True
                return
            self._end_by_the_next(watch, riffle.t)
        self._begin(riffle.t, (riffle,))
        now.shuffle.spread(riffle.t)

    def begin_dealt(self, first: tuple[Seen | Exposed | Boxed, ...]) -> None:
        """A hand begins with its first cards, which have been dealt; one that seems to run is
        over."""
        if (before := self._now.running()) is not None:
            self._end_by_the_next(before, first[0].t)
        self._begin(first[0].t, first)
        watch = self._now.running()
        if watch is not None:
            for one in first:
                while (due := watch.next_deadline) is not None and due <= one.t:
                    watch.expire(due)
                if isinstance(one, Seen):
                    watch.arrived(one.tag, one.zone, one.t)
                else:
                    _face_up(watch, one)
            self.end_if_over(watch)

    def _begin(self, t: float, first: tuple[First, ...]) -> None:
        """A hand begins with these observations: a riffle, or the first cards and what was said
        of them."""
        now, setup = self._now, self._now.setup
        now.first_cards.hand_begins()
        now.shuffle.hand_begins()
        for tag, zone in now.stale:  # what was not told of since a gap does not lie there
            now.places.forget(tag, zone)
        now.stale = set()
        if setup is None:
            return
        pitched = {seen.tag for seen in first if isinstance(seen, Seen)}
        if pitched and now.redeal is None:
            now.redeal = now.undealt
        now.undealt = None
        state = kept.state(now)
        lying = tuple(read for read in kept.lying(now) if read.tag not in pitched)
        place, redeal = now.due(setup), now.redeal
        now.redeal = None
        if place is None:
            if pitched:
                setup.believe()  # a hand is played among people of whom nobody has told
            return
        seats = setup.entitled() if redeal is None else setup.redealt(redeal.seats)
        deck, resting = now.resolver.deck, now.resolver.resting
        now.beginning = None if state is None else Beginning(state, deck, resting, lying, first)
        before, is_redeal, keeps_level = setup.blinds, redeal is not None, now.between.keeps_level
        setup.has_other_deck = bool(resting)
        setup.hand_begins(place, seats, is_redeal=is_redeal, keeps_level=is_redeal or keeps_level)
        now.between = now.between.push_over()
        now.decided = ()
        now.disputes.close("expired", t)
        now.last_number += 1
        hand = setup.new_hand(now.last_number, t, place, seats)
        hand.redeal_of = redeal.hand if redeal else None
        hand.were_absent = frozenset(redeal.absent if redeal else ())
        hand.riffled = not pitched
        hand.findings = now.short_deck.hand_over()
        now.emit(_start(hand, setup, implied=bool(pitched)))
        now.watch = watch = Watch(
            hand,
            setup,
            resolver=now.resolver,
            places=now.places,
            emit=now.emit,
            number=now.number_finding,
        )
        now.begun_shut = None if now.is_open else hand
        if not now.is_open:
            watch.judge.stop()
        if setup.blinds != before:
            watch.level("new-level", setup.blinds, t)
        elif keeps_level and setup.next_blinds not in (None, setup.blinds):
            watch.level("level-waits", setup.next_blinds, t)
        now.last_hand = None
        check_deck(now, t)
        now.puck_moved(t)

    # --- while it is played ---------------------------------------------------------------

    def tell(self, act: Callable[[Watch], None]) -> None:
        """Tells the running hand of something, if there is one."""
        if (watch := self._now.running()) is not None:
            act(watch)
            self.end_if_over(watch)

    def say_face_up(self, said: Exposed | Boxed) -> None:
        """A card lies face up, or lay so in the deck, it is said."""
        if plays(said):
            return
        if self._now.running() is None:
            self._now.first_cards.say(said)
        self.tell(lambda watch: _face_up(watch, said))

    def open(self, opened: Open) -> None:
        """The table is in play. A hand that was riffled just before is watched from its first card
        on."""
        now = self._now
        now.is_open = True
        watch = now.running()
        if watch is not None and watch.hand is now.begun_shut:
            watch.judge.watching |= now.shuffle.awaits_first_card(watch.hand)
        if not now.last_number:
            now.between = now.between.opened()
            say_due(now, opened.t)

    def close(self) -> None:
        """The table is not in play: nothing is a finding."""
        now = self._now
        now.is_open = False
        now.between = now.between.push_over()
        if now.watch is not None:
            now.watch.judge.stop()

    def unwatched(self) -> None:
        """Nothing in this hand is a finding from here on."""
        self._now.begun_shut = None
        self.tell(lambda watch: watch.judge.stop())

    # --- its end --------------------------------------------------------------------------

    def end_if_over(self, watch: Watch) -> None:
        """What follows once a hand is over, if it is. One that an award has ended before its first
        card is the one that is dealt then, if there is no other riffle."""
        now, hand = self._now, watch.hand
        if not hand.over or now.last_hand is hand:
            return
        now.last_hand = hand
        now.lay, now.awarded = None, hand.undone
        absent = tuple(sorted(watch.absent))
        again = Redeal(hand.redeal_of or hand.number, tuple(hand.betting.players), absent)
        now.undealt = None if hand.has_begun or not now.reads_seats(hand) else again
        if hand.undone:
            now.redeal = again
        now.first_cards.hand_over(now.places, hand.dealt)
        now.decided = watch.decisions.made
        now.disputes.open = watch.disputed
        if now.setup is not None:
            now.setup.hand_over(hand, watch.stacks_after or {})
        check_deck(now, now.t)
        now.between = now.between.hand_over()
        say_due(now, now.t)

    def _end_by_the_next(self, watch: Watch, t: float) -> None:
        """The next hand begins, and this one was not ended. What was no deal at all keeps nobody
        out of the one that comes now."""
        now, was_none = self._now, is_broken_off(watch, t)
        if watch.awaits_misdeal or was_none:
            watch.misdeal(t)
        else:
            watch.complete(t)
        self.end_if_over(watch)
        setup, again = now.setup, now.redeal
        if was_none and setup is not None and again is not None:
            seats = tuple(setup.entitled())
            now.redeal = Redeal(again.hand, seats if len(seats) > 1 else again.seats, again.absent)

    def misdeal(self, t: float) -> None:
        """A misdeal was called."""
        self._end_under_way()
        self.tell(lambda watch: watch.misdeal(t))

    def award(self, award: Award) -> None:
        """Amid the deal it is the last hand's, entered once more; and late, if it has had none."""
        now = self._now
        self._end_under_way()
        watch = now.running()
        known = now.award_t if now.awarded else None
        if watch is None or not is_awarded_late(
            watch, now.places, award.t, awarded=known, reads_seats=now.reads_seats(watch.hand)
        ):
            self.tell(lambda watch: watch.award(award.t))
        now.awarded, now.award_t = True, award.t

    def _end_under_way(self) -> None:
        """The hand that nobody watched is over: its cards start nothing."""
        if self._now.under_way:
            self._now.under_way = False
            self._now.first_cards.hand_over(self._now.places)

    # --- what is decided of it ------------------------------------------------------------

    def dismiss(self, dismiss: Dismiss | FloorDismiss) -> None:
        """A finding, of this hand or one that outlived its own, is answered with no."""
        now = self._now
        now.short_deck.close("dismissed", dismiss.t, dismiss.finding)
        now.disputes.close("dismissed", dismiss.t, dismiss.finding)
        by_floor = isinstance(dismiss, FloorDismiss)
        self.tell(lambda w: w.dismiss(dismiss.finding, dismiss.t, by_floor=by_floor))

    def rule(self, ruling: FloorRuling) -> None:
        """The floor decides, or decides otherwise."""
        now, setup = self._now, self._now.setup
        if setup and now.short_deck.rule(ruling.finding, ruling.outcome, setup.book, ruling.t):
            return
        if setup and self._rule_disputed(ruling, setup):
            return
        watch = now.running()
        if watch is not None:
            is_known = watch.rule(ruling.finding, ruling.outcome, ruling.t)
            self.end_if_over(watch)
        else:
            is_known = self._rule_anew(ruling)
        if not is_known:
            said = {"finding": ruling.finding}
            now.emit(Prompt(ruling.t, now.number(), "ruling-too-late", said))

    def _rule_disputed(self, ruling: FloorRuling, setup: Setup) -> bool:
        """The hand is over, and what is ruled on outlived it; False if nothing of this id did. If
        the hand is void all have what they began it with, and the next one is its redeal; if it is
        so no more nobody's chips are known."""
        now = self._now
        ruled = now.disputes.rule(ruling.finding, ruling.outcome, setup.book, ruling.t)
        if ruled is None:
            return False
        before, after = ruled
        if after.is_void and not before.is_void:
            setup.begin_again(after.place, after.stacks)
            now.redeal = Redeal(after.redeal, tuple(seat for seat, _ in after.stacks))
            now.emit(Result(ruling.t, after.hand, (), None, undone(after.stacks)))
            now.emit(Prompt(ruling.t, now.number(), "collect-void", {}))
        elif before.is_void and not after.is_void:
            setup.begin_again(after.place, [(seat, None) for seat, _ in after.stacks])
            now.redeal = None
        return True

    def _rule_anew(self, ruling: FloorRuling) -> bool:
        """The hand is over: all that is left is to tell it."""
        now = self._now
        before = next((d for d in now.decided if d.finding == ruling.finding), None)
        if before is None or now.setup is None:
            return False
        if before.ruling.outcome != ruling.outcome:
            anew = rule_anew(before, ruling.outcome, now.setup.book)
            now.decided = tuple(anew if d is before else d for d in now.decided)
            for event in told(anew, now.last_number, ruling.t):
                now.emit(event)
        return True


def _face_up(watch: Watch, said: Exposed | Boxed) -> None:
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
