"""Where button and blinds go, by the rules of the catalogue; an empty seat posts nothing."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.events import Event, Finding, Prompt, Result, Start
from controller.contract.observations import Table, TableBlinds, TableSeat, decode
from controller.engine.engine import Engine
from controller.hand.setup import Setup
from controller.library.books import Library
from controller.rules.button import (
    ButtonRule,
    Positions,
    comes_behind,
    next_positions,
    positions,
)
from tests.rules.table_talk import Talk

SIX = (1, 2, 3, 4, 5, 6)

# (the rule, button and blinds of one hand, who is dealt in after it, those of the next hands)
DEAD = [
    ("RR7-BLIND-0: one seat on", (6, 1, 2), SIX, [(1, 2, 3), (2, 3, 4)]),
    ("HPT-DB-02, HPT-BTN-03: the small blind is gone", (1, 2, 3), (1, 3, 4, 5), [(2, 3, 4)]),
    (
        "HPT-DB-01, HPT-BTN-04: the big blind is gone",
        (1, 2, 3),
        (1, 2, 4, 5),
        [(2, 3, 4), (3, 4, 5), (4, 5, 1)],
    ),
    ("NL10-DB-01: and so is the small one", (1, 2, 3), (1, 4, 5), [(2, 3, 4), (3, 4, 5)]),
    ("RR7-T-30: the button is gone", (1, 2, 3), (2, 3, 4), [(2, 3, 4), (3, 4, 2)]),
    ("RR7-T-30: the next big blind is gone", (1, 2, 3), (1, 2, 3, 5), [(2, 3, 5), (3, 5, 1)]),
    ("RR7-T-16: a newcomer is the big blind", (1, 2, 3), (1, 2, 3, 4, 5), [(2, 3, 4)]),
    ("RR7-T-16: where the small blind was", (1, 2, 3), (1, 2, 3, 4), [(2, 3, 4)]),
    ("a newcomer between button and blinds", (1, 3, 5), (1, 2, 3, 4, 5, 6), [(3, 5, 6), (5, 6, 1)]),
    ("HPT-BTN-01: heads-up, the button is out", (1, 2, 3), (2, 3), [(3, 3, 2), (2, 2, 3)]),
    ("HPT-BTN-01: heads-up, the small blind is out", (1, 2, 3), (1, 3), [(3, 3, 1)]),
    ("HPT-BTN-01: heads-up, the big blind is out", (1, 2, 3), (1, 2), [(2, 2, 1)]),
    ("UK-32: heads-up out of a dead button", (2, 3, 4), (1, 4), [(4, 4, 1), (1, 1, 4)]),
    ("TDA09-26: heads-up against a newcomer", (1, 1, 5), (5, 7), [(5, 5, 7)]),
    ("a third player comes after the big blind", (1, 1, 5), (1, 5, 7), [(1, 5, 7), (5, 7, 1)]),
    ("a third player comes before it", (1, 1, 5), (1, 3, 5), [(3, 5, 1), (5, 1, 3)]),
    ("a third one, and the big blind is gone", (1, 1, 5), (1, 3, 4), [(4, 5, 1), (5, 1, 3)]),
]
MOVING = [
    ("RR7-BLIND-2a: one player on", (6, 1, 2), SIX, [(1, 2, 3)]),
    ("the small blind is gone", (1, 2, 3), (1, 3, 4, 5), [(3, 4, 5), (4, 5, 1)]),
    ("the big blind is gone", (1, 2, 3), (1, 2, 4, 5), [(2, 4, 5)]),
    ("the button is gone", (1, 2, 3), (2, 3, 4), [(2, 3, 4)]),
    ("a newcomer has the button", (1, 3, 5), (1, 2, 3, 5), [(2, 3, 5)]),
    ("RR7-BLIND-4: heads-up", (1, 2, 3), (1, 3), [(3, 3, 1), (1, 1, 3)]),
    ("and back", (3, 3, 1), (1, 3, 5), [(5, 1, 3)]),
]


@pytest.mark.parametrize(
    ("rule", "last", "seats", "hands"),
    [
        pytest.param(rule, *case[1:], id=f"{rule} {case[0]}")
        for rule, cases in (("dead", DEAD), ("moving", MOVING))
        for case in cases
    ],
)
def test_where_they_go(
    rule: ButtonRule,
    last: tuple[int, int, int],
    seats: tuple[int, ...],
    hands: list[tuple[int, int, int]],
) -> None:
    place = Positions(*last)
    for expected in hands:
        place = next_positions(place, seats, rule)
        assert (place.button, place.small, place.big) == expected


@pytest.mark.parametrize(
    ("button", "seats", "place"),
    [
        (4, (1, 2, 3, 4), (4, 1, 2)),
        (2, (1, 2), (2, 2, 1)),
        (6, (1, 2, 3), (6, 1, 2)),
        (6, (3, 8), (8, 8, 3)),  # RR7-T-31: heads-up there is no dead button
    ],
)
def test_where_they_begin(button: int, seats: tuple[int, ...], place: tuple[int, int, int]) -> None:
    found = positions(button, seats)
    assert (found.button, found.small, found.big) == place


@pytest.mark.parametrize(
    ("last", "seats", "more"),
    [
        ((1, 2, 3), (1, 2, 3, 4, 5), ()),
        ((1, 2, 3), (1, 3, 4, 5), (4,)),  # the small blind is gone: 4 was due and has the small one
        ((1, 2, 3), (1, 2, 4, 5), (4,)),  # and so if the big blind is gone
        ((1, 2, 3), (1, 4, 5, 6), (4, 5)),  # or both: 4 was due, then 5, and 6 is the big blind
        ((1, 2, 3), (2, 3, 4), ()),  # nobody is passed over as the button goes
        ((1, 2, 3), (2, 3), ()),  # heads-up there is one
        ((1, 3, 4), (1, 2, 3, 4, 5), ()),  # 2 sits down: the big blind stays where it was
        ((4, 1, 2), (1, 2, 3, 4, 5), ()),  # 5 does, and it even goes back
        ((1, 1, 2), (1, 2, 3), ()),  # a third player comes
    ],
)
def test_who_is_passed_over_by_a_moving_button_posts_a_big_blind_too(
    last: tuple[int, int, int], seats: tuple[int, ...], more: tuple[int, ...]
) -> None:
    """RR7-BLIND-2a: the blinds adjust, and there may be more than one big blind."""
    assert next_positions(Positions(*last), seats, "moving").more == more
    assert next_positions(Positions(*last), seats, "dead").more == ()


tables = st.lists(st.sets(st.integers(1, 10), min_size=2), min_size=2, max_size=12)


@given(button=st.integers(1, 10), hands=tables, rule=st.sampled_from(["dead", "moving"]))
def test_whoever_comes_and_goes(button: int, hands: list[set[int]], rule: ButtonRule) -> None:
    """The big blind is a player; button, small and big blind follow one another; nobody who
    stays has the big blind twice running while others play, with a dead button."""
    place = positions(button, hands[0])
    for seats in hands[1:]:
        last, place = place, next_positions(place, seats, rule)
        assert place.big in seats
        assert place.small != place.big
        if len(seats) == 2:
            assert {place.button, place.small} < seats
            assert place.button == place.small
        else:
            after = [(seat - place.button) % 10 for seat in (place.small, place.big)]
            assert 0 < after[0] < after[1]
        if rule == "dead":
            assert place.big != last.big


# --- from hand to hand ---


def hands(library: Library, book: str, changes: list[str], **table: object) -> list[Start]:
    """The hands at a table of four, the button at seat 4, with a line in each but the last. Nothing
    of the deal is read, and whoever presses before his turn is not heard."""
    engine = Engine(library.book)
    lines = [
        msgspec.json.encode(
            {
                "kind": "table",
                "v": 1,
                "table": "1",
                "rulebook": book,
                "button": 4,
                "seats": [{"seat": seat, "stack": 1000} for seat in (1, 2, 3, 4)],
                "blinds": {"small": 5, "big": 10},
                **table,
            }
        )
    ]
    for t, change in enumerate([*changes, ""]):
        lines.append(b'{"kind":"riffle","t":%d}' % (10 * t))
        fold = b'{"kind":"press","t":%d,"seat":%d,"button":"fold"}'
        lines += [fold % (10 * t + 5, seat) for seat in (1, 2, 3, 4)]
        if change:
            lines.append(b'{"kind":%s,"t":%d}' % (change.encode(), 10 * t + 6))
    events = [event for line in lines for event in engine.observe(decode(line))]
    return [e for e in events if isinstance(e, Start)]


def test_several_big_blinds_are_in_the_pot_and_told(library: Library, tmp_path: Path) -> None:
    """RR7-BLIND-2a: all of them are live, and the first player to act is left of the last one."""
    book = tmp_path / "cash.toml"
    book.write_text('id = "cash"\ntitle = "Cash"\nover = "roberts"\nbutton = "moving"\n')
    routine = {"deal": "all"}
    talk = Talk(library, str(book), mode="cash", routine=routine)
    talk.tell("deal 5; 3 fold; 4 fold; 5 fold; 1 fold; collect; wait 2; seat 1 empty; riffle")
    [told] = [e for e in talk.events if isinstance(e, Prompt) and e.text_id == "post-big-too"]
    assert told.args == {"seat": 3, "big": 10}
    talk.tell("also 3 4 5 2 3 4 5 2; 5 fold; 2 fold; 3 raise 30; 4 fold; collect; wait 2")
    result = [e for e in talk.events if isinstance(e, Result)][-1]
    assert [pot.amount for pot in result.pots] == [20]
    assert result.stacks is not None
    assert (result.stacks["3"], result.stacks["4"]) == (1010, 990)
    assert not [e for e in talk.events if isinstance(e, Finding)]


def test_a_house_book_may_have_a_moving_button(library: Library, tmp_path: Path) -> None:
    book = tmp_path / "cash.toml"
    book.write_text('id = "cash"\ntitle = "Cash"\nover = "roberts"\nbutton = "moving"\n')
    assert library.book(str(book)).button == "moving"
    assert library.book("roberts").button == "dead"
    gone = '"seat","seat":1,"status":"empty"'
    dealt = {
        name: [start.button for start in hands(library, name, [gone, gone])]
        for name in (str(book), "roberts")
    }
    assert dealt == {str(book): [4, 2, 3], "roberts": [4, 1, 2]}


@pytest.mark.parametrize(
    ("last", "seats", "waits"),
    [
        ((1, 2, 4), (1, 2, 4, 6), {3}),
        ((1, 2, 6), (1, 2, 6, 9), {3, 4, 5}),
        ((9, 1, 2), (1, 2, 9), set()),
        ((8, 2, 6), (2, 6, 8), {3, 4, 5}),
        ((5, 7, 9), (2, 7, 9), {8}),  # nobody sits at the button
        ((2, 3, 6), (1, 2, 6), {4, 5}),  # nor at the small blind
        ((2, 4, 5), (1, 2, 5), set()),
        ((5, 5, 2), (2, 5), set()),  # heads-up the button would be his
        ((5, 6, 7), (5,), set()),
    ],
)
def test_who_comes_between_button_and_small_blind_waits(
    last: tuple[int, int, int], seats: tuple[int, ...], waits: set[int]
) -> None:
    """UK-07, TDA09-05, TDA24-08A3: a hand anywhere, except between the small blind and the button.
    The next button is where the small blind was, and the next small blind where the big was."""
    chairs = set(range(1, 11)) - set(seats)
    assert {chair for chair in chairs if comes_behind(Positions(*last), seats, chair)} == waits


def test_who_waited_plays_once_only_two_others_are_left(library: Library) -> None:
    """UK-07, TDA09-05: the button was at 5 and the blinds at 1 and 2, and 6 waited. Three go out in
    that hand: with him button and small blind are where 1 and 2 sat, and he is not between."""
    table = Table(
        v=1,
        table="T1",
        rulebook="uk-tda",
        seats=(
            TableSeat(seat=3, stack=1_000),
            TableSeat(seat=5, stack=1_000),
            TableSeat(seat=6, stack=1_000, status="waiting"),
        ),
        button=1,
        blinds=TableBlinds(small=25, big=50),
    )
    setup = Setup.of(table, library.book("uk-tda"))
    setup.positions = Positions(5, 1, 2)
    assert sorted(setup.entitled()) == [3, 5, 6]
    assert setup.due(2, None) == Positions(1, 2, 3)


@pytest.mark.parametrize("book", ["roberts", "uk-tda"])
def test_a_new_player_gets_no_hand_before_the_button_has_passed_him(
    library: Library, book: str
) -> None:
    """RR7-BLIND-8, RRP-BLIND-8, UK-07: seat 2 is between button and big blind in the second."""
    seats = [{"seat": seat, "stack": 1000} for seat in (1, 3, 4)]
    comes = '"seat","seat":2,"status":"waiting","stack":1000'
    dealt = hands(library, book, [comes, "", ""], seats=seats, mode="cash")
    assert [(start.button, [s.seat for s in start.seats]) for start in dealt] == [
        (4, [1, 3, 4]),
        (1, [1, 3, 4]),
        (3, [1, 2, 3, 4]),
        (4, [1, 2, 3, 4]),
    ]


def test_a_redeal_keeps_button_seats_and_posts(library: Library) -> None:
    void = '"dealer","input":"misdeal"'
    starts = hands(library, "roberts", [void, void], posts=[3])
    assert [(s.button, len(s.seats), s.redeal_of) for s in starts] == [
        (4, 4, None),
        (4, 4, 1),
        (4, 4, 1),
    ]


def test_an_absent_player_is_dealt_in_and_posts(library: Library) -> None:
    """RR7-T-6, UK-28, HPT-LEAVE-02."""
    away = '"seat","seat":1,"status":"absent"'
    starts = hands(library, "roberts", [away, away])
    assert [len(s.seats) for s in starts] == [4, 4, 4]


def test_nobody_posts_for_a_small_blind_that_is_gone(library: Library) -> None:
    """HPT-DB-01: then there is nothing in the pot but the big blind, which goes back."""
    engine = Engine(library.book)
    events: list[Event] = []
    for line in (
        '{"kind":"table","v":1,"table":"1","rulebook":"roberts","button":4,'
        '"blinds":{"small":5,"big":10},"seats":[{"seat":1,"stack":90},{"seat":2,"stack":90},'
        '{"seat":3,"stack":90},{"seat":4,"stack":90}]}',
        '{"kind":"riffle","t":1}',
        '{"kind":"press","t":2,"seat":3,"button":"fold"}',
        '{"kind":"press","t":4,"seat":4,"button":"fold"}',
        '{"kind":"press","t":6,"seat":1,"button":"fold"}',
        '{"kind":"seat","t":7,"seat":2,"status":"empty"}',
        '{"kind":"riffle","t":8}',
        '{"kind":"press","t":10,"seat":4,"button":"fold"}',
        '{"kind":"press","t":12,"seat":1,"button":"fold"}',
    ):
        events += engine.observe(decode(line.encode()))
    results = [e for e in events if isinstance(e, Result)]
    assert [[pot.amount for pot in result.pots] for result in results] == [[10], []]


# --- a hand that was played from the wrong place ---


def misplaced(library: Library, count: int, puck: int, acts: str) -> list[tuple[int, int]]:
    """Button and big blind of the hands after one that was played from the puck, though the
    button belonged to the last seat."""
    talk = Talk(library, "roberts", objects={"PUCK": "button"})
    order = " ".join(str((puck + n) % count + 1) for n in range(count))
    talk.tell(f"table {count}; puck {puck}; pitch {count} {order} {order}; wait 3")
    talk.tell(f"{acts}; award; collect; riffle; wait 1; award; riffle; wait 1; award; riffle")
    found = [e.code for e in talk.events if isinstance(e, Finding) and e.hand == 1]
    assert "out-of-turn" not in found
    return [(e.button, big_blind(e)) for e in talk.events if isinstance(e, Start)][1:]


def big_blind(start: Start) -> int:
    return positions(start.button, [seat.seat for seat in start.seats]).big


def test_positions_that_were_played_twice_are_followed_by_the_next(library: Library) -> None:
    """RR7-IRR-1: the puck was left behind. Who was due is due now."""
    assert misplaced(library, 4, 3, "2 call; 3 call") == [(4, 2), (1, 3), (2, 4)]


def test_positions_that_were_passed_over_are_had_in_the_next_hand(library: Library) -> None:
    """RR7-IRR-1: the puck was moved too far. Who was passed over has the big blind now, and who
    had it then is passed over."""
    assert misplaced(library, 4, 1, "4 call; 1 call") == [(4, 2), (2, 4), (3, 1)]


def test_heads_up_nobody_is_passed_over(library: Library) -> None:
    """UK-32."""
    assert misplaced(library, 2, 1, "1 call; 2 check") == [(2, 1), (1, 2), (2, 1)]
