"""`cutcard capture` at a table that plays: a real service, a real socket, real files."""

from __future__ import annotations

import asyncio
import json
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest

from controller.__main__ import main
from controller.contract.cards import CARDS
from tests.install.recording import (
    is_shown,
    record,
    recording,
    replay,
    same_but_for_faces,
    until_the_end,
)
from tests.table.felt import SEATS, SPEED, Felt, Room, a_table, pause, play_to_a_four_card_flop
from tests.table.test_decks_take_turns import DECKS, deal, end_hand, view
from tests.waiting import PATIENCE_S, until

Scenario = Callable[[Felt, Room], Coroutine[Any, Any, None]]


def play(folder: Path, scenario: Scenario) -> None:
    async def run() -> None:
        async with a_table(folder) as (felt, room, _):
            await until_ready(room)
            await scenario(felt, room)

    asyncio.run(run())


async def until_ready(room: Room) -> None:
    """Until the table watches: what it senses before that it takes in later."""
    await until(lambda: (room.last("T1/$state") or {}).get("state") == "ready")


def below_the_head(path: Path) -> bytes:
    return path.read_bytes().split(b"\n", 3)[-1]


async def sweep(felt: Felt) -> None:
    """All cards are gathered."""
    for zone in (*(f"seat/{seat}" for seat in SEATS), "board", "burn", "muck"):
        for tag in felt.virtual.device.tags(felt.virtual._zones.index(zone)):
            felt.virtual.take(zone, tag)
    await pause(1.5)


async def to_the_end(felt: Felt, room: Room) -> None:
    """The four-card flop is put right, and the hand ends by folds."""
    await until(lambda: room.events("finding"))
    for card in CARDS[7:11]:
        felt.virtual.take("board", felt.tags[card])
    await until(lambda: any(e["text_id"] == "shuffle-and-cut" for e in room.events("prompt")))
    await felt.enter(kind="dealer", input="reshuffled")
    for card in CARDS[11:14]:
        felt.place("board", card)
        await pause(0.15)
    await until(lambda: room.events("closed"))
    for seat in (1, 2):
        felt.virtual.press(seat, "fold")
        await pause(0.5)
    await until(lambda: room.events("result"))


def nothing_is_named(folder: Path, tags: dict[str, str]) -> None:
    """No file holds a tag, as text or inside the bytes of a frame."""
    for path in folder.glob("captures/*"):
        content = path.read_bytes().upper()
        frames = bytes.fromhex("".join(_frames(content)))
        for tag in tags.values():
            assert tag.encode() not in content
            assert bytes.fromhex(tag) not in frames


def _frames(content: bytes) -> list[str]:
    lines = [json.loads(line) for line in content.lower().splitlines() if line.endswith(b"}")]
    told = [line["bytes"] for line in lines if line["kind"] in ("received", "sent")]
    return [piece for pieces in told for piece in pieces if isinstance(piece, str)]


def test_an_evening_is_played_again_and_names_no_card_of_it(tmp_path: Path) -> None:
    async def scenario(felt: Felt, room: Room) -> None:
        async with recording(tmp_path, room) as running:
            await play_to_a_four_card_flop(felt)
            await to_the_end(felt, room)
            await sweep(felt)
            await felt.enter(kind="riffle")
            await felt.shows(phase="deal")
            felt.place("seat/3", CARDS[0])  # seat 2 is first
            await until(lambda: len(room.events("finding")) == 2)
            status, out, err = await running.end(signal.SIGINT)
        assert status == 130
        assert not out
        assert "recorded 0:" in err
        [path] = running.files
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        again, said = await replay(path)
        assert not said
        same_but_for_faces(until_the_end(path, room.told(), again), again)
        codes = [e["code"] for e in again if e["kind"] == "finding"]
        assert codes == ["four-card-flop", "first-card-wrong-seat"]
        assert [e["hand"] for e in again if e["kind"] == "start"] == [1, 2]
        faces_change_from_hand_to_hand(path, felt.tags)
        outputs = "\n".join((out, err, said, json.dumps(again), *felt.said()))
        assert not any(tag in outputs for tag in felt.tags.values())
        await until(lambda: not is_shown(room))

    play(tmp_path, scenario)
    nothing_is_named(tmp_path, _tags(tmp_path))


def _tags(folder: Path) -> dict[str, str]:
    lines = (folder / "deck.toml").read_text().splitlines()
    return {line: line.split(" ")[0] for line in lines}


