"""What the wires tell: the values that cross from the bridge to the engine.

They are lines of the table log as they stand (contract, section 1), so that nothing
is translated on the way. `t` is seconds on the table's one monotonic scale; `zone` is
`seat/1` … `seat/10`, `board`, `board/1` … `board/5`, `burn`, `muck` or `stub`. A tag
is a tag's canonical UID (upper case hex, most significant byte first) or, in a log
without a deck map, the card code itself; therefore it never appears in a repr.
"""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

Seconds = Annotated[float, Meta(ge=0)]
SeatNumber = Annotated[int, Meta(ge=1, le=10)]
SeatButton = Literal["check", "call", "bet", "raise", "fold", "all-in", "time"]
MOST_CHIPS = 10**12
"""Far more than any game has, and blind structures have the same limit. What all seats of a table
have together SQLite keeps, and a page's script counts exactly (up to 2^53)."""
Chips = Annotated[int, Meta(ge=0, le=MOST_CHIPS)]


class Seen(
    Struct,
    frozen=True,
    gc=False,
    tag_field="kind",
    tag="seen",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """A tag entered a zone's field; `t` is the first hit of the read."""

    t: Seconds
    zone: str
    tag: str
    face: Literal["up", "down"] | None = None

    def __repr__(self) -> str:
        return f"Seen(t={self.t}, zone={self.zone!r}, tag=…)"


class Gone(Struct, frozen=True, gc=False, tag_field="kind", tag="gone", forbid_unknown_fields=True):
    """A tag left a zone's field."""

    t: Seconds
    zone: str
    tag: str

    def __repr__(self) -> str:
        return f"Gone(t={self.t}, zone={self.zone!r}, tag=…)"


class Press(
    Struct,
    frozen=True,
    gc=False,
    tag_field="kind",
    tag="press",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """A seat's button was pressed, or the dealer entered the same on the display.

    `amount` is all that the seat has put in on this betting round once the action is
    done, blinds included, antes not.
    """

    t: Seconds
    seat: SeatNumber
    button: SeatButton
    amount: Chips | None = None
    by: Literal["seat", "dealer"] = "seat"


class Reader(
    Struct, frozen=True, gc=False, tag_field="kind", tag="reader", forbid_unknown_fields=True
):
    """The reader behind a zone was lost, or is back."""

    t: Seconds
    zone: str
    status: Literal["lost", "ok"]


class Tick(Struct, frozen=True, gc=False, tag_field="kind", tag="tick", forbid_unknown_fields=True):
    """Time passed and nothing happened."""

    t: Seconds


class Edge(Struct, frozen=True, gc=False):
    """The edge of a button that a press came from. The device at `port` tells of it again, also
    after a restart of this process, until it is kept (`Wires.keep`)."""

    port: str
    boot_id: int
    number: int

    @property
    def name(self) -> str:
        """The same whenever it is told of, and no other edge's."""
        return f"edge:{self.boot_id:08x}:{self.number}"


Sensed = Seen | Gone | Press | Reader | Tick
