"""Whether the table's cards may be named to whoever sets it up: one guard for all that does so.

A card may be named only while none lies at a seat, by the antennas themselves, whatever the engine
takes to be so: it may be off, or have lost its journal, or not know yet that a hand has begun.
Where a seat's antenna can't say so, dealer and floor have both said that no hand is played.
"""

from __future__ import annotations

from collections.abc import Collection

from controller.contract.zones import seat_of
from firmware_bridge.link.values import ZoneScan
from firmware_bridge.wiring import Wiring

EMPTY_FOR_S = 5.0
"""Players lift their cards to look at them: so long no seat may have had any."""
SILENT_S = 3.0
"""An antenna where nothing changes tells so once a second."""
CONFIRMED_FOR_S = 600.0
FEW = 3
"""So many cards lie on a table that is set up or looked at, and fewer than on any that plays."""
LEFT_FOR_S = 3.0

_Antenna = tuple[str, str]


class Naming:
    """What the antennas say of the seats, and what dealer and floor have said. All times are
    seconds on the wires' scale."""

    def __init__(
        self, wirings: Collection[Wiring], seats: Collection[int], objects: Collection[str]
    ) -> None:
        """`objects` are the tags that are no cards."""
        cards = [wiring for wiring in wirings if not wiring.reads_pucks]
        self._at_seats = {(w.port, z): seat for w in cards for z in w.zones if (seat := seat_of(z))}
        self._blind = sorted(set(seats) - set(self._at_seats.values()))
        self._objects = frozenset(objects)
        self._heard: dict[_Antenna, float] = {}
        self._lay: dict[_Antenna, float] = {}
        self._cards: dict[_Antenna, frozenset[str]] = {}
        self._confirmed = -CONFIRMED_FOR_S

    def scanned(self, port: str, zone: str, scan: ZoneScan) -> None:
        """An antenna has told what it reads."""
        if scan.failed:
            self._heard.pop((port, zone), None)
            return
        antenna = port, zone
        cards = frozenset(scan.tags) - self._objects
        self._cards[antenna] = cards
        if antenna not in self._at_seats:
            return
        if cards or not scan.complete:
            self._lay[antenna] = scan.t
            self.end()
        elif not self._tells(antenna, scan.t):
            self._lay[antenna] = scan.t
        self._heard[antenna] = scan.t

    def confirm(self, now: float) -> None:
        """Dealer and floor say that no hand is played: it holds for ten minutes, and until a card
        comes to a seat."""
        self._confirmed = now

    def end(self) -> None:
        """A card came to a seat, or a hand has begun: what was confirmed holds no longer."""
        self._confirmed = -CONFIRMED_FOR_S

    def lies(self) -> int | None:
        """A seat where a card lies; None where none is read at any."""
        seats = (self._at_seats[at] for at in self._at_seats if self._cards.get(at))
        return min(seats, default=None)

    def unsaid(self, now: float) -> list[int]:
        """The seats of which no antenna says whether a card lies there."""
        silent = {seat for at, seat in self._at_seats.items() if not self._tells(at, now)}
        return sorted({*self._blind, *silent})

    def why_not(self, now: float) -> str | None:
        """Why no card may be named now, in words; None where one may be."""
        if (seat := self.lies()) is not None:
            return f"a card lies at seat {seat}: cards are named only while none lies at any seat"
        if now - max(self._lay.values(), default=now - EMPTY_FOR_S) < EMPTY_FOR_S:
            return f"cards are named once no seat has had any for {EMPTY_FOR_S:g} s"
        seats = self.unsaid(now)
        if seats and now - self._confirmed >= CONFIRMED_FOR_S:
            return (
                f"no antenna tells whether cards lie at {_listed(seats)}: floor and dealer have to "
                "say that no hand is played, at the dealer's screen (Floor, Name cards), or with "
                "--no-hand if the table's service does not run"
            )
        return None

    def _tells(self, antenna: _Antenna, now: float) -> bool:
        heard = self._heard.get(antenna)
        return heard is not None and now - heard <= SILENT_S

    def crowd(self) -> str | None:
        """Why not even unnamed tags are told, in words: more cards lie on the antennas than who
        looks at these needs."""
        if len(frozenset().union(*self._cards.values())) > FEW:
            return f"more than {FEW} cards lie on the antennas"
        return None


class Aliases:
    """Names for tags that tell one from the other for as long as they lie there, and nothing else:
    a card that was gone has another one when it comes back."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, float]] = {}
        self._given = 0

    def of(self, tag: str, t: float) -> str:
        """The name of a tag that was read at `t`, somewhere."""
        name, last = self._known.get(tag, ("", -LEFT_FOR_S))
        if not name or t - last > LEFT_FOR_S:
            self._given += 1
            name = f"tag {self._given}"
        self._known[tag] = name, t
        return name


def _listed(seats: Collection[int]) -> str:
    names = [str(seat) for seat in seats]
    if len(names) == 1:
        return f"seat {names[0]}"
    return f"seats {', '.join(names[:-1])} and {names[-1]}"
