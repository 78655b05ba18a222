"""`cutcard doctor` as it is: on this machine, with a table made of software."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from controller.install.bench import BenchError, BenchLostError
from controller.install.doctor import command, parts
from controller.install.doctor.check import Check, fail, named, warn
from controller.install.doctor.parts import GUIDED, PARTS
from controller.install.doctor.person import Person
from controller.install.doctor.system import System
from controller.storage.database import DatabaseError
from controller.storage.journal import Counters, Journal
from controller.table.config import load_table_config
from tests.in_process import cutcard
from tests.install.doctor.at_the_table import (
    a_terminal,
    a_virtual_table,
    checks,
    doctor,
    names_no_card,
    of,
)
from tests.journal.lines import append
from tests.table.felt import Felt, a_table, write_table
from tests.waiting import until


@pytest.mark.skipif(command.USUAL_CONFIG.exists(), reason="a table is set up on this machine")
def test_before_anything_is_set_up() -> None:
    status, out, err = asyncio.run(doctor("--quick"))
    assert out.startswith("There are no table settings yet: only the computer is checked.\n")
    assert err == ""
    assert status == int(" FAIL " in out)
    for part in ("deck", "journal", "broker", "readers"):
        assert f"  skipped  {part}: no table settings were given\n" in out
    assert "  ok       Python: Python 3." in out
    assert not [part for part in GUIDED if f"\n{part}: " in out]
    assert re.search(r"\d+ ok, .*\d+ skipped\n$", out)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--only", "redaers"], "unknown part 'redaers'; did you mean 'readers'?"),
        (["--only", ","], "there are computer, "),
        (["--only", "lamps", "--quick"], "--quick leaves nothing to check of --only"),
        (["--config", "no.toml"], "no.toml: No such file or directory"),
        (["--cofnig", "x"], "unrecognized arguments: --cofnig"),
    ],
)
def test_mistakes_are_told_in_one_line(tmp_path: Path, arguments: list[str], words: str) -> None:
    status, out, err = cutcard("doctor", *arguments, cwd=tmp_path)
    assert (status, out) == (2, "")
    assert err.startswith("cutcard doctor: ")
    assert words in err
    assert err.count("\n") == 1


def test_a_mistake_in_the_settings_names_the_nearest_key(tmp_path: Path) -> None:
    (tmp_path / "table.toml").write_text("[tabel]\n")
    status, _, err = cutcard("doctor", "--config", "table.toml", cwd=tmp_path)
    assert status == 2
    assert err.count("\n") == 1
    assert "did you mean 'table'?" in err


def test_help_names_the_parts(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command.main(["--help"])
    out = capsys.readouterr().out
    assert all(f"  {part} " in out for part in PARTS)


def test_a_table_that_runs(tmp_path: Path) -> None:
    asyncio.run(_running(tmp_path))


async def _running(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        config = ("--config", str(folder / "table.toml"))
        found = await checks(*config)
        port = str(folder / "port")
        assert [each["part"] for each in found if each["name"] == port] == ["ports", "readers"]
        assert {each["status"] for each in found if each["name"] == port} == {"ok"}
        held, seen = (each["found"] for each in found if each["name"] == port)
        assert held == "there, and the table's service has it"
        assert seen.endswith(": 6 antennas, 12 buttons, 3 lamps")
        assert of(found, "deck")["found"] == "52 tags, each for a card of its own"
        assert of(found, "rule book")["found"] == "Robert's Rules of Poker"
        assert of(found, "journal")["status"] == "ok"
        assert of(found, "login")["status"] == "ok"
        assert {e["status"] for e in found if e["name"].startswith("may ")} == {"ok"}
        assert of(found, "other tables")["status"] == "ok"
        assert of(found, "strangers")["status"] == "warn"
        for part in GUIDED:
            assert of(found, part)["found"] == "there is no terminal to answer on"
        # Neither the table nor the room took the doctor's words for a message.
        told = {topic.rsplit("/", 1)[-1] for topic, _ in room.messages}
        assert told >= {"doctor", "health"}
        health = room.last("T1/health") or {}
        assert (health["refused_payloads"], health["refused_commands"]) == (0, {})
        assert not room.events("finding")
        await _in_a_hand(felt, config)


async def _in_a_hand(felt: Felt, config: tuple[str, ...]) -> None:
    """What names cards and what would be a player's act are refused, and the rest is done."""
    await felt.deal()
    only = "journal,readers,antennas,buttons,lamps"
    status, out, err = await doctor(*config, "--json", "--only", only, answers=b"y\nn\ny\n")
    found = json.loads(out)
    assert status == 1
    assert of(found, "antennas")["status"] == "refused"
    assert of(found, "antennas")["found"].startswith("hand 1 is open")
    assert of(found, "buttons")["status"] == "refused"
    assert "hand 1 is open" in of(found, "journal")["found"]
    assert of(found, "seat 1's lamp")["status"] == "ok"
    assert of(found, "seat 2's lamp")["status"] == "fail"
    assert names_no_card(out + err, felt.tags)


