"""Players who forget: presses that are missing or late, amounts that nobody tells."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Annotated

from msgspec import Meta, Struct

from controller.demo.deck import Felt

Share = Annotated[float, Meta(ge=0, le=1)]


class Habits(Struct, frozen=True, forbid_unknown_fields=True):
    """Of the presses at the seats this share is `missing`, and that one `late`: just after the
    next player's. Of the amounts that the dealer enters this share is left `untold`."""

    missing: Share = 0.0
    late: Share = 0.0
    untold: Share = 0.0


ATTENTIVE = Habits()
FORGETFUL = Habits(missing=0.1, late=0.1, untold=0.1)
"""With `--people`: a slip or two in most hands, so that there is something to see."""


class People:
    """Presses for the players of a table, as their habits are. `slips` counts what they forgot."""

    def __init__(
        self,
        felt: Felt,
        rng: random.Random | None = None,
        habits: Callable[[], Habits] = lambda: ATTENTIVE,
    ) -> None:
        """`rng` decides who forgets, and nothing else: with the same seed the hands stay the same.
        Without one the habits have to stay attentive."""
        self._felt = felt
        self._rng = rng
        self._habits = habits
        self._late: tuple[int, str] | None = None
        self.slips = 0

    @property
    def is_late(self) -> bool:
        """Whether somebody has acted and will press after the next player."""
        return self._late is not None

    def press(self, seat: int, button: str) -> None:
        """A player has acted, and presses, or will, or does not."""
        habits = self._habits()
        if self._happens(habits.missing):
            self.slips += 1
        elif self._late is None and self._happens(habits.late):
            self.slips += 1
            self._late = (seat, button)
        else:
            self._felt.press(seat, button)

    def catch_up(self) -> None:
        """Who is late presses now."""
        late, self._late = self._late, None
        if late is not None:
            self._felt.press(*late)

    def bet(self, seat: int, button: str, amount: int) -> None:
        """The dealer enters a bet or a raise, with its amount or without."""
        fields: dict[str, object] = {"seat": seat, "button": button, "by": "dealer"}
        if self._happens(self._habits().untold):
            self.slips += 1
        else:
            fields["amount"] = amount
        self._felt.enter(kind="press", **fields)

    def _happens(self, share: float) -> bool:
        return share > 0 and self._rng is not None and self._rng.random() < share
