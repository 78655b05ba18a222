"""Until when a misdeal can be called.

RR7-MISDEAL-1, RR7-MISDEAL-2, NL10-MIS-05: until two players after the blinds have acted; with
two or three players the first two in-turn actions count (no book covers it). UK-33D, UK-34:
until two actions in turn of which one puts chips in, or any three. TDA 2009 is silent and
borrows UK-34.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

CutOff = Literal["two-actions", "substantial-action"]

FACTS = frozenset(
    {
        "no-action",
        "acted",
        "two-actions",
        "under-two-actions",
        "substantial",
        "not-substantial",
    }
)
"""What a rule book may ask of the moment at which an error of the deal is noticed."""


def is_past(cut_off: CutOff, actions: Sequence[bool]) -> bool:
    """Whether a misdeal can't be called any more. `actions` are the actions in turn since the
    blinds, each with whether it put chips in."""
    if cut_off == "two-actions":
        return len(actions) >= 2
    return len(actions) >= 3 or (len(actions) == 2 and any(actions))


def moment(actions: Sequence[bool]) -> frozenset[str]:
    """The facts for both kinds of books."""
    two = "two-actions" if is_past("two-actions", actions) else "under-two-actions"
    chips = "substantial" if is_past("substantial-action", actions) else "not-substantial"
    return frozenset({two, chips, "acted" if actions else "no-action"})
