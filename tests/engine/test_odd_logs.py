"""Logs that once broke the engine, cut down to what matters."""

from __future__ import annotations

import msgspec
import pytest

from controller.contract.events import Board
from controller.contract.observations import Tick, decode
from controller.engine.engine import Engine
from controller.library.books import Library
from tests.engine.lines import entry, press, seen, table
from tests.engine.properties import (
    a_prefix_and_the_rest_are_the_whole,
    cards_are_conserved,
    it_can_be_told,
    it_keeps_secrets,
    it_keeps_the_contract,
    ticks_change_nothing,
)
from tests.engine.table_logs import read

TWO_HANDS = [
    seen(1, "seat/2", "2s"),
    seen(2, "seat/1", "3s"),
    entry(5, "award"),
    seen(21, "seat/1", "4s"),
    seen(22, "seat/2", "5s"),
    entry(30, "award"),
]


def test_a_fourth_flop_card_that_was_dismissed_may_leave_at_once(library: Library) -> None:
    flop = [seen(10 + n / 10, "board", card) for n, card in enumerate(("6s", "7s", "8s", "9s"))]
    log = read(
        [
            table(2, 1, zones=["board", "seat/1", "seat/2"]),
            {"kind": "riffle", "t": 0},
            *(seen(1 + n, f"seat/{2 - n % 2}", f"{n + 2}h") for n in range(4)),
            press(5, 1, "call"),
            press(6, 2, "check"),
            *flop,
            press(10.35, 2, "check"),
            entry(10.4, "dismiss", finding=1),
            {"kind": "gone", "t": 10.45, "zone": "board", "tag": "9s"},
            {"kind": "tick", "t": 15},
        ]
    )
    it_can_be_told(library, log)
    cards_are_conserved(library, log)


def test_a_card_that_two_antennas_read_too_soon_lies_in_one_place(library: Library) -> None:
    board = [("4h", 35.8), ("5h", 35.9), ("6h", 36.1), ("7h", 43.3)]
    log = [
        table(1, 4, 6),
        seen(11.3, "seat/1", "2h"),
        seen(11.9, "seat/4", "3h"),
        *(seen(t, "board", card) for card, t in board),
        seen(43.4, "burn", "7h"),
        {"kind": "gone", "t": 44.7, "zone": "burn", "tag": "7h"},
    ]
    cards_are_conserved(library, read(log))


def test_a_card_that_was_dealt_while_it_was_held_is_a_hole_card(library: Library) -> None:
    log = [
        table(1, 4, 7),
        seen(5.6, "seat/4", "2h"),
        seen(6.8, "seat/7", "3h"),
        seen(6.8, "board/2", "4h"),
        seen(7.4, "seat/1", "4h"),
        seen(8.0, "seat/7", "5h"),
    ]
    cards_are_conserved(library, read(log))


def test_the_cards_of_a_hand_that_was_under_way_start_nothing(library: Library) -> None:
    log = [
        table(2, 1, under_way=True),
        seen(1, "seat/2", "2h"),
        entry(2, "award"),
        {"kind": "gone", "t": 6, "zone": "seat/2", "tag": "2h"},
        seen(8, "seat/1", "3h"),
        seen(8.1, "seat/2", "2h"),
    ]
    engine = Engine(library.book)
    assert [event for observation in read(log) for event in engine.observe(observation)] == []


@pytest.mark.timeout(10)
def test_a_pause_ends_when_it_is_due(library: Library) -> None:
    """6.2 + 2.0 - 6.2 is a little less than 2.0."""
    cards = [(1, "9s"), (2, "4h"), (5, "Ad"), (7, "Ac"), (1, "4c")]
    deal = [seen(min(5 + 0.6 * n, 6.2), f"seat/{at}", tag) for n, (at, tag) in enumerate(cards)]
    it_can_be_told(library, read([table(1, 2, 5, 6, 7, 9), *deal, entry(9, "call-floor")]))


def test_a_street_is_told_when_it_has_rested(library: Library) -> None:
    """7.2 + 1.0 - 7.2 is a little less than 1.0."""
    flop = [seen(7.2, "board", card) for card in ("6s", "7s", "8s")]
    hole = [seen(1 + n, f"seat/{2 - n % 2}", f"{n + 2}h") for n in range(4)]
    calls = [press(5, 1, "call"), press(6, 2, "check")]
    engine = Engine(library.book)
    log = [table(2, 1, zones=["board", "seat/1", "seat/2"]), *hole, *calls, *flop]
    for observation in read(log):
        engine.observe(observation)
    assert [type(event) for event in engine.observe(Tick(8.5))] == [Board]


def test_a_replacement_is_its_own_seats_card(library: Library) -> None:
    log = [
        table(1, 5, 8, 9),
        {"kind": "riffle", "t": 0},
        entry(3, "boxed", seat=8, tag="2h"),
        seen(4, "seat/9", "2h"),
        seen(8, "seat/8", "3h"),
    ]
    cards_are_conserved(library, read(log))


def test_a_table_that_was_under_way_is_watched_after_a_restart(library: Library) -> None:
    engine = Engine(library.book)
    for line in (table(2, 1, under_way=True), entry(1, "award")):
        engine.observe(decode(msgspec.json.encode(line)))
    state = engine.state()
    assert state is not None
    restored = Engine(library.book)
    restored.restore(state, None, [])
    assert restored.state() == state