def faces_change_from_hand_to_hand(path: Path, tags: dict[str, str]) -> None:
    lines = [json.loads(line) for line in path.read_bytes().splitlines()]
    epochs = [line for line in lines if line["kind"] == "faces"]
    assert 2 <= len(epochs) <= 4  # seats, board and burn pile may be cleared one by one
    decks = [epoch["decks"][0] for epoch in epochs]
    for deck in decks:
        assert sorted(deck.values()) == sorted(tags)
        assert list(deck) == sorted(deck)
        assert all(tag.startswith("E0") and len(tag) == 16 for tag in deck)
    names = [name for deck in decks for name in deck]
    assert len(names) == len(set(names))


def test_a_capture_that_begins_in_mid_hand_has_all_of_the_hand(tmp_path: Path) -> None:
    async def scenario(felt: Felt, room: Room) -> None:
        await play_to_a_four_card_flop(felt)
        async with recording(tmp_path, room) as running:
            await to_the_end(felt, room)
            await running.end(signal.SIGTERM)
        [path] = running.files
        again, _ = await replay(path)
        same_but_for_faces(until_the_end(path, room.told(), again), again)

    play(tmp_path, scenario)
    nothing_is_named(tmp_path, _tags(tmp_path))


def test_each_file_can_be_read_by_itself(tmp_path: Path) -> None:
    async def scenario(felt: Felt, room: Room) -> None:
        options = ("--rotate-mb", "0.01", "--keep", "4", "--json")
        async with recording(tmp_path, room, *options) as running:
            await play_to_a_four_card_flop(felt)
            await to_the_end(felt, room)
            over = room.events("result")[0]["t"]
            await until(lambda: running.reaches > over)
            status, out, err = await running.end(signal.SIGINT)
        assert (status, err) == (130, "")
        said = [json.loads(line) for line in out.splitlines()]
        begun = [each["path"] for each in said if each["kind"] == "file"]
        assert len(begun) > 2
        assert [str(path) for path in running.files] == begun[-4:] == said[-1]["files"]
        assert all(path.stat().st_size < 60_000 for path in running.files)
        [found] = room.events("finding")
        results = []
        for path in running.files:
            again, said_then = await replay(path)
            assert not said_then
            if not again:  # it was begun when the hand was over
                assert json.loads(path.read_bytes().split(b"\n")[0])["t"] >= over
                continue
            assert again[0]["kind"] == "start"
            ends = json.loads(path.read_bytes().splitlines()[-1])["t"]
            codes = [e["code"] for e in again if e["kind"] == "finding"]
            assert codes == [found["code"]] or (ends <= found["t"] + 0.5 and not codes)
            results += [e["stacks"] for e in again if e["kind"] == "result"]
        assert results
        assert results[-1] == room.events("result")[0]["stacks"]

    play(tmp_path, scenario)
    nothing_is_named(tmp_path, _tags(tmp_path))


def test_decks_that_take_turns_do_so_again(tmp_path: Path) -> None:
    """The first cards of a hand show that the decks were changed."""

    async def scenario() -> None:
        async with a_table(tmp_path, decks=DECKS) as (felt, room, _):
            await until_ready(room)
            async with recording(tmp_path, room) as running:
                await deal(felt, DECKS["red"])
                await end_hand(felt, room, DECKS["red"])
                await deal(felt, DECKS["blue"], first=1)
                await until(lambda: view(room).get("phase") == "preflop")
                assert view(room)["deck"] == "blue"
                live = room.told()
                await until(lambda: running.reaches > live[-1]["t"])
                await running.end(signal.SIGINT)
            [path] = running.files
            again, said = await replay(path)
            assert not said
            assert json.loads(path.read_bytes().split(b"\n")[0])["speed"] == SPEED
            assert [e for e in again if e["kind"] == "finding"] == []
            same_but_for_faces(live, again[: len(live)])

    asyncio.run(scenario())


