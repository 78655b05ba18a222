"""What `cutcard init` suggests, how zones are written in a line, and where a card was laid."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from controller.contract.zones import ZONES
from controller.install.init_lay import Antenna, Both, Watch
from controller.install.init_plan import (
    AnswerError,
    fill,
    fill_buttons,
    likely_board,
    likely_seats,
    read_zones,
    spell,
    suggest_buttons,
    suggest_lamps,
    suggest_zones,
)
from controller.install.init_roll import line
from firmware_bridge.families import FAMILIES
from firmware_bridge.probe import Answer, NobodyThere, as_delivered

NINE = tuple(range(1, 10))


def a(device: str, port: str, zones: int = 1, buttons: int = 0, lamps: int = 0) -> Answer:
    return Answer(port, as_delivered(FAMILIES[device]), device, zones, buttons, lamps)


def spelt(*answers: Answer, seats: tuple[int, ...] = NINE) -> list[str]:
    return [spell(zones) for zones in suggest_zones(answers, seats)]


def test_one_pico_has_them_all() -> None:
    assert spelt(a("pico", "/p", 13)) == ["seat/1-9 board burn muck stub"]
    assert likely_seats([a("pico", "/p", 13)]) == 9


def test_several_picos_share_them_seats_first() -> None:
    picos = [a("pico", f"/p{n}", 3) for n in range(5)]
    assert spelt(*picos, seats=tuple(range(1, 11))) == [
        "seat/1-3",
        "seat/4-6",
        "seat/7-9",
        "seat/10 board burn",
        "muck stub board/1",
    ]


def test_a_board_of_five_antennas() -> None:
    picos = [a("pico", f"/p{n}", 3) for n in range(6)]
    seats = tuple(range(1, 11))
    assert (likely_seats(picos), likely_board(picos, seats)) == (10, 5)
    assert [spell(zones) for zones in suggest_zones(picos, seats, 5)][3:] == [
        "seat/10 board/1 board/2",
        "board/3-5",
        "burn muck stub",
    ]
    assert likely_board([a("pico", "/p", 13)], NINE) == 1
    assert likely_board([a("pn532", f"/n{n}") for n in range(7)], (1, 2)) == 5
    assert likely_board([*picos, a("feig", "/f", 8)], seats) == 1


def test_a_pico_with_more_antennas_than_zones_gives_the_rest_names_of_their_own() -> None:
    assert spelt(a("pico", "/p", 13), seats=(1, 2, 3, 4, 5, 6)) == [
        "seat/1-6 board burn muck stub seat/7-9"
    ]


def test_readers_of_two_tags_get_seats_and_never_a_pile() -> None:
    few = [a("pn532", f"/n{n}") for n in range(3)]
    assert spelt(a("feig", "/f", 8), *few, seats=(1, 2)) == [
        "board burn muck stub",
        "seat/1",
        "seat/2",
        "seat/3",
    ]
    assert likely_seats([a("feig", "/f", 8), *few]) == 3


def test_two_peppers_are_for_ten_seats_and_four_zones() -> None:
    both = [a("pepper", "/a", 8), a("pepper", "/b", 8)]
    assert spelt(*both, seats=tuple(range(1, 11))) == [
        "seat/1-8",
        "seat/9 seat/10 board burn muck stub",
    ]


def test_the_puck_lies_beside_cards_and_uhf_reads_none() -> None:
    assert spelt(a("pico", "/p", 13), a("rdm6300", "/r"), a("yrm100", "/y")) == [
        "seat/1-9 board burn muck stub",
        "seat/1",
        "",
    ]


def test_buttons_are_the_same_at_each_seat_that_the_device_reads() -> None:
    zones = ("seat/4", "seat/5", "board")
    assert suggest_buttons(a("pico", "/p", 3, 4), zones, NINE) == (
        (4, "fold"),
        (4, "call"),
        (5, "fold"),
        (5, "call"),
    )
    assert suggest_buttons(a("pico", "/p", 3, 3), zones, NINE) == (
        (4, "fold"),
        (5, "fold"),
    )
    assert len(suggest_buttons(a("pico", "/p", 3, 50), zones, NINE)) == 14
    assert suggest_lamps(a("pico", "/p", 3, lamps=3), zones, NINE) == (4, 5)


def test_what_was_not_found_gets_a_name_that_nobody_has() -> None:
    assert fill({1: "board"}, 3, {"seat/10", "board"}) == ("seat/9", "board", "seat/8")
    assert fill_buttons({0: (1, "fold")}, 2, {(10, "time")}) == ((1, "fold"), (9, "time"))


def test_where_names_run_out_the_row_ends() -> None:
    assert len(fill({}, 64, set())) == 15
    assert len(fill_buttons({}, 128, set())) == 70


@given(st.lists(st.sampled_from(ZONES), unique=True))
def test_zones_are_read_as_they_are_spelt(zones: list[str]) -> None:
    assert read_zones(spell(zones)) == tuple(zones)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("seat/0", "there is no zone 'seat/0'"),
        ("seat/9-12", "there is no zone 'seat/11'"),
        ("seat/3-1", "there is no zone 'seat/3-1'"),
        ("mukc", "did you mean 'muck'"),
        ("seat/1 seat/1-2", "seat/1 is listed twice"),
    ],
)
def test_zones_that_cannot_be(text: str, told: str) -> None:
    with pytest.raises(AnswerError) as caught:
        read_zones(text)
    assert told in str(caught.value)


def test_what_to_do_about_a_port_that_may_not_be_opened() -> None:
    text = "/dev/x may not be opened: is this user in the group dialout?"
    assert line(NobodyThere("/dev/x", text, opened=False)) == (
        f"{text} (sudo usermod -aG dialout $USER, then log in again)"
    )


HERE, THERE = Antenna("/p", 0), Antenna("/p", 1)


def laid(*reads: tuple[float, Antenna, str]) -> Watch:
    watch = Watch()
    watch.scan(HERE, 0.0, ["AA"])
    watch.begin()
    for t, antenna, tags in reads:
        watch.scan(antenna, t, tags.split())
    return watch


def test_a_card_lies_where_it_is_read_most() -> None:
    watch = laid(*((t / 10, HERE, "AA BB") for t in range(10)), (0.5, THERE, "BB"))
    assert watch.found(0.5) is None
    assert watch.found(1.0) == HERE


def test_what_lay_there_before_does_not_count_until_it_was_lifted() -> None:
    assert laid((0.1, HERE, "AA"), (0.2, HERE, "AA")).found(2.0) is None
    assert laid((0.1, HERE, ""), (0.2, HERE, "AA"), (1.0, HERE, "AA")).found(1.1) == HERE


def test_a_card_that_was_only_carried_over_does_not_lie_there() -> None:
    carried = [(t / 10, HERE, "AA BB") for t in range(4)]
    assert laid(*carried, (0.5, HERE, "AA")).found(1.0) is None
    assert laid(*carried, (0.5, HERE, "AA"), (0.6, THERE, "BB")).found(1.0) == THERE


def test_two_that_read_it_equally_well_are_told() -> None:
    both = [(t / 10, each, "BB") for t in range(8) for each in (HERE, THERE)]
    assert laid(*both).found(1.0) == Both(HERE, THERE)
