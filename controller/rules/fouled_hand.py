"""Fouled hand: a card from one player's hand is in another player's zone and not in its own.

RR7-DEAD-3 and its RRP twin: cards thrown into another player's hand are dead. We know which card is
whose, so the other hand stays live (UK-59 keeps a hand that is identified with certainty). UK and
TDA 2009 do not say what becomes of the thrown cards; NL 2010 leaves it to Robert's.

The finding names the seat whose card it is. A card that both antennas read is a neighbour's ghost.
"""

from __future__ import annotations

from controller.contract.zones import seat_of
from controller.rules.deal_rule import DealRule
from controller.rules.doubt import Doubt
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss
from controller.rules.procedure import Showdown
from controller.rules.watcher import Lookout, Watcher

CODE = "fouled-hand"


class FouledHand(DealRule):
    """The irregularity `fouled-hand`."""

    def __init__(self) -> None:
        """There is one."""
        super().__init__(CODE)


class Fouling(Watcher):
    """Watches whether the hands stay apart once the deal is over."""

    code = CODE

    def __init__(self, lookout: Lookout) -> None:
        """No ghost is known yet."""
        super().__init__(lookout)
        self._ghosts: set[tuple[str, int]] = set()

    def came(self, tag: str, zone: str) -> None:
        """A card came to a seat."""
        if seat_of(zone) is not None:
            self._look_at(tag)

    def left(self, tag: str, zone: str) -> None:
        """A card has left a seat. Where it was read before that, and still is, is a ghost."""
        if seat_of(zone) is None:
            return
        flicker = self._table.timing.flicker
        for other in self._lying.seats(tag):
            since = self._lying.since(tag, other)
            if since is not None and self._now.t - flicker - since > flicker:
                self._ghosts.add((tag, other))
        self._look_at(tag)

    def prove(self, doubt: Doubt) -> None:
        """The card has stayed there."""
        amiss = doubt.amiss
        (seat,), (tag,) = amiss.seats, amiss.tags
        if self._is_astray(tag, seat) and self._matters(seat):
            self._judge.establish(amiss, self._now.t)

    def _look_at(self, tag: str) -> None:
        role = self._hand.roles.get(tag)
        if not isinstance(role, HoleCard) or self._lying.zones(tag) == [f"seat/{role.seat}"]:
            self._doubts.forget(CODE, tag)
            self._put_back()
            return
        if not self._is_astray(tag, role.seat):
            self._doubts.forget(CODE, tag)
            self._explain(tag, role.seat)
        elif self._matters(role.seat):
            self._doubt(Amiss(self._now.t, CODE, (role.seat,), tags=(tag,)))

    def _is_astray(self, tag: str, home: int) -> bool:
        at = self._lying.seats(tag)
        players = self._hand.betting.players
        lies = [seat for seat in at if seat in players and (tag, seat) not in self._ghosts]
        return home not in at and bool(lies)

    def _matters(self, seat: int) -> bool:
        """Folded hands brush other zones, and at the showdown the hands are collected."""
        hand = self._hand
        home = f"seat/{seat}"
        return (
            self._judge.watching
            and hand.dealt_out
            and self._finding() is None
            and not hand.betting.players[seat].folded
            and not isinstance(hand.head, Showdown)
            and self._table.has(home)
            and not self._table.was_lost(home, since=hand.t)
        )

    def _put_back(self) -> None:
        """Under a book in which the hand plays on, that is all that has to be done (UK-59)."""
        finding = self._finding()
        if finding is not None and finding.ruling.outcome == "restore":
            (home,) = finding.seats
            back = all(self._lying.seat(tag) == home for tag in finding.tags)
            astray = any(self._is_astray(tag, home) for tag in self._hand.tags_of(home))
            if back and not astray:
                self._judge.put_right(finding, self._now.t)

    def _explain(self, tag: str, home: int) -> None:
        """Its own antenna reads it again while the other one still does: that one reads a
        ghost."""
        finding = self._finding()
        at = self._lying.seats(tag)
        if finding is not None and tag in finding.tags and home in at and len(at) > 1:
            self._judge.close(finding, "remedied", self._now.t)
