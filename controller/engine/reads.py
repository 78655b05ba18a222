"""What is read at the table, to which hand it belongs, and what becomes certain as time passes."""

from __future__ import annotations

from controller.contract.observations import Gone, Press, Seen
from controller.contract.zones import seat_of
from controller.engine.gaps import Gaps
from controller.engine.hands import Hands
from controller.engine.late import goes_on, is_being_dealt, may_be_taken_in
from controller.engine.situation import Situation
from controller.hand.watch import Watch
from controller.rules.hand import Hand


class Reads:
    """Takes the tags and presses of a table."""

    def __init__(self, now: Situation, hands: Hands, gaps: Gaps) -> None:
        """`hands` begin and end by what is read; `gaps` know what it tells after one."""
        self._now = now
        self._hands = hands
        self._gaps = gaps
        self._deadline: float | None = None

    # --- time -----------------------------------------------------------------------------

    def until(self, t: float) -> None:
        """Lets everything become certain that does so before `t`, in its order."""
        now = self._now
        while True:
            departure = now.places.next_departure
            if now.has_changed:
                self._deadline = now.watch.next_deadline if now.watch else None
                now.has_changed = False
            deadline = self._deadline
            later = deadline is not None and departure is not None and departure <= deadline
            due = departure if deadline is None or later else deadline
            if now.shuffle.due is not None and now.shuffle.due <= min(t, due or t):
                self._end_shuffle(now.shuffle.due)
                continue
            if due is None or due > t:
                return
            now.has_changed = True
            if due == departure:
                self._departs(due)
            elif now.watch:
                now.watch.expire(due)
                now.t = max(now.t, due)
                self._hands.end_if_over(now.watch)

    def _departs(self, t: float) -> None:
        now = self._now
        tag, zone = now.places.depart()
        if not now.is_card(tag):
            if now.resolver.thing(tag) == "button":
                now.puck_moved(t)
        elif (running := now.running()) is not None:
            running.left(tag, zone, t)
        if now.watch is not None:
            self._note_taken_in(now.watch)

    def _note_taken_in(self, watch: Watch) -> None:
        """No card lies anywhere any more: whatever is missing of the hand was forgotten, and the
        cards of two seats begin the next one."""
        now, hand = self._now, watch.hand
        if hand is now.taken_in or not may_be_taken_in(watch):
            return
        if not any(now.cards_out()):
            now.taken_in = hand
            now.first_cards.taken_in(() if hand.undone else hand.dealt)

    # --- tags -----------------------------------------------------------------------------

    def seen(self, seen: Seen) -> None:
        """A tag is in a zone's field."""
        now = self._now
        if now.setup is None:
            return
        if now.stale:
            now.stale.discard((seen.tag, seen.zone))
        thing = now.resolver.thing(seen.tag)
        if thing is None:
            if now.places.seen(seen.tag, seen.zone, seen.t):
                self._came(seen)
        elif thing == "button" and now.places.seen(seen.tag, seen.zone, seen.t):
            now.puck_moved(seen.t)

    def _came(self, seen: Seen) -> None:
        """A card came to a zone."""
        now = self._now
        watch, is_at_seat = now.running(), seat_of(seen.zone) is not None
        if watch is None:
            if now.watch is not None:
                now.watch.arrived_after(seen.tag, seen.zone, seen.t)
            self._came_between(seen, is_at_seat=is_at_seat)
            return
        hand = watch.hand
        if is_at_seat and now.lay is not None and self._gaps.is_dealt_anew(hand, now.lay):
            self._gaps.end_unseen(watch, seen.t)
            return
        if hand is now.taken_in:
            if goes_on(watch, seen):
                now.taken_in = None
            elif is_at_seat and now.is_open:
                if first := now.first_cards.came(seen, now.places):
                    self._hands.begin_dealt(first)
                return
        if not hand.dealt and now.awaits_pitch(hand):
            if not now.shuffle.comes(seen):
                return
            self._deal_begins(watch, seen.t)
        watch.arrived(seen.tag, seen.zone, seen.t)
        if hand.over:
            self._hands.end_if_over(watch)

    def _came_between(self, seen: Seen, *, is_at_seat: bool) -> None:
        """A card came to a zone between two hands, or while nobody watches."""
        now = self._now
        if not is_at_seat:
            if seen.zone != "stub":
                now.first_cards.spread(seen)
        elif now.under_way:
            return
        elif not now.is_open:  # the cards of a chip race, say
            now.first_cards.hand_over(now.places)
        elif first := now.first_cards.came(seen, now.places):
            self._hands.begin_dealt(first)

    def gone(self, gone: Gone) -> None:
        """A tag may have left a zone's field."""
        now = self._now
        now.places.gone(gone.tag, gone.zone, gone.t)
        hand = None if now.watch is None else now.watch.hand
        if hand is None or hand.over or (not hand.dealt and now.awaits_pitch(hand)):
            now.shuffle.left(gone.tag, gone.t)

    # --- the deal -------------------------------------------------------------------------

    def _end_shuffle(self, t: float) -> None:
        """What has come to a seat, and lies there once nothing is spread any more, was dealt."""
        now = self._now
        watch, now.shuffle.due = now.running(), None
        if watch is None or not now.awaits_pitch(watch.hand):
            return
        if now.lies_at_seats():
            now.has_changed = True
            self._deal_begins(watch, t)
            self._hands.end_if_over(watch)

    def _deal_begins(self, watch: Watch, t: float) -> None:
        now = self._now
        for seen in now.shuffle.over(watch.hand, now.places, now.is_card, t):
            came = max(seen.t, now.last_told)
            self.until(came)
            watch.arrived(seen.tag, seen.zone, came)
            now.has_changed = True
        self.until(t)

    def first_cards(self, seen: Seen) -> tuple[str, ...]:
        """The cards with which a deal begins once this is observed: the hand's first, or those
        that begin one; none of them if it begins no deal."""
        now = self._now
        seat, watch = seat_of(seen.zone), now.running()
        is_unclear = now.setup is None or now.inventory is not None or now.under_way
        if seat is None or is_unclear or seen.zone in now.places.zones(seen.tag):
            return ()
        if watch is not None and watch.hand is not now.taken_in:
            is_first = now.shuffle.awaits_first_card(watch.hand)
            begins = is_first and seat in watch.hand.betting.players
            return (seen.tag,) if begins else ()
        return now.first_cards.would_begin(seen, now.places)

    # --- presses --------------------------------------------------------------------------

    def press(self, press: Press) -> None:
        """A seat acted, by its buttons or by the dealer's entry."""
        now, watch = self._now, self._now.running()
        if watch is not None and now.awaits_pitch(watch.hand) and now.lies_at_seats():
            self._deal_begins(watch, press.t)
        if watch is not None and self._is_before_the_deal(watch, press):
            watch.hand.needless[press.seat] += 1
            return
        self._hands.tell(
            lambda w: w.press(press.seat, press.button, press.amount, press.by, press.t)
        )

    def _is_before_the_deal(self, watch: Watch, press: Press) -> bool:
        """Whether no card has been read yet and it is another's turn, or not one at each seat in
        the rhythm of the deal: what is pressed is of the hand before, or of none."""
        hand = watch.hand
        if hand.dealt_out or not self._now.reads_seats(hand) or self._is_blind(hand):
            return False
        if not hand.dealt:
            return press.seat != hand.betting.next_to_act()
        return len(hand.dealt) < len(hand.betting.players) and is_being_dealt(watch, press.t)

    def _is_blind(self, hand: Hand) -> bool:
        """Whether the reader of a player's cards is missing."""
        setup = self._now.setup
        zones = [f"seat/{seat}" for seat in hand.betting.players]
        return setup is None or any(setup.was_lost(zone, hand.t) for zone in zones)