def test_a_hand_that_the_journal_leaves_open(tmp_path: Path) -> None:
    asyncio.run(_open_in_the_journal(tmp_path))


async def _open_in_the_journal(folder: Path) -> None:
    async with a_virtual_table(folder):
        journal = Journal.open(folder / "journal.sqlite", report=print)
        append(journal, b"{}", hand=7, counters=Counters(open=7))
        journal.close()
        config = ("--config", str(folder / "table.toml"))
        found = await checks(*config, "--only", "antennas,readers,lamps", answers=b"y\n")
        assert of(found, "antennas")["status"] == "refused"
        assert "hand 7 is open" in of(found, "antennas")["found"]
        assert of(found, "seat 1's lamp")["status"] == "ok"
        # Nobody answered for the second one.
        assert of(found, "lamps")["found"] == "nobody answers: there is no terminal"


def test_a_board_that_does_not_fit_its_settings(tmp_path: Path) -> None:
    asyncio.run(_misfit(tmp_path))


async def _misfit(folder: Path) -> None:
    async with a_virtual_table(folder, lamps=2):
        found = await checks("--config", str(folder / "table.toml"), "--only", "readers")
        (one,) = found
        assert one["status"] == "fail"
        assert one["found"] == "has 2 lamps, but 3 are configured"
        text = (folder / "table.toml").read_text()
        (folder / "table.toml").write_text(text.replace('"burn", "muck"', '"burn"'))
        (one,) = await checks("--config", str(folder / "table.toml"), "--only", "readers")
        assert one["found"].startswith("has 6 zones and 12 buttons, but 5 and 12 are configured")
        assert "say in [boards.…]" in one["todo"]
        assert "cutcard pico flash" in one["todo"]


def test_a_port_that_is_not_there(tmp_path: Path) -> None:
    write_table(tmp_path, "roberts")
    config = ("--config", str(tmp_path / "table.toml"))
    found = asyncio.run(checks(*config, "--only", "ports,readers"))
    assert [each["status"] for each in found if each["name"].endswith("/port")] == ["fail", "fail"]


def test_what_to_type_names_the_settings_in_use(tmp_path: Path) -> None:
    """Typed as it stands it finds the same table, whatever the file is called."""
    write_table(tmp_path, "roberts")
    mine = (tmp_path / "table.toml").rename(tmp_path / "my table.toml")
    _, out, _ = asyncio.run(doctor("--config", str(mine), "--only", "readers"))
    assert f"cutcard doctor --config '{mine}' --only ports" in out
    assert "cutcard doctor --only" not in out


def test_what_to_type_is_left_as_it_is_without_settings_and_where_they_are_named() -> None:
    slow = warn("x", "slow", "Find the antenna that takes so long: cutcard doctor --bench")
    assert named(slow, None) == slow
    path = Path("/a/t.toml")
    assert named(slow, path).todo.endswith(": cutcard doctor --config /a/t.toml --bench")
    for todo in ("Name them: cutcard doctor --config table.toml", "As root: sudo cutcard doctor …"):
        assert named(fail("x", "y", todo), path).todo == todo
    assert named(fail("x", "y", "Again: cutcard doctor"), path).todo == (
        "Again: cutcard doctor --config /a/t.toml"
    )


