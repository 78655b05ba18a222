"""A chip race at a table that is closed for a break: its cards are no hand."""

from __future__ import annotations

from controller.contract.events import Start
from controller.library.books import Library
from tests.engine.test_two_decks import RED, Table

REDS = list(RED)


def starts(table: Table) -> list[tuple[int, int]]:
    return [(each.hand, each.button) for each in table.events if isinstance(each, Start)]


def test_cards_of_a_race_on_a_break_begin_no_hand_and_move_no_button(library: Library) -> None:
    """RR7-T-10: one card for each odd chip, from seat 1, between two hands of a closed table."""
    table = Table(library, "uk-tda")
    table.riffle()
    for seat in (1, 2):
        table.say(kind="press", seat=seat, button="fold", by="dealer")
    table.say(kind="dealer", input="award")
    first = starts(table)
    table.say(kind="close")
    for seat, card in ((1, 0), (1, 1), (2, 2), (3, 3), (3, 4)):
        table.lay(f"seat/{seat}", REDS[card])
    table.wait(30.0)
    assert starts(table) == first
    for seat, card in ((1, 0), (1, 1), (2, 2), (3, 3), (3, 4)):
        table.say(kind="gone", zone=f"seat/{seat}", tag=REDS[card])
    table.wait(5.0)
    table.say(kind="open")
    table.riffle()
    assert [hand for hand, _ in starts(table)] == [1, 2]
    assert table.found() == []


def test_cards_that_still_lie_there_as_a_table_opens_begin_none_either(library: Library) -> None:
    table = Table(library, "uk-tda")
    table.say(kind="close")
    for seat in (1, 2, 3):
        table.lay(f"seat/{seat}", REDS[seat])
    table.say(kind="open")
    table.wait(5.0)
    assert starts(table) == []
    table.riffle()
    assert [hand for hand, _ in starts(table)] == [1]
