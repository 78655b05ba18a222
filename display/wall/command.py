"""`cutcard wall`: the blinds screen as a program."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

from msgspec.structs import replace

from controller.broker.client import Endpoint, Incoming, MqttClient
from controller.contract.messages import ROOM_CLOCK, ROOM_TOURNAMENT, RoomClock
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from display.drawing.pictures import PictureError, Surface, blank, load, save
from display.drawing.video import (
    DrawingError,
    NoDisplayError,
    await_display,
    close_display,
    hide_pointer,
    open_display,
)
from display.wall import broker_options, theme, words
from display.wall.broker_options import BrokerOptionsError
from display.wall.drawn.sound import SoundError, Speaker
from display.wall.drawn.window import Look, Window
from display.wall.heard import RoomAsHeard, took
from display.wall.model import picture
from display.wall.options import check
from display.wall.options import parser as _parser

NO_DISPLAY = 3
_USER_MISTAKE = 2
_SHOT_SIZE = (1920, 1080)
_LARGEST_LOGO = (1200, 300)  # no larger than a wall shows it
_SET_S = 1_735_689_600  # 2025: a clock that stands before it has never been set


class WallError(Exception):
    """A mistake in what was given; the text is one line for the user."""


def main(argv: Sequence[str]) -> int:
    """Run the wall.

    Returns 0 when it was ended, 2 for a mistake in what was given, 3 without a display or when
    the display has gone. Ends within a second of SIGTERM or SIGINT.
    """
    reader = _parser()
    options = reader.parse_args(argv)
    check(reader, options)
    try:
        look = _look(options, options.config or config_dir())
        if options.shot is not None:
            _shoot(options, look)
            return 0
        asyncio.run(_run(options, look, broker_options.endpoint(options)))
    except (WallError, ConfigError, BrokerOptionsError) as error:
        _say(str(error))
        return _USER_MISTAKE
    except (NoDisplayError, DrawingError) as error:
        _say(f"no display to draw on: {error}")
        return NO_DISPLAY
    finally:
        close_display()
    return 0


def _say(line: str) -> None:
    sys.stderr.write(f"cutcard wall: {line}\n")
    sys.stderr.flush()


def _look(options: argparse.Namespace, config: Path) -> Look:
    return Look(
        words.load(options.language, config),
        theme.load(options.theme, config),
        diagonal_in=options.diagonal,
        metres=options.distance,
        logo=_logo(options.logo),
    )


def _logo(file: Path | None) -> Surface | None:
    if file is None:
        return None
    try:
        return load(file, _LARGEST_LOGO)
    except OSError as error:
        raise WallError(f"--logo {file}: {error.strerror}") from None
    except PictureError as error:
        raise WallError(f"--logo {file}: {error}") from None


async def _run(options: argparse.Namespace, look: Look, endpoint: Endpoint) -> None:
    size, fullscreen = options.size or _SHOT_SIZE, options.size is None
    if options.wait_for_display:
        surface = await_display(size, fullscreen=fullscreen, say=_say)
    else:
        surface = open_display(size, fullscreen=fullscreen)
    hide_pointer()
    width, height = surface.get_size()
    _say_distance(options, look, (height, width) if options.turn in (90, 270) else (width, height))
    speaker = None if options.mute else _speaker()
    window = Window(
        look,
        options.site,
        clock=_awake_or_asleep,
        local_time=_local_time,
        sound=lambda cue: None if speaker is None else speaker.play(cue),
        note="" if speaker is not None or options.mute else look.words("no-sound"),
        turn=options.turn,
        event=options.event or "",
    )
    client = MqttClient(endpoint, "cutcard-wall")
    for topic in window.filters:
        client.subscribe(topic)
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, window.stop)
    client.start(window.received, window.link)
    try:
        await window.run()
    finally:
        await client.close(timeout_s=0.2)
        if speaker is not None:
            speaker.close()


def _say_distance(options: argparse.Namespace, look: Look, size: tuple[int, int]) -> None:
    metres = look.sizes(size).metres
    if metres < options.distance * 0.995:
        _say(
            f"a screen of {options.diagonal:.0f} in can be read from {metres:.1f} m, "
            f"not from {options.distance:g} m"
        )


def _speaker() -> Speaker | None:
    """Tries the sound out at once: at the first change of level it would be too late."""
    try:
        speaker = Speaker()
    except SoundError as error:
        _say(f"no sound: {error}")
        return None
    speaker.play("test")
    return speaker


def _awake_or_asleep() -> float:
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def _local_time() -> str:
    now = time.time()
    return time.strftime("%H:%M", time.localtime(now)) if now > _SET_S else ""


def _shoot(options: argparse.Namespace, look: Look) -> None:
    heard = _heard(options)
    size = options.size or _SHOT_SIZE
    shown = picture(heard, options.lost, look.words, local_time=_local_time())
    surface = blank(size)
    look.paint(surface, shown, look.place(shown, size, 0.0))
    try:
        save(surface, options.shot)
    except OSError as error:
        raise WallError(f"--shot {options.shot}: {error.strerror}") from None


def _heard(options: argparse.Namespace) -> RoomAsHeard:
    """What a wall would know that heard this, and nothing since `--lost` seconds."""
    heard = RoomAsHeard(0.0, heard_at=0.0, linked=True)
    for option, topic in (("clock", ROOM_CLOCK), ("tournament", ROOM_TOURNAMENT)):
        file: Path | None = getattr(options, option)
        if file is None:
            continue
        try:
            payload = file.read_bytes()
        except OSError as error:
            raise WallError(f"--{option} {file}: {error.strerror}") from None
        heard = took(heard, Incoming(topic.name("shot"), payload, retain=True), "shot", 0.0)
        if heard.unread:
            raise WallError(f"--{option} {file}: not what a room publishes on {topic.path}")
    return replace(heard, offsets=(_room_ms(heard.clock, options),))


def _room_ms(clock: RoomClock | None, options: argparse.Namespace) -> float:
    """The room's time at which as much is left as was asked for, after what was lost."""
    if clock is None or clock.deadline_ms is None:
        return 0.0
    left_ms = clock.duration_ms if options.left is None else options.left * 1000
    return float(clock.deadline_ms - left_ms - options.lost * 1000)
