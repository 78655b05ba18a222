"""The table as the last `table` record and what followed it have set it up."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from controller.engine.trust import Trust
from controller.observations import TableBlinds, TableSeat, Timing
from controller.rules.betting import Betting, Player
from controller.rules.button import Positions
from controller.rules.rulebook import RuleBook


@dataclass(slots=True)
class Setup:
    """`zones` and `buttons` are None where the table has all of them. `positions` are those of
    the last hand, or None before the first; `ahead` is a hand and the seat that has had the big
    blind of that hand already, as an earlier one was played from the wrong place."""

    table: str
    book: RuleBook
    seats: dict[int, TableSeat]
    button: int
    blinds: TableBlinds
    zones: frozenset[str] | None
    buttons: frozenset[int] | None
    posts: tuple[int, ...]
    timing: Timing
    mode: Literal["tournament", "cash"] = "tournament"
    positions: Positions | None = None
    ahead: tuple[int, int] | None = None
    unread_until: dict[str, float] = field(default_factory=dict)
    dealer: str | None = None
    trust: Trust = field(default_factory=Trust)

    def has(self, pile: str) -> bool:
        """Whether the table has an antenna for a pile: `burn`, `board`, `muck`, `stub`."""
        if self.zones is None:
            return True
        return pile in self.zones or (
            pile == "board" and any(zone.startswith("board/") for zone in self.zones)
        )

    def has_buttons(self, seat: int) -> bool:
        """Whether a seat can act by its own buttons."""
        return self.buttons is None or seat in self.buttons

    def was_lost(self, zone: str, since: float) -> bool:
        """Whether the reader behind a zone is missing, or was at any time since then."""
        return self.unread_until.get(zone, since) > since

    def open_betting(self, players: list[Player], place: Positions) -> Betting:
        """The betting of a hand with these players, from left of the button."""
        return Betting(
            players,
            button=place.button,
            blinds=(place.small, place.big),
            chips=(self.blinds.small, self.blinds.big, self.blinds.ante),
            posts=self.posts,
        )

    def absent(self) -> set[int]:
        """The seats whose players are dealt in and not there: at a tournament their hands are
        dead once the deal is finished (RR7-T-12, UK-28, UK-65C, TDA09-22a)."""
        if self.mode != "tournament":
            return set()
        return {s.seat for s in self.seats.values() if s.status in ("absent", "penalty")}

    def entitled(self) -> list[int]:
        """The seats that are dealt in: all but the empty ones and those without chips."""
        return [s.seat for s in self.seats.values() if s.status != "empty" and s.stack != 0]
