"""What tables see players do is kept of each player, with what was ruled (RR7-DEC-8, UK-64)."""

from __future__ import annotations

from typing import Literal

import pytest

from controller.contract.events import Closed, Event, Finding, Ruling, RulingText
from controller.room.incidents import MAX_INCIDENTS, At, Incident, after, without_old
from controller.rules import IRREGULARITIES
from controller.rules.conduct import PLAYERS_OWN
from tests.room.test_register import do, hall

BINDING = RulingText("uk-tda", "binding", ("UK-40",), ())


class Ledger:
    """Ann sits in seat 1 of T1, Bob in seat 2; Cy is in the list, and has no seat."""

    def __init__(self) -> None:
        self.register = hall("Ann", "Bob", "Cy")
        for seat in (1, 2):
            self.register = do(self.register, "sit", player=f"p{seat}", table="T1", seat=seat)
        self.seen: tuple[Incident, ...] = ()
        self.now = 1_000

    def tells(self, event: Event, table: str = "T1", session: str = "s") -> None:
        self.seen = after(self.seen, self.register, event, At(table, session, self.now))

    def finds(self, number: int, *seats: int, code: str = "out-of-turn", table: str = "T1") -> None:
        self.tells(Finding(1.0, 12, number, code, 2, "seen", seats, (), BINDING), table)

    def closes(
        self, number: int, how: Literal["remedied", "ruled", "dismissed", "expired"]
    ) -> None:
        self.tells(Closed(2.0, 12, number, how))

    @property
    def of(self) -> list[tuple[str, str, str]]:
        return [(one.name, one.code, one.outcome) for one in self.seen]


@pytest.fixture
def ledger() -> Ledger:
    return Ledger()


def test_what_a_player_did_is_kept_with_where_and_when(ledger: Ledger) -> None:
    ledger.finds(7, 2)
    (one,) = ledger.seen
    assert (one.player, one.name, one.table, one.seat, one.hand) == ("p2", "Bob", "T1", 2, 12)
    assert one.wall_ms == 1_000


def test_a_ruling_stands_beside_it_and_a_later_one_in_its_place(ledger: Ledger) -> None:
    ledger.finds(7, 2)
    ledger.tells(Ruling(2.0, 12, 7, BINDING))
    ledger.closes(7, "ruled")
    assert ledger.of == [("Bob", "out-of-turn", "binding")]
    ledger.tells(Ruling(3.0, 12, 7, RulingText("uk-tda", "not-binding", (), ())))
    assert ledger.of == [("Bob", "out-of-turn", "not-binding")]


def test_what_was_put_away_as_wrong_is_not_kept(ledger: Ledger) -> None:
    ledger.finds(7, 2)
    ledger.finds(8, 1)
    ledger.closes(7, "dismissed")
    assert ledger.of == [("Ann", "out-of-turn", "")]


@pytest.mark.parametrize("how", ["remedied", "ruled", "expired"])
def test_what_ends_otherwise_has_happened(
    ledger: Ledger, how: Literal["remedied", "ruled", "expired"]
) -> None:
    ledger.finds(7, 2)
    ledger.closes(7, how)
    assert len(ledger.seen) == 1


def test_a_dealers_error_is_nobodys_conduct(ledger: Ledger) -> None:
    """The seats of a dealing error are of those to whom it happened."""
    for number, code in enumerate(("exposed-card", "first-card-wrong-seat", "skipped-player")):
        ledger.finds(number, 1, code=code)
    assert ledger.seen == ()


@pytest.mark.parametrize("code", sorted(PLAYERS_OWN))
def test_every_code_of_a_players_own_is_kept(ledger: Ledger, code: str) -> None:
    """RR7-ETIQ-01, RR7-ETIQ-07, UK-64; each is a finding that there is."""
    ledger.finds(7, 1, code=code)
    assert ledger.of == [("Ann", code, "")]
    assert any(each.code == code for each in IRREGULARITIES)


def test_several_players_have_a_line_each_and_who_is_unknown_none(ledger: Ledger) -> None:
    ledger.finds(7, 1, 2, 3)
    assert [one.name for one in ledger.seen] == ["Ann", "Bob"]
    ledger.finds(8, 1, table="T2")
    assert len(ledger.seen) == 2


def test_a_finding_told_again_is_the_same_one(ledger: Ledger) -> None:
    ledger.finds(7, 2)
    ledger.finds(7, 2)
    assert len(ledger.seen) == 1
    ledger.tells(Finding(1.0, 3, 7, "out-of-turn", 2, "seen", (2,), (), BINDING), session="t")
    assert len(ledger.seen) == 2
    ledger.closes(7, "dismissed")
    assert [one.session for one in ledger.seen] == ["t"]


def test_who_has_changed_seats_keeps_his_line(ledger: Ledger) -> None:
    ledger.finds(7, 2)
    ledger.register = do(ledger.register, "sit", player="p2", table="T1", seat=5)
    ledger.tells(Ruling(2.0, 12, 7, BINDING))
    assert [(one.player, one.seat, one.outcome) for one in ledger.seen] == [("p2", 2, "binding")]


def test_there_are_not_more_than_so_many(ledger: Ledger) -> None:
    for number in range(MAX_INCIDENTS + 5):
        ledger.finds(number, 1)
    assert len(ledger.seen) == MAX_INCIDENTS
    assert ledger.seen[0].finding == 5


def test_what_is_old_is_forgotten(ledger: Ledger) -> None:
    ledger.finds(7, 2)
    ledger.now = 5_000
    ledger.finds(8, 1)
    assert [one.finding for one in without_old(ledger.seen, 5_000)] == [8]
    assert without_old(ledger.seen, 1_000) is ledger.seen
