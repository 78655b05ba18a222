"""A muck that is taken up in the middle of a hand: nobody may look through it.

RR7-PROC-23, NL10-HR-05. Tags in a pile cover one another, so that some are not read says nothing;
only when none of them is read anywhere for a while was the muck taken up. The stub is in the
dealer's hands all the time: that somebody looks through it no antenna can tell.
"""

from __future__ import annotations

from controller.rules.hand import Returned
from controller.rules.procedure import Round
from controller.rules.watcher import Lasting, Lookout

LIFTED = 3.0
"""Seconds after which the muck was not just pushed together."""
FEWEST = 3
"""Cards of which a muck consists: two may be one hand that is given back."""


class MuckLifted(Lasting[str]):
    """Watches whether the muck lies."""

    def __init__(self, lookout: Lookout) -> None:
        """Nothing has been mucked."""
        super().__init__(lookout)
        self._tags: set[str] = set()
        self._said = False

    def came(self, tag: str, zone: str) -> None:
        """A card came into a zone."""
        if zone == "muck":
            self._tags.add(tag)

    def left(self, _tag: str, zone: str) -> None:
        """A card left a zone."""
        if zone == "muck" and not self._said and self._is_up():
            self._due[zone] = self._now.t + LIFTED

    def _is_up(self) -> bool:
        roles = self._hand.roles
        muck = [tag for tag in self._tags if not isinstance(roles.get(tag), Returned)]
        return len(muck) >= FEWEST and not any(map(self._lying.lies, muck))

    def _lasted(self, _: str) -> None:
        """Said once, while a round is being played and nothing has to be put right."""
        hand = self._hand
        in_play = isinstance(hand.head, Round) and self._judge.watching and not hand.findings
        live = {player.seat for player in hand.betting.live}
        held = {seat for _, seat, tag in hand.dealt if self._lying.seat(tag) == seat}
        was_read = not self._table.was_lost("muck", hand.t)
        if in_play and self._is_up() and live & held and was_read:
            self._said = True
            self._now.tell.remind("muck-lifted", self._now.t)
