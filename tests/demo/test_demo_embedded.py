"""The demo as on a machine without mosquitto: the embedded broker carries it, and says so."""

from __future__ import annotations

import signal
import sys
import time

import pytest

from tests.demo.runs import Running, running
from tests.waiting import PATIENCE_S

WITHOUT_MOSQUITTO = """
import sys
import controller.broker.own
controller.broker.own.find_mosquitto = lambda: None
from controller.demo.command import main
sys.exit(main(sys.argv[1:]))
"""
PROGRAM = [sys.executable, "-c", WITHOUT_MOSQUITTO]
PLAY_S = 60.0
TROUBLES = (
    "lost the broker",
    "no broker at",
    "does not answer",
    "BUG",
    "Traceback",
    "warning",
    "has died",
)


def hands(show: Running) -> int:
    return sum(line.startswith("Hand ") for line in show.lines)


def is_untroubled(show: Running) -> bool:
    said = "".join(show.lines)
    return not any(word in said for word in TROUBLES)


@pytest.mark.long
def test_a_minute_of_play_loses_no_connection() -> None:
    """At both speeds at once: each is a demo with a broker of its own."""
    arguments = ("--headless", "--seed", "3", "--speed")
    with (
        running(*arguments, "1", program=PROGRAM) as slow,
        running(*arguments, "20", program=PROGRAM) as fast,
    ):
        for show in (slow, fast):
            show.wait_for("^Hand 1 begins")
        end = time.monotonic() + PLAY_S
        while time.monotonic() < end and is_untroubled(slow) and is_untroubled(fast):
            time.sleep(0.2)
        for show in (slow, fast):
            show.process.send_signal(signal.SIGINT)
            # 1 tells of a false alarm: twenty times as fast, a busy machine's delays are seconds.
            assert show.process.wait(PATIENCE_S) in (0, 1), "".join(show.lines)
            assert is_untroubled(show), "".join(show.lines)
            (banner,) = (line for line in show.lines if "MQTT at" in line)
            assert "(iotcore): anyone on this machine may read and write" in banner
            assert sum("read and write" in line for line in show.lines) == 1
        assert hands(fast) >= 3
