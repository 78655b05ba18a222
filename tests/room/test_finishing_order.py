"""Who is out, in which place, and how it ends."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.messages import ROOM_TOURNAMENT, RoomTournament
from controller.room import finishes as places
from controller.room.acts import ActError
from controller.room.finishes import Bust, Unbust
from controller.room.register import MAX_PLAYERS
from controller.room.tournament import TOLD_FINISHES
from tests.room.evening import MINUTE, SITE, Hall


@pytest.fixture
def hall() -> Hall:
    hall = Hall()
    hall.room.link(True)
    hall.act("start")
    hall.act("tournament", entries=9, players_left=5, prizes=["500", "300", "200"])
    return hall


def order(hall: Hall) -> list[tuple[int, str, str]]:
    return [(each.place, each.player, each.prize) for each in hall.room.view().finishes]


def left(hall: Hall) -> int | None:
    return hall.room.view().tournament.players_left


def refused(hall: Hall, name: str, /, **fields: object) -> str:
    with pytest.raises(ActError) as caught:
        hall.act(name, **fields)
    return str(caught.value)


def published(hall: Hall) -> RoomTournament:
    topic = ROOM_TOURNAMENT.name(SITE)
    said = [each for each in hall.sent if each.topic == topic]
    return ROOM_TOURNAMENT.decode(said[-1].payload).value


def test_the_place_is_how_many_were_left(hall: Hall) -> None:
    hall.act("bust", player="Ann", table="T3", seat=4)
    hall.act("bust", player="Bob")
    hall.act("bust", player="Cy")
    assert order(hall) == [(3, "Cy", "200"), (4, "Bob", ""), (5, "Ann", "")]
    assert left(hall) == 2
    ann = hall.room.view().finishes[-1]
    assert (ann.table, ann.seat, ann.at_ms) == ("T3", 4, hall.clocks.now_ms())
    assert published(hall).finishes == hall.room.view().finishes
    assert hall.state() == "running"


def test_with_one_player_left_the_clock_stops_and_there_is_a_winner(hall: Hall) -> None:
    hall.act("tournament", players_left=2)
    hall.passes(MINUTE)
    hall.act("bust", player="Ann")
    assert hall.state() == "ended"
    assert hall.room.view().clock.why == "one player is left"
    assert order(hall) == [(1, "", "500"), (2, "Ann", "300")]
    assert "nobody is left" in refused(hall, "bust", player="Bob")
    hall.act("bust", place=1, player="Bob")
    assert order(hall) == [(1, "Bob", "500"), (2, "Ann", "300")]
    assert left(hall) == 1


def test_so_it_is_when_the_desk_only_says_how_many_are_left(hall: Hall) -> None:
    hall.act("bust", player="Ann")
    hall.act("tournament", players_left=1)
    assert hall.state() == "ended"
    assert order(hall) == [(1, "", "500"), (5, "Ann", "")]
    hall.act("reopen")
    assert order(hall) == [(5, "Ann", "")]
    assert left(hall) == 4


def test_reopening_puts_everything_back(hall: Hall) -> None:
    hall.act("tournament", players_left=3)
    hall.act("bust", player="Ann")
    hall.act("bust", player="Bob", together=True)
    assert order(hall) == [(1, "", "500"), (2, "Ann", "300 + 200"), (2, "Bob", "300 + 200")]
    hall.act("reopen")
    assert (hall.state(), left(hall), hall.left()) == ("paused", 2, 20 * 60)
    assert order(hall) == [(3, "Ann", "200")]
    hall.act("bust", player="Cy")
    assert order(hall) == [(1, "", "500"), (2, "Cy", "300"), (3, "Ann", "200")]


def test_taking_the_last_one_back_leaves_the_end_to_be_reopened(hall: Hall) -> None:
    hall.act("tournament", players_left=2)
    hall.act("bust", player="Ann")
    hall.act("unbust")
    assert (hall.state(), left(hall), order(hall)) == ("ended", 2, [])
    hall.act("reopen")
    assert (hall.state(), left(hall), order(hall)) == ("paused", 2, [])


def test_a_deal_ends_it_and_the_order_may_be_told_afterwards(hall: Hall) -> None:
    hall.act("tournament", players_left=2)
    hall.act("end", reason="a deal")
    hall.act("bust", player="Ann")
    assert order(hall) == [(1, "", "500"), (2, "Ann", "300")]
    assert hall.room.view().clock.why == "a deal"
    hall.act("reopen")
    assert order(hall) == [(1, "", "500"), (2, "Ann", "300")]


def test_before_the_start_nothing_ends() -> None:
    hall = Hall()
    hall.act("tournament", players_left=2)
    hall.act("bust", player="Ann")
    assert (hall.state(), left(hall)) == ("ready", 1)


def test_two_with_the_same_stack_share_their_places(hall: Hall) -> None:
    hall.act("tournament", players_left=4)
    hall.act("bust", player="Ann")
    hall.act("bust", player="Bob", together=True)
    assert order(hall) == [(3, "Ann", "200"), (3, "Bob", "200")]
    assert [each.shared for each in hall.room.view().finishes] == [2, 2]
    assert left(hall) == 2
    hall.act("unbust")
    assert order(hall) == [(4, "Ann", "")]
    assert "leave 'place' out" in refused(hall, "bust", place=3, together=True)
    hall.act("tournament", players_left=2)
    assert "nobody went out just before" in refused(hall, "bust", together=True)


def test_the_smaller_stack_of_one_hand_may_be_told_too_late(hall: Hall) -> None:
    hall.act("bust", player="Big")
    hall.act("bust", player="Small", place=5)
    assert order(hall) == [(4, "Big", ""), (5, "Small", "")]
    assert left(hall) == 3
    assert "the next place is 3" in refused(hall, "bust", place=2)
    assert "the next place is 3" in refused(hall, "bust", place=6)
    assert "there is no place 10: there are 9 entries" in refused(hall, "bust", place=10)
    assert "more than one player is left" in refused(hall, "bust", place=1)


def test_who_is_taken_back_was_in_all_the_time(hall: Hall) -> None:
    for player in ("Ann", "Bob", "Cy"):
        hall.act("bust", player=player)
    ann = hall.room.view().finishes[-1]
    hall.act("unbust", id=ann.id)
    assert order(hall) == [(4, "Cy", ""), (5, "Bob", "")]
    assert left(hall) == 3
    assert "not out" in refused(hall, "unbust", id=ann.id)
    hall.act("unbust")
    hall.act("unbust")
    assert "nobody is out" in refused(hall, "unbust")


def test_who_comes_late_is_before_all_who_are_out(hall: Hall) -> None:
    hall.act("bust", player="Ann")
    hall.act("tournament", entries=10, players_left=5)
    assert order(hall) == [(6, "Ann", "")]
    hall.act("tournament", players_left=4)
    hall.act("tournament", players_left=5)
    assert order(hall) == [(6, "Ann", "")]
    hall.act("tournament", forget=["players_left"])
    assert (left(hall), order(hall)) == (9, [(10, "Ann", "")])


def test_the_count_begins_with_those_who_are_seen() -> None:
    hall = Hall()
    hall.room.link(True)
    assert "is not known" in refused(hall, "bust", player="Ann")
    hall.table("T1")
    hall.hand("T1", stacks=(100, 200, 300))
    hall.act("bust", player="Ann")
    assert (left(hall), order(hall)) == (2, [(3, "Ann", "")])


def test_without_any_count_the_place_tells_it() -> None:
    hall = Hall()
    hall.act("bust", player="Ann", place=12)
    assert (left(hall), order(hall)) == (11, [(12, "Ann", "")])


def test_of_many_the_last_are_published_and_so_many_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    assert places.MAX_FINISHES > MAX_PLAYERS
    monkeypatch.setattr(places, "MAX_FINISHES", 1_000)
    hall = Hall()
    hall.act("tournament", players_left=2_000)
    for _ in range(places.MAX_FINISHES):
        hall.act("bust")
    assert len(hall.room.view().finishes) == places.MAX_FINISHES
    assert len(hall.room.view().tournament.finishes) == TOLD_FINISHES
    assert hall.room.view().tournament.finishes[0].place == 1_001
    assert "1000 players are already out" in refused(hall, "bust")


def test_the_next_tournament_begins_with_nobody_out(hall: Hall) -> None:
    hall.act("bust", player="Ann")
    hall.act("pause")
    hall.act("reset")
    assert order(hall) == []
    hall.act("tournament", players_left=3)
    hall.act("bust", player="Bob")
    assert hall.room.view().finishes[0].id == 2


@given(st.lists(st.one_of(st.integers(0, 40), st.sampled_from(["out", "together"])), max_size=40))
def test_places_are_those_of_nobody_who_is_left(steps: list[int | str]) -> None:
    """Whoever goes out and is taken back: all places below those left are taken, each once."""
    finishes: places.Finishes = ()
    count = entered = 20
    for number, step in enumerate(steps, 1):
        try:
            if isinstance(step, str):
                act = Bust(actor="Ann", together=step == "together")
                finishes, count = places.out(finishes, count, act, number, 0)
            elif step > entered // 2:
                act = Bust(actor="Ann", place=step)
                finishes, count = places.out(finishes, count, act, number, 0)
            else:
                finishes, count = places.back_in(finishes, count, Unbust(actor="Ann", id=step))
        except ActError:
            continue
        losers = Counter(each.place for each in places.without_winner(finishes))
        taken = [p for first, many in losers.items() for p in range(first, first + many)]
        assert sorted(taken) == list(range(count + 1, entered + 1))
