"""`cutcard demo` as a user has it: real processes, a real pty, a real broker."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess

import pytest

from tests.demo.runs import DEMO, demo, running, wait_until_gone, was_played
from tests.waiting import PATIENCE_S


@pytest.mark.long
def test_two_hands_end_with_a_summary() -> None:
    done = demo("--headless", "--hands", "2", "--speed", "5", "--seed", "5")
    assert done.returncode == 0, done.stdout + done.stderr
    told = r"demo: 2 hands dealt; 1 × [a-z-]+ made, 1 found; 1 \w+(, 1 \w+)?\n"
    assert re.search(told, done.stdout)
    assert done.stderr == ""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_it_and_leaves_nothing(number: signal.Signals) -> None:
    with running("--headless", "--speed", "5") as show:
        show.wait_for("Hand 1 begins")
        children = show.children()
        assert len(children) == 3  # broker, table and room
        show.process.send_signal(number)
        assert show.process.wait(PATIENCE_S) == 0
        wait_until_gone(children)
        show.wait_for("0 hands dealt")


def test_killed_outright_it_leaves_nothing_either() -> None:
    with running("--headless") as show:
        show.wait_for("Hand 1 begins")
        children = show.children()
        show.process.kill()
        wait_until_gone(children)


def test_a_busy_mqtt_port_is_one_line() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = demo("--headless", "--hands", "1", "--speed", "5", "--mqtt-port", port)
    assert done.returncode == 2
    assert done.stderr.startswith(f"cutcard demo: port {port}")
    assert done.stderr.count("\n") == 1


def test_a_busy_web_port_is_one_line_and_the_table_goes_on() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        done = demo("--headless", "--hands", "1", "--speed", "5", "--web-port", port)
    assert was_played(done), done.stdout
    assert f"web port {port}" in done.stderr
    assert "1 hand dealt" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        (["--error", "four-card-flob"], "did you mean 'four-card-flop'?"),
        (["--rulebook", "uk"], "unknown rule book 'uk'"),
        (["--hands", "0"], "'0' is not a number of hands"),
        (["--speed", "fast"], "'fast' is not a speed"),
        (["--mqtt-port", "70000"], "'70000' is not a port"),
    ],
)
def test_a_mistake_in_what_is_asked_ends_with_2(arguments: list[str], fault: str) -> None:
    done = demo("--headless", *arguments)
    assert done.returncode == 2
    assert fault in done.stderr
    assert "Traceback" not in done.stderr


def test_without_a_display_it_says_so_and_goes_on() -> None:
    bare = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    bare.pop("SDL_VIDEODRIVER", None)
    done = subprocess.run(
        [*DEMO, "--hands", "1", "--speed", "5"],
        env=bare,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert was_played(done), done.stdout
    assert "no display here: going on without the dealer's window" in done.stdout


def test_a_display_that_does_not_answer_is_one_line_too() -> None:
    done = subprocess.run(
        [*DEMO, "--hands", "1", "--speed", "5"],
        env={**os.environ, "DISPLAY": ":4711", "SDL_VIDEODRIVER": "x11"},
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert was_played(done), done.stdout
    assert "going on without the dealer's window" in done.stdout


@pytest.mark.parametrize("how", [(), ("--json",)])
def test_it_ends_with_whoever_reads_it(how: tuple[str, ...]) -> None:
    """As in `cutcard demo | head -1`."""
    with subprocess.Popen(
        [*DEMO, "--headless", "--speed", "5", *how],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        try:
            assert process.wait(PATIENCE_S) == 141
        finally:
            process.kill()
        assert "Traceback" not in process.stderr.read()
