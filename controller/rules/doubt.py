"""Doubt: something expected has not been seen, and it is too early to say why.

One form for all of it: what is amiss, until when it may still be read, and
what was read in the meantime and is held back until then. What explains it takes the doubt
away and gives back what was held; the deadline or the next step of the hand makes it a finding.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from controller.rules.irregularity import Amiss


@dataclass(frozen=True, slots=True)
class Arrival:
    """A tag came into a zone's field."""

    t: float
    tag: str
    zone: str

    @property
    def pile(self) -> str:
        """The zone without its number."""
        return self.zone.partition("/")[0]


@dataclass(slots=True)
class Doubt:
    """`until` in seconds on the scale of `t`; `held` in the order of arrival."""

    amiss: Amiss
    until: float
    held: list[Arrival] = field(default_factory=list)
