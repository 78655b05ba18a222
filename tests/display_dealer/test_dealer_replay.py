"""Any moment of a table log: the picture, and the account of it, which are the same drawing."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pygame
import pytest

from controller.contract.observations import decode
from controller.engine.engine import Engine
from controller.files.settings import config_dir
from controller.library.books import open_library
from display.dealer.drawn import draw
from display.dealer.drawn.canvas import Element
from display.dealer.geometry import Metrics, metrics
from display.dealer.replay.player import Player
from display.dealer.screen import Screen
from display.drawing.colour import contrast
from tests.display_dealer.replays import HANDS, LOGS, SIZES, colour, drawn, inside, screens, told
from tests.engine.public_cards import PublicCards

LIBRARY = open_library(config_dir())
FOUR = HANDS / "faults" / "four_card_flop_tda_through-0.jsonl"
CARD = re.compile(r"\b(10|[2-9JQKA])([♠♥♦♣])")
SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
@pytest.mark.parametrize("log", LOGS[::3], ids=lambda log: log.stem)
def test_every_text_and_target_of_a_log_is_as_drawn(log: Path, size: tuple[int, int]) -> None:
    m, known = metrics(*size), set()
    pictures = [screen for _, screen in screens(log)]
    for screen in [*pictures[::4], pictures[-1]]:
        if screen not in known:
            known.add(screen)
            surface, elements = drawn(screen, size)
            check(surface, elements, screen, m)


@pytest.mark.parametrize(
    "taps", [["more"], ["round-closed"], ["more", "boxed"], ["pick-seat:9"], ["more", "sign-in"]]
)
@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
def test_so_are_the_screens_questions(taps: list[str], size: tuple[int, int]) -> None:
    player = Player(config_dir(), taps=taps)
    *_, seen = player.watch(str(FOUR), [], until=30)
    screen = player.screen(seen)
    check(*drawn(screen, size), screen, metrics(*size))


def check(
    surface: pygame.Surface, elements: tuple[Element, ...], screen: Screen, m: Metrics
) -> None:
    by_id = {one.id: one for one in elements}
    assert len(by_id) == len(elements)
    assert by_id["call-floor"].touch
    assert by_id["call-floor"].text
    for one in elements:
        assert inside(one.rect, surface.get_size()), one
        if one.text:
            assert contrast(colour(one.fg), colour(one.bg)) >= 7, one
            assert one.font_px >= 10, one
        part = surface.subsurface(one.rect)
        found = pygame.mask.from_threshold(part, colour(one.bg), (1, 1, 1, 255)).count()
        assert found > one.rect.w * one.rect.h * (0.1 if one.text else 0.2), one
    for role, name in [(one.role, one.region) for one in screen.labels] + [
        (one.role, one.id) for one in screen.buttons if one.label
    ]:
        if name in by_id:
            assert by_id[name].font_px >= draw.sizes(role, m)[1], by_id[name]
    targets = [one for one in elements if one.touch]
    assert {one.id for one in targets} == {one.id for one in screen.buttons if one.enabled}
    for one, other in combinations(targets, 2):
        assert not one.rect.overlaps(other.rect), (one, other)
    for one in targets:
        assert one.rect.h >= m.half, one
        assert one.rect.w >= m.half, one
        if one.id in ("call-floor", "new-hand", "award", "misdeal", "done", "yes", "no"):
            assert one.rect.h >= m.main, one


@pytest.mark.parametrize("log", LOGS[1::2], ids=lambda log: log.stem)
def test_no_picture_names_a_card_that_lies_face_down(log: Path) -> None:
    named_by(log)


def test_what_names_a_public_card_is_noticed() -> None:
    assert named_by(FOUR) > 10


def named_by(log: Path) -> int:
    """How often a public card is named; one that is not public is an `AssertionError`."""
    public, engine = PublicCards(), Engine(LIBRARY.book)
    rest = [decode(line) for line in log.read_bytes().splitlines() if line.strip()]
    tags = [tag for tag in getattr(rest[0], "deck", None) or {} if len(tag) > 2]
    named, judged = 0, set()
    for seen, screen in screens(log):
        while rest and (rest[0].t or 0.0) <= seen.t:
            observation = rest.pop(0)
            public.take(observation, engine.observe(observation))
        if screen in judged:
            continue
        judged.add(screen)
        for one in told(screen, SIZES[len(judged) % 2]):
            assert not any(tag in one.text for tag in tags), one.id
            for rank, sign in CARD.findall(one.text):
                named += 1
                code = rank.replace("10", "T") + SUITS[sign]
                assert public.is_public(code, seen.t), f"{one.id} names a hidden card"
    return named


def test_a_finding_opens_by_itself_once_time_has_passed() -> None:
    player = Player(config_dir())
    *_, before = player.watch(str(FOUR), [], until=35)
    *_, after = player.watch(str(FOUR), [], until=37)
    assert "step" not in ids(player, before)
    assert {"step", "done", "title"} <= ids(player, after)
    assert after.t == 37


def ids(player: Player, seen: object) -> set[str]:
    return {one.id for one in drawn(player.screen(seen), SIZES[0])[1]}  # type: ignore[arg-type]


def test_the_floors_timer_runs_in_the_logs_time(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines = FOUR.read_text().splitlines()[:42]
    log.write_text("\n".join([*lines, '{"t": 38, "kind": "dealer", "input": "call-floor"}']) + "\n")
    player = Player(config_dir())
    *_, seen = player.watch(str(log), [], until=103)
    floor = next(o for o in drawn(player.screen(seen), SIZES[0])[1] if o.id == "call-floor")
    assert "1:05" in floor.text


def test_another_book_says_another_step() -> None:
    said = set()
    for book in LIBRARY.ids:
        player = Player(config_dir())
        *_, seen = player.watch(str(FOUR), [], book, until=37)
        words = {one.region: one.text for one in player.screen(seen).labels}
        said.add((words["step"], words["count"], words["decides"]))
    assert len(said) >= 4
