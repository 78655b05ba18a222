"""Fouled hands: a card of one hand that lies in another player's zone and not in its own."""

from __future__ import annotations

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss
from controller.rules.procedure import Showdown

CODE = "fouled-hand"


class Fouling:
    """Watches whether the hands stay apart once the deal is over."""

    def __init__(self, walk: Walk, setup: Setup, judge: Judge, places: Places) -> None:
        """`places` knows where each tag is."""
        self._hand = walk.hand
        self._walk = walk
        self._setup = setup
        self._judge = judge
        self._places = places
        self._ghosts: set[tuple[str, int]] = set()

    def came(self, tag: str) -> None:
        """A card came to a seat."""
        role = self._hand.roles.get(tag)
        if not isinstance(role, HoleCard) or self._places.zones(tag) == [f"seat/{role.seat}"]:
            self._judge.forget(CODE, tag)
            self._put_back()
            return
        if not self._is_astray(tag, role.seat):
            self._judge.forget(CODE, tag)
            self._explain(tag, role.seat)
        elif self._matters(role.seat) and not self._judge.doubts_of(CODE):
            amiss = Amiss(self._walk.t, CODE, (role.seat,), tags=(tag,))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + self._setup.timing.settle))

    def left(self, tag: str) -> None:
        """A card has left a seat. Where it was read before that, and still is, is a ghost."""
        flicker = self._setup.timing.flicker
        for other in self._places.seats(tag):
            since = self._places.since(tag, other)
            if since is not None and self._walk.t - flicker - since > flicker:
                self._ghosts.add((tag, other))
        self.came(tag)

    def prove(self, amiss: Amiss) -> None:
        """The card has stayed there."""
        (seat,), (tag,) = amiss.seats, amiss.tags
        if self._is_astray(tag, seat) and self._matters(seat):
            self._judge.establish(amiss, self._walk.t)

    def _is_astray(self, tag: str, home: int) -> bool:
        at = self._places.seats(tag)
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
            and hand.open_finding(CODE) is None
            and not hand.betting.players[seat].folded
            and not isinstance(hand.head, Showdown)
            and self._setup.has(home)
            and not self._setup.was_lost(home, since=hand.t)
        )

    def _put_back(self) -> None:
        """Under a book in which the hand plays on, that is all that has to be done (UK-59)."""
        finding = self._hand.open_finding(CODE)
        if finding is not None and finding.ruling.outcome == "restore":
            (home,) = finding.seats
            back = all(self._places.seat(tag) == home for tag in finding.tags)
            tags = [tag for _, at, tag in self._hand.dealt if at == home]
            if back and not any(self._is_astray(tag, home) for tag in tags):
                self._judge.close(finding, "remedied", self._walk.t)

    def _explain(self, tag: str, home: int) -> None:
        """Its own antenna reads it again while the other one still does: that one reads a
        ghost."""
        finding = self._hand.open_finding(CODE)
        at = self._places.seats(tag)
        if finding is not None and tag in finding.tags and home in at and len(at) > 1:
            self._judge.close(finding, "remedied", self._walk.t)
