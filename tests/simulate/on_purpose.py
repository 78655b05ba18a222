"""Simulated tournaments in which something is wrong on purpose."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from controller.simulate.tournaments.many import Asked, play


def first_fault(library: Library, book: str, players: int, *, seeds: int = 40) -> str:
    """What is found first with one of so many seeds; nothing is a failed test."""
    for seed in range(seeds):
        done = play(Asked((book,), players, seed, runs=1), library.book, lambda _: None)
        if done.faults:
            return done.faults[0].what
    pytest.fail("nothing was found")