def test_answers_that_end_leave_the_rest_untried(tmp_path: Path) -> None:
    asyncio.run(_no_more_answers(tmp_path))


async def _no_more_answers(folder: Path) -> None:
    async with a_virtual_table(folder):
        config = ("--config", str(folder / "table.toml"))
        found = await checks(*config, "--only", "antennas,buttons,lamps", answers=b"")
        assert [each["status"] for each in found] == ["skipped"] * 3


def test_at_a_terminal_json_is_alone_on_standard_output(tmp_path: Path) -> None:
    asyncio.run(_both(tmp_path))


async def _both(folder: Path) -> None:
    async with (
        a_virtual_table(folder),
        a_terminal("--config", str(folder / "table.toml"), "--only", "lamps", "--json") as one,
    ):
        for seat in (1, 2, 3):
            await one.until(f"Is seat {seat}'s lamp blinking?")
            one.type("y\n")
        assert await one.end() == 0
        document = one.said[one.said.index("[\n") :]
        assert [each["status"] for each in json.loads(document)] == ["ok"] * 3


def test_antennas_beside_the_service(tmp_path: Path) -> None:
    asyncio.run(_antennas_beside(tmp_path))


async def _antennas_beside(folder: Path) -> None:
    async with (
        a_table(folder) as (felt, room, _),
        a_terminal("--config", str(folder / "table.toml"), "--only", "antennas") as terminal,
    ):
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        for seat in (1, 2, 3):
            await terminal.until(f"Put one card on seat {seat}.\n")
            felt.place(f"seat/{seat}", "As")
            await terminal.until(f"ok       seat {seat}: ")
            felt.virtual.take(f"seat/{seat}", felt.tags["As"])
        await terminal.until("Put one card on board.\n")
        terminal.type("q\n")
        assert await terminal.end() == 0


def test_what_needs_no_wires_leaves_them_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_table(tmp_path, "roberts")
    monkeypatch.setattr(parts, "open_bench", None)
    patient = parts.Patient(
        load_table_config(tmp_path / "table.toml"), System(), person=Person(0, at_terminal=True)
    )
    told: list[Check] = []
    asyncio.run(parts.examine(patient, ["rulebook"], told.append))
    assert [(check.part, check.status) for check in told] == [("rulebook", "ok")]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (
            BenchError("bench.sock: Permission denied: are you running as the service's user?"),
            [("readers", "skipped", "Permission denied"), ("lamps", "skipped", "Permission")],
        ),
        (
            BenchLostError("the table's service has stopped"),
            [("bench", "fail", "has stopped"), ("lamps", "skipped", "has stopped")],
        ),
        (
            DatabaseError("j: it is damaged"),
            [("readers", "skipped", "it is damaged"), ("lamps", "skipped", "it is damaged")],
        ),
        (
            RuntimeError("a secret"),
            [
                ("bench", "fail", "this check failed itself: RuntimeError"),
                ("lamps", "skipped", "bench"),
            ],
        ),
    ],
)
def test_a_bench_that_can_not_be_had(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    error: Exception,
    told: list[tuple[str, str, str]],
) -> None:
    @asynccontextmanager
    async def no_bench(_config: object) -> AsyncIterator[None]:
        raise error
        yield

    write_table(tmp_path, "roberts")
    monkeypatch.setattr(parts, "open_bench", no_bench)
    config = load_table_config(tmp_path / "table.toml")
    patient = parts.Patient(config, System(), person=Person(0, at_terminal=True))
    found: list[Check] = []
    asyncio.run(parts.examine(patient, ["readers", "lamps"], found.append))
    assert [(check.name, check.status) for check in found] == [each[:2] for each in told]
    for check, (_, _, words) in zip(found, told, strict=True):
        assert words in check.found
        assert "a secret" not in str(check)
