"""The floorperson at the dealer's screen: what is asked there, and what everybody there sees of it.

Whoever is signed in decides under their own name, whatever a screen says; nothing is decided while
nobody is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping

from msgspec.structs import replace

from controller.contract.observations import FloorInput, Observation, Pick, Seen
from controller.contract.picture import FloorNow
from controller.table.floor import FloorLogin, Guesses


class FloorHere:
    """The floor's login at a running table."""

    def __init__(
        self,
        login: FloorLogin,
        badges: Mapping[str, str],
        *,
        clock: Callable[[], float],
        show: Callable[[FloorNow], None],
        keep: Callable[[Guesses], None],
    ) -> None:
        """`badges` has the name for each badge's tag; `clock` is the table's time, `show` shows
        who is there, and `keep` keeps wrong PINs across a restart, outside the loop."""
        self._login = login
        self._badges = dict(badges)
        self._clock = clock
        self._show = show
        self._keep = keep
        self._checking = False

    async def sign_in(self, name: str, pin: str) -> bool:
        """Signs in whose PIN it is; False where it is not, or none is looked at: one at a time."""
        if self._checking:
            return False
        check = self._login.check(name, self._clock())
        if isinstance(check, str):
            self.look()
            return False
        if_wrong = self._login.if_wrong(self._clock())

        def look_at() -> bool:
            self._keep(if_wrong)
            right = check(pin)
            if right:
                self._keep(Guesses())
            return right

        self._checking = True
        try:
            right = await asyncio.to_thread(look_at)
        finally:
            self._checking = False
        refusal = self._login.checked(name, right=right, now=self._clock())
        self.look()
        return refusal is None

    def sign_out(self) -> None:
        """Nobody from the floor is there any more."""
        self._login.sign_out()
        self.look()

    def is_here(self) -> bool:
        """Whether somebody is signed in."""
        return self._login.person(self._clock()) is not None

    def saw(self, observation: Observation) -> None:
        """A badge that is laid on an antenna signs in its owner."""
        if isinstance(observation, Seen) and observation.tag in self._badges:
            self._login.badge(self._badges[observation.tag], self._clock())
            self.look()

    def decided(self, decision: FloorInput) -> Observation | None:
        """The decision in the name of who is signed in; None where nobody is. No screen has a
        tag to pick."""
        person = self._login.person(self._clock())
        if person is None or (isinstance(decision, Pick) and decision.tag is not None):
            return None
        self._login.used(self._clock())
        return replace(decision, by=person)

    def look(self) -> None:
        """Shows who may sign in, who is there, and until when nobody may try a PIN."""
        now = self._clock()
        wait = self._login.wait(now)
        self._show(
            FloorNow(
                floor_names=self._login.names,
                floor_in=self._login.person(now),
                floor_wait=round(now + wait, 1) if wait else None,
                floor_wrong=self._login.wrong,
            )
        )
