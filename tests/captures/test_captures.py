"""Every capture in this folder is a test: its account is in the `.txt` beside it.

An account that is not there is written, and its test fails once: read it aloud before it is kept.
"""

from __future__ import annotations

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.contract.events import Event
from controller.contract.observations import Observation, Tick
from controller.engine.engine import Engine

HERE = Path(__file__).parent
CAPTURES = sorted(HERE.glob("*.jsonl"))
SHORT = HERE / "pico_firmware.jsonl"


def test_there_are_captures() -> None:
    assert len(CAPTURES) >= 3


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.stem)
def test_its_account_is_the_same_as_ever(capture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(capture)]) == 0
    said = capsys.readouterr()
    assert not said.err
    golden = capture.with_suffix(".txt")
    if not golden.exists():
        golden.write_text(said.out, encoding="utf-8")
        pytest.fail(f"{golden.name} was not there and has been written: read it, then keep it")
    assert said.out == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("capture", CAPTURES, ids=lambda path: path.stem)
def test_another_rule_book_finds_the_same_at_first(
    capture: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    codes = []
    for book in ("homepokertourney", "nl-2010"):
        assert main(["replay", "--json", "--rulebook", book, str(capture)]) == 0
        events = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        codes.append([e["code"] for e in events if e["kind"] == "finding"][:1])
        assert {e["ruling"]["rulebook"] for e in events if e["kind"] == "finding"} <= {book}
    assert codes[0] == codes[1]


# --- damage -------------------------------------------------------------------------------


def lines_of(path: Path = SHORT) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def written(path: Path, records: list[dict[str, Any]]) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def fault(path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """What is said of a file that can't be read."""
    assert main(["replay", "--json", str(path)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith(f"cutcard: {path}: line ")
    assert not re.search(r"E0[0-9A-F]{14}", said)
    return said.removeprefix(f"cutcard: {path}: ").strip()


def first(records: list[dict[str, Any]], kind: str) -> int:
    return next(at for at, record in enumerate(records) if record["kind"] == kind)


@pytest.mark.parametrize(
    ("kind", "change", "what"),
    [
        ("capture", {"v": 2}, "this is capture version 2; only 1 can be read"),
        ("capture", {"speed": 0}, "this is no 'capture' record"),
        ("capture", {"thresholds": {"rests_s": []}}, "this is no 'capture' record"),
        ("faces", {"deck": 7}, "the deck in play is none of those recorded"),
        ("faces", {"decks": [{"E0001122334455667": 1}]}, "this is no 'faces' record: at $.decks"),
        ("state", {"lying": {"seat/9": ["E000"]}}, "a tag is in a place that no port has"),
        ("received", {"port": 99}, "there is no port 99"),
        ("received", {"bytes": ["0"]}, "the bytes of a frame are no hex"),
        ("received", {"bytes": [-1]}, "-1 bytes of noise"),
        ("received", {"kind": "recieved"}, "unknown kind 'recieved'"),
        ("received", {"more": 1}, "this is no 'received' record"),
        ("steps", {"at": [1.0]}, "time runs backwards within a record"),
        ("told", {"t": 0.5}, "time runs backwards, from"),
        ("told", {"o": {"kind": "rifle", "t": 1.0}}, "unknown kind 'rifle'; did you mean"),
        ("told", {"o": {"kind": "deck", "t": 1.0, "deck": {}}, "deck": 4}, "was never recorded"),
    ],
)  # fmt: skip
def test_a_wrong_record_is_named_by_its_line(
    kind: str,
    change: dict[str, Any],
    what: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    records = lines_of()
    at = first(records, kind)
    records[at] |= change
    said = fault(written(tmp_path / "capture.jsonl", records), capsys)
    assert said.startswith(f"line {at + 1}: ")
    assert what in said


@pytest.mark.parametrize(("speed", "ticks"), [(1, []), (3, [0.6])])
def test_what_is_late_depends_on_how_fast_the_time_ran(
    speed: int, ticks: list[float], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A step that comes late says nothing of the time: what the devices said is read first."""
    seen: list[float] = []
    observe = Engine.observe

    def spy(engine: Engine, observation: Observation) -> list[Event]:
        if isinstance(observation, Tick):
            seen.append(observation.t)
        return observe(engine, observation)

    monkeypatch.setattr(Engine, "observe", spy)
    header, *rest = lines_of()
    standing = rest[: first(rest, "state") + 1]
    t = standing[-1]["t"]
    header |= {"speed": speed, "tick_every": 0.1}
    at = [round(t + 0.01, 6), round(t + 0.6, 6)]
    steps = {"kind": "steps", "t": at[-1], "at": at}
    assert main(["replay", str(written(tmp_path / "c.jsonl", [header, *standing, steps]))]) == 0
    assert [round(tick - t, 6) for tick in seen if tick > at[0]] == ticks


def test_what_must_come_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "capture.jsonl"
    records = lines_of()
    assert "line 4: a second header" in fault(
        written(path, [*records[:3], {**records[0], "t": records[2]["t"]}, *records[3:]]), capsys
    )
    bare = [record for record in records if record["kind"] != "state"]
    assert "the record of how everything stood is missing" in fault(written(path, bare), capsys)
    ports = records[0]["ports"]
    doubled = [{**records[0], "ports": [*ports, *ports]}, *records[1:]]
    assert "is wired twice" in fault(written(path, doubled), capsys)


def test_a_last_line_that_is_cut_short_is_dropped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = SHORT.read_bytes()
    path = tmp_path / "capture.jsonl"
    for cut in (2, 5, 40):
        path.write_bytes(content[:-cut])
        assert main(["replay", "--json", str(path)]) == 0
        said = capsys.readouterr().err
        assert "cut short at the end of the file, dropped" in said


def test_damage_of_any_kind_is_survived_or_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    content = SHORT.read_bytes()
    path = tmp_path / "capture.jsonl"
    chance = random.Random(7)
    named = 0
    for _ in range(40):
        damaged = bytearray(content)
        for _ in range(chance.randrange(1, 4)):
            at = chance.randrange(len(damaged))
            match chance.randrange(3):
                case 0:
                    damaged[at] ^= 1 << chance.randrange(8)
                case 1:
                    del damaged[at : at + chance.randrange(1, 200)]
                case _:
                    damaged[at:at] = damaged[at : at + chance.randrange(1, 200)]
        path.write_bytes(damaged)
        status = main(["replay", str(path)])
        said = capsys.readouterr().err
        if status:
            named += 1
            assert said.startswith(f"cutcard: {path}: line ")
            assert not re.search(r"E0[0-9A-F]{14}", said)
    assert named


def test_noise_in_the_place_of_a_frame_is_survived(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = lines_of()
    for record in records[40::7]:
        if record["kind"] == "received":
            record["bytes"] = [len(piece) // 2 if isinstance(piece, str) else piece
                               for piece in record["bytes"]]  # fmt: skip
    path = written(tmp_path / "capture.jsonl", records)
    assert main(["replay", "--json", str(path)]) == 0
    kinds = [json.loads(line)["kind"] for line in capsys.readouterr().out.splitlines()]
    assert kinds[0] == "start"
