"""What was done to several players at once, or for good, is taken back as a whole."""

from __future__ import annotations

import itertools

import pytest
from msgspec.structs import replace

from controller.room.register import Register, arrived
from controller.room.seat_draw import AtSeat
from tests.room.evening import Hall
from tests.room.test_entered import figures, four, places
from tests.room.test_finishing_order import refused
from tests.room.test_register import PLAYING, do, of, sits
from tests.room.test_register import hall as register_of
from tests.room.test_register import refused as register_refuses

NAMES = ("Ann", "Bob", "Cy", "Dee")
THREE = [{"table": f"T{n}", "seats": 4} for n in (1, 2, 3)]


@pytest.fixture
def hall() -> Hall:
    return four(Hall())


def players(hall: Hall) -> Register:
    return hall.room.view().register


# --- several out at once ---


def outs(*began: int) -> list[dict[str, object]]:
    return [{"entrant": f"p{n}", "began": chips} for n, chips in enumerate(began, 1)]


def test_several_who_went_out_in_one_hand_are_back_as_if_they_never_had(hall: Hall) -> None:
    """HPT-WIN-02: their places followed from their stacks."""
    hall.act("enter", name="Eve")
    hall.act("bust", entrant="p4")
    before = players(hall), places(hall), figures(hall)
    for order in itertools.permutations(range(3)):
        hall.act("busts", outs=outs(3_000, 5_000, 5_000))
        assert [place for place, *_ in places(hall)] == [1, 2, 2, 4, 5]
        ids = [each.id for each in hall.room.view().finishes if each.place in (2, 4)]
        hall.act("unbust", ids=[ids[n] for n in order])
        assert (players(hall), places(hall), figures(hall)) == before
    hall.act("busts", outs=outs(3_000, 5_000, 5_000))
    ids = [each.id for each in hall.room.view().finishes if each.place in (2, 4)]
    reason = refused(hall, "unbust", ids=[ids[0], 99])
    assert reason == "that one is not out"
    assert len(places(hall)) == 5, "all or none"


# --- a disqualification ---


def test_a_disqualification_is_taken_back_with_what_it_ended(hall: Hall) -> None:
    """TDA24-71D: who is disqualified is out, and his chips leave play."""
    hall.act("penalise", player="p2", unit="hands", amount=3)
    before = players(hall), places(hall), figures(hall)
    hall.act("disqualify", player="p2")
    view = hall.room.view()
    line = view.conduct.given[-1]
    assert (line.given, players(hall).by_id["p2"].status) == ("disqualified", "out")
    hall.act("undisqualify", id=line.id)
    view = hall.room.view()
    assert (players(hall), places(hall), figures(hall)) == before
    assert players(hall).by_id["p2"].status == "penalty"
    assert [(one.given, one.over) for one in view.conduct.given] == [
        ("hands", ""),
        ("disqualified", "pardoned"),
    ]
    assert "taken back already" in refused(hall, "undisqualify", id=line.id)
    hall.act("warn", player="p1")
    warning = hall.room.view().conduct.last
    assert refused(hall, "undisqualify", id=warning) == "that was no disqualification"


def test_who_went_out_by_himself_after_it_stays_out(hall: Hall) -> None:
    hall.act("disqualify", player="p2")
    line = hall.room.view().conduct.given[-1]
    hall.act("unbust")
    hall.machine.passes(1_000)
    hall.act("bust", entrant="p2")
    hall.act("undisqualify", id=line.id)
    assert players(hall).by_id["p2"].status == "out"


# --- a draw ---


def at(register: Register) -> dict[str, tuple[str, int] | None]:
    return {each.name: sits(register, each.name) for each in register.players}


def test_a_draw_is_taken_back_of_who_still_sits_where_it_put_him() -> None:
    before = do(register_of(*NAMES), "sit", player="p1", table="T1", seat=1)
    drawn = do(before, "draw", seed="s")
    back = do(drawn, "undraw", seed="s")
    assert back.players == before.players
    assert [(each.draw.seed, each.undone) for each in back.draws] == [("s", True)]
    free = next(each for each in drawn.free() if each.table == "T1")
    moved = do(drawn, "sit", player="p2", table=free.table, seat=free.seat)
    back = do(moved, "undraw")
    assert at(back) == {"Ann": ("T1", 1), "Bob": (free.table, free.seat), "Cy": None, "Dee": None}


def test_it_is_the_last_draw_and_once() -> None:
    register = register_of(*NAMES)
    assert register_refuses(register, "undraw") == "nothing has been drawn"
    drawn = do(register, "draw", seed="s")
    wrong = "that draw is not the last one, or is taken back already"
    assert register_refuses(drawn, "undraw", seed="t") == wrong
    assert register_refuses(do(drawn, "undraw"), "undraw") == wrong
    old = replace(drawn, draws=tuple(replace(each, before=()) for each in drawn.draws))
    assert "not known any more" in register_refuses(old, "undraw")
    stood = drawn
    for player in drawn.players:
        stood = do(stood, "stand", player=player.id)
    assert register_refuses(stood, "undraw") == "nobody sits any more where that draw put him"


