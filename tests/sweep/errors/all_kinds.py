"""Dealing errors: what is done to a hand, and what is to be found then."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from tests.sweep.errors.acts import (
    clock,
    fouled,
    out_of_turn,
    retrieved,
    skipped,
    swept,
)
from tests.sweep.errors.board import (
    board_count,
    burn_double,
    burn_missing,
    disturbed,
    premature,
    short_flop,
    stub_fouled,
)
from tests.sweep.errors.deal import (
    boxed,
    dealt_out,
    empty_seat,
    exposed,
    extra_last,
    extra_mid,
    first_card_wrong_seat,
    puck_wrong,
    too_few,
    two_swapped,
)
from tests.sweep.errors.error import Error
from tests.sweep.errors.strangers import (
    foreign_in_stub,
    missing_card,
    strange,
)
from tests.sweep.hands import Hand

Make = Callable[[Random, Hand], Error | None]

DEAL: tuple[Make, ...] = (
    first_card_wrong_seat,
    two_swapped,
    empty_seat,
    dealt_out,
    too_few,
    lambda r, h: extra_last(r, h, 1),
    lambda r, h: extra_last(r, h, 2),
    lambda r, h: extra_last(r, h, r.randint(2, 10)),
    extra_mid,
    exposed,
    boxed,
    puck_wrong,
    strange,
    strange,
    foreign_in_stub,
    missing_card,
    stub_fouled,
    out_of_turn,
    skipped,
    fouled,
    swept,
    retrieved,
    clock,
)
BOARD: tuple[Make, ...] = (
    burn_missing,
    burn_double,
    premature,
    premature,
    board_count,
    board_count,
    short_flop,
    disturbed,
)
