from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from msgspec.structs import replace

os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame

from controller.settings import config_dir
from controller.view import TableView
from display.dealer.link import DEADLINE, LONGEST_LINE, RETRY, Link
from display.dealer.texts import Texts
from display.dealer.theme import GROUND, STYLES
from display.dealer.window import BOUNCE, KEY_BOUNCE, Window, open_display

ReadView = Callable[[str], TableView]
HERE = Path(__file__).parent


class Table:
    """The table's end of the socket."""

    made: ClassVar[list[Table]] = []

    def __init__(self, path: Path) -> None:
        self.path = path
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._server.settimeout(2)
        self._peer: socket.socket | None = None
        self._received = b""
        self.made.append(self)

    @property
    def peer(self) -> socket.socket:
        if self._peer is None:
            self._peer, _ = self._server.accept()
            self._peer.settimeout(0.02)
        return self._peer

    def show(self, view: TableView) -> None:
        self.write(msgspec.json.encode({"kind": "view", "view": view}) + b"\n")

    def write(self, data: bytes) -> None:
        self.peer.settimeout(2)
        self.peer.sendall(data)
        self.peer.settimeout(0.02)

    def lines(self) -> list[dict[str, Any]]:
        """All lines that came since the last call."""
        try:
            while chunk := self.peer.recv(65536):
                self._received += chunk
        except TimeoutError:
            pass
        *whole, self._received = self._received.split(b"\n")
        return [json.loads(line) for line in whole]

    def close(self) -> None:
        if self._peer is not None:
            self._peer.close()
        self._server.close()


class Bench:
    """A window on a dummy display, a real socket to a table, and a clock turned by hand."""

    def __init__(self, path: Path, texts: Texts, size: tuple[int, int]) -> None:
        self.now = 100.0
        self.path = path
        self.surface = open_display(size, fullscreen=False)
        self.link = Link(path, self.now)
        self.window = Window(self.surface, self.link, texts, config_dir(), lambda: self.now)
        self.table = Table(path)
        pygame.event.clear()
        self.step()

    def step(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.window.step(0)

    def show(self, view: TableView) -> None:
        self.table.show(view)
        self.step()

    def tap(self, button: str, *, finger: bool = False, wait: float = 2 * BOUNCE) -> None:
        rect = self.window.regions[button]
        x, y = rect.x + rect.w // 2, rect.y + rect.h // 2
        width, height = self.surface.get_size()
        if finger:
            event = pygame.event.Event(
                pygame.FINGERDOWN, touch_id=7, finger_id=0, x=x / width, y=y / height
            )
        else:
            event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1, touch=False)
        pygame.event.post(event)
        self.step()
        self.step(wait)

    def text(self, region: str) -> str:
        labels = self.window.screen.labels
        return next((label.text for label in labels if label.region == region), "")


@pytest.fixture(autouse=True)
def _closed_sockets() -> Iterator[None]:
    yield
    while Table.made:
        Table.made.pop().close()


@pytest.fixture(params=[(1280, 800), (800, 480)], ids=["large", "small"])
def bench(request: pytest.FixtureRequest, tmp_path: Path, texts: Texts) -> Iterator[Bench]:
    made = Bench(tmp_path / "dealer.sock", texts, request.param)
    yield made
    made.link.close()
    pygame.display.quit()


def dealer(name: str, **fields: object) -> dict[str, Any]:
    return {"kind": "dealer", "input": name, **fields}


