"""A sample of the deals that begin elsewhere, and of those that only look so."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from tests.sweep.shifts import KINDS, count

SAMPLE = 50


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.startswith("first round")])
def test_a_first_round_that_begins_elsewhere_is_asked_about(library: Library, kind: str) -> None:
    assert count(library, kind, range(SAMPLE))["asked"] >= 0.95 * SAMPLE


@pytest.mark.parametrize("kind", ["whole deal shifted", "whole deal shifted, read slowly"])
def test_a_whole_deal_that_is_shifted_is_found(library: Library, kind: str) -> None:
    assert count(library, kind, range(SAMPLE))["seen"] >= 0.95 * SAMPLE


def test_and_with_a_card_that_is_read_late_it_is_mostly_asked_about(library: Library) -> None:
    counts = count(library, "whole deal shifted, one card late", range(SAMPLE))
    assert counts["seen"] + counts["asked"] >= 0.75 * SAMPLE


@pytest.mark.parametrize("kind", ["right", "right, read slowly", "right, the first card unread"])
def test_of_a_deal_that_is_right_nothing_is_said(library: Library, kind: str) -> None:
    assert count(library, kind, range(SAMPLE)) == {"nothing": SAMPLE}


def test_a_first_card_that_is_read_late_is_seldom_taken_for_an_error(library: Library) -> None:
    counts = count(library, "right, the first card late", range(2 * SAMPLE))
    assert counts["nothing"] >= 0.85 * 2 * SAMPLE
