"""The muck: a card that was in it and comes back to a seat."""

from __future__ import annotations

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss

CODE = "muck-retrieved"


class Muck:
    """Knows which cards have been in the muck."""

    def __init__(self, walk: Walk, setup: Setup, judge: Judge, places: Places) -> None:
        """`places` knows where each tag is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._tags: set[str] = set()

    def received(self, tag: str) -> None:
        """A card lies in the muck."""
        self._tags.add(tag)

    def has_had(self, tag: str) -> bool:
        """Whether a card has been in the muck."""
        return tag in self._tags

    def came_back(self, tag: str, seat: int) -> None:
        """A card that was in the muck lies at a seat."""
        hand = self._hand
        if hand.open_finding(CODE) is None and self._judge.watching:
            amiss = Amiss(self._walk.t, CODE, (seat,), tags=(tag,))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + self._setup.timing.settle))

    def left_seat(self, tag: str) -> None:
        """A card has left a seat: it had not come back from the muck after all."""
        self._judge.forget(CODE, tag)

    def prove(self, amiss: Amiss) -> None:
        """It has stayed so: a card that is in the muck as well is a neighbour's ghost."""
        ghost = any(self._places.is_present(tag, "muck") for tag in amiss.tags)
        live = all(map(self._is_live, amiss.tags, amiss.seats))
        if not (ghost or live) and self._hand.open_finding(amiss.code) is None:
            self._judge.establish(amiss, self._walk.t)

    def _is_live(self, tag: str, seat: int) -> bool:
        """Whether a card has come home of a hand that the muck did not kill."""
        player = self._hand.betting.players.get(seat)
        is_home = self._hand.roles.get(tag) == HoleCard(seat)
        return is_home and player is not None and not (player.folded or player.mucked)