@pytest.mark.parametrize(
    ("name", "taps", "line"),
    [
        ("waiting", ["new-hand"], {"kind": "riffle"}),
        ("flop_betting", ["round-closed"], dealer("round-closed")),
        ("flop_betting", ["award"], dealer("award")),
        ("flop_betting", ["misdeal", "misdeal-yes"], dealer("misdeal")),
        ("flop_betting", ["misdeal", "misdeal-no", "award"], dealer("award")),
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
            ["next-finding", "to-table", "note", "advisory", "done"],
            dealer("done", finding=8, step="call-floor"),
        ),
        ("floor_called", ["next-finding", "done"], dealer("done", finding=9, step="back-action")),
    ],
)
def test_each_button_sends_its_line(
    bench: Bench, name: str, taps: list[str], line: dict[str, Any], *, read_view: ReadView
) -> None:
    bench.show(read_view(name))
    for tap in taps:
        bench.tap(tap)
    assert bench.table.lines() == [line]


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
    assert bench.text("count") == "Step 3/5"


def test_a_key_may_be_typed_twice_and_a_seat_tapped_on_the_table(
    bench: Bench, read_view: ReadView
) -> None:
    bench.show(read_view("flop_betting"))
    for tap in ("more", "act", "pick-seat:9", "did:raise", "key:1"):
        bench.tap(tap)
    for wait in (KEY_BOUNCE / 2, KEY_BOUNCE, 0.0):
        bench.tap("key:0", wait=wait)
    bench.tap("enter")
    raised = {"kind": "press", "seat": 9, "button": "raise", "by": "dealer", "amount": 100}
    assert bench.table.lines() == [raised]


def test_a_disabled_button_sends_nothing(bench: Bench, read_view: ReadView) -> None:
    bench.show(read_view("flop_betting"))
    for tap in ("new-hand", "tabled", "undo"):
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


