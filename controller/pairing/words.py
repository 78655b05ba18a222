"""What table and room say to each other, as JSON over TLS."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

PORT = 8884
"""Where a room pairs, next to its broker's."""
SERVICE = "_cutcard._tcp"
"""How a room is announced on its network (RFC 6763)."""
AUTHORITY, PAIR = "/ca.crt", "/pair"


class Asked(Struct, frozen=True, forbid_unknown_fields=True):
    """`POST /pair`: the table's proof that it has the code."""

    proof: Annotated[str, Meta(max_length=64, pattern="^[0-9a-f]{64}$")]


class Granted(Struct, frozen=True):
    """What a table gets for it: the room's own proof, and how it logs in at the broker. Without a
    `host` the broker is where the room is."""

    proof: str
    table: str
    site: str
    host: str
    port: int
    password: str

    def __repr__(self) -> str:
        return f"Granted({self.table!r})"
