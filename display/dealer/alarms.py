"""When a sound is due: a finding opens or gets worse, or a worst one waits for a tap. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.view import FindingView, TableView
from display.dealer.looking import Looking, is_question

REPEATED_S = 10.0
QUESTION = 2
"""A question sounds like what the dealer puts right, once."""


class Sounded(Struct, frozen=True):
    """What has been sounded: each open finding's `levels`, when (`at`, monotonic seconds), and
    whether anybody has tapped since."""

    levels: Mapping[int, int] = {}
    at: float = 0.0
    answered: bool = True


def level(finding: FindingView) -> int:
    """Return the priority that a finding sounds like."""
    asks = finding.basis == "unseen" or is_question(finding, 0)
    return QUESTION if asks else finding.priority


def due(
    heard: Sounded, view: TableView | None, looking: Looking, now: float
) -> tuple[Sounded, int | None]:
    """Return what has been heard by `now`, and the priority whose sound is due; None if none is.

    What opens while it is muted is not sounded later; a priority 1 is muted for one hand only.
    """
    if view is None:
        return heard, None
    levels = {finding.id: level(finding) for finding in view.findings}
    worse = [one for id, one in levels.items() if one < heard.levels.get(id, 4)]
    again = 1 in levels.values() and not heard.answered and now - heard.at >= REPEATED_S
    if not worse and not again:
        return (heard if levels == heard.levels else replace(heard, levels=levels)), None
    sound = min(worse, default=1)
    heard = Sounded(levels, now, heard.answered and sound != 1)
    return heard, None if is_muted(looking, view, sound) else sound


def tap(heard: Sounded) -> Sounded:
    """Take in a tap: whoever is there has heard it."""
    return heard if heard.answered else replace(heard, answered=True)


def is_muted(looking: Looking, view: TableView, sound: int) -> bool:
    """Tell whether this priority is muted now."""
    return looking.muted and (sound > 1 or looking.muted_hand == view.hand)
