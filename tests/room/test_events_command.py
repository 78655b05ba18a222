"""`cutcard events`, beside a room that runs and without one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.room.commands.events import main
from controller.room.event_service import EventService
from tests.room.evening import MINUTE, Hall, Machine
from tests.room.events import act, create, kept, lists

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def hall(tmp_path: Path) -> Hall:
    """A room with the event turbo, which has table 2 and has run for four minutes."""
    hall = kept(tmp_path / "room.sqlite", Machine())
    hall.act("tournament", name="Main")
    turbo = create(hall)
    lists(turbo, "2")
    act(turbo, "enter", name="Cleo")
    act(turbo, "start")
    hall.passes(4 * MINUTE)
    return hall


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    def run(name: str, *words: str) -> tuple[int, str, str]:
        status = main([name, *words, "--store", str(tmp_path / "room.sqlite")])
        said = capsys.readouterr()
        return status, said.out, said.err

    return run


def again(tmp_path: Path, event: str) -> EventService:
    found = kept(tmp_path / "room.sqlite", Machine(), "s2").room.event(event)
    assert found is not None
    return found


@pytest.mark.parametrize("runs", [True, False])
def test_it_lists_them(hall: Hall, run: Run, runs: bool) -> None:
    if not runs:
        hall.room.close()
    said = run("list")
    assert said == (
        0,
        "       Main · ready, level 1\nturbo  Turbo · running, level 1 · tables 2\n",
        "",
    )


def test_an_event_of_a_room_that_was_stopped_is_as_it_was_then(hall: Hall, run: Run) -> None:
    hall.room.close()
    status, out, _ = run("export", "turbo")
    assert status == 0
    clock = json.loads(out)["record"]["clock"]
    assert (clock["deadline_ms"], clock["remaining_ms"]) == (None, 16 * MINUTE)


def test_a_file_is_made_and_not_written_over(hall: Hall, run: Run, tmp_path: Path) -> None:
    hall.room.close()
    file = tmp_path / "turbo.json"
    assert run("export", "turbo", str(file)) == (0, "", "")
    assert json.loads(file.read_text())["name"] == "Turbo"
    status, _, said = run("export", "turbo", str(file))
    assert (status, said) == (2, f"cutcard events: {file}: File exists\n")


def test_an_event_comes_out_of_a_file(hall: Hall, run: Run, tmp_path: Path) -> None:
    hall.room.close()
    file = tmp_path / "turbo.json"
    run("export", "turbo", str(file))
    refused = run("import", "again", str(file))
    assert refused == (
        2,
        "",
        "cutcard events: table 2 is one of Turbo: take it out of that list first\n",
    )
    status, out, _ = run("import", "next", str(file), "--template", "--name", "Next")
    assert (status, out) == (0, "not taken over, other events have them: 2\n")
    event = again(tmp_path, "next")
    assert (event.name, event.view().state, event.view().register.players) == ("Next", "ready", ())
    event.keeper.close()


def test_a_whole_event_comes_back_after_it_was_closed(hall: Hall, run: Run, tmp_path: Path) -> None:
    file = tmp_path / "turbo.json"
    turbo = hall.room.event("turbo")
    assert turbo is not None
    act(turbo, "pause")
    hall.room.close()
    run("export", "turbo", str(file))
    status, out, _ = run("close", "turbo")
    assert (status, Path(out.strip()).name) == (0, "turbo.sqlite.closed-1")
    assert run("import", "turbo", str(file)) == (0, "", "")
    event = again(tmp_path, "turbo")
    assert (event.view().state, event.view().left_ms) == ("paused", 16 * MINUTE)
    assert [each.name for each in event.view().register.players] == ["Cleo"]


def test_what_can_t_be_is_one_line(hall: Hall, run: Run, tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.json"
    rubbish.write_text("{}")
    good = tmp_path / "good.json"
    run("export", "turbo", str(good))
    on_page = "cutcard events: the room runs: do this on its page /events\n"
    assert run("close", "turbo") == (1, "", on_page)
    hall.room.close()
    for words, said in (
        (("close", "turbo"), "the clock of Turbo runs: stop it first"),
        (("close", ""), "the first event is always there"),
        (("close", "turbi"), "there is no event 'turbi'; did you mean 'turbo'?"),
        (("export", "late"), "there is no event 'late'"),
        (("import", "turbo", str(good), "--template"), "there is an event turbo already"),
        (("import", "Late", str(good)), "an event's id is of small letters"),
        (("import", "late", str(rubbish)), "this is no file of an event"),
        (("import", "late", str(tmp_path / "no.json")), f"{tmp_path}/no.json: No such file or"),
    ):
        status, out, error = run(*words)
        assert (status, out) == (2, "")
        assert error.startswith(f"cutcard events: {said}")
        assert error.count("\n") == 1
    assert not (tmp_path / "room.sqlite.events" / "late.sqlite").exists()


def test_a_first_event_that_nobody_has_touched_is_in_no_ones_way(run: Run, tmp_path: Path) -> None:
    hall = kept(tmp_path / "room.sqlite", Machine())
    create(hall)
    hall.room.close()
    assert run("list") == (0, "turbo  Turbo · ready, level 1\n", "")
    file = tmp_path / "turbo.json"
    run("export", "turbo", str(file))
    assert run("import", "next", str(file)) == (0, "", "")


def test_without_a_room_it_says_so(run: Run) -> None:
    status, _, said = run("list")
    assert (status, said.count("\n")) == (1, 1)
    assert "no room has been there yet" in said
