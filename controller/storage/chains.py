"""Hash chains of a table's rows: each link stands for its row and for all rows before it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from controller.storage.database import DamagedError, Row

NO_LINK = bytes(32)


def link_after(link: bytes, n: int, hand: int, content: bytes) -> bytes:
    """The link of row `n`, of this hand, which comes after `link`: blake2b over that, the two
    numbers (eight bytes each, big endian) and the content."""
    place = n.to_bytes(8, "big") + hand.to_bytes(8, "big", signed=True)
    return hashlib.blake2b(link + place + content, digest_size=32).digest()


class ChainHead(Struct, frozen=True):
    """How far a journal has come, by which it can be told later whether it was rewritten.

    `chain` names the journal's file; a new file has another. `hand` is the last one that is over.
    Its lines come to `n`, of which `link` is the link; its sealed ones to `boxes` and `sealed`.
    """

    chain: str
    hand: int
    n: int
    link: bytes
    boxes: int = 0
    sealed: bytes = NO_LINK


class Span(Struct, frozen=True):
    """Rows `first` to `last` are of this hand."""

    hand: int
    first: int
    last: int


class Chain(Struct, frozen=True):
    """A chain as it was read, as far as it holds: the rows after number `before`, to number `last`.

    `spans` are in the order of the rows, `links` those that were asked for. `bad` is the number of
    the first row that does not follow from the one before; None where all do.
    """

    before: int
    last: int
    spans: tuple[Span, ...] = ()
    links: Mapping[int, bytes] = {}
    bad: int | None = None


def read_chain(
    before: int, link: bytes, rows: Iterable[Row], wanted: Collection[int] = ()
) -> Chain:
    """The chain of the rows (n, hand, content, link) after row `before`, in their order, and the
    links of those `wanted`. Whatever may be in a damaged file is a row that does not follow."""
    links = {before: link} if before in wanted else {}
    spans: list[Span] = []
    n, bad = before, None
    try:
        for number, hand, content, stored in rows:
            whole = number == n + 1 and isinstance(hand, int) and isinstance(content, bytes)
            if not whole or link_after(link, number, hand, content) != stored:
                bad = n + 1
                break
            n, link = number, stored
            if n in wanted:
                links[n] = link
            if spans and spans[-1].hand == hand:
                spans[-1] = Span(hand, spans[-1].first, n)
            else:
                spans.append(Span(hand, n, n))
    except DamagedError:
        bad = n + 1
    return Chain(before, n, tuple(spans), links, bad)
