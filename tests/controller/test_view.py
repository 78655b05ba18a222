"""The picture follows what becomes of a finding."""

from __future__ import annotations

from typing import get_args

import msgspec
import pytest

from controller.contract.events import Action, Blinds, Finding, Prompt, Start, StartSeat
from controller.contract.picture import DecksNow, Picture, PictureNow
from controller.contract.view import FindingView, TableView
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


def test_what_a_deal_has_shown_is_taken_back(library: Library) -> None:
    """Who was told to play does so again, with what has become of him since."""
    picture = Picture("T1", "roberts", library.texts)
    dealt_in = tuple(StartSeat(seat, 500) for seat in (1, 4, 9))
    picture.take([Start(1.0, 1, dealt_in, 4, Blinds(5, 10))])
    before = picture.view.seats
    shown = {"out": [9], "in": [6], "button": 1}
    picture.take([Prompt(9.0, 1, "taken-over", shown), Action(12.0, 1, 4, "fold", "press")])
    assert ([seat.seat for seat in picture.view.seats], picture.view.button) == ([1, 4, 6], 1)
    picture.take([Prompt(13.0, 1, "undone", {"entry": "fold"})])
    assert [seat.seat for seat in picture.view.seats] == [1, 4, 6]
    picture.take([Prompt(14.0, 1, "undone", {"entry": "taken-over"})])
    assert picture.view.button == 4
    assert [seat.seat for seat in picture.view.seats] == [1, 4, 9]
    assert [seat.state for seat in picture.view.seats] == ["live", "folded", "live"]
    assert picture.view.seats[2] == before[2]


def floor_of(library: Library, log: str) -> str:
    talk = Talk(library, "roberts")
    talk.tell(log)
    picture = Picture("T1", "roberts", library.texts)
    picture.take(talk.events)
    return picture.view.floor


def test_a_call_outlasts_a_finding_that_it_is_not_about(library: Library) -> None:
    """The floor learns of it, and its button answers, until the hand is over."""
    asked = "preflop; board 3; wait 3; dismiss; wait 1"
    assert floor_of(library, f"deal 3; floor; {asked}") == "called"
    assert floor_of(library, "deal 3; preflop; board 3; wait 3; floor; dismiss; wait 1") == ""
    assert floor_of(library, f"deal 3; floor; {asked}; 1 fold; 2 fold; collect; riffle") == ""
