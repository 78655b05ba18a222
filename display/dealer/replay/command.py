"""`cutcard dealer --replay`: the screen as it was, from a table log."""

from __future__ import annotations

import argparse
import sys
from collections import deque
from collections.abc import Mapping
from pathlib import Path

import msgspec

from controller.files.toml_file import ConfigError
from controller.replay.log import LogError
from display.dealer.drawn import draw
from display.dealer.drawn.canvas import Element
from display.dealer.drawn.viewer import show
from display.dealer.layout import arrange
from display.dealer.options import density, fail
from display.dealer.replay.player import Player, TapError
from display.dealer.replay.watching import Watched
from display.dealer.screen import Screen
from display.dealer.theme import SUITS
from display.drawing.colour import Colour
from display.drawing.pictures import Surface, blank, save
from display.drawing.video import close_display, open_display


def replay(options: argparse.Namespace, root: Path) -> int:
    """Shows or draws what a dealer saw; returns 0, or 2 for a mistake in what was given. Raises
    NoDisplayError and PanelError."""
    try:
        return _replay(options, root)
    except (LogError, ConfigError, TapError) as error:
        return fail(str(error))


def _replay(options: argparse.Namespace, root: Path) -> int:
    warnings: list[str] = []
    try:
        player = Player(root, options.language, options.lost, options.tap)
        seen = player.watch(options.replay, warnings, options.rulebook, options.at)
        if options.shot is None and not options.model:
            _look(options, player, [*seen])
        else:
            _picture(options, player, deque(seen, maxlen=1).pop())
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        return fail(f"{error.filename or options.replay}: {error.strerror or error}")
    for warning in warnings:
        sys.stderr.write(f"cutcard dealer: warning: {warning}\n")
    return 0


def _look(options: argparse.Namespace, player: Player, seen: list[Watched]) -> None:
    """Shows it in a window until that is closed."""
    surface = open_display(options.size, fullscreen=options.fullscreen)
    try:
        px = density(options, surface.get_size())
        suits = SUITS[options.suits]
        show(surface, seen, lambda surface, one: _paint(surface, player.screen(one), px, suits))
    finally:
        close_display()


def _picture(options: argparse.Namespace, player: Player, seen: Watched) -> None:
    """Writes the picture and prints the model. Raises OSError."""
    surface = blank(options.size)
    px = density(options, options.size)
    elements = _paint(surface, player.screen(seen), px, SUITS[options.suits])
    if options.shot is not None:
        save(surface, options.shot)
    if options.model:
        sys.stdout.write(msgspec.json.encode(elements).decode() + "\n")


def _paint(
    surface: Surface, screen: Screen, px: float, suits: Mapping[str, Colour]
) -> tuple[Element, ...]:
    regions = arrange(*surface.get_size(), screen.frame, px)
    return draw.paint(surface, screen, regions, density=px, suits=suits)
