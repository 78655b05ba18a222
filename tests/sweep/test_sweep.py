"""A sample of the sweep: hands made up from the contract alone, judged as strangers would."""

from __future__ import annotations

import pytest

from controller.library.books import Library
from tests.sweep.cases import KINDS, faults

SAMPLE = 40


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_made_up_is_judged_as_expected(library: Library, kind: str) -> None:
    wrong = {}
    for number in range(SAMPLE):
        case = KINDS[kind](number)
        if case is not None and (found := faults(library, case)):
            wrong[number] = (case.name, found)
    assert wrong == {}
