"""What taps on the window send, and when it draws."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pygame
import pytest
from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer.drawn.window import BOUNCE, ECHO, KEY_BOUNCE
from display.dealer.theme import STYLES
from tests.display_dealer.bench import Bench, dealer

Lines = dict[str, Any] | list[dict[str, Any]]
ReadView = Callable[[str], TableView]


@pytest.mark.parametrize(
    ("name", "taps", "line"),
    [
        ("waiting", ["new-hand"], {"kind": "riffle"}),
        ("flop_betting", ["round-closed"], dealer("round-closed")),
        ("showdown", ["award"], dealer("award")),
        ("flop_betting", ["misdeal", "misdeal-yes"], dealer("misdeal")),
        ("flop_betting", ["misdeal", "misdeal-no", "round-closed"], dealer("round-closed")),
        ("flop_betting", ["call-floor"], dealer("call-floor")),
        ("flop_betting", ["misdeal", "call-floor"], dealer("call-floor")),
        ("showdown", ["tabled", "pick-seat:7"], dealer("tabled", seat=7)),
        ("showdown", ["tabled", "cancel", "award"], dealer("award")),
        (
            "four_card_flop_roberts",
            ["done"],
            dealer("done", finding=3, step="back-to-stub"),
        ),
        ("question_burn", ["yes"], dealer("confirm", finding=5)),
        ("question_burn", ["no"], dealer("dismiss", finding=5, reason="answered-no")),
        (
            "four_card_flop_uk",
            ["dismiss", "reason:misread"],
            dealer("dismiss", finding=3, reason="misread"),
        ),
        (
            "floor_called",
            ["next-finding", "to-table", "note", "why", "cancel", "done"],
            [dealer("call-floor"), dealer("done", finding=8, step="call-floor")],
        ),
        ("floor_called", ["next-finding", "done"], dealer("done", finding=9, step="back-action")),
    ],
)
def test_each_button_sends_its_line(
    bench: Bench, name: str, taps: list[str], line: Lines, *, read_view: ReadView
) -> None:
    bench.show(read_view(name))
    for tap in taps:
        bench.tap(tap)
    assert bench.table.lines() == (line if isinstance(line, list) else [line])


def ticked(view: TableView, *steps: str) -> TableView:
    return replace(view, findings=(replace(view.findings[0], done=steps),))


def test_two_steps_and_back_and_undo(bench: Bench, read_view: ReadView) -> None:
    view = read_view("four_card_flop_roberts")
    bench.show(view)
    bench.tap("done")
    bench.show(ticked(view, "back-to-stub"))
    for tap in ("done", "back", "undo"):
        bench.tap(tap)
    sent = [line.get("step", line["input"]) for line in bench.table.lines()]
    assert sent == ["back-to-stub", "keep-burn", "undo", "undo"]


def test_a_screen_that_starts_in_mid_remedy_shows_the_step(
    bench: Bench, read_view: ReadView
) -> None:
    bench.show(ticked(read_view("four_card_flop_roberts"), "back-to-stub", "keep-burn"))
    assert bench.text("count") == "3 of 5"


def test_a_key_may_be_typed_twice_and_a_seat_tapped_on_the_table(
    bench: Bench, read_view: ReadView
) -> None:
    bench.show(read_view("flop_betting"))
    for tap in ("pick-seat:9", "did:raise", "key:1"):
        bench.tap(tap)
    for wait in (KEY_BOUNCE / 2, KEY_BOUNCE, 0.0):
        bench.tap("key:0", wait=wait)
    bench.tap("enter")
    raised = {"kind": "press", "seat": 9, "button": "raise", "by": "dealer", "amount": 100}
    assert bench.table.lines() == [raised]


def test_a_disabled_button_sends_nothing(bench: Bench, read_view: ReadView) -> None:
    bench.show(read_view("flop_betting"))
    for tap in ("undo",):
        bench.tap(tap)
    assert bench.table.lines() == []


def test_a_finger_counts_once_whatever_comes_with_it(bench: Bench, read_view: ReadView) -> None:
    bench.show(read_view("four_card_flop_roberts"))
    rect = bench.window.regions["done"]
    pos = (rect.x + 5, rect.y + 20)
    x, y = pos[0] / bench.surface.get_width(), pos[1] / bench.surface.get_height()
    for event in (
        pygame.event.Event(pygame.FINGERDOWN, touch_id=7, finger_id=0, x=x, y=y),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=1, touch=True),
        pygame.event.Event(pygame.FINGERDOWN, touch_id=-1, finger_id=0, x=x, y=y),
        pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=3, touch=False),
    ):
        pygame.event.post(event)
        bench.step(2 * BOUNCE)
    assert len(bench.table.lines()) == 1
    bench.show(ticked(read_view("four_card_flop_roberts"), "back-to-stub"))
    bench.tap("done", finger=True)
    assert [line["step"] for line in bench.table.lines()] == ["keep-burn"]


def test_a_finger_that_is_told_as_a_mouse_too_taps_only_what_it_touched(
    bench: Bench, read_view: ReadView
) -> None:
    bench.show(read_view("flop_betting"))
    width, height = bench.surface.get_size()
    touched = bench.window.regions["misdeal"]
    x, y = touched.x + 20, touched.y + 20
    finger = pygame.event.Event(
        pygame.FINGERDOWN, touch_id=7, finger_id=0, x=x / width, y=y / height
    )
    pygame.event.post(finger)
    bench.step()
    sure = bench.window.regions["misdeal-yes"]
    for wait, sent in ((0.0, 0), (ECHO, 1)):
        bench.step(wait)
        pos = (sure.x + 20, sure.y + 20)
        mouse = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=pos, button=1, touch=False)
        pygame.event.post(mouse)
        bench.step()
        assert len(bench.table.lines()) == sent


def test_another_display_is_drawn_on_anew(bench: Bench, read_view: ReadView) -> None:
    bench.show(read_view("flop_betting"))
    other = pygame.display.set_mode((1024, 600))
    pygame.event.post(pygame.event.Event(pygame.WINDOWSIZECHANGED))
    bench.step()
    assert bench.window.regions["call-floor"].right > 1000
    assert pygame.mask.from_threshold(other, STYLES["felt"].fill, (3, 3, 3)).count() > 10_000


def test_a_double_tap_is_one_tap(bench: Bench, read_view: ReadView) -> None:
    bench.show(read_view("four_card_flop_roberts"))
    rect = bench.window.regions["done"]
    for _ in range(2):
        pygame.event.post(
            pygame.event.Event(
                pygame.MOUSEBUTTONDOWN, pos=(rect.x + 20, rect.y + 20), button=1, touch=False
            )
        )
        bench.step(0.1)
    assert len(bench.table.lines()) == 1


def test_it_draws_only_when_something_changed(bench: Bench, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    before = bench.window.frames
    for _ in range(20):
        bench.show(view)
        bench.step(0.04)
    assert bench.window.frames == before
    bench.show(replace(view, pot=5000))
    assert bench.window.frames == before + 1
