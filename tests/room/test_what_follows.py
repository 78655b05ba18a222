"""What the desk does not tell follows: how many are left, the stacks, and the average."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.messages import ROOM_TOURNAMENT, RoomTournament
from controller.room.acts import ActError
from controller.room.finishes import without_winner
from controller.room.store import RoomStore
from controller.room.structure import Entry, Structure
from controller.room.tournament import Figures
from tests.room.evening import MINUTE, ONE, SITE, TWO, Hall, Machine

STACKED = Structure("stacked", (Entry(20 * MINUTE, ONE), Entry(20 * MINUTE, TWO)), stack=10_000)


@pytest.fixture
def hall() -> Hall:
    hall = Hall(structure=STACKED)
    hall.room.link(True)
    return hall


def published(hall: Hall) -> RoomTournament:
    topic = ROOM_TOURNAMENT.name(SITE)
    said = [each for each in hall.sent if each.topic == topic]
    return ROOM_TOURNAMENT.decode(said[-1].payload).value


def left(hall: Hall) -> int | None:
    return hall.room.view().tournament.players_left


def order(hall: Hall) -> list[tuple[int, str]]:
    return [(each.place, each.player) for each in hall.room.view().finishes]


def refused(hall: Hall, name: str, **fields: object) -> str:
    with pytest.raises(ActError) as caught:
        hall.act(name, **fields)
    return str(caught.value)


def test_entries_fill_in_who_is_left_and_the_average(hall: Hall) -> None:
    hall.act("tournament", entries=20)
    said = published(hall)
    assert (said.players_left, said.chips, said.average_stack) == (20, 200_000, 10_000)
    hall.act("bust", player="Ann")
    hall.act("bust", player="Bob")
    said = published(hall)
    assert (said.players_left, said.chips, said.average_stack) == (18, 200_000, 11_111)
    assert order(hall) == [(19, "Bob"), (20, "Ann")]
    assert said == hall.room.view().tournament
    told = hall.room.view().told
    assert (told.players_left, told.starting_stack, told.chips) == (None, None, None)


def test_a_number_that_is_told_holds_and_players_out_are_taken_from_it(hall: Hall) -> None:
    hall.act("tournament", entries=20)
    hall.act("bust", player="Ann")
    hall.act("tournament", players_left=15)
    hall.act("bust", player="Bob")
    assert (left(hall), order(hall)) == (14, [(15, "Bob"), (20, "Ann")])
    hall.act("tournament", entries=21)
    assert left(hall) == 14
    assert hall.room.view().follows == Figures(19, 10_000, 210_000)


def test_what_is_forgotten_follows_again(hall: Hall) -> None:
    hall.act("tournament", entries=20, players_left=15, starting_stack=5_000, chips=90_000)
    hall.act("bust", player="Ann")
    assert (left(hall), hall.room.view().tournament.chips) == (14, 90_000)
    hall.act("tournament", forget=["players_left"])
    assert (left(hall), order(hall)) == (19, [(20, "Ann")])
    hall.act("tournament", forget=["chips"])
    assert hall.room.view().tournament.chips == 100_000
    hall.act("tournament", forget=["starting_stack"])
    assert hall.room.view().tournament.chips == 200_000
    hall.act("tournament", entries=22)
    assert (left(hall), order(hall)) == (21, [(22, "Ann")])


def test_an_entry_too_many_is_taken_back_and_all_is_as_before(hall: Hall) -> None:
    hall.act("tournament", entries=9)
    hall.act("bust", player="Ann")
    hall.act("bust", player="Bob")
    hall.act("bust", player="Cy", together=True)
    before = (left(hall), order(hall), hall.room.view().tournament.average_stack)
    assert before == (6, [(7, "Bob"), (7, "Cy"), (9, "Ann")], 15_000)
    hall.act("tournament", entries=10)
    assert (left(hall), order(hall)) == (7, [(8, "Bob"), (8, "Cy"), (10, "Ann")])
    hall.act("tournament", entries=9)
    assert (left(hall), order(hall), hall.room.view().tournament.average_stack) == before
    hall.act("unbust")
    hall.act("unbust")
    hall.act("unbust")
    assert (left(hall), order(hall)) == (9, [])


def test_the_last_one_wins_and_reopening_lets_the_number_follow_again(hall: Hall) -> None:
    hall.act("start")
    hall.act("tournament", entries=3)
    hall.act("bust", player="Ann")
    assert hall.state() == "running"
    hall.act("bust", player="Bob")
    assert (hall.state(), order(hall)) == ("ended", [(1, ""), (2, "Bob"), (3, "Ann")])
    hall.act("bust", place=1, player="Cy")
    assert (left(hall), order(hall)[0]) == (1, (1, "Cy"))
    hall.act("reopen")
    assert (left(hall), order(hall)) == (2, [(3, "Ann")])
    hall.act("tournament", entries=4)
    assert (left(hall), order(hall)) == (3, [(4, "Ann")])


def test_entries_alone_end_nothing(hall: Hall) -> None:
    hall.act("start")
    for entries in (0, 1, 2):
        hall.act("tournament", entries=entries)
        assert (hall.state(), left(hall)) == ("running", entries)
    assert hall.room.view().tournament.average_stack == 10_000


def test_what_cannot_be_is_refused_and_changes_nothing(hall: Hall) -> None:
    assert "enter the entries" in refused(hall, "bust", player="Ann")
    hall.act("tournament", entries=3)
    hall.act("bust", player="Ann")
    hall.act("bust", player="Bob")
    before = (left(hall), order(hall))
    said = "2 players are out already: there are more than 2 entries"
    assert said in refused(hall, "tournament", entries=2)
    assert "the entries to count from" in refused(hall, "tournament", forget=["entries"])
    assert (left(hall), order(hall)) == before
    assert "nobody is left" in refused(hall, "bust", player="Cy")
    hall.act("tournament", players_left=1)
    hall.act("tournament", forget=["entries"])
    assert "the entries to count from" in refused(hall, "tournament", forget=["players_left"])
    assert hall.room.view().follows.players_left is None


def test_entries_count_for_more_than_who_is_seen_at_the_tables(hall: Hall) -> None:
    hall.table("T1")
    hall.hand("T1", stacks=(100, 200, 300))
    assert left(hall) == 3
    hall.act("tournament", entries=4)
    assert left(hall) == 4
    hall.act("bust", player="Ann")
    assert (left(hall), order(hall)) == (3, [(4, "Ann")])
    assert hall.room.view().told.players_left is None


def test_another_structure_has_another_stack(hall: Hall) -> None:
    hall.act("tournament", entries=10)
    bare = {"name": "bare", "entries": [{"duration_ms": MINUTE, "blinds": {"small": 1, "big": 2}}]}
    hall.act("structure", structure=bare)
    said = published(hall)
    assert (said.players_left, said.chips, said.average_stack) == (10, None, None)
    hall.act("structure", structure={**bare, "stack": 3_000})
    assert published(hall).average_stack == 3_000


def test_it_follows_after_a_restart_too(tmp_path: Path) -> None:
    machine = Machine()
    first = Hall(machine, structure=STACKED, store=RoomStore.open(tmp_path / "room.sqlite"))
    first.act("tournament", entries=9)
    first.act("bust", player="Ann")
    first.room.close()
    again = Hall(machine, structure=STACKED, store=RoomStore.open(tmp_path / "room.sqlite"))
    again.act("tournament", entries=10)
    assert (left(again), order(again)) == (9, [(10, "Ann")])
    again.room.close()


@given(
    st.lists(
        st.one_of(st.sampled_from(["out", "together", "back"]), st.integers(1, 30)), max_size=30
    )
)
def test_who_is_out_and_who_is_left_are_all_who_have_entered(steps: list[int | str]) -> None:
    """Whatever is told of entries, or of players out: nobody is out twice, and nobody is lost."""
    hall, entries = Hall(structure=STACKED), 12
    hall.act("tournament", entries=entries)
    for step in steps:
        try:
            if isinstance(step, int):
                hall.act("tournament", entries=step)
                entries = step
            elif step == "back":
                hall.act("unbust")
            else:
                hall.act("bust", together=step == "together")
        except ActError:
            continue
        losers = without_winner(hall.room.view().finishes)
        assert left(hall) == entries - len(losers)
        shared = {each.place: each.shared for each in losers}
        taken = [at for place, many in shared.items() for at in range(place, place + many)]
        assert sorted(taken) == list(range(entries - len(losers) + 1, entries + 1))
