"""`cutcard players`, beside a room that runs and without one."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import msgspec
import pytest

from controller.room.commands.players import main
from controller.room.store import RoomStore
from tests.room.evening import Hall
from tests.room.events import create
from tests.waiting import PATIENCE_S

FILE = "Name;Id;Table;Seat;Paid\r\nAnn Lee;17;T1;4;yes\r\n\r\nBob;18;;;no\r\n"


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Of a room that has been there, with two tables."""
    path = tmp_path / "room.sqlite"
    hall = Hall(store=RoomStore.open(path))
    hall.room.link(True)
    hall.act("tables", tables=[{"table": "T1", "seats": 9}, {"table": "T2", "seats": 2}])
    hall.room.close()
    return path


@contextmanager
def running(store: Path) -> Iterator[None]:
    """A room that runs in a thread of its own."""
    over, there = threading.Event(), threading.Event()

    def run() -> None:
        hall = Hall(store=RoomStore.open(store))
        hall.room.link(True)
        while not over.wait(0.02):
            hall.room.tick()
            there.set()
        hall.room.close()

    thread = threading.Thread(target=run)
    thread.start()
    assert there.wait(PATIENCE_S)
    try:
        yield
    finally:
        over.set()
        thread.join()


@pytest.fixture(params=["running", "stopped"])
def room(request: pytest.FixtureRequest, store: Path) -> Iterator[Path]:
    if request.param == "stopped":
        yield store
        return
    with running(store):
        yield store


def say(
    capsys: pytest.CaptureFixture[str], store: Path, *words: str, status: int = 0
) -> tuple[str, str]:
    assert main([*words, "--store", str(store)]) == status
    said = capsys.readouterr()
    return said.out, said.err


def test_players_are_taken_in_from_a_file(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "entries.csv"
    file.write_bytes(b"\xef\xbb\xbf" + FILE.encode())
    out, _ = say(capsys, room, "import", str(file))
    assert out == "2 players imported. 2 entered, 2 left, 1 without a seat; 10 seats free\n"
    out, _ = say(capsys, room, "list")
    assert out.splitlines() == [
        "Ann Lee  17  table T1, seat 4",
        "Bob      18  no seat, not paid",
        "2 entered, 2 left, 1 without a seat; 10 seats free",
    ]
    again, _ = say(capsys, room, "export")
    assert again.splitlines() == [
        "name,id,table,seat,paid,status,chips",
        "Ann Lee,17,T1,4,yes,seated,",
        "Bob,18,,,no,entered,",
    ]


def test_columns_that_are_left_out_are_named(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mitglieder.csv"
    file.write_text("Montagsturnier\nName;E-Mail;Telefon\nAnn;a@b.c;0170\n")
    out, _ = say(capsys, room, "import", str(file))
    assert out == (
        "1 player imported; left out: E-Mail, Telefon. "
        "1 entered, 1 left, 1 without a seat; 11 seats free\n"
    )


def test_nothing_is_half_imported(
    room: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "entries.csv"
    file.write_text("name,table,seat\nAnn,T1,4\nBob,T1,4\n")
    _, err = say(capsys, room, "import", str(file), status=2)
    assert err == (
        f"cutcard players: {file}: line 3: Ann sits at table T1, seat 4; nothing was imported\n"
    )
    assert say(capsys, room, "list")[0] == "0 entered, 0 left; 11 seats free\n"


def test_seats_are_drawn_and_the_draw_is_checked(
    room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Ann", "Bob", "Cy"):
        say(capsys, room, "add", name, "--paid")
    out, _ = say(capsys, room, "draw", "--seed", "nine of hearts")
    assert out.splitlines()[-1].startswith("drawn with the seed nine of hearts")
    assert len(out.splitlines()) == 4
    assert say(capsys, room, "draws")[0] == (
        "seed nine of hearts: 3 seats, is what its seed gives\n"
    )
    (line,) = say(capsys, room, "draws", "--json")[0].splitlines()
    assert msgspec.json.decode(line)["checked"] is True
    _, err = say(capsys, room, "draw", status=2)
    assert err == "cutcard players: everybody has a seat\n"


def test_some_are_kept_apart_by_their_names_or_ids(
    room: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """HPT-SEAT-06 keeps those apart who deal, a house those who live together."""
    for words in (("Ann",), ("Bob",), ("Cy", "--id", "17"), ("Cy", "--id", "18")):
        say(capsys, room, "add", *words)
    out, _ = say(capsys, room, "apart", "ann", "17")
    assert out == "Ann, Cy are not drawn to one table\n"
    say(capsys, room, "apart", "Ann", "Bob")
    assert say(capsys, room, "apart")[0] == "Cy, Ann\nAnn, Bob\n"
    out, _ = say(capsys, room, "apart", "17", "Ann", "--together")
    assert out == "Cy, Ann may be drawn to one table again\n"
    assert say(capsys, room, "apart", "--json")[0] == '["p1","p2"]\n'
    _, err = say(capsys, room, "apart", "Ann", "Cy", status=2)
    assert err == "cutcard players: more than one is called Cy: say the id\n"
    _, err = say(capsys, room, "apart", "Ann", "Zoe", status=2)
    assert err == "cutcard players: nobody is called Zoe, and nobody has that id\n"


def test_what_the_room_refuses_is_said(room: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(capsys, room, "add", "Ann")
    _, err = say(capsys, room, "add", "Ann", status=2)
    assert err.startswith("cutcard players: Ann has entered already")
    _, err = say(capsys, room, "tables", "T1", status=2)
    assert err == "cutcard players: 'T1' is not a table and its seats, such as T1=9\n"
    _, err = say(capsys, room, "tables", "T1=12", status=2)
    assert "seats" in err


def test_a_room_that_does_not_answer(
    store: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is there, and its loop hangs; what was asked is not done later either."""
    monkeypatch.setattr("controller.room.asking.ANSWER_S", 0.2)
    held = RoomStore.open(store)
    _, err = say(capsys, store, "add", "Ann", status=1)
    assert (
        err == "cutcard players: the room does not answer within 0.2 s; look before you ask again\n"
    )
    assert held.asked() == ()
    held.close()


def test_there_was_never_a_room(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, err = say(capsys, tmp_path / "room.sqlite", "list", status=1)
    assert err.endswith("room.sqlite: no room has been there yet; start it once\n")
    assert list(tmp_path.iterdir()) == []


def test_history_says_who_asked(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    say(capsys, store, "add", "Ann")
    found = RoomStore.open(store)
    assert found.history[-1].name == "enter"
    assert found.history[-1].actor.endswith("(cutcard players)")
    found.close()


@pytest.mark.parametrize("runs", [False, True])
def test_an_event_has_players_of_its_own(
    store: Path, runs: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    hall = Hall(store=RoomStore.open(store))
    create(hall)
    hall.room.close()
    at = ["--store", str(store)]
    with running(store) if runs else nullcontext():
        assert main(["add", "Cleo", *at, "--event", "turbo"]) == 0
        assert main(["add", "Bob", *at]) == 0
        capsys.readouterr()
        assert main(["list", *at, "--event", "turbo"]) == 0
        assert "Cleo" in capsys.readouterr().out
        assert main(["list", *at]) == 0
        assert "Cleo" not in capsys.readouterr().out
    assert main(["list", *at, "--event", "turbi"]) == 2
    assert capsys.readouterr().err == (
        "cutcard players: there is no event 'turbi'; did you mean 'turbo'?\n"
    )
    assert [each.name for each in (store.parent / "room.sqlite.events").glob("turbi*")] == []
