"""Whole tournaments by each book, with nothing wrong; and what is wrong on purpose stops them."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from contextlib import ExitStack
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from controller.contract.observations import SeatChange
from controller.library.books import Library, open_library
from controller.room import balance, register, register_acts, seating
from controller.room.acts import ActError
from controller.room.entered import Busts, one_by_one
from controller.room.finishes import Bust
from controller.room.register import Player, Register
from controller.room.seat_draw import AtSeat
from controller.rules.betting import Betting
from controller.simulate.tournaments import chance
from controller.simulate.tournaments.command import main
from controller.simulate.tournaments.course import Course
from controller.simulate.tournaments.desk import Desk
from controller.simulate.tournaments.felt import Felt
from controller.simulate.tournaments.floor import Floor
from controller.simulate.tournaments.many import Asked, Summary, as_text, play
from controller.simulate.tournaments.plan import plan
from tests.conftest import CONFIG
from tests.simulate.on_purpose import first_fault
from tests.waiting import PATIENCE_S

COMMAND = (sys.executable, "-m", "controller", "simulate")
BOOKS = sorted(open_library(CONFIG).ids)


def played(library: Library, book: str, players: int, seed: int = 1) -> Course:
    course = Course(plan(book, seed, players), library.book(book))
    course.play()
    return course


@pytest.mark.parametrize("book", BOOKS)
def test_nothing_is_wrong_in_tournaments_by_a_book(library: Library, book: str) -> None:
    done = Summary()
    for players, runs in ((9, 4), (20, 4), (60, 1), (150, 1)):
        asked = Asked((book,), players, seed=100, runs=runs)
        done = play(asked, library.book, lambda _: None)
        assert done.faults == ()
        assert (done.runs, done.stopped) == (runs, False)
    assert min(done.tally.hands, done.tally.outs, done.tally.breaks) > 10, "it was played"


def test_the_same_seed_is_the_same_tournament(library: Library) -> None:
    first, second = (played(library, "uk-tda", 30, seed=4) for _ in range(2))
    assert first.desk.record == second.desk.record
    assert first.desk.record != played(library, "uk-tda", 30, seed=5).desk.record


# --- wrong on purpose ---


def wrong(library: Library, book: str = "uk-tda", players: int = 40) -> str:
    return first_fault(library, book, players)


def test_a_lost_chip_is_found(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    right = chance.play

    def loses(betting: Betting, away: set[int], random: Random) -> dict[int, int]:
        left = right(betting, away, random)
        richest = max(left, key=lambda seat: left[seat])
        return {**left, richest: left[richest] - 25}

    monkeypatch.setattr(chance, "play", loses)
    assert wrong(library).startswith("a hand began with")


def test_chips_that_do_not_follow_their_player_are_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Felt.is_told

    def starts_anew(felt: Felt, players: Register, chips: dict[str, int]) -> None:
        right(felt, players, dict.fromkeys(chips, 10_000))

    monkeypatch.setattr(Felt, "is_told", starts_anew)
    assert "chips, and its player" in wrong(library)


def test_a_player_who_is_lost_is_found(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    right = Desk.asks

    def forgets(desk: Desk, name: str, /, **fields: object) -> None:
        right(desk, name, **fields)
        if name == "redraw":
            players = desk.register.players
            one = next(each for each in players if each.status == "out")
            others = tuple(each for each in players if each is not one)
            changed = replace(desk.register, players=others)
            desk.record = replace(desk.record, register=changed)

    monkeypatch.setattr(Desk, "asks", forgets)
    said = wrong(library)
    assert "entered and is in no register" in said or "by entries" in said


def test_two_in_one_seat_are_found(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    right = register.seated

    def crowds(player: Player, at: AtSeat, *, playing: bool) -> Player:
        there = replace(at, seat=1) if playing else at
        return right(player, there, playing=playing)

    monkeypatch.setattr("controller.room.register_acts.seated", crowds)
    assert "players have" in wrong(library)


def test_a_table_that_is_not_told_who_has_gone_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = Felt._changes

    def keeps(felt: Felt, change: SeatChange) -> None:
        if change.status != "empty":
            right(felt, change)

    monkeypatch.setattr(Felt, "_changes", keeps)
    assert ", and by the register nobody" in wrong(library)


def test_who_is_dealt_in_before_he_has_arrived_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = seating.wanted

    def all_at_once(players: Register, *more: Any) -> seating.Seats:  # noqa: ANN401 - as it was
        there = tuple(replace(each, coming=False) for each in players.players)
        return right(replace(players, players=there), *more)

    monkeypatch.setattr(seating, "wanted", all_at_once)
    assert ", and by the register nobody" in wrong(library)


def test_a_table_that_does_not_gather_its_players_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    """UK-10: at a final table."""
    monkeypatch.setattr(register_acts, "gathering", lambda players, *_, **__: players)
    monkeypatch.setattr(Floor, "_is_late", lambda _: True)
    assert "has not arrived" in wrong(library)


@pytest.mark.parametrize(
    ("what", "book", "said"),
    [
        ("breaks", "uk-tda", "deals a hand, and is to break"),
        ("halted", "uk-tda", "is halted and deals a hand"),
        ("moves", "roberts", "has been short for"),
    ],
)
def test_what_the_room_does_not_propose_is_missed(
    library: Library, monkeypatch: pytest.MonkeyPatch, what: str, book: str, said: str
) -> None:
    right = balance.due

    def silent(*args: Any, **more: Any) -> balance.Due:  # noqa: ANN401 - the room's own
        none: Any = None if what == "breaks" else ()
        return replace(right(*args, **more), **{what: none})

    monkeypatch.setattr(balance, "due", silent)
    assert said in wrong(library, book)


def test_one_who_moves_out_of_turn_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "controller.rules.balancing.mover", lambda _way, giving, _short: min(giving.players)
    )
    assert "was due to move" in wrong(library)


def test_a_worse_chair_than_is_due_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("controller.rules.balancing.chair", lambda _way, short: max(short.open))
    assert "and was due to seat" in wrong(library)


@pytest.mark.parametrize("waits", [True, False])
def test_who_waits_without_need_and_who_does_not_wait_are_found(
    library: Library, monkeypatch: pytest.MonkeyPatch, waits: bool
) -> None:
    """TDA09-05, UK-09."""
    monkeypatch.setattr("controller.room.seating.comes_behind", lambda *_: waits)
    said = "has chips and gets no hand" if waits else "gets a hand there"
    assert said in wrong(library)


def test_wrong_places_are_found(library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    """HPT-WIN-02: of one hand the smaller stack goes out first."""
    monkeypatch.setattr("controller.room.record.one_by_one", _backwards)
    assert "and went out in place" in wrong(library)


def _backwards(act: Busts) -> list[Bust]:
    return [replace(one, together=False) for one in reversed(one_by_one(act))]


def test_what_the_room_refuses_though_it_has_to_be_possible_is_found(
    library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuses(*_: object) -> Register:
        raise ActError("no table breaks today")

    acts = {**register_acts.REGISTER_ACTS, "redraw": (register_acts.Redraw, refuses)}
    monkeypatch.setattr(register_acts, "REGISTER_ACTS", acts)
    assert wrong(library) == "no table breaks today"


# --- the command ---


def test_a_fault_is_told_with_all_that_repeats_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("controller.rules.balancing.chair", lambda _way, short: max(short.open))
    asked = ["--tournament", "--book", "tda-2009", "--players", "60", "--seed", "3", "--runs", "5"]
    assert main(asked) == 1
    said = capsys.readouterr().out
    again = next(line.split() for line in said.splitlines() if "--tournament" in line)
    first = said[said.index("  tda-2009, seed") :].splitlines()[0]
    assert main(again[2:]) == 1
    assert first in capsys.readouterr().out


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )


def test_the_command_plays_every_book_and_counts() -> None:
    done = run("--tournament", "--players", "9", "--runs", "6", "--seed", "1", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["runs"], told["faults"], told["stopped"]) == (6, [], False)
    assert told["hands"] > 60


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (("--book", "tda-2042"), "there is no book 'tda-2042'"),
        (("--players", "8"), "'8' is not a number from 9 to 2000"),
        (("--tables", "3"), "unrecognized arguments: --tables 3"),
    ],
)
def test_a_mistake_is_told_in_a_line(wrong: tuple[str, ...], said: str) -> None:
    done = run("--tournament", *wrong)
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


def test_ctrl_c_ends_the_command_with_what_was_done() -> None:
    """In the middle of a tournament, which is not counted; all that were done were right."""
    terminal, theirs = os.openpty()
    with (
        os.fdopen(terminal, "rb", buffering=0) as shown,
        subprocess.Popen(
            [*COMMAND, "--tournament", "--players", "20", "--seconds", "600", "--json"],
            stdout=subprocess.PIPE,
            stderr=theirs,
        ) as running,
        ExitStack() as undone,
    ):
        os.close(theirs)
        undone.callback(running.kill)
        line = b""
        while b"3 tournaments, " not in line:
            line += shown.read(100)
        running.send_signal(signal.SIGINT)
        out, _ = running.communicate(timeout=PATIENCE_S)
    told = json.loads(out)
    assert (running.returncode, told["stopped"], told["faults"]) == (0, True, [])
    assert told["runs"] >= 3
    assert told["entries"] >= 60
    assert b"Traceback" not in line


def test_so_does_one_that_comes_as_a_run_is_over(library: Library) -> None:
    def pressed(done: Summary) -> None:
        if done.runs == 3:
            raise KeyboardInterrupt

    done = play(Asked(("uk-tda",), 9, seed=1, seconds=1_000), library.book, pressed)
    assert (done.runs, done.stopped, done.is_right) == (3, True, True)
    assert as_text(done).startswith("3 tournaments, ")
    assert "stopped" in as_text(done).splitlines()[0]
