"""The picture follows what becomes of a finding."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from controller.contract.events import Finding
from controller.contract.view import DecksNow, FindingView, Picture, PictureNow, TableView
from controller.library.books import Library
from tests.rules.table_talk import Talk

SHORT_FLOP = "deal 4; preflop; burn; board 2; wait 4"


def shown(library: Library, log: str) -> list[FindingView]:
    """What the picture shows at the end of a log."""
    talk = Talk(library, "roberts")
    talk.tell(log)
    picture = Picture("T1", "roberts", library.texts)
    picture.take(talk.events)
    return list(picture.view.findings)


@pytest.mark.parametrize(
    ("log", "priority"),
    [
        (SHORT_FLOP, 2),
        (f"{SHORT_FLOP}; 1 check", 2),
        (f"{SHORT_FLOP}; confirm", 2),
        (f"{SHORT_FLOP}; confirm; 1 check", 1),
        (f"{SHORT_FLOP}; 1 check; confirm", 1),
    ],
    ids=["asked", "asked and for the floor", "a fact", "then for the floor", "a fact after action"],
)
def test_a_finding_that_comes_to_be_the_floors_stops_the_table(
    library: Library, log: str, priority: int
) -> None:
    assert [f.priority for f in shown(library, log)] == [priority]


def test_a_finding_does_not_become_milder(library: Library) -> None:
    (found,) = shown(library, "pitch 4 2 3 4 1 2 3 4 1; wait 3; 3 call; 4 call")
    assert (found.ruling.outcome, found.priority) == ("stands", 1)


def test_what_is_told_anew_after_an_undo_is_as_grave_as_its_ruling(library: Library) -> None:
    talk = Talk(library, "roberts")
    talk.tell(f"{SHORT_FLOP}; confirm; 1 check; dismiss; undo")
    again = [e for e in talk.events if isinstance(e, Finding)][-1]
    assert (again.ruling.outcome, again.priority) == ("floor", 1)


@pytest.mark.parametrize("kind", get_args(PictureNow))
def test_what_else_is_so_has_fields_of_the_view_and_their_types(kind: type[msgspec.Struct]) -> None:
    of_view = {each.name: each.type for each in msgspec.structs.fields(TableView)}
    assert {each.name: each.type for each in msgspec.structs.fields(kind)}.items() <= (
        of_view.items()
    )


def test_what_was_so_before_changes_nothing(library: Library) -> None:
    picture = Picture("T1", "roberts", library.texts)
    assert picture.with_now(DecksNow("red", ("red", "blue")))
    assert (picture.view.deck, picture.view.decks) == ("red", ("red", "blue"))
    assert not picture.with_now(DecksNow("red", ("red", "blue")))
