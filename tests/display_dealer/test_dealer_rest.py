"""The table at rest: who deals, blinds, absent players, burns, level, clock, and what comes."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from controller.contract.sight import CalledOn
from controller.contract.view import LevelView, MoveView, RaceView, TableView
from display.dealer.arriving import arrived
from display.dealer.connection import Connection
from display.dealer.looking import Looking
from display.dealer.model import build
from display.dealer.screen import Button, Label, Plate, Progress, Screen
from display.dealer.taps import tapped
from display.dealer.texts import Texts
from display.drawing.colour import contrast
from tests.display_dealer.replays import SIZES, colour, drawn

ReadView = Callable[[str], TableView]
T = 900.0


def screen_of(
    view: TableView, texts: Texts, t: float = T, looking: Looking | None = None, **asked: object
) -> Screen:
    seen = replace(looking or arrived(Looking(), None, view, 0.0), **asked)
    return build(view, seen, Connection(""), texts, now=75.0, table_time=t, languages={})


def label(screen: Screen, region: str) -> Label | None:
    return next((one for one in screen.labels if one.region == region), None)


def words(screen: Screen, region: str) -> str:
    found = label(screen, region)
    return found.text if found is not None else ""


def button(screen: Screen, name: str) -> Button:
    return next(one for one in screen.buttons if one.id == name)


def plates(screen: Screen) -> dict[int, Plate]:
    return {one.number: one for one in screen.plates}


def test_blinds_are_marked_at_their_seats_until_the_hand_is_over(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("big_blind_to_act")
    blinds = {n: one.blind for n, one in plates(screen_of(view, texts)).items() if one.blind}
    assert blinds == {4: "SB", 5: "BB"}
    over = replace(view, phase="complete")
    assert not any(one.blind for one in plates(screen_of(over, texts)).values())


def test_the_absent_have_a_word_and_a_style_of_their_own(texts: Texts, read_view: ReadView) -> None:
    seen = plates(screen_of(read_view("big_blind_to_act"), texts))
    assert (seen[8].word, seen[8].style) == ("absent", "plate-absent")
    assert (seen[6].word, seen[6].style) == ("folded", "plate-absent")
    assert (seen[2].word, seen[2].style) == ("folded", "plate-folded")
    view = read_view("big_blind_to_act")
    turn = plates(screen_of(replace(view, to_act=8), texts))[8]
    assert (turn.word, turn.style) == ("to act", "plate-turn")


def test_a_turn_says_how_long_it_has_taken(texts: Texts, read_view: ReadView) -> None:
    view = read_view("big_blind_to_act")
    for t, time in ((837.9, "0:00"), (838.0, "0:01"), (T, "1:03"), (T + 60, "2:03"), (0, "0:00")):
        assert plates(screen_of(view, texts, t))[5].time == time
    assert [one.time for one in plates(screen_of(view, texts)).values()].count("") == 8
    assert not plates(screen_of(replace(view, turn_since=None), texts))[5].time


def test_burns_are_counted_at_the_board_until_the_pot_is_known(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("between_hands")
    assert words(screen_of(view, texts), "pot") == "Pot 29,225"
    assert words(screen_of(replace(view, pot=None), texts), "pot") == "▮▮▮\u00a0Burned\u00a03"
    assert not words(screen_of(replace(view, pot=None, burns=0), texts), "pot")


@pytest.mark.parametrize(
    ("level", "t", "shown"),
    [
        (LevelView(4, ends=960.2), T, "Level 4 · 1:00"),
        (LevelView(4, ends=960.2), 2000.0, "Level 4 · 0:00"),
        (LevelView(4, left=61.5), T, "Level 4 · PAUSED · 1:01"),
        (LevelView(4), T, "Level 4 · PAUSED"),
        (LevelView(4, ends=960.2, on_break=True), T, "1:00"),
        (LevelView(4, left=30.0, on_break=True), T, "PAUSED · 0:30"),
        (None, T, ""),
    ],
)
def test_the_level_has_its_time_left_or_stands(
    level: LevelView | None, t: float, shown: str, *, texts: Texts, read_view: ReadView
) -> None:
    view = replace(read_view("flop_betting"), level=level)
    screen = screen_of(view, texts, t)
    assert words(screen, "level") == shown
    stands = label(screen, "level")
    if stands is not None:
        assert (stands.style == "paused") == ("PAUSED" in shown)
    above = "Break" if level is not None and level.on_break else "100/200 ante 25"
    assert words(screen, "blinds-upper" if shown else "blinds") == above


def test_on_a_break_no_new_hand_is_begun(texts: Texts, read_view: ReadView) -> None:
    """HPT-TIMER-06, NL10-TIMER-07: the hand under way goes on."""
    rests = LevelView(4, ends=960.2, on_break=True)
    under_way = replace(read_view("flop_betting"), level=rests)
    over = replace(read_view("between_hands"), level=rests)
    assert words(screen_of(over, texts), "banner") == "Break: no new hand"
    assert words(screen_of(under_way, texts), "banner").startswith("Seat 9 to act")
    back = words(screen_of(replace(over, level=None), texts), "banner")
    assert back == texts.prompt(over)


def test_a_room_that_is_silent_makes_the_level_old(texts: Texts, read_view: ReadView) -> None:
    screen = screen_of(read_view("room_lost"), texts)
    assert words(screen, "blinds-upper") == "Room offline 2:05"
    assert screen.hatched == ("level",)
    links = button(screen, "links")
    assert (links.label, links.style) == ("⚠ 3 faults\n4 silenced", "warning")
    alone = replace(read_view("room_lost"), links=(), silent=())
    assert button(screen_of(alone, texts), "links").label == "⚠ Room offline 2:05"


def test_what_is_silent_is_named_with_its_end(texts: Texts, read_view: ReadView) -> None:
    view = read_view("room_lost")
    lines = words(screen_of(view, texts, asking="links"), "dialog-text").splitlines()
    assert lines[0] == "Room offline 2:05"
    assert lines[3:] == [
        "Seat 10: recorded only until checked",
        "Four-card flop: muted until hand 45 is over",
        "No burn card · Burn pile: muted until hand 51 is over",
        "Board 3: recorded only until checked",
    ]
    many = replace(view, silent=view.silent * 3)
    assert words(screen_of(many, texts, asking="links"), "dialog-text").endswith("and 7 more")
    well = replace(view, links=(), room_lost=None)
    assert button(screen_of(well, texts), "links").label == "✓ Readers OK\n4 silenced"
    asked = screen_of(well, texts, asking="links")
    assert words(asked, "dialog-title") == "Readers OK"
    assert words(asked, "dialog-text").count("muted until") == 2


def test_a_called_clock_counts_down_and_its_last_seconds_are_marked(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("clock_called")
    for t, head, left, style in (
        (T, "Clock: seat 9", "0:28", "clock"),
        (917.9, "Clock: seat 9", "0:11", "clock"),
        (918.0, "LAST SECONDS: seat 9", "0:10", "lost"),
        (940.0, "LAST SECONDS: seat 9", "0:00", "lost"),
    ):
        screen = screen_of(view, texts, t)
        whose, main = label(screen, "aside-head"), label(screen, "aside-main")
        assert whose is not None
        assert main is not None
        assert (whose.text, main.text, whose.style, main.style) == (head, left, style, style)
        assert plates(screen)[9].time == left


def test_a_clock_is_seen_beside_a_note_and_over_a_card(texts: Texts, read_view: ReadView) -> None:
    view = read_view("clock_running_out")
    banner = label(screen_of(view, texts), "banner")
    assert banner is not None
    assert (banner.text, banner.style) == ("Seat 9: last 7 s", "lost")
    card = replace(read_view("four_card_flop_roberts"), clock=CalledOn(9, T + 28))
    phase = label(screen_of(card, texts), "phase")
    assert phase is not None
    assert (phase.text, phase.style) == ("Clock: seat 9\n0:28", "clock")


def test_in_a_hand_it_says_who_comes_and_who_leaves(texts: Texts, read_view: ReadView) -> None:
    moves = (
        MoveView("Anna Karenina", "3", 5),
        MoveView("Bob", "12", 9, leaves=True),
        MoveView("Dora", "3"),
    )
    view = replace(read_view("flop_betting"), findings=(), moves=moves)
    shown = [words(screen_of(view, texts, t), "aside") for t in (0.0, 4.9, 5.0, 10.0, 15.0)]
    assert shown == ["Anna to seat 5"] * 2 + ["Bob to table 12", "Dora joins", "Anna to seat 5"]
    called = replace(view, clock=CalledOn(9, T + 28))
    assert not words(screen_of(called, texts), "aside")
    between = replace(read_view("between_hands"), moves=moves[:2])
    shown = [words(screen_of(between, texts, t), "aside") for t in (0.0, 5.0, 10.0, 15.0)]
    button = "Button to seat 4"
    assert shown == [button, "Anna to seat 5", "Bob to table 12", button], "before the next hand"


def test_on_a_break_at_which_chips_go_it_says_step_by_step_what_to_do(
    texts: Texts, read_view: ReadView
) -> None:
    """UK-22A, UK-22B: each step with its rules; nothing while a hand is played."""
    steps = (("race-seen", ("UK-22B",)), ("race-cards", ("UK-22A", "RR7-T-10")))
    race = RaceView(25, 100, steps)
    view = replace(read_view("between_hands"), race=race)
    first = "1/2 · Chips in plain view: all may watch the race (UK-22B)"
    second = "2/2 · A card for each odd 25, from seat 1 (UK-22A, RR7-T-10)"
    resting = replace(view, level=LevelView(4, on_break=True))
    closed = replace(view, is_open=False)
    for one in (view, resting, closed):
        shown = [words(screen_of(one, texts, t), "banner") for t in (0.0, 5.9, 6.0, 12.0)]
        assert shown == [first, first, second, first]
    played = replace(read_view("flop_betting"), findings=(), race=race)
    assert "1/2" not in words(screen_of(played, texts), "banner")


def test_between_hands_it_says_where_the_button_goes(texts: Texts, read_view: ReadView) -> None:
    view = read_view("between_hands")
    screen = screen_of(view, texts)
    assert words(screen, "aside") == "Button to seat 4"
    seen = plates(screen)
    assert (seen[3].puck, seen[3].coming, seen[4].puck, seen[4].coming) == ("D", "", "", "D")
    for other in (replace(view, next_button=3), replace(view, phase="river")):
        screen = screen_of(other, texts)
        assert not words(screen, "aside")
        assert not any(one.coming for one in screen.plates)


def test_a_closed_table_is_opened_by_its_big_button(texts: Texts, read_view: ReadView) -> None:
    view = read_view("table_closed")
    screen = screen_of(view, texts)
    assert words(screen, "banner") == "Table closed"
    assert button(screen, "open").enabled
    assert screen.frame.large == ()
    looking = arrived(Looking(), None, view, 0.0)
    assert tapped(looking, view, "open")[1] == {"kind": "open"}
    opened = replace(view, is_open=True)
    asked = replace(looking, asking="more")
    assert button(screen_of(opened, texts, asking="more"), "close").enabled
    after, line = tapped(asked, opened, "close")
    assert (after.asking, line) == ("", {"kind": "close"})
    running = replace(opened, phase="flop")
    assert not button(screen_of(running, texts, asking="more"), "close").enabled


@pytest.mark.parametrize(
    ("name", "banner", "style"),
    [
        ("watching_later", "Watching from the next hand", "notice"),
        ("sensors_off", "Sensors off: deal by hand", "warning"),
    ],
)
def test_what_is_not_watched_says_so_across(
    name: str, banner: str, style: str, *, texts: Texts, read_view: ReadView
) -> None:
    found = label(screen_of(read_view(name), texts), "banner")
    assert found is not None
    assert (found.text, found.style) == (banner, style)


def test_without_sensors_nothing_on_the_felt_counts(texts: Texts, read_view: ReadView) -> None:
    view = read_view("sensors_off")
    screen = screen_of(view, texts)
    assert screen.hatched == ("table",)
    assert not any(one.turn or one.time for one in screen.plates)
    asked = screen_of(view, texts, asking="more")
    assert words(asked, "alarm") == "Sensors off: deal by hand"


def test_misdeal_is_offered_while_it_may_be_called(texts: Texts, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    assert button(screen_of(view, texts), "misdeal").enabled
    late = replace(view, may_misdeal=False)
    assert "misdeal" not in screen_of(late, texts).frame.large
    finding = read_view("four_card_flop_roberts").findings[0]
    ruled = replace(finding, ruling=replace(finding.ruling, outcome="misdeal"))
    put_away = screen_of(replace(late, findings=(ruled,)), texts, opened=None)
    assert button(put_away, "misdeal").enabled


def test_the_floor_button_says_who_comes_and_who_has_not_heard(
    texts: Texts, read_view: ReadView
) -> None:
    def floor(view: TableView) -> Button:
        return button(screen_of(view, texts), "call-floor")

    comes = read_view("floor_comes")
    assert floor(comes).label == "Ann 1:15"
    assert floor(replace(comes, floor_by=None)).label == "Coming 1:15"
    long = floor(replace(comes, floor_by="Wolfeschlegelstein Hausen"))
    assert long.label == "Wolfeschleg… 1:15"
    called = replace(comes, floor="called")
    assert (floor(called).label, floor(called).style) == ("Called 1:15", "floor-heard")
    unheard = floor(replace(called, floor_heard=False))
    assert unheard.label == "Called 1:15: not heard yet"
    assert unheard.style == "floor-called"


def test_the_dealer_is_named_and_asked_to_sign_in(texts: Texts, read_view: ReadView) -> None:
    view = read_view("between_hands")
    screen = screen_of(view, texts)
    name = label(screen, "dealer")
    assert name is not None
    assert (name.text, name.others) == ("Dealer Maximiliane Oberhuber", ("Maximiliane",))
    asked = screen_of(view, texts, asking="sign-in")
    assert words(asked, "dialog-title") == "Dealing now: Maximiliane Oberhuber"
    typed = screen_of(view, texts, asking="sign-in", typed="ZO")
    assert words(typed, "dialog-title") == "Dealer: Zo"


@pytest.mark.parametrize(
    ("outcome", "steps", "said"),
    [
        ("redeal-flop", ("back-to-stub",), "You fix it"),
        ("misdeal", ("stop", "call-floor"), "Floor needed"),
        ("floor", ("stop", "call-floor"), "The floor decides"),
    ],
)
def test_the_card_says_who_decides(
    outcome: str, steps: tuple[str, ...], said: str, *, texts: Texts, read_view: ReadView
) -> None:
    view = read_view("four_card_flop_roberts")
    finding = view.findings[0]
    step = finding.ruling.steps[0]
    ruling = replace(
        finding.ruling, outcome=outcome, steps=tuple(replace(step, id=one) for one in steps)
    )
    shown = screen_of(replace(view, findings=(replace(finding, ruling=ruling),)), texts)
    assert words(shown, "decides") == said
    question = screen_of(read_view("question_burn"), texts)
    assert words(question, "decides-only") == "You answer"


def test_the_card_says_what_the_table_has_seen_done(texts: Texts, read_view: ReadView) -> None:
    screen = screen_of(read_view("steps_seen"), texts)
    assert words(screen, "count") == "3 of 5"
    assert screen.progress == Progress("progress", done=2, total=5)


@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
def test_all_of_it_stands_out_from_what_is_behind_it(
    view_name: str, size: tuple[int, int], texts: Texts, read_view: ReadView
) -> None:
    view = read_view(view_name)
    for opened in {arrived(Looking(), None, view, 0.0).opened, None}:
        _, elements = drawn(screen_of(view, texts, opened=opened), size)
        for one in elements:
            if one.text:
                assert contrast(colour(one.fg), colour(one.bg)) >= 7, one


def test_on_a_break_a_pot_may_be_disputed_for_a_minute(texts: Texts, read_view: ReadView) -> None:
    """UK-20."""
    level = LevelView(3, left=300.0, on_break=True, dispute=60.0)
    over = replace(read_view("big_blind_to_act"), phase="complete", level=level, awarded=T - 10)
    assert words(screen_of(over, texts), "aside") == "Pot may be disputed: 50 s"
    assert "disputed" not in words(screen_of(over, texts, T + 51), "aside")
    playing = replace(over, level=replace(level, on_break=False))
    assert "disputed" not in words(screen_of(playing, texts), "aside")


def test_late_in_a_level_no_dealer_is_pushed(texts: Texts, read_view: ReadView) -> None:
    """UK-RP7, TDA24-RP7."""
    level = LevelView(3, ends=T + 80, no_push=T - 10)
    over = replace(read_view("big_blind_to_act"), phase="complete", level=level, next_button=None)
    assert words(screen_of(over, texts), "aside") == "No dealer push until the new level"
    assert "push" not in words(screen_of(over, texts, T - 11), "aside")


def test_no_hand_begins_while_the_clock_is_stopped(texts: Texts, read_view: ReadView) -> None:
    """HPT-TIMER-06."""
    level = LevelView(3, left=300.0, stopped=True)
    over = replace(read_view("big_blind_to_act"), phase="complete", level=level)
    assert words(screen_of(over, texts), "banner") == "Clock stopped: no new hand"
    running = replace(over, phase="flop")
    assert "stopped" not in words(screen_of(running, texts), "banner")


def test_hand_for_hand_is_told_beside_the_hand_and_while_one_waits(
    texts: Texts, read_view: ReadView
) -> None:
    view = replace(read_view("big_blind_to_act"), level=LevelView(3, left=300.0, round=4))
    quiet = replace(view, price=None, routine=(), moves=())
    assert words(screen_of(quiet, texts), "aside") == "Hand for hand"
    shut = replace(quiet, phase="complete", is_open=False, next_button=None)
    assert words(screen_of(shut, texts), "banner") == "Hand for hand: wait for the other tables"


def test_hand_for_hand_no_all_in_is_tabled_until_the_floor_says_so(
    texts: Texts, read_view: ReadView
) -> None:
    """TDA24-RP8F."""
    shown = replace(read_view("big_blind_to_act"), open_showdown=True, price=None)
    view = replace(shown, level=LevelView(3, left=300.0, round=4, face_down=True))
    assert "face down" in words(screen_of(view, texts), "banner")
    assert "face down" not in words(screen_of(shown, texts), "banner")
    later = replace(view, open_showdown=False)
    assert "face down" not in words(screen_of(later, texts), "banner")


def test_late_on_a_break_the_deck_is_readied(texts: Texts, read_view: ReadView) -> None:
    """TDA24-RP20A."""
    level = LevelView(3, ends=T + 50, on_break=True, ready=T - 10)
    over = replace(read_view("big_blind_to_act"), phase="complete", level=level, next_button=None)
    assert words(screen_of(over, texts), "aside") == "Deck ready: play starts within a minute"
    assert "Deck ready" not in words(screen_of(over, texts, T - 11), "aside")


def test_who_has_come_to_a_seat_is_said_with_one_tap(texts: Texts, read_view: ReadView) -> None:
    moves = (MoveView("Anna Smith", "T3", 5), MoveView("Bob", "T2", 1, leaves=True))
    over = replace(read_view("between_hands"), moves=moves, broke=())
    said = button(screen_of(over, texts), "here")
    assert said.label == "Anna is at seat 5"
    _, sent = tapped(arrived(Looking(), None, over, 0.0), over, "here")
    assert sent == ({"kind": "seat", "seat": 5, "status": "seated", "player": "Anna Smith"},)
    gathers = replace(over, is_open=False)
    assert button(screen_of(gathers, texts), "here").enabled
    assert words(screen_of(gathers, texts), "banner") == "No hand until everybody is here"
    two = replace(over, moves=(*moves, MoveView("Cy", "T4", 7)))
    assert button(screen_of(two, texts), "here").label == "Arrived: 5, 7"
    playing = replace(over, phase="flop")
    assert all(one.id != "here" for one in screen_of(playing, texts).buttons)