def redrawn() -> tuple[Register, Register]:
    """Seven players at three tables, before and after the last of the tables broke in play."""
    register = register_of(*(f"P{n}" for n in range(1, 8)), tables=THREE)
    for n in range(1, 8):
        at_table, at_seat = divmod(n - 1, 3)
        where = {"table": f"T{at_table + 1}", "seat": at_seat + 1}
        register = do(register, "sit", player=f"p{n}", **where)
    for table in ("T1", "T2", "T3"):
        register = arrived(register, table, range(1, 5))
    register = do(register, "mark", PLAYING, player="p7", status="absent")
    return register, do(register, "redraw", PLAYING, seed="s", tables=["T1", "T2"], all=True)


def test_a_redraw_puts_everybody_back_and_nobody_has_to_wait_there() -> None:
    before, after = redrawn()
    assert at(after) != at(before)
    assert {*after.gathers} == {*after.undrawn} == {"T1", "T2"}
    back = do(after, "undraw", PLAYING)
    assert back.players == before.players
    assert (back.gathers, back.undrawn) == ((), ()), "they deal on with the button they had"


def test_who_has_come_to_his_new_table_walks_back_and_is_new_there() -> None:
    before, after = redrawn()
    mover = next(each for each in after.players if each.coming)
    came = do(after, "arrive", PLAYING, player=mover.id)
    back = do(came, "undraw", PLAYING).by_id[mover.id]
    assert (back.at, back.came) == (before.by_id[mover.id].at, mover.at)
    assert (back.coming, back.new) == (True, True)


def test_who_was_on_his_way_already_is_so_again() -> None:
    before, _ = redrawn()
    walks = {"player": "p1", "table": "T2", "seat": 4, "announce": True}
    before = do(before, "sit", PLAYING, **walks)
    assert before.by_id["p1"].coming
    before = do(before, "stand", PLAYING, player="p7")
    after = do(before, "redraw", PLAYING, seed="s", tables=["T1", "T2"], all=True)
    assert after.by_id["p1"].at != before.by_id["p1"].at
    assert do(after, "undraw", PLAYING).by_id["p1"] == before.by_id["p1"]


def test_where_somebody_else_sits_now_nothing_is_undone() -> None:
    before, after = redrawn()
    register = do(after, "enter", PLAYING, name="New", table="T3", seat=1)
    assert register_refuses(register, "undraw", PLAYING) == "New sits at table T3, seat 1"
    assert before.by_seat[AtSeat("T3", 1)].name == "P7"


# --- a player who was withdrawn ---


def test_who_was_withdrawn_is_back_as_he_was() -> None:
    register = register_of(*NAMES)
    for n, name in enumerate(NAMES, 1):
        register = do(register, "sit", player=of(register, name).id, table="T1", seat=n)
    register = do(register, "apart", players=["p1", "p2"])
    register = do(register, "correct", player="p2", paid=True)
    gone = do(register, "withdraw", player="p2")
    assert gone.apart == ()
    back = do(gone, "reinstate", player="p2")
    assert (back.players, back.apart) == (register.players, register.apart)
    assert register_refuses(back, "reinstate", player="p2") == "nobody of this id was withdrawn"
    taken = do(gone, "sit", player="p1", table="T1", seat=2)
    assert sits(do(taken, "reinstate", player="p2"), "Bob") is None
    again = do(gone, "enter", name="Other", id="p2")
    assert register_refuses(again, "reinstate", player="p2") == "the id p2 is Other's"
    namesake = do(gone, "enter", name="Bob")
    assert register_refuses(namesake, "reinstate", player="p2") == "Bob has entered already"


def test_in_play_his_purchases_come_back_too_and_he_waits_for_his_hand(hall: Hall) -> None:
    hall.act("offer", what="add-on")
    hall.act("buy", player="p2", what="add-on", paid=False)
    before = players(hall).by_id["p2"], figures(hall)
    hall.act("withdraw", player="p2")
    assert figures(hall)[0] == 3
    hall.act("reinstate", player="p2")
    now = players(hall).by_id["p2"]
    assert (now.bought, now.owes, now.at, now.number) == (
        before[0].bought,
        before[0].owes,
        before[0].at,
        before[0].number,
    )
    assert (now.status, now.new) == ("waiting", True)
    assert figures(hall) == before[1]
    assert [each.id for each in players(hall).players] == ["p1", "p2", "p3", "p4"]
