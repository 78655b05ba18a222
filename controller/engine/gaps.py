"""After a gap, in which nobody watched: what lies there tells no order, and may be of another
hand (contract, `gap`)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf

import msgspec

from controller.contract.observations import Gap, Observation, Seen
from controller.contract.zones import seat_of
from controller.engine import kept
from controller.engine.hands import Hands
from controller.engine.situation import Situation
from controller.hand.inventory import Inventory
from controller.hand.watch import Watch
from controller.rules.hand import Hand


class Gaps:
    """Holds what comes after one until all has been read that lies there, and takes it in."""

    def __init__(self, now: Situation, hands: Hands) -> None:
        """`hands` are told of what ended unseen."""
        self._now = now
        self._hands = hands

    def begin(self, gap: Gap) -> None:
        """Nobody has watched: all that is read from here on is held until it is all there."""
        now = self._now
        if now.setup is not None:
            now.inventory = Inventory(gap)
            if (watch := now.running()) is not None:
                watch.judge.quiet_until = inf
            now.has_changed = True

    def hold(self, inventory: Inventory, observation: Observation) -> bool:
        """Keeps this for later if what lies there has not all been read by now. If it has, all of
        it is taken in, and then what came beside it, and this does not wait: False."""
        now = self._now
        if inventory.holds(observation):
            return True
        now.inventory = None
        now.t = max(now.t, inventory.t)
        for reader in inventory.readers:
            if now.setup is not None:
                now.setup.hear_of(reader)
        self._take_in(inventory)
        now.has_changed = True
        return False

    def _take_in(self, inventory: Inventory) -> None:
        now, t = self._now, inventory.t
        watch, places = now.running(), now.places
        came, lay = inventory.came(places), places.tags()
        dealt_anew = self._is_another_hand(watch, came, lay)
        left = inventory.left(places, self._cards_read(), dealt_anew=dealt_anew)
        puck_lay = now.puck_seats()
        for gone in left:
            places.forget(gone.tag, gone.zone)
        now.stale = {placed for placed in self._cards_read() if not inventory.tells(*placed)}
        if dealt_anew:
            self.end_unseen(watch, t)
            watch = None
        for seen in came:
            now.places.seen(seen.tag, seen.zone, t)
        if watch is None:
            return
        if puck_lay != now.puck_seats() and now.setup is not None:
            now.setup.believe()  # it is moved for the next hand, which may have begun
        now.puck_moved(t)
        watch.nobody_watched(
            t,
            [gone for gone in left if now.is_card(gone.tag)],
            [seen for seen in came if now.is_card(seen.tag)],
            inventory.presses,
        )
        told = frozenset(now.places.tags()).difference(tag for tag, _ in now.stale)
        now.lay = told if watch.hand.dealt_out else None
        self._hands.end_if_over(watch)

    def _cards_read(self) -> list[tuple[str, str]]:
        """The cards that lie where somebody reads, each with its zone."""
        setup, t = self._now.setup, self._now.t
        out = self._now.cards_out()
        return [placed for placed in out if setup and not setup.was_lost(placed[1], t)]

    def _is_another_hand(
        self, watch: Watch | None, came: Sequence[Seen], lay: Sequence[str]
    ) -> bool:
        """Whether cards have come to two seats that are not of the hand that ran; of one that is
        not watched only those are known that `lay` on the table."""
        now = self._now
        if now.under_way or (watch is not None and not watch.hand.dealt_out):
            return False
        known: Collection[str] = () if watch is None else watch.hand.roles
        if watch is not None and not watch.judge.watching:
            known = {*known, *lay}
        new = (s for s in came if s.tag not in known and now.first_cards.is_new(s.tag))
        return len({seat_of(seen.zone) for seen in new} - {None}) > 1

    def is_dealt_anew(self, hand: Hand, lay: frozenset[str]) -> bool:
        """Whether cards lie at two seats or more, and none there that `lay` on the table when the
        hand went on after a gap, or was dealt to that seat: its end and the next riffle were in
        that."""
        now = self._now
        own = {(tag, seat) for _, seat, tag in hand.dealt}
        fresh = set()
        for tag in now.places.tags():
            seat = now.places.seat(tag)
            is_stale = (tag, f"seat/{seat}") in now.stale
            if seat is not None and not is_stale and now.is_card(tag):
                if tag in lay or (tag, seat) in own:
                    return False
                fresh.add(seat)
        return len(fresh) > 1

    def end_unseen(self, watch: Watch | None, t: float) -> None:
        """The hand that ran is over, and how it ended nobody saw. One is being played whose
        beginning nobody saw either: it is not watched, what anybody has after it is not known, and
        where the button is the next deal shows."""
        now = self._now
        if watch is not None:
            watch.hand.betting.lose_track()
            watch.complete(t)
            self._hands.end_if_over(watch)
        state, setup = kept.state(now), now.setup
        if state is None or setup is None:
            return
        due = now.due(setup)
        button = state.table.button if due is None else due.button
        for seat in setup.seats:
            setup.set_stack(seat, None)
        setup.believe()
        state = kept.state(now) or state
        table = msgspec.structs.replace(state.table, under_way=True, button=button)
        anew = msgspec.structs.replace(state, table=table, positions=None)
        kept.restore(now, anew, now.resolver.deck, kept.lying(now), now.resolver.resting)
