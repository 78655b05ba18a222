"""Doubt: something expected has not been seen, and it is too early to say why.

One form for all of it: what is amiss, until when it may still be read, and
what was read in the meantime and is held back until then. What explains it takes the doubt
away and gives back what was held; the deadline or the next step of the hand makes it a finding.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from controller.rules.irregularity import Amiss
from controller.rules.procedure import Street


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


class Doubts(list[Doubt]):
    """The doubts of one hand, in the order in which they came."""

    def add(self, amiss: Amiss, until: float) -> Doubt:
        """It may be so: if nothing has explained it by then, it is to be proved."""
        doubt = Doubt(amiss, until)
        self.append(doubt)
        return doubt

    def of(self, code: str, street: Street | None = None) -> Doubt | None:
        """The first doubt whether this is amiss, with that street if one is given."""
        for doubt in self:
            if doubt.amiss.code == code and street in (None, doubt.amiss.street):
                return doubt
        return None

    def has(self, code: str) -> bool:
        """Whether this is in doubt already."""
        return self.of(code) is not None

    def is_held(self, tag: str, pile: str) -> bool:
        """Whether a card that came to a pile too soon is held back there."""
        return any(a.tag == tag and a.pile == pile for doubt in self for a in doubt.held)

    def forget(self, code: str, tag: str | None = None) -> None:
        """There is no doubt of this kind, or about this card, any more."""
        if self:
            self._keep(lambda a: a.code != code or (tag is not None and tag not in a.tags))

    def forget_street(self, street: Street) -> None:
        """There is no doubt about this street any more."""
        if self:
            self._keep(lambda amiss: amiss.street != street)

    def forget_held(self) -> None:
        """What is held back did not come too soon."""
        self[:] = [doubt for doubt in self if not doubt.held]

    def _keep(self, kept: Callable[[Amiss], bool]) -> None:
        self[:] = [doubt for doubt in self if kept(doubt.amiss)]

    @property
    def next_deadline(self) -> float | None:
        """When the next one is to be proved."""
        return min(doubt.until for doubt in self) if self else None
