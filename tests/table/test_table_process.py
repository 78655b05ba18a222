"""`cutcard table` as a service: a real pty, a real broker, a real kill -9 in mid-hand."""

from __future__ import annotations

import asyncio
import json
import signal
import stat
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from controller.broker.own import start_broker
from controller.broker.ports import free_port
from controller.contract.cards import CARDS
from tests.journal.lines import kept as kept_lines
from tests.table.felt import Felt, Room, a_table, but_stalls, pause, play_to_a_four_card_flop
from tests.waiting import PATIENCE_S, answers, until


def test_killed_in_mid_hand_it_goes_on_with_the_same_hand(tmp_path: Path) -> None:
    asyncio.run(_killed_in_mid_hand(tmp_path))


async def _killed_in_mid_hand(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: (room.last("T1/hand") or {})["view"].get("findings"))
        before = room.last("T1/hand")
        assert before is not None
        assert 0 < before["t"] - before["view"]["findings"][0]["t"] < 10
        session = before["session"]
        await felt.kill()
        await until(lambda: (room.last("T1/$state") or {})["state"] == "lost")
        await felt.start()
        await until(lambda: (room.last("T1/$state") or {})["state"] == "ready")
        await until(lambda: (room.last("T1/hand") or {})["session"] != session)
        after = room.last("T1/hand")
        assert after is not None
        for same in ("hand", "phase", "button", "seats", "board", "findings", "prompt"):
            assert after["view"].get(same) == before["view"].get(same), same
        assert room.last("T1/alerts/1") is not None
        # The remedy is carried out after the restart and understood.
        await until(lambda: _not_watched(room))
        await pause(5)
        for card in CARDS[7:11]:
            felt.virtual.take("board", felt.tags[card])
        await pause(2.0)
        await felt.enter(kind="dealer", input="reshuffled")
        for card in CARDS[11:14]:
            felt.place("board", card)
            await pause(0.15)
        await until(lambda: room.events("closed"))
        assert [e["how"] for e in room.events("closed")] == ["remedied"]
        assert len(room.events("finding")) == 1
        await until(lambda: room.last("T1/alerts/1") is None)
        sequences: dict[str, list[int]] = {}
        for topic, payload in room.messages:
            if topic.endswith("/events"):
                told = json.loads(payload)
                sequences.setdefault(told["session"], []).append(told["seq"])
        assert len(sequences) == 2
        for numbers in sequences.values():
            assert sorted(set(numbers)) == list(range(1, max(numbers) + 1))
    _nothing_secret_was_kept(folder)


def _not_watched(room: Room) -> bool:
    """Whether nothing is amiss but that nobody watched for a while."""
    links = (room.last("T1/hand") or {})["view"].get("links", ())
    return [words.partition(" ")[0] for words in links] == ["not"]


def _nothing_secret_was_kept(folder: Path) -> None:
    for path in folder.glob("journal.sqlite*"):
        content = path.read_bytes()
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert b"E0040150" not in content
    lines = b"".join(kept_lines(folder / "journal.sqlite"))
    assert lines
    assert not any(f'"{card}"'.encode() in lines for card in CARDS)


def test_the_floor_decides_and_is_answered(tmp_path: Path) -> None:
    asyncio.run(_floor_decides(tmp_path))


async def _floor_decides(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        session = (room.last("T1/hand") or {})["session"]
        now = {"session": session, "hand": 1}
        room.command("ruling", id="a", finding=1, outcome="stands", **now)
        await until(lambda: (room.last("answers/test") or {}).get("id") == "a")
        assert (room.last("answers/test") or {})["ok"] is True
        await until(lambda: room.events("closed"))
        assert room.events("closed")[0]["how"] == "ruled"
        refusals = {
            "a": {"finding": 1, "outcome": "stands", **now},
            "b": {"finding": 9, "outcome": "stands", **now},
            "c": {"finding": 1, "outcome": "stands", "session": "old", "hand": 1},
            "d": {"finding": 1, "outcome": "stands", "session": session, "hand": 7},
        }
        for id_, fields in refusals.items():
            answered = room.answers()
            room.command("ruling", id=id_, **fields)
            await until(partial(_more, room.answers, answered))
            assert (room.last("answers/test") or {})["ok"] is False, id_
        counted = {"repeated": 1, "finding": 1, "session": 1, "hand": 1}
        await until(lambda: (room.last("T1/health") or {}).get("refused_commands") == counted)
        assert but_stalls((room.last("T1/health") or {})["links"]) == []


def _more(count: Callable[[], int], than: int) -> bool:
    return count() > than


def test_without_a_broker_it_deals_on_and_sends_afterwards(tmp_path: Path) -> None:
    asyncio.run(_broker_comes_late(tmp_path))


async def _broker_comes_late(folder: Path) -> None:
    port = free_port()
    broker = start_broker("demo", ["T1"], port=port)
    felt = Felt(folder, broker)
    broker.stop()
    scanning = asyncio.create_task(felt.virtual.run())
    await felt.start()
    try:
        await until(lambda: answers(folder / "dealer.sock"))
        await play_to_a_four_card_flop(felt)
        await felt.shows_a_finding()
        await felt.kill()  # what waits for the broker survives that as well
        with start_broker("demo", ["T1"], port=port) as late:
            (folder / "password").write_text(str(late.tables["T1"].password))
            room = Room(late)
            await felt.start()
            await until(lambda: room.events("finding"))
            first = [json.loads(p)["seq"] for t, p in room.messages if t.endswith("/events")]
            assert first[:5] == [1, 2, 3, 4, 5]
            room.close()
            assert felt.process is not None
            felt.process.terminate()
            assert await asyncio.wait_for(felt.process.wait(), PATIENCE_S) == 0
    finally:
        if felt.process is not None and felt.process.returncode is None:
            await felt.kill()
        scanning.cancel()
        await asyncio.gather(scanning, return_exceptions=True)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        (("rulebook", "rulebok"), "rulebook"),
        (('"board"', '"bored"'), "board"),
        (("deck.toml", "dock.toml"), "dock.toml"),
    ],
)
def test_a_mistake_in_the_file_is_one_line(
    tmp_path: Path, change: tuple[str, str], fault: str
) -> None:
    async def run() -> tuple[int, str]:
        with start_broker("demo", ["T1"]) as broker:
            felt = Felt(tmp_path, broker)
            felt.virtual.unplug()
        file = tmp_path / "table.toml"
        file.write_text(file.read_text().replace(*change))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "table", "--config", str(file),
            stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        _, said = await asyncio.wait_for(process.communicate(), PATIENCE_S)
        return process.returncode or 0, said.decode()

    status, said = asyncio.run(run())
    assert status == 2
    assert said.count("\n") == 1
    assert fault in said


def test_it_ends_on_a_signal_and_its_memory_is_private(tmp_path: Path) -> None:
    asyncio.run(_ends(tmp_path))


def _limits(pid: int) -> str:
    return Path(f"/proc/{pid}/limits").read_text()


async def _ends(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        process = felt.process
        assert process is not None
        limits = _limits(process.pid)
        core = next(line for line in limits.splitlines() if "core file" in line)
        assert core.split()[4:6] == ["0", "0"]
        assert stat.S_IMODE((folder / "dealer.sock").stat().st_mode) == 0o600
        process.send_signal(signal.SIGTERM)
        assert await asyncio.wait_for(process.wait(), PATIENCE_S) == 0
        await until(lambda: (room.last("T1/$state") or {})["state"] == "lost")
        assert not (folder / "dealer.sock").exists()