def test_killed_it_leaves_a_file_that_can_be_read_and_the_banner_goes(tmp_path: Path) -> None:
    async def scenario(felt: Felt, room: Room) -> None:
        async with recording(tmp_path, room) as running:
            await play_to_a_four_card_flop(felt)
            [found] = await until(lambda: room.events("finding"))
            await until(lambda: running.reaches > found["t"] + 1)
            running.process.kill()
            await until(lambda: not is_shown(room))
        [path] = running.files
        path.write_bytes(path.read_bytes()[:-7])
        again, said = await replay(path)
        assert [e["code"] for e in again if e["kind"] == "finding"] == ["four-card-flop"]
        assert said == (
            f"cutcard: warning: {path}: line {path.read_bytes().count(bytes([10])) + 1}: "
            "cut short at the end of the file, dropped\n"
        )

    play(tmp_path, scenario)


def test_raw_it_ends_when_a_hand_begins_and_is_refused_while_one_is_open(tmp_path: Path) -> None:
    async def scenario(felt: Felt, room: Room) -> None:
        felt.place("muck", CARDS[40])
        async with recording(tmp_path, room, "--raw") as running:
            felt.place("burn", CARDS[41])
            lie = [felt.tags[card].encode()[-6:] for card in CARDS[40:42]]
            await until(
                lambda: any(all(x in below_the_head(f) for x in lie) for f in running.files)
            )
            await felt.deal()
            status, _, err = await running.ended()
        assert status == 0
        assert "hand 1 is open" in err
        [path] = running.files
        content = path.read_bytes()
        for card, is_there in ((40, True), (41, True), (0, False), (1, False)):
            raw = felt.tags[CARDS[card]].encode()
            assert (raw[-6:] in below_the_head(path)) == is_there
        assert json.loads(content.splitlines()[1])["decks"] == []
        assert CARDS[40].encode() not in content
        await replay(path)
        refused = await record(tmp_path, "--raw")
        status, _, err = await refused.ended()
        assert (status, err) == (
            1,
            "cutcard capture: hand 1 is open: cards are not named until it is over\n",
        )
        await until(lambda: not is_shown(room))

    play(tmp_path, scenario)


def test_without_a_service_it_records_the_wires_alone(tmp_path: Path) -> None:
    async def run() -> None:
        from controller.broker.own import start_broker

        with start_broker("demo", ["T1"]) as broker:
            felt = Felt(tmp_path, broker)
        scanning = asyncio.create_task(felt.virtual.run())
        running = await record(tmp_path, "--for", "3s", "--json")
        await until(lambda: running.files)
        felt.place("seat/1", CARDS[3])
        status, out, err = await running.ended()
        scanning.cancel()
        assert (status, err) == (0, "")
        said = [json.loads(line) for line in out.splitlines()]
        assert "the table's service is not running: recording the wires only" in [
            each.get("text") for each in said
        ]
        [path] = running.files
        records = [json.loads(line) for line in path.read_bytes().splitlines()]
        assert any(len(r["bytes"][0]) > 60 for r in records if r["kind"] == "received")
        await replay(path)

    asyncio.run(run())
    nothing_is_named(tmp_path, _tags(tmp_path))


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (["--for", "soon"], "argument --for: 'soon' is not a time like 30s, 10m or 2h"),
        (["--keep", "0"], "argument --keep: '0' is not a number of 1 or more"),
        (["--rotate-mb", "0"], "argument --rotate-mb: '0' is not a number of 0.01 or more"),
        (["--out", "/nowhere"], "/nowhere: no such folder"),
        ([], "table.toml: No such file"),
    ],
)
def test_mistakes(
    options: list[str], fault: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "table.toml"
    if options:
        from tests.table.felt import write_table

        write_table(tmp_path, "roberts")
    try:
        status = main(["capture", "--config", str(config), *options])
    except SystemExit as ended:
        status = int(str(ended.code))
    said = capsys.readouterr()
    assert status == 2
    assert not said.out
    assert said.err.startswith("cutcard capture: ")
    assert said.err.count("\n") == 1
    assert fault in said.err


def test_it_ends_with_whoever_reads_along(tmp_path: Path) -> None:
    """As in `cutcard capture --json | head -1`."""

    async def scenario(_felt: Felt, _room: Room) -> None:
        command = f"{sys.executable} -m controller capture --config {tmp_path / 'table.toml'}"
        piped = f"set -o pipefail; {command} --json --out {tmp_path} | head -1"
        shell = await asyncio.create_subprocess_exec(
            "bash", "-c", piped, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        async with asyncio.timeout(PATIENCE_S):
            out, err = await shell.communicate()
        assert json.loads(out)["kind"] == "file"
        assert (shell.returncode, err) == (141, b"")

    play(tmp_path, scenario)