def test_a_deck_check_counts_after_a_restart(library: Library) -> None:
    check = {"kind": "deck-check", "t": 3, "tags": ["2s"]}
    log = read([table(2, 1), *TWO_HANDS[:2], check, *TWO_HANDS[2:]])
    engine = Engine(library.book)
    told = [event for observation in log for event in engine.observe(observation)]
    assert "missing-card" in [getattr(event, "code", None) for event in told]
    a_prefix_and_the_rest_are_the_whole(library, log)


def test_the_puck_lies_where_it_lay_before_a_restart(library: Library) -> None:
    puck = table(2, 1, objects={"PUCK": "button"})
    log = read([puck, seen(0, "seat/1", "PUCK"), *TWO_HANDS])
    engine = Engine(library.book)
    told = [event for observation in log for event in engine.observe(observation)]
    assert "button-misplaced" in [getattr(event, "code", None) for event in told]
    a_prefix_and_the_rest_are_the_whole(library, log)


def test_an_absent_player_whom_the_deal_passes_over_is_not_waited_for(library: Library) -> None:
    log = read(
        [
            table(1, 5, 8, 9, rulebook="homepokertourney", objects={"puck": "button"}),
            {"kind": "seat", "seat": 4, "status": "absent", "stack": 1, "t": 0},
            seen(70, "seat/2", "Kh"),
            seen(70.5, "seat/6", "Jc"),
            {**press(76, 6, "raise"), "amount": 3000, "by": "dealer"},
            press(78, 2, "fold"),
            entry(80, "award"),
            seen(88, "seat/1", "8h"),
            seen(89, "seat/3", "9s"),
            press(100, 3, "fold"),
        ]
    )
    it_can_be_told(library, log)


def test_a_card_that_is_missing_before_the_deal_is_known_after_a_restart(library: Library) -> None:
    """The deal shows another player, so the hand is played again and its rulings are told anew."""
    log = read(
        [
            table(2, 4, 6, 7, 8, 10, 5, rulebook="nl-2010", objects={"puck": "button"}),
            seen(79, "seat/5", "puck"),
            {"kind": "riffle", "t": 79},
            seen(86, "seat/6", "Jd"),
            {"kind": "deck-check", "t": 86, "tags": []},
            entry(161, "award"),
            {"kind": "tick", "t": 163},
            seen(175.3, "seat/9", "6d"),
            seen(175.9, "seat/10", "Jh"),
            press(182, 9, "fold"),
            {"kind": "tick", "t": 183},
        ]
    )
    a_prefix_and_the_rest_are_the_whole(library, log)


@pytest.mark.parametrize("at", [2, 4, 9], ids=["empty", "played", "folded"])
def test_a_card_that_has_lain_at_a_seat_is_none_of_the_board(library: Library, at: int) -> None:
    """Wherever it came from: which way up it was then nobody knows."""
    cards = ("Ad", "5s", "6d", "Qs", "Qc", "5c", "Th", "6h", "8d", "9d")
    dealt = zip((4, 5, 6, 8, 9) * 2, cards, strict=True)
    log = read(
        [
            table(4, 5, 6, 8, 9, rulebook="tda-2024", button=9),
            *(seen(1 + n / 2, f"seat/{seat}", card) for n, (seat, card) in enumerate(dealt)),
            press(10, 6, "call"),
            press(11, 8, "call"),
            press(12, 9, "fold"),
            {"kind": "gone", "t": 12.1, "zone": "seat/9", "tag": "Qc"},
            {"kind": "gone", "t": 12.1, "zone": "seat/9", "tag": "9d"},
            seen(13, f"seat/{at}", "2s"),
            press(14, 4, "call"),
            press(15, 5, "check"),
            seen(17, "burn", "3h"),
            *(seen(18 + n / 5, "board", card) for n, card in enumerate(("2s", "4s", "7s"))),
            {"kind": "tick", "t": 30},
        ]
    )
    it_keeps_secrets(library, log)


def test_a_press_at_a_closed_table_does_not_play_the_hand_again(library: Library) -> None:
    log = read(
        [
            table(3, 5, 6, 7, 9, 10, rulebook="homepokertourney"),
            seen(49, "seat/6", "7d"),
            seen(49.6, "seat/2", "Ah"),
            {"kind": "close", "t": 53},
            press(55, 2, "fold"),
        ]
    )
    it_keeps_the_contract(library, log)


def test_an_exposed_card_that_is_burned_before_it_is_replaced_is_a_burn(library: Library) -> None:
    log = read(
        [
            table(9, 10, 1, 2, 3, 4, 5, 6, 7, 8, rulebook="homepokertourney"),
            seen(5.5, "seat/3", "5s"),
            seen(10, "seat/2", "3h"),
            seen(11, "seat/3", "As"),
            {**entry(12, "exposed", cause="dealer"), "seat": 3, "nth": 2},
            seen(27, "burn", "As"),
            seen(30, "seat/3", "Kd"),
            {"kind": "tick", "t": 40},
        ]
    )
    cards_are_conserved(library, log)


def test_what_is_due_is_told_where_there_is_nothing_to_undo(library: Library) -> None:
    zones = ["seat/1", "seat/3", "board", "burn", "muck"]
    log = read(
        [
            table(2, 4, rulebook="homepokertourney", zones=zones),
            seen(5.6, "seat/4", "Kc"),
            seen(6.2, "seat/2", "Jh"),
            entry(31, "undo"),
        ]
    )
    ticks_change_nothing(library, log)
