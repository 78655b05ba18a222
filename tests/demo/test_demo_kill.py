"""Every process of the demo is killed in mid-hand, and comes back as it should."""

from __future__ import annotations

import os
import signal
import time
from contextlib import suppress
from urllib.request import urlopen

import pytest

from tests.demo.runs import Onlooker, Running, running, runs
from tests.waiting import PATIENCE_S, wait_until

DUMMY = {**os.environ, "SDL_VIDEODRIVER": "dummy"}


def kill(show: Running, name: str) -> int:
    pid = show.child(name)
    os.kill(pid, signal.SIGKILL)
    return pid


def comes_back(show: Running, name: str, killed: int) -> None:
    def is_back() -> bool:
        with suppress(AssertionError, FileNotFoundError):
            return show.child(name) != killed
        return False

    wait_until(is_back)


def answers(show: Running, url: str) -> bool:
    """Whether the page is there before the demo ends: a process that runs may not serve yet."""
    while show.process.poll() is None:
        with suppress(OSError), urlopen(url, timeout=PATIENCE_S) as page:  # noqa: S310
            return bool(page.status == 200)
        time.sleep(0.05)
    return False


@pytest.mark.long
def test_a_table_killed_in_mid_hand_goes_on_with_the_hand_and_its_finding() -> None:
    arguments = ("--headless", "--speed", "5", "--seed", "7", "--error", "four-card-flop")
    with running(*arguments, "--hands", "1") as show:
        show.wait_for(r"Seat \d folds")
        kill(show, "table")
        show.wait_for("the table's service has died; restarting it")
        show.wait_for("hand 1 continues after an interruption")
        show.wait_for("FINDING 1: Four-card flop")
        kill(show, "table")
        show.wait_for(r"Finding 1 \(Four-card flop\) is closed: it was fixed")
        show.wait_for("1 hand dealt; 1 × four-card-flop made, 1 found; 1 remedied")
        assert show.process.wait(PATIENCE_S) == 0
    said = "".join(show.lines)
    assert said.count("Hand 1 begins") == 1, said
    assert said.count("continues after an interruption") == 2, said


@pytest.mark.long
def test_room_window_and_broker_killed_in_mid_hand_come_back() -> None:
    arguments = ("--speed", "5", "--seed", "7", "--error", "four-card-flop", "--hands", "1")
    with running(*arguments, "--json", env=DUMMY) as show:
        ready = show.ready()
        show.wait_for(r'"kind":"action"')
        room, window = kill(show, "room"), kill(show, "dealer")
        show.wait_for("the room has died; restarting it")
        show.wait_for("the dealer's window has died; restarting it")
        comes_back(show, "room", room)
        comes_back(show, "dealer", window)
        kill(show, "mosquitto")
        show.wait_for("the broker has died; restarting it")
        show.wait_for(r'"kind":"finding"')
        onlooker = Onlooker(int(ready["mqtt"].rpartition(":")[2]))
        assert answers(show, ready["pages"]["floor"])
        show.wait_for("1 hand dealt; 1 × four-card-flop made, 1 found; 1 remedied")
        onlooker.close()
        assert show.process.wait(PATIENCE_S) == 0
        assert not any(runs(pid) for pid in (room, window))
    assert onlooker.of("room/clock")
    assert onlooker.of("tables/T1/hand")[-1]["view"]["phase"] == "complete"
