"""What is heard: beeps by priority, once, again until a tap, and nothing while muted."""

from __future__ import annotations

import os
import subprocess
import sys
from array import array
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.contract.view import TableView
from display.dealer import alarms
from display.dealer.alarms import REPEATED_S, Sounded, due, tap
from display.dealer.arriving import MUTED_S, passed
from display.dealer.drawn.sounds import RATE, samples
from display.dealer.drawn.window import Window
from display.dealer.looking import Looking
from display.dealer.taps import tapped
from display.dealer.texts import Texts
from tests.display_dealer.bench import Bench
from tests.display_dealer.test_dealer_floor import enabled, look, screen_of
from tests.waiting import PATIENCE_S

ReadView = Callable[[str], TableView]


def beeps(sound: array[int]) -> list[int]:
    """The loudest sample of each beep: silence of 20 ms parts them."""
    chunk = RATE // 100
    levels = [max(map(abs, sound[at : at + chunk])) for at in range(0, len(sound), chunk)]
    return [max(some) for loud, some in groupby(levels, key=lambda one: one > 500) if loud]


def test_the_worse_the_more_beeps() -> None:
    assert [len(beeps(samples(priority))) for priority in (1, 2, 3)] == [10, 3, 1]
    assert max(samples(3)) < max(samples(2)) / 2
    assert max(map(abs, samples(1))) < 32_768
    assert all(len(samples(priority)) < 2.5 * RATE for priority in (1, 2, 3))


class Listener:
    """Hears what is due, view by view."""

    def __init__(self) -> None:
        self.heard = Sounded()
        self.sounds: list[tuple[float, int]] = []

    def at(self, now: float, view: TableView, looking: Looking | None = None) -> None:
        self.heard, sound = due(self.heard, view, looking or Looking(), now)
        if sound is not None:
            self.sounds.append((now, sound))


def with_priorities(view: TableView, *priorities: int, basis: str = "seen") -> TableView:
    one = view.findings[0]
    return replace(
        view,
        findings=tuple(
            replace(one, id=n, priority=priority, basis=basis)
            for n, priority in enumerate(priorities, 1)
        ),
    )


def test_each_finding_once_and_again_when_it_gets_worse(read_view: ReadView) -> None:
    view, ear = read_view("four_card_flop_uk"), Listener()
    ear.at(0.0, with_priorities(view, 3))
    ear.at(1.0, with_priorities(view, 3))
    ear.at(2.0, with_priorities(view, 3, 2))
    ear.at(3.0, with_priorities(view, 2, 2))
    ear.at(4.0, with_priorities(view, 3, 2))
    ear.at(5.0, with_priorities(view))
    ear.at(60.0, with_priorities(view, 2))
    assert ear.sounds == [(0.0, 3), (2.0, 2), (3.0, 2), (60.0, 2)]


def test_the_worst_of_several_is_heard_and_a_question_like_priority_two(
    read_view: ReadView,
) -> None:
    view, ear = read_view("four_card_flop_uk"), Listener()
    ear.at(0.0, with_priorities(view, 3, 1, 2))
    assert ear.sounds == [(0.0, 1)]
    ear = Listener()
    ear.at(0.0, with_priorities(view, 1, basis="unseen"))
    ear.at(100.0, with_priorities(view, 1, basis="unseen"))
    assert ear.sounds == [(0.0, 2)]


def test_priority_one_is_heard_again_until_a_tap(read_view: ReadView) -> None:
    view, ear = with_priorities(read_view("four_card_flop_uk"), 1), Listener()
    for now in range(25):
        ear.at(float(now), view)
    assert ear.sounds == [(0.0, 1), (REPEATED_S, 1), (2 * REPEATED_S, 1)]
    ear.heard = tap(ear.heard)
    ear.at(100.0, view)
    assert len(ear.sounds) == 3
    ear.at(101.0, with_priorities(view, 1, 1))
    ear.at(111.0, with_priorities(view, 1, 1))
    assert ear.sounds[3:] == [(101.0, 1), (111.0, 1)]


