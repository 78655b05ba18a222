"""The floorperson at the dealer's screen: what is asked there, and what everybody there sees of it.

Whoever is signed in decides under their own name, whatever a screen says; nothing is decided while
nobody is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from controller.observations import FloorInput, Observation, Pick, Seen
from controller.table.floor import FloorDesk
from controller.view import FloorNow


class FloorHere:
    """A desk at a running table."""

    def __init__(
        self,
        desk: FloorDesk,
        badges: Mapping[str, str],
        *,
        clock: Callable[[], float],
        show: Callable[[FloorNow], None],
    ) -> None:
        """`badges` has the name for each badge's tag; `clock` is the table's time, and `show`
        shows who is there."""
        self._desk = desk
        self._badges = dict(badges)
        self._clock = clock
        self._show = show
        self._checking = False

    async def sign_in(self, name: str, pin: str) -> bool:
        """Signs in whose PIN it is; False where it is not, or none is looked at: one at a time."""
        if self._checking:
            return False
        check = self._desk.check(name, self._clock())
        if isinstance(check, str):
            self.look()
            return False
        self._checking = True
        try:
            right = await asyncio.to_thread(check, pin)
        finally:
            self._checking = False
        refusal = self._desk.checked(name, right=right, now=self._clock())
        self.look()
        return refusal is None

    def sign_out(self) -> None:
        """Nobody from the floor is there any more."""
        self._desk.sign_out()
        self.look()

    def saw(self, observation: Observation) -> None:
        """A badge that is laid on an antenna signs in its owner."""
        if isinstance(observation, Seen) and observation.tag in self._badges:
            self._desk.badge(self._badges[observation.tag], self._clock())
            self.look()

    def decided(self, decision: FloorInput) -> Observation | None:
        """The decision in the name of who is signed in; None where nobody is. No screen has a
        tag to pick."""
        person = self._desk.person(self._clock())
        if person is None or (isinstance(decision, Pick) and decision.tag is not None):
            return None
        self._desk.used(self._clock())
        return replace(decision, by=person)

    def look(self) -> None:
        """Shows who may sign in, who is there, and until when nobody may try a PIN."""
        now = self._clock()
        wait = self._desk.wait(now)
        self._show(
            FloorNow(
                floor_names=self._desk.names,
                floor_in=self._desk.person(now),
                floor_wait=round(now + wait, 1) if wait else None,
                floor_wrong=self._desk.wrong,
            )
        )
