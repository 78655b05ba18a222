"""The steps that the dealer has ticked are part of the table's picture."""

from __future__ import annotations

import pytest

from controller.contract.events import Finding, RulingText, Step
from controller.contract.observations import Done
from controller.contract.picture import Picture
from controller.library.books import Library


def found(number: int, *steps: str) -> Finding:
    remedy = tuple(Step(step, step) for step in steps)
    ruling = RulingText("roberts", "redeal-flop", ("RRP-HE-3",), remedy)
    return Finding(1.0, 1, number, "four-card-flop", 2, "seen", (), (), ruling)


def done(number: int, step: str) -> Done:
    return Done(kind="dealer", t=2.0, finding=number, step=step)


@pytest.fixture
def picture(library: Library) -> Picture:
    picture = Picture("T1", "roberts", library.texts)
    picture.take([found(1, "stop", "shuffle", "cut", "shuffle"), found(2, "stop")])
    return picture


def ticks(picture: Picture) -> dict[int, tuple[str, ...]]:
    return {finding.id: finding.done for finding in picture.view.findings}


def test_they_are_kept_in_the_order_of_the_ticks(picture: Picture) -> None:
    assert picture.take([done(1, "stop"), done(2, "stop"), done(1, "shuffle")])
    assert ticks(picture) == {1: ("stop", "shuffle"), 2: ("stop",)}


def test_no_step_is_ticked_more_often_than_the_remedy_has_it(picture: Picture) -> None:
    picture.take([done(1, "shuffle")] * 5 + [done(1, "stop")] * 2)
    assert ticks(picture)[1] == ("shuffle", "shuffle", "stop")
    assert not picture.take([done(1, "no-such-step"), done(9, "stop")])
