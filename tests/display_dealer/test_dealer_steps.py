"""Every step of every remedy: the screen's one button does what it says, and goes on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from controller.contract.picture import HouseNow
from controller.contract.view import FindingView, position
from controller.library.books import Library
from display.dealer.looking import is_question, opened
from display.dealer.texts import Texts
from tests.display_dealer.tapped_table import Table
from tests.rules.cases import Case
from tests.rules.coverage import read_case_files

CASES = {
    f"{name}: {case.name}": case for name, cases in read_case_files().items() for case in cases
}
MOST_TAPS = 20


def goes_nowhere(table: Table, texts: Texts, finding: FindingView) -> Iterator[str]:
    """With all steps ticked the card says what is still waited for, or the dealer goes on."""
    screen = table.screen(texts)
    says = next(one.text for one in screen.labels if one.region == "step")
    main = {one.id for one in screen.buttons if one.enabled and one.style == "main"}
    if dict(table.view.awaited).get(finding.id):
        is_said = says.startswith(texts("awaited", step="")) and not main
    elif finding.ruling.outcome == "floor":
        is_said = says == texts("floor-rules") and not main
    else:
        is_said = says == texts("steps-done") and main == {"go-on"}
    if not is_said:
        yield f"{finding.code}: {says!r} after all steps, with {sorted(main)}"


def dead_ends(table: Table, texts: Texts) -> Iterator[str]:
    """Taps the primary button as long as there is one; what leads nowhere."""
    for _ in range(MOST_TAPS):
        finding = opened(table.view, table.looking)
        if finding is None:
            return
        at, steps = position(finding), finding.ruling.steps
        offered = {one.id: one for one in table.screen(texts).buttons if one.enabled}
        if is_question(finding, at):
            assert {"yes", "no"} <= offered.keys()
            assert offered["yes"].style == offered["no"].style
            table.tap("yes")
            after = opened(table.view, table.looking)
            if after == finding:
                yield f"{finding.code}: {steps[0].id} is asked after the answer"
                return
            continue
        if at == len(steps):
            yield from goes_nowhere(table, texts, finding)
            return
        assert offered["done"].style == "main"
        assert offered["done"].label == texts.verb(steps[at])
        table.tap("done")
        after = opened(table.view, table.looking)
        is_same = after is not None and (after.id, after.ruling) == (finding.id, finding.ruling)
        if is_same and after is not None and position(after) <= at:
            yield f"{finding.code}: {steps[at].id} is not done by its button"
            return


@pytest.mark.parametrize(("number", "name"), list(enumerate(CASES)), ids=CASES)
def test_no_step_is_a_dead_end(library: Library, texts: Texts, number: int, name: str) -> None:
    """Each case under every other of its books."""
    case: Case = CASES[name]
    faults = set[str]()
    for book in case.books[number % 2 :: 2] or case.books:
        table = Table(library, book, case.log, **case.table)
        faults |= {f"{book}: {fault}" for fault in dead_ends(table, texts)}
    assert faults == set()


def test_where_only_the_floor_may_call_a_misdeal_the_dealer_calls_the_floor(
    library: Library, texts: Texts
) -> None:
    table = Table(library, "roberts", "pitch 4 2 3; wait 3; confirm; wait 1")
    table.house(HouseNow(dealer_misdeals=False))
    while table.next_step() != "call-misdeal":
        table.tap("done")
    offered = {one.id: one for one in table.screen(texts).buttons if one.enabled}
    assert offered["done"].label == "Call floor"
    assert "misdeal" not in offered
    table.tap("done")
    assert table.view.floor == "called"
    screen = table.screen(texts)
    assert "done" not in {one.id for one in screen.buttons}
    waits = next(one.text for one in screen.labels if one.region == "step")
    assert waits == "The floor calls the misdeal."
    table.enter(kind="floor", input="misdeal", by="Ali")
    assert table.view.phase == "misdeal"


def test_the_dealer_calls_a_misdeal_by_the_steps_own_button(library: Library, texts: Texts) -> None:
    table = Table(library, "roberts", "pitch 4 2 3; wait 3; confirm; wait 1")
    while table.next_step() != "call-misdeal":
        table.tap("done")
    labels = {one.id: one.label for one in table.screen(texts).buttons}
    assert labels["done"] == "Call misdeal"
    table.tap("done")
    assert table.view.phase == "misdeal"
    assert opened(table.view, table.looking) is None
