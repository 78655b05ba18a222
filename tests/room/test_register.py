"""The register: who enters, who sits where, and that nobody is lost or sits on another's chair."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from controller.room.acts import ActError, convert
from controller.room.register import Moment, Player, Register, arrived, out, reconciled
from controller.room.register_acts import REGISTER_ACTS, perform
from controller.room.seat_draw import AtSeat, seats

BEFORE = Moment(0)
PLAYING = Moment(60_000, playing=True, level=3)
TWO = [{"table": "T1", "seats": 9}, {"table": "T2", "seats": 9}]


def do(register: Register, name: str, now: Moment = BEFORE, /, **fields: object) -> Register:
    kind = REGISTER_ACTS[name][0]
    return perform(register, name, convert(name, {"actor": "Ali", **fields}, kind), now)


def refused(register: Register, name: str, now: Moment = BEFORE, /, **fields: object) -> str:
    with pytest.raises(ActError) as caught:
        do(register, name, now, **fields)
    return str(caught.value)


def hall(*names: str, tables: list[dict[str, object]] | None = None) -> Register:
    register = do(Register(), "tables", tables=TWO if tables is None else tables)
    for name in names:
        register = do(register, "enter", name=name)
    return register


def of(register: Register, name: str) -> Player:
    [player] = [each for each in register.players if each.name == name]
    return player


def sits(register: Register, name: str) -> tuple[str, int] | None:
    at = of(register, name).at
    return None if at is None else (at.table, at.seat)


def test_who_enters_is_given_an_id_or_keeps_that_of_the_club() -> None:
    register = do(hall("Ann"), "enter", name="Bob", id="1042", paid=True)
    assert [(p.id, p.name, p.paid, p.status) for p in register.players] == [
        ("p1", "Ann", False, "entered"),
        ("1042", "Bob", True, "entered"),
    ]


def test_an_id_of_the_rooms_own_is_one_that_nobody_has() -> None:
    """Clubs may number their members in the same way."""
    register = do(Register(), "import", players=[{"name": "A", "id": "p2"}, {"name": "B"}])
    register = do(register, "enter", name="C")
    assert [each.id for each in register.players] == ["p2", "p3", "p4"]
    rows = [{"name": "D"}, {"name": "E", "id": "p5"}]
    register = do(register, "import", players=rows)
    assert [each.id for each in register.players[3:]] == ["p6", "p5"]


def test_nobody_enters_twice() -> None:
    register = do(hall("Ann"), "enter", name="Bob", id="7")
    assert refused(register, "enter", name="ann") == (
        "ann has entered already; who has the same name needs an id"
    )
    assert refused(register, "enter", name="Cy", id="7") == "the id 7 is Bob's"
    namesake = do(register, "enter", name="Bob", id="8")
    assert [p.id for p in namesake.players if p.name == "Bob"] == ["7", "8"]
    assert refused(register, "enter", name="Ann", id="9").startswith("Ann has entered already")


@pytest.mark.parametrize("again", ["Jo\u0308rg  Lee", "J\u00f6rg\u00a0Lee", " j\u00d6rg lee"])
def test_however_the_name_was_typed(again: str) -> None:
    """Files of another machine have accents as characters of their own, and other blanks."""
    register = do(hall(), "enter", name="J\u00f6rg Lee")
    assert "has entered already" in refused(register, "enter", name=again)


def test_a_seat_is_one_that_there_is_and_nobodys() -> None:
    register = do(hall("Ann", "Bob"), "sit", player="p1", table="T1", seat=4)
    assert sits(register, "Ann") == ("T1", 4)
    assert of(register, "Ann").status == "seated"
    taken = "Ann sits at table T1, seat 4"
    assert refused(register, "sit", player="p2", table="T1", seat=4) == taken
    assert refused(register, "enter", name="Cy", table="T1", seat=4) == taken
    assert refused(register, "sit", player="p1", table="T1", seat=4) == "Ann sits there already"
    no_seat = "table T2 has 9 seats, and no seat 10"
    assert refused(register, "sit", player="p2", table="T2", seat=10) == no_seat
    no_table = "there is no table T3 in this tournament"
    assert refused(register, "enter", name="Cy", table="T3", seat=1) == no_table
    half = "a seat needs its table, and a table a seat"
    assert refused(register, "enter", name="Cy", table="T1") == half
    assert refused(register, "sit", player="p9", table="T1", seat=1) == "nobody has the id p9"


def test_two_change_seats() -> None:
    register = do(hall("Ann", "Bob", "Cy"), "sit", player="p1", table="T1", seat=4)
    register = do(register, "sit", player="p2", table="T2", seat=9)
    register = do(register, "sit", player="p1", table="T2", seat=9, swap=True)
    assert (sits(register, "Ann"), sits(register, "Bob")) == (("T2", 9), ("T1", 4))
    no_seat = refused(register, "sit", player="p3", table="T1", seat=4, swap=True)
    assert no_seat == "Bob sits at table T1, seat 4"


def test_who_comes_while_it_is_played_waits_until_a_hand_has_him() -> None:
    """TDA24-08A3, UK-07, TDA09-05: dealt in, but not between small blind and button; the table
    knows when that is."""
    register = do(hall("Ann", "Bob"), "sit", PLAYING, player="p1", table="T1", seat=4)
    assert of(register, "Ann").status == "waiting"
    elsewhere = arrived(register, "T2", [4])
    assert of(elsewhere, "Ann").status == "waiting"
    register = arrived(register, "T1", [1, 4])
    assert of(register, "Ann").status == "seated"
    register = do(register, "sit", PLAYING, player="p1", table="T1", seat=5)
    assert of(register, "Ann").status == "seated", "he was at this table"
    register = do(register, "sit", PLAYING, player="p1", table="T2", seat=5)
    assert of(register, "Ann").status == "waiting"


def test_who_is_away_keeps_his_seat() -> None:
    register = do(hall("Ann"), "sit", player="p1", table="T1", seat=4)
    register = do(register, "mark", player="p1", status="absent")
    assert (of(register, "Ann").status, sits(register, "Ann")) == ("absent", ("T1", 4))
    assert of(arrived(register, "T1", [4]), "Ann").status == "absent", "his hand is dealt, too"
    register = do(register, "mark", player="p1", status="seated")
    assert of(register, "Ann").status == "seated"
    assert refused(hall("Bob"), "mark", player="p1", status="absent") == "Bob has no seat"


def test_who_waited_waits_on_when_he_is_back() -> None:
    register = do(hall("Ann"), "sit", PLAYING, player="p1", table="T1", seat=4)
    register = do(register, "mark", PLAYING, player="p1", status="absent")
    register = do(register, "mark", PLAYING, player="p1", status="seated")
    assert of(register, "Ann").status == "waiting"


def test_who_was_moved_while_away_waits_at_his_new_table_as_anybody_does() -> None:
    """UK-09, TDA09-05: until he is dealt in there, also if he is back before that."""
    register = do(hall("Ann"), "sit", player="p1", table="T1", seat=4)
    register = arrived(register, "T1", [4])
    register = do(register, "mark", PLAYING, player="p1", status="absent")
    moved = do(register, "sit", PLAYING, player="p1", table="T2", seat=5)
    back = do(moved, "mark", PLAYING, player="p1", status="seated")
    assert of(back, "Ann").status == "waiting"
    back = do(arrived(moved, "T2", [5]), "mark", PLAYING, player="p1", status="seated")
    assert of(back, "Ann").status == "seated"


def test_who_is_away_is_so_at_every_table() -> None:
    """HPT-LEAVE-03: his stack is moved too, and goes on paying there."""
    register = do(hall("Ann"), "sit", player="p1", table="T1", seat=4)
    register = do(register, "mark", player="p1", status="absent")
    register = do(register, "sit", PLAYING, player="p1", table="T2", seat=5)
    assert of(register, "Ann").status == "absent"
    gone = out(register, of(register, "Ann"), 31)
    assert of(reconciled(gone, []), "Ann").status == "absent"


def test_after_the_last_level_for_it_nobody_enters() -> None:
    register = do(hall(), "late", level=2)
    entered = do(register, "enter", Moment(0, playing=True, level=2), name="Ann")
    assert of(entered, "Ann").status == "entered"
    too_late = "late registration ended with level 2"
    assert refused(register, "enter", PLAYING, name="Bob") == too_late
    assert do(do(register, "late"), "enter", PLAYING, name="Bob").players


def test_an_import_is_all_or_nothing_and_names_the_line() -> None:
    register = hall("Ann")
    rows = [{"name": "Bob", "line": 2}, {"name": "Cy", "line": 3}, {"name": "ANN", "line": 5}]
    assert refused(register, "import", players=rows) == (
        "line 5: ANN has entered already; who has the same name needs an id"
    )
    twice = [
        {"name": "Bob", "table": "T1", "seat": 2, "line": 2},
        {"name": "Cy", "table": "T1", "seat": 2, "line": 3},
    ]
    assert refused(register, "import", players=twice) == "line 3: Bob sits at table T1, seat 2"
    doubled = [{"name": "Bob", "id": "4", "line": 2}, {"name": "Cy", "id": "4", "line": 3}]
    assert refused(register, "import", players=doubled) == "line 3: the id 4 is Bob's"
    after = do(register, "import", players=rows[:2])
    assert [p.name for p in after.players] == ["Ann", "Bob", "Cy"]
    assert [p.number for p in after.players] == [1, 2, 3]


def test_five_thousand_are_taken_in_at_once() -> None:
    rows = [{"name": f"Player {n}", "id": f"m{n}"} for n in range(5_000)]
    register = do(hall(), "import", players=rows)
    assert len(register.players) == 5_000
    assert refused(register, "enter", name="one more") == "a register has at most 5000 players"


def test_a_table_goes_only_when_it_is_empty() -> None:
    register = do(hall("Ann"), "sit", player="p1", table="T2", seat=9)
    there = "Ann sits at table T2, seat 9"
    assert refused(register, "tables", tables=TWO[:1]) == there
    assert refused(register, "tables", tables=[TWO[0], {"table": "T2", "seats": 8}]) == there
    assert do(register, "tables", tables=TWO[1:]).seats_of == {"T2": 9}
    assert refused(register, "tables", tables=[TWO[0], TWO[0]]) == "a table is listed twice"


def test_who_is_out_comes_back_to_his_seat_if_it_is_free() -> None:
    register = do(hall("Ann", "Bob"), "sit", player="p1", table="T1", seat=4)
    gone = out(register, of(register, "Ann"), 31)
    assert (of(gone, "Ann").status, of(gone, "Ann").at) == ("out", None)
    assert refused(gone, "sit", player="p1", table="T1", seat=1) == "Ann is out"
    assert reconciled(gone, [31]) == gone
    assert sits(reconciled(gone, []), "Ann") == ("T1", 4)
    other = do(gone, "sit", player="p2", table="T1", seat=4)
    back = reconciled(other, [])
    assert (of(back, "Ann").status, sits(back, "Ann")) == ("entered", None)


def test_nobody_is_left_once_it_is_cleared_and_never_in_the_middle() -> None:
    register = do(hall("Ann"), "late", level=4)
    assert refused(register, "clear", PLAYING) == "the clock has been started: reset it first"
    cleared = do(register, "clear")
    assert (cleared.players, len(cleared.tables), cleared.late_until) == ((), 2, 4)
    assert do(cleared, "enter", name="Bob").players[0].id == "p2", "p1 is Ann's for good"


def test_some_are_kept_apart() -> None:
    """HPT-SEAT-06 keeps those apart who deal, a house those who live together."""
    register = hall(*(f"P{n}" for n in range(1, 19)))
    register = do(register, "apart", players=["p3", "p4"])
    for seed in range(40):
        drawn = do(register, "draw", seed=str(seed))
        assert len({of(drawn, name).at.table for name in ("P3", "P4")}) == 2  # type: ignore[union-attr]
    assert refused(register, "apart", players=["p3", "p3"]) == "name two players at least"
    assert do(register, "apart", players=["p4", "p3"], together=True).apart == ()
    assert "not kept apart" in refused(register, "apart", players=["p1", "p2"], together=True)


NAMES = st.sampled_from(["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gus", "Hal"])
IDS = st.sampled_from([f"p{n}" for n in range(1, 9)])
SEATS = {"table": st.sampled_from(["T1", "T2"]), "seat": st.integers(1, 9)}
ASKED = st.one_of(
    st.tuples(st.just("enter"), st.fixed_dictionaries({"name": NAMES})),
    st.tuples(st.just("enter"), st.fixed_dictionaries({"name": NAMES, **SEATS})),
    st.tuples(
        st.just("sit"), st.fixed_dictionaries({"player": IDS, **SEATS, "swap": st.booleans()})
    ),
    st.tuples(st.just("stand"), st.fixed_dictionaries({"player": IDS})),
    st.tuples(st.just("withdraw"), st.fixed_dictionaries({"player": IDS})),
    st.tuples(
        st.just("mark"),
        st.fixed_dictionaries({"player": IDS, "status": st.sampled_from(["seated", "absent"])}),
    ),
    st.tuples(st.just("draw"), st.fixed_dictionaries({"seed": st.text("ab", min_size=1)})),
    st.tuples(st.just("apart"), st.fixed_dictionaries({"players": st.lists(IDS, min_size=2)})),
    st.tuples(st.just("out"), st.fixed_dictionaries({"player": IDS})),
    st.tuples(st.just("back"), st.fixed_dictionaries({})),
)


@settings(max_examples=300)
@given(st.lists(ASKED, max_size=40), st.booleans())
def test_no_two_in_a_seat_and_nobody_lost(asked: list[tuple[str, dict]], playing: bool) -> None:  # type: ignore[type-arg]
    register, entered = hall(), Counter[str]()
    now = PLAYING if playing else BEFORE
    for number, (name, fields) in enumerate(asked):
        before = {each.id for each in register.players}
        try:
            if name == "out":
                player = register.by_id.get(fields["player"])
                if player is not None and player.status != "out":
                    register = out(register, player, number)
            elif name == "back":
                register = reconciled(register, [])
            else:
                register = do(register, name, now, **fields)
        except ActError:
            assert {each.id for each in register.players} == before
            continue
        if name == "enter":
            entered[fields["name"]] += 1
        if name == "withdraw":
            (gone,) = before - {each.id for each in register.players}
            assert gone == fields["player"]
        else:
            assert before <= {each.id for each in register.players}
        taken = [each.at for each in register.players if each.at is not None]
        assert len(taken) == len(set(taken))
        assert all(1 <= at.seat <= register.seats_of[at.table] for at in taken)
        for each in register.players:
            assert (each.at is None) == (each.status in ("entered", "out"))
            assert (each.finish is None) == (each.status != "out")
        free = {AtSeat(t, n) for t in ("T1", "T2") for n in range(1, 10)} - set(taken)
        assert set(register.free()) == free


def broken(*tables: str, all_: bool = False) -> Register:
    """Six players sit at each of three tables; they are drawn to these."""
    register = do(Register(), "tables", tables=[{"table": f"T{n}", "seats": 9} for n in (1, 2, 3)])
    rows = [
        {"name": f"{table}-{seat}", "table": table, "seat": seat}
        for table in ("T1", "T2", "T3")
        for seat in range(1, 7)
    ]
    register = do(register, "import", players=rows)
    return do(register, "redraw", PLAYING, tables=tables, seed="s", all=all_)


def test_who_sits_at_a_table_that_breaks_is_drawn_to_the_others() -> None:
    """RR7-T-13, UK-09, TDA24-10B: at random; the others keep their seats."""
    register = broken("T1", "T2")
    at = {player.name: player.at for player in register.players}
    assert {at[f"T{n}-{seat}"] for n in (1, 2) for seat in range(1, 7)} == {
        AtSeat(f"T{n}", seat) for n in (1, 2) for seat in range(1, 7)
    }
    drawn = [place for seat in range(1, 7) if (place := at[f"T3-{seat}"]) is not None]
    assert sorted(drawn) == [AtSeat(f"T{n}", seat) for n in (1, 2) for seat in (7, 8, 9)]
    assert drawn != sorted(drawn)
    assert of(register, "T3-1").status == "waiting"
    assert of(register, "T1-1").status == "seated"
    (last,) = register.draws
    assert seats(last.draw) == last.given, "anybody can check it"


def test_or_all_are_drawn_anew() -> None:
    """RR7-T-18, HPT-SEAT-04: also who stays at his table."""
    register = broken("T1", "T2", all_=True)
    assert {at.table for at in register.by_seat} == {"T1", "T2"}
    assert len(register.by_seat) == 18
    moved = [p for p in register.players if p.at != AtSeat(*_split(p.name))]
    assert len(moved) > 12
    stayed = [p for p in register.players if p.at and p.at.table == p.name[:2]]
    assert {p.status for p in stayed} == {"seated"}


def _split(name: str) -> tuple[str, int]:
    table, _, seat = name.partition("-")
    return table, int(seat)


def test_nobody_is_drawn_to_where_there_is_no_room() -> None:
    register = broken("T1", "T2", "T3", all_=True)
    again = {"seed": "s"}
    assert refused(register, "redraw", tables=["T1"], **again).endswith("free seats")
    assert refused(register, "redraw", tables=["T9"], **again).startswith("there is no table T9")
    assert refused(register, "redraw", tables=["T1", "T2", "T3"], **again) == "nobody has to move"
