"""Which zones are not believed any more: what they show is for the record only.

Three dismissals of one code from one zone within 50 hands make that zone suspect until its
reader has been checked; a floorperson may mute a code for a number of hands (contract, *Who
decides*).
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.sight import DISMISSALS, Silence

WITHIN = 50
"""Hands."""


class Muted(Struct, frozen=True, array_like=True):
    """A code, from one zone or from any, is for the record until this hand is over."""

    code: str
    zone: str | None
    last_hand: int


class Dismissal(Struct, frozen=True, array_like=True):
    """A finding of this code from this zone was answered no."""

    code: str
    zone: str
    hand: int


class Trust(Struct, frozen=True, omit_defaults=True):
    """An immutable value: every change returns a new one."""

    dismissals: tuple[Dismissal, ...] = ()
    suspect: tuple[str, ...] = ()
    mutes: tuple[Muted, ...] = ()

    def dismissed(self, code: str, zones: Iterable[str], hand: int) -> Trust:
        """A finding from these zones was dismissed in this hand."""
        recent = tuple(d for d in self.dismissals if d.hand > hand - WITHIN)
        recent += tuple(Dismissal(code, zone, hand) for zone in zones)
        named = [(d.code, d.zone) for d in recent]
        now = {zone for what, zone in named if named.count((what, zone)) >= DISMISSALS}
        return replace(self, dismissals=recent, suspect=tuple(sorted({*self.suspect, *now})))

    def checked(self, zone: str) -> Trust:
        """The reader behind a zone has been seen to."""
        if zone not in self.suspect and all(d.zone != zone for d in self.dismissals):
            return self
        return replace(
            self,
            dismissals=tuple(d for d in self.dismissals if d.zone != zone),
            suspect=tuple(z for z in self.suspect if z != zone),
        )

    def muted(self, code: str, zone: str | None, last_hand: int) -> Trust:
        """The floor wants to hear no more of a code until that hand is over."""
        live = tuple(m for m in self.mutes if (m.code, m.zone) != (code, zone))
        return replace(self, mutes=(*live, Muted(code, zone, last_hand)))

    def silent(self, hand: int) -> tuple[Silence, ...]:
        """What asks nothing of anyone in this hand."""
        zones = (Silence(zone=zone) for zone in self.suspect)
        mutes = (Silence(m.code, m.zone, m.last_hand) for m in self.mutes if hand <= m.last_hand)
        return (*zones, *mutes)

    def doubted(self, hand: int) -> tuple[tuple[str, int], ...]:
        """How often each zone was not believed of late: of the code that counts most."""
        named = [(d.zone, d.code) for d in self.dismissals if d.hand > hand - WITHIN]
        counts: dict[str, int] = {}
        for zone, code in named:
            counts[zone] = max(counts.get(zone, 0), named.count((zone, code)))
        return tuple(sorted(counts.items()))

    def is_for_the_record(self, code: str, zones: Iterable[str], hand: int) -> bool:
        """Whether a finding from these zones asks nothing of anyone."""
        if not (self.suspect or self.mutes):
            return False
        named = set(zones)
        if named and named <= set(self.suspect):
            return True
        return any(
            mute.code == code and hand <= mute.last_hand and mute.zone in (None, *named)
            for mute in self.mutes
        )
