"""What a table survives, counts and says: noise, forged commands, a full disk, a lost broker."""

from __future__ import annotations

import asyncio
import json
import random
import re
import resource
from pathlib import Path
from typing import Any

from controller.contract.cards import CARDS
from controller.contract.messages import MAX_COMMAND
from firmware_bridge.link.frames import Frame, Kind, encode
from tests.journal.lines import kept as kept_lines
from tests.table.felt import Felt, Room, a_table, but_stalls, pause, play_to_a_four_card_flop
from tests.waiting import PATIENCE_S, until


def health(room: Room) -> dict[str, Any]:
    return room.last("T1/health") or {}


def hand(room: Room) -> dict[str, Any]:
    return (room.last("T1/hand") or {}).get("view", {})  # type: ignore[no-any-return]


def test_what_is_broken_on_the_wire_is_counted_and_the_hand_goes_on(tmp_path: Path) -> None:
    asyncio.run(_noise(tmp_path))


async def _disturb(felt: Felt) -> None:
    chance = random.Random(3)
    whole = encode(Frame(Kind.REPORT, 1, bytes(range(1, 41))))
    while True:
        felt.virtual.disturb(b"\0" + chance.randbytes(40) + b"\0")
        felt.virtual.disturb(whole[: chance.randrange(1, 40)] + b"\0")
        felt.virtual.disturb(encode(Frame(Kind.REPORT, 1, b"new", version=2)))
        await asyncio.sleep(0.1)


