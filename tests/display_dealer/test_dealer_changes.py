"""What changed alone is drawn anew, and the picture is the same as if all had been."""

from __future__ import annotations

from pathlib import Path

import pygame
import pytest
from msgspec.structs import replace

from display.dealer.changes import Picture, changes
from display.dealer.drawn import draw
from display.dealer.layout import arrange
from tests.display_dealer.replays import LOGS, SIZES, drawn, screens


def pictures(log: Path, size: tuple[int, int]) -> list[Picture]:
    """Every picture of a log, and each as it is while one of its buttons is tapped."""
    seen = []
    for _, screen in screens(log):
        regions = arrange(*size, screen.frame)
        seen += [Picture(screen, regions, tapped) for tapped in ("", "undo", "call-floor")]
    return seen


@pytest.mark.parametrize("size", SIZES, ids=["large", "small"])
@pytest.mark.parametrize("log", LOGS[::17], ids=lambda log: log.stem)
def test_a_picture_is_the_same_by_its_changes(log: Path, size: tuple[int, int]) -> None:
    first, *others = pictures(log, size)
    surface, parts = drawn(first.screen, size)[0], 0
    before = first
    for number, after in enumerate(others):
        rects = changes(before, after)
        if rects is None:
            draw.paint(surface, after.screen, after.regions, after.pressed)
        else:
            draw.repaint(surface, after, rects)
            parts += 1
        before = after
        if number % 5 == 0:
            whole = pygame.Surface(size)
            draw.paint(whole, after.screen, after.regions, after.pressed)
            assert pygame.image.tobytes(surface, "RGB") == pygame.image.tobytes(whole, "RGB")
    assert parts > len(others) / 2


def test_a_button_with_a_longer_word_changes_all_that_are_as_large_as_it() -> None:
    picture = pictures(LOGS[0], SIZES[0])[0]
    longer = tuple(
        replace(one, label=2 * one.label) if one.id == "call-floor" else one
        for one in picture.screen.buttons
    )
    screen = replace(picture.screen, buttons=longer)
    assert changes(picture, replace(picture, screen=screen)) == tuple(
        picture.regions[name] for name in sorted({*picture.screen.frame.large, "call-floor"})
    )
    assert changes(picture, picture) == ()