def test_killed_table_is_shown_and_found_again(bench: Bench, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    assert bench.text("banner") == view.prompt
    bench.table.close()
    bench.path.unlink()
    bench.step()
    assert bench.text("banner").startswith("No connection to the table")
    assert bench.window.screen.hatched
    assert bench.window.screen.faces[0].rank == "A"
    bench.tap("call-floor")
    bench.step(65)
    assert "1:05" in bench.text("banner") or "1:06" in bench.text("banner")
    bench.table = Table(bench.path)
    bench.step(RETRY)
    bench.show(replace(view, prompt="Back again"))
    assert bench.text("banner") == "Back again"
    assert not bench.window.screen.hatched
    assert bench.table.lines() == []
    bench.tap("call-floor")
    assert bench.table.lines() == [dealer("call-floor")]


def test_it_waits_half_a_second_between_attempts(tmp_path: Path, read_view: ReadView) -> None:
    path = tmp_path / "dealer.sock"
    link = Link(path, 0.0)
    assert link.poll(0.0) is None
    assert link.connection(0.0).cause == "absent"
    table = Table(path)
    link.poll(0.4)
    assert link.connection(0.4).cause == "absent"
    link.poll(0.5)
    table.show(read_view("waiting"))
    assert link.poll(0.5) == read_view("waiting")
    assert link.connection(0.5).cause == ""
    link.close()


def test_what_could_not_be_sent_is_not_sent_later(tmp_path: Path) -> None:
    table = Table(tmp_path / "dealer.sock")
    link = Link(table.path, 0.0)
    link.poll(0.0)
    assert table.peer is not None  # it has been accepted
    taps = 0
    while link.send({"kind": "riffle", "filler": "x" * 4096}, 0.0):
        taps += 1
    assert taps > 10
    table.close()
    table.path.unlink()
    link.poll(0.1)
    assert link.connection(0.1).cause == "closed"
    again = Table(table.path)
    link.poll(1.0)
    assert link.send({"kind": "dealer", "input": "award"}, 1.0)
    assert again.lines() == [dealer("award")]
    link.close()


def test_a_call_that_may_not_have_arrived_is_not_shown_as_sent(
    bench: Bench, read_view: ReadView
) -> None:
    def label() -> str:
        return bench.window.screen.buttons[-1].label

    bench.show(read_view("flop_betting"))
    bench.tap("call-floor")
    assert label() == "Calling…"
    bench.table.close()
    bench.path.unlink()
    bench.step()
    assert label() == "Call floor"


def test_silence_makes_it_stale_and_the_same_view_again_does_not(
    bench: Bench, read_view: ReadView
) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    bench.step(DEADLINE - 1)
    bench.show(view)
    bench.step(DEADLINE - 0.5)
    assert not bench.window.screen.hatched
    bench.step(1)
    assert bench.text("banner").startswith("No word from the table for 0:05")
    assert bench.window.screen.hatched
    bench.show(view)
    assert not bench.window.screen.hatched


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


@pytest.mark.parametrize(
    "line",
    [
        b"nonsense",
        b"\xff\xfe",
        b'{"kind":"hand"}',
        b'{"kind":"view","view":{"table":"7"}}',
        b'{"kind":"view","view":{"table":"7","rulebook":"roberts","button":11}}',
        b'{"kind":"view","view":{"table":"7","rulebook":"roberts","board":["Zz"]}}',
        b'{"kind":"view","view":{"table":"7","rulebook":"roberts","board":'
        + json.dumps(["As"] * 9).encode()
        + b"}}",
    ],
)
def test_a_line_that_cannot_be_read_is_counted_and_shown(
    bench: Bench, read_view: ReadView, line: bytes
) -> None:
    view = read_view("flop_betting")
    bench.show(view)
    bench.table.write(line + b"\n")
    bench.step()
    links = next(one for one in bench.window.screen.buttons if one.id == "links")
    assert "1 unreadable" in links.label
    bench.show(replace(view, prompt="Still here"))
    assert bench.text("banner") == "Still here"


def test_a_line_without_end_drops_the_connection(tmp_path: Path) -> None:
    table = Table(tmp_path / "dealer.sock")
    link = Link(table.path, 0.0)
    link.poll(0.0)
    for _ in range(LONGEST_LINE // 65536 + 2):
        try:
            table.write(b"x" * 65536)
        except BrokenPipeError:
            break
        link.poll(0.1)
    assert link.connection(0.1).cause == "flood"


def test_lines_in_pieces_and_several_at_once(bench: Bench, read_view: ReadView) -> None:
    view = read_view("flop_betting")
    data = b"".join(
        msgspec.json.encode({"kind": "view", "view": replace(view, prompt=f"Prompt {n}")}) + b"\n"
        for n in range(5)
    )
    for part in (data[:100], data[100:-10], data[-10:]):
        bench.table.write(part)
        bench.step()
    assert bench.text("banner") == "Prompt 4"


def shot(tmp_path: Path, view: bytes, *arguments: str) -> pygame.Surface:
    target = tmp_path / "shot.png"
    done = run_command(["--shot", str(target), *arguments], view)
    assert done.returncode == 0, done.stderr
    return pygame.image.load(str(target))


def run_command(
    arguments: list[str], given: bytes = b"", **environment: str
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-c", COMMAND, *arguments],
        input=given,
        capture_output=True,
        timeout=20,
        env={name: value for name, value in {**os.environ, **environment}.items() if value},
        check=False,
    )


COMMAND = "import sys; from display.dealer.command import main; sys.exit(main(sys.argv[1:]))"


def share(picture: pygame.Surface, rect: tuple[int, int, int, int], colour: object) -> float:
    """The share of the pixels of `rect` that have about this colour."""
    part = picture.subsurface(rect)
    mask = pygame.mask.from_threshold(part, colour, (6, 6, 6))  # type: ignore[arg-type]
    return mask.count() / (rect[2] * rect[3])


def test_shot_shows_cards_turn_and_buttons(tmp_path: Path) -> None:
    view = (HERE / "flop_betting.json").read_bytes()
    picture = shot(tmp_path, view)
    assert picture.get_size() == (1280, 800)
    white = (255, 255, 255)
    assert share(picture, (20, 90, 1240, 120), white) > 0.05  # the prompt, in big words
    assert share(picture, (230, 340, 480, 200), white) > 0.6  # three cards
    assert share(picture, (720, 340, 320, 200), STYLES["felt"].fill) > 0.7  # two places
    assert share(picture, (870, 560, 180, 96), STYLES["plate-turn"].fill) > 0.4  # seat 9
    assert share(picture, (1020, 680, 240, 100), STYLES["floor"].fill) > 0.6
    assert share(picture, (20, 680, 180, 100), GROUND) > 0.6  # New hand: disabled


@pytest.mark.parametrize(
    ("name", "style"), [("four_card_flop_uk", "priority-1"), ("question_burn", "priority-2")]
)
def test_shot_of_a_finding_has_its_colour_and_its_shape(
    tmp_path: Path, name: str, style: str
) -> None:
    view = (HERE / f"{name}.json").read_bytes()
    picture = shot(tmp_path, view, "--size", "800x480")
    assert picture.get_size() == (800, 480)
    colours = {key: value.fill for key, value in STYLES.items()}
    assert share(picture, (10, 65, 680, 48), colours[style]) > 0.5  # type: ignore[index]
    assert share(picture, (580, 130, 200, 90), colours["main"]) > 0.5


def test_shot_after_taps_shows_the_menu_and_the_seats_in_question(tmp_path: Path) -> None:
    view = (HERE / "flop_betting.json").read_bytes()
    green = STYLES["plate-pick"].fill
    assert share(shot(tmp_path, view), (870, 560, 180, 96), green) < 0.1
    asked = shot(tmp_path, view, "--tap", "more", "--tap", "clock")
    assert share(asked, (870, 560, 180, 96), green) > 0.4  # seat 9 can be meant
    assert share(asked, (10, 480, 190, 96), green) < 0.1  # seat 2 has folded


def test_shot_of_a_lost_table_is_never_blank(tmp_path: Path) -> None:
    picture = shot(tmp_path, b"")
    assert share(picture, (20, 90, 1240, 120), STYLES["lost"].fill) > 0.5
    seen = (HERE / "flop_betting.json").read_bytes()
    stale, fresh = shot(tmp_path, seen, "--lost", "12"), shot(tmp_path, seen)
    cards = (230, 340, 480, 200)
    white = (255, 255, 255)
    assert share(stale, cards, white) < 0.95 * share(fresh, cards, white)


@pytest.mark.parametrize(
    ("arguments", "given", "fault"),
    [
        (["--shot", "x.png"], b"{", b"standard input"),
        (["--shot", "/nowhere/x.png"], b"", b"/nowhere/x.png"),
        (["--shot", "x.png", "--tap", "mroe"], b"", b"--tap mroe"),
        (["--language", "zz"], b"", b"zz.toml"),
    ],
)
def test_a_mistake_is_one_line(arguments: list[str], given: bytes, fault: bytes) -> None:
    done = run_command(arguments, given)
    assert done.returncode == 2
    assert fault in done.stderr
    assert done.stderr.count(b"\n") == 1


def test_without_a_display_it_says_so(tmp_path: Path) -> None:
    environment = {"SDL_VIDEODRIVER": "", "DISPLAY": "", "WAYLAND_DISPLAY": ""}
    done = run_command(["--socket", str(tmp_path / "x")], b"", **environment)
    assert done.returncode == 3
    assert done.stderr.startswith(b"cutcard dealer: no display to draw on")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_within_a_second(tmp_path: Path, number: int) -> None:
    table = Table(tmp_path / "dealer.sock")
    process = subprocess.Popen(
        [sys.executable, "-c", COMMAND, "--socket", str(table.path)],
        env={**os.environ, "SDL_VIDEODRIVER": "dummy"},
    )
    assert table.peer is not None  # it has connected
    begun = time.monotonic()
    process.send_signal(number)
    assert process.wait(5) == 0
    assert time.monotonic() - begun < 1