async def _noise(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        disturbing = asyncio.create_task(_disturb(felt))
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        disturbing.cancel()
        assert [event["code"] for event in room.events("finding")] == ["four-card-flop"]
        await until(lambda: health(room)["wires"][0]["other_version"] >= 10)
        (wire,) = health(room)["wires"]
        assert (wire["port"], wire["state"]) == (str(folder / "port"), "up")
        assert wire["bad_frames"] >= 20
        assert wire["noise_bytes"] >= 400
        assert 0 <= wire["clock_error_ms"] < 1000
        assert but_stalls(health(room)["links"]) == []


def test_commands_that_are_not_in_order_are_refused_and_counted(tmp_path: Path) -> None:
    asyncio.run(_forged(tmp_path))


async def _forged(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        await felt.kill()
        now: dict[str, object] = {"session": (room.last("T1/hand") or {})["session"], "hand": 1}
        kept = {"v": 1, "id": "kept", "actor": "Ann", "role": "floor", "finding": 1, **now}
        room.publish("dismiss", json.dumps(kept).encode(), retain=True)
        await felt.start()
        await until(lambda: (room.last("T1/hand") or {})["session"] != now["session"])
        now["session"] = (room.last("T1/hand") or {})["session"]
        heard = kept | {"id": "heard"} | now  # the table listens, and it is kept all the same
        room.publish("dismiss", json.dumps(heard).encode(), retain=True)
        room.publish("dismiss", b"{")
        room.publish("dismiss", b"\xff" * 40)
        room.publish("dismiss", b" " * (MAX_COMMAND + 1))
        room.publish("dis miss", json.dumps(kept | now).encode())
        room.command("dismis", id="a", finding=1, **now)
        room.command("dismiss", id="b", finding=1, role="dealer", **now)
        room.command("dismiss", id="c", finding=1, v=2, **now)
        room.command("coming", id="d", mood="good", **now)
        room.command("coming", id="d", **now)
        counted = {
            "retained": 2,
            "malformed": 2,
            "oversize": 1,
            "unknown-command": 1,
            "unknown-version": 1,
            "role": 1,
            "repeated": 1,
        }
        await until(lambda: health(room).get("refused_commands") == counted)
        assert (health(room)["refused_payloads"], health(room)["unknown_fields"]) == (1, 1)
        assert [finding["id"] for finding in hand(room)["findings"]] == [1]
        await felt.enter(kind="floor", input="dismiss", finding=1)
        await until(lambda: health(room)["refused_entries"] == 1)
        assert not room.events("closed")


def test_with_a_full_disk_it_deals_on_and_says_so(tmp_path: Path) -> None:
    asyncio.run(_full_disk(tmp_path))


async def _full_disk(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        assert felt.process is not None
        most = resource.prlimit(felt.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(felt.process.pid, resource.RLIMIT_FSIZE, (4096, most[1]))
        lines = len(kept_lines(folder / "journal.sqlite"))
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.events("finding"))
        await until(lambda: any("nothing is recorded" in each for each in health(room)["links"]))
        await until(lambda: any("nothing is recorded" in each for each in hand(room)["links"]))
        assert "full" in str(health(room)["links"])
        await until(lambda: health(room)["journal_faults"] >= 10)
        assert len(kept_lines(folder / "journal.sqlite")) == lines
        now = {"session": (room.last("T1/hand") or {})["session"], "hand": 1}
        room.command("coming", id="a", **now)
        await until(lambda: (room.last("answers/test") or {}).get("ok"))
        room.command("coming", id="a", **now)
        await until(lambda: health(room).get("refused_commands") == {"repeated": 1})

        resource.prlimit(felt.process.pid, resource.RLIMIT_FSIZE, most)
        await felt.enter(kind="dealer", input="dismiss", finding=1)
        await until(lambda: "(full disk)" in str(health(room)["links"]))
        [words] = but_stalls(health(room)["links"])
        assert re.fullmatch(r"not watched [0-9:]{8}–[0-9:]{8} \(full disk\)", words)
        # The hand is on the disk from its beginning on, and that it was not for a while.
        told = [json.loads(line)["o"] for line in kept_lines(folder / "journal.sqlite")]
        kinds = [o["kind"] for o in told if o.get("why") != "stall"]
        assert kinds.count("riffle") == 1
        assert kinds.count("gap") == 1
        assert kinds.count("press") == 3
        assert len(kept_lines(folder / "journal.sqlite")) > lines
        # Only a priority 1 waits for the floor.
        await until(lambda: room.last("T1/alerts/1") is None)


def test_what_the_dealer_dismissed_waits_for_the_floor(tmp_path: Path) -> None:
    asyncio.run(_held(tmp_path))


async def _held(folder: Path) -> None:
    async with a_table(folder, "uk-tda") as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.last("T1/alerts/1"))
        assert (room.last("T1/alerts/1") or {})["dismissed"] is None
        await felt.enter(kind="dealer", input="dismiss", finding=1, reason="misread")
        await until(lambda: room.events("closed"))
        await until(lambda: (room.last("T1/alerts/1") or {})["dismissed"])
        await until(lambda: not hand(room).get("findings"))

        session = (room.last("T1/hand") or {})["session"]
        await felt.kill()
        await felt.start()
        await until(lambda: (room.last("T1/alerts/1") or {})["session"] != session)
        await until(lambda: room.states()[-1] == "ready")
        held = room.last("T1/alerts/1") or {}
        assert held["dismissed"] == {"hand": 1, "by": None, "reason": "misread"}
        assert held["finding"]["code"] == "four-card-flop"
        await felt.enter(kind="award")
        await felt.enter(kind="riffle")
        await until(lambda: hand(room)["hand"] == 2)
        assert room.last("T1/alerts/1") is not None

        now = {"session": held["session"], "hand": 2, "finding": 1}
        room.command("ruling", id="a", outcome="stands", **now)
        await until(lambda: (room.last("answers/test") or {}).get("ok"))
        await until(lambda: room.last("T1/alerts/1") is None)
        room.command("dismiss", id="b", **now)
        await until(lambda: (room.last("answers/test") or {}).get("reason") == "finding")
        assert len(room.events("closed")) == 1


def test_the_floors_own_dismissal_leaves_nothing(tmp_path: Path) -> None:
    asyncio.run(_floor_dismisses(tmp_path))


async def _floor_dismisses(folder: Path) -> None:
    async with a_table(folder, "uk-tda") as (felt, room, _):
        await play_to_a_four_card_flop(felt)
        await until(lambda: room.last("T1/alerts/1"))
        now = {"session": (room.last("T1/hand") or {})["session"], "hand": 1, "finding": 1}
        room.command("dismiss", id="a", **now)
        await until(lambda: room.last("T1/alerts/1") is None)
        await until(lambda: [event["how"] for event in room.events("closed")] == ["dismissed"])


def test_it_says_init_then_ready_and_at_the_end_lost(tmp_path: Path) -> None:
    asyncio.run(_states(tmp_path))


async def _states(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await until(lambda: room.states() == ["init", "ready"])
        felt.place("board", CARDS[0])
        await until(lambda: len(list(folder.glob("journal.sqlite"))))
        await pause(1)
        await felt.kill()
        await until(lambda: room.states()[-1] == "lost")
        await felt.start()
        await until(lambda: room.states()[-1] == "init")
        await until(lambda: room.states()[-1] == "ready")
        assert felt.process is not None
        felt.process.terminate()
        assert await asyncio.wait_for(felt.process.wait(), PATIENCE_S) == 0
        await until(lambda: room.states() == ["init", "ready", "lost", "init", "ready", "lost"])


def test_a_lost_broker_is_said_once(tmp_path: Path) -> None:
    asyncio.run(_lost_broker(tmp_path))


async def _lost_broker(folder: Path) -> None:
    async with a_table(folder) as (felt, room, broker):
        await until(lambda: room.states()[-1] == "ready")
        broker.stop()
        await until(lambda: any("127.0.0.1" in line for line in felt.said()))
        await asyncio.sleep(1.5)  # three attempts to connect
        about = [line for line in felt.said() if "127.0.0.1" in line]
        assert len(about) == 1, about
        assert "lost the broker" in about[0]


def test_after_a_power_cut_the_hand_is_said_not_to_be_verified(tmp_path: Path) -> None:
    asyncio.run(_power_cut(tmp_path))


async def _power_cut(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        await felt.deal()
        await until(lambda: hand(room).get("phase") == "preflop")
        before = room.last("T1/hand") or {}
        await felt.kill()
        (folder / "keys" / "hand.key").unlink()
        await felt.start()
        await until(lambda: (room.last("T1/hand") or {})["session"] != before["session"])
        await until(lambda: "not verified" in str(hand(room).get("links")))
        for same in ("hand", "phase", "button", "seats", "prompt"):
            assert hand(room)[same] == before["view"][same], same
        await until(lambda: "not verified" in str(health(room).get("links")))
        await felt.enter(kind="award")
        await felt.enter(kind="riffle")
        await until(lambda: hand(room)["hand"] == 2 and not hand(room).get("links"))
        assert not room.events("finding")