def test_muted_in_two_taps_for_ten_minutes_and_priority_one_for_a_hand(
    texts: Texts, read_view: ReadView
) -> None:
    view = read_view("flop_betting")
    looking = look(view)
    for one in ("more", "mute"):
        assert one in enabled(screen_of(view, looking, texts))
        looking, line = tapped(looking, view, one)
        assert line is None
    looking = passed(looking, 50.0)
    assert enabled(screen_of(view, looking, texts))["more"] == "More\nMuted"
    bad, ear = read_view("four_card_flop_uk"), Listener()
    bad = replace(bad, hand=view.hand)
    ear.at(51.0, with_priorities(bad, 1, 2), looking)
    ear.at(99.0, with_priorities(bad, 1, 2), looking)
    assert ear.sounds == []
    ear.at(100.0, replace(bad, hand=view.hand + 1, findings=()), looking)
    ear.at(101.0, replace(with_priorities(bad, 2), hand=view.hand + 1), looking)
    assert ear.sounds == []
    ear.at(102.0, replace(with_priorities(bad, 1), hand=view.hand + 1), looking)
    assert ear.sounds == [(102.0, 1)]
    assert passed(looking, 50.0 + MUTED_S - 1).muted
    assert not passed(looking, 50.0 + MUTED_S).muted
    for one in ("more", "mute"):
        looking, _ = tapped(looking, view, one)
    assert not passed(looking, 60.0).muted
    assert enabled(screen_of(view, looking, texts))["more"] == "More"


class Recorded:
    def __init__(self, fault: str = "") -> None:
        self.played: list[int] = []
        self.fault = fault

    def play(self, priority: int) -> None:
        self.played.append(priority)

    def close(self) -> None:
        pass


def test_the_window_sounds_what_it_shows(
    bench: Bench, read_view: ReadView, monkeypatch: pytest.MonkeyPatch
) -> None:
    speaker = Recorded()
    monkeypatch.setattr(bench.window, "_speaker", speaker)
    view = with_priorities(read_view("four_card_flop_uk"), 1)
    bench.show(view)
    bench.step(REPEATED_S + 0.1)
    bench.step()
    assert speaker.played == [1, 1]
    bench.show(view)
    bench.tap("dismiss")
    bench.step(2 * REPEATED_S)
    bench.step()
    assert speaker.played == [1, 1]


def test_without_a_device_it_is_silent_and_says_so(
    bench: Bench, read_view: ReadView, texts: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bench.window, "_speaker", Recorded("no such device"))
    bench.show(read_view("four_card_flop_uk"))
    bench.step()
    bench.tap("links")
    assert texts("no-sound") in bench.text("dialog-text")


SCRIPT = """
import time
import pygame
from display.dealer.drawn.sounds import Speaker
speaker = Speaker()
speaker.play(2)
assert not speaker.fault, speaker.fault
while pygame.mixer.get_busy():
    time.sleep(0.05)
speaker.close()
"""


def run(folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "PYGAME_HIDE_SUPPORT_PROMPT": "1", **environment},
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_samples_reach_the_device(tmp_path: Path) -> None:
    written = tmp_path / "heard.raw"
    root = str(Path(alarms.__file__).parents[2])
    done = run(tmp_path, PYTHONPATH=root, SDL_AUDIODRIVER="disk", SDL_DISKAUDIOFILE=str(written))
    assert done.returncode == 0, done.stderr
    sound = array("h", written.read_bytes()[: written.stat().st_size // 2 * 2])
    assert len(beeps(sound)) == 3
    assert max(sound) == pytest.approx(max(samples(2)), rel=0.05)


def test_a_driver_that_is_none_is_a_fault_and_no_more(tmp_path: Path) -> None:
    root = str(Path(alarms.__file__).parents[2])
    done = run(tmp_path, PYTHONPATH=root, SDL_AUDIODRIVER="nonesuch")
    assert done.returncode == 1
    assert "AssertionError" in done.stderr


def test_a_window_without_a_speaker_is_silent(bench: Bench, read_view: ReadView) -> None:
    assert isinstance(bench.window, Window)
    bench.show(read_view("four_card_flop_uk"))
    bench.step()
    assert bench.window.is_open
