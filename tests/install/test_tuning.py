"""`cutcard doctor --bench`: figures of antennas, and the command at a pty and in a pipe."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from controller.contract.cards import CARDS
from controller.install.tuning import shown
from controller.install.tuning.meter import RECENT_S, Meters
from controller.storage.journal import Counters, Journal
from controller.table.counting import Count
from firmware_bridge.pico.sim.pico import SimulatedPico, interpreter
from firmware_bridge.pico.sim.pn5180 import Trouble
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.virtual.port import VirtualDevice, VirtualPort
from tests.install.alone import a_felt_alone
from tests.install.doctor.at_the_table import doctor, names_no_card
from tests.install.terminal import typing
from tests.journal.lines import append
from tests.table.felt import a_table

PORT = "/dev/a"
STACK = ("E004015000000012", "E004015000000022", "E004015000000033", "E004015000000044")
"""The first two end alike in four bits: they answer in one slot and collide at every scan."""


def count(t: float, tags: int, zone: str = "seat/1", **more: Any) -> Count:  # noqa: ANN401
    return Count(t, PORT, zone, tags, **more)


def metered(*counts: Count, zones: tuple[str, ...] = ("seat/1", "seat/2")) -> Meters:
    meters = Meters((PORT, zone) for zone in zones)
    for each in counts:
        meters.add(each, each.t)
    return meters


def test_what_a_service_with_other_settings_tells_is_not_counted() -> None:
    meters = metered(zones=("seat/1",))
    assert meters.add(count(0.0, 1), 0.0)
    assert not meters.add(count(0.0, 1, zone="seat/9"), 0.0)
    assert [each.scans for each in meters.whole()] == [1]


# --- figures ----------------------------------------------------------------------------------


def test_shares_are_of_all_scans_the_unreported_ones_too() -> None:
    meters = metered(
        count(0.0, 2),
        count(1.0, 1, same=4, cycle_s=0.2),
        count(1.2, 2, missed=1, gap_s=0.4, cycle_s=0.2),
        count(1.6, 0, failed=True, cycle_s=0.4, errors=1),
        count(1.8, 7, cycle_s=0.2, complete=False),
    )
    one, other = meters.whole()
    assert one.scans == 9
    assert one.by_tags == (0, 1, 6, 0, 0, 1)
    assert (one.failed, one.incomplete, one.reads, one.missed) == (1, 1, 20, 1)
    assert one.missed_share == pytest.approx(1 / 21)
    assert one.longest_gap_s == 0.4
    assert one.cycle_s == pytest.approx(1.8 / 8)
    assert one.slowest_cycle_s == 0.4
    assert (one.tags, one.collisions, one.retries, one.errors) == (7, None, None, 1)
    assert one.share(2) == 0.75
    assert (other.scans, other.tags, other.missed_share, other.share(0)) == (0, None, None, None)


def test_what_is_shown_is_of_the_last_seconds() -> None:
    meters = metered(count(0.0, 1, collisions=3), count(RECENT_S + 1, 2, collisions=1))
    now = RECENT_S + 1
    assert meters.recent(now)[0].by_tags == (0, 0, 1, 0, 0, 0)
    assert meters.recent(now)[0].collisions == 1
    assert meters.whole()[0].collisions == 4
    assert meters.recent(now)[0].tags == 2
    assert meters.recent(now + 4)[0].tags is None  # silent


def test_the_table_has_a_dash_for_what_nobody_can_tell() -> None:
    meters = metered(
        *(count(n / 10, 1, cycle_s=0.1) for n in range(199)),
        count(19.9, 0, cycle_s=0.1),
        count(0.0, 0, "seat/2", collisions=0, errors=0),
    )
    rows = shown.table(meters.whole())
    assert rows[1].split() == (
        ["seat", "1", "0", "0.10", "<1", ">99", "0", "0", "0", "0", "0.0", "–", "0", "–", "–", "–"]
    )
    assert rows[2].split()[-4:] == ["0", "0", "–", "0"]
    assert max(map(len, rows)) <= 80


@pytest.mark.parametrize("lines", [8, 12, 24, 60])
def test_the_screen_fits_its_window(lines: int) -> None:
    zones = (*(f"seat/{n}" for n in range(1, 11)), "board", "burn", "muck", "stub")
    meters = metered(zones=zones)
    seen = shown.screen(meters.recent(0.0), ["/dev/b: is gone"], "Table 1", 65.0, (60, lines))
    assert len(seen) < lines
    assert all(len(line) <= 60 for line in seen)
    assert seen[0].startswith("Table 1, 1:05.")
    assert "/dev/b: is gone" in seen
    assert any("stub" in line for line in seen) == (lines >= 24)
    assert any("make the window taller" in line for line in seen) == (lines < 19)


def test_a_line_says_what_there_is_to_say() -> None:
    meters = metered(count(0.0, 1), count(0.2, 1, cycle_s=0.2, collisions=2), zones=("seat/1",))
    assert shown.line(meters.recent(0.2), 3.0) == (
        "0:03  seat 1: 1 card, cycle 0.20 s, 0 % missed, 2 collisions"
    )
    assert shown.line(metered(count(0.0, 0), zones=("seat/1",)).recent(0.0), 3.0) == (
        "0:03  no card is read"
    )
    assert shown.line(metered().recent(0.0), 0.0) == "0:00  seat 1, seat 2: silent"


# --- the command ------------------------------------------------------------------------------


def of(lines: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines.splitlines()]


def antenna(told: dict[str, Any], zone: str) -> dict[str, Any]:
    (found,) = [each for each in told["antennas"] if each["zone"] == zone]
    return dict(found)


def write_pico_table(folder: Path) -> None:
    """Three antennas and the ten buttons of the shipped wiring."""
    buttons = [[seat, label] for seat in (1, 2, 3) for label in ("check", "call", "raise")]
    (folder / "table.toml").write_text(
        f"""
        [table]
        id = "T1"
        rulebook = "roberts"
        seats = [1, 2, 3]
        blinds = {{ small = 5, big = 10 }}
        [[port]]
        device = "{folder / "pico"}"
        zones = ["seat/1", "seat/2", "seat/3"]
        buttons = {json.dumps([*buttons, [1, "fold"]])}
        [screen]
        socket = "dealer.sock"
        [journal]
        path = "journal.sqlite"
        keys = "keys"
        """
    )


@pytest.mark.skipif(interpreter() is None, reason="MicroPython's unix port is not installed")
def test_a_stack_of_one_to_four_cards_at_the_real_firmware(tmp_path: Path) -> None:
    asyncio.run(_stack(tmp_path))


async def _stack(folder: Path) -> None:
    write_pico_table(folder)
    with SimulatedPico(link=folder / "pico") as pico:
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "controller", "doctor", "--config", str(folder / "table.toml"),
            "--bench", "--json", stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert process.stdout is not None
        seen: list[dict[str, Any]] = []

        async def until_told(
            cards: int, enough: Callable[[dict[str, Any]], bool] = lambda _: True
        ) -> dict[str, Any]:
            assert process.stdout is not None
            async with asyncio.timeout(60):
                while line := await process.stdout.readline():
                    seen.append(json.loads(line))
                    here = antenna(seen[-1], "seat/1")
                    if here["tags"] == cards and here["by_tags"][cards] and enough(here):
                        return here
            raise AssertionError(seen[-1:])

        await until_told(0)
        for cards, uid in enumerate(STACK, 1):
            pico.air.place(0, uid)
            here = await until_told(cards)
            # Only two of them answer in one slot: alone the first card meets nobody.
            if cards == 1:
                assert here["collisions"] == 0
        assert (await until_told(4))["collisions"] >= 1
        # Noise tears answers: more of them than the one slot in which two cards collide.
        pico.board.chips[0].noise = 0.3  # type: ignore[union-attr]
        await until_told(4, lambda here: here["collisions"] > 1.3 * here["scans"])
        pico.board.chips[0].noise = 0.0  # type: ignore[union-attr]
        # A card that is not read for a moment; for longer than 5 s it would be taken away.
        missed = here
        while not missed["missed"]:
            pico.air.take(0, STACK[2])
            await until_told(3)
            pico.air.place(0, STACK[2])
            missed = await until_told(4)
        assert 0.2 < missed["longest_gap_s"] < 5
        assert 0 < missed["missed_share"] < 0.5
        # And a reader that does not answer over SPI.
        pico.hang(1, Trouble.BUSY)
        while not antenna(seen[-1], "seat/2")["errors"]:
            await until_told(4)
        process.send_signal(signal.SIGINT)
        out, err = await process.communicate()
    assert (process.returncode, err.decode()) == (0, "")
    last = of(out.decode())[-1]
    assert last["kind"] == "summary"
    one, two, three = (antenna(last, f"seat/{seat}") for seat in (1, 2, 3))
    assert all(one["by_tags"][:5])
    assert one["by_tags"][5] == 0
    assert (one["errors"], one["retries"], one["incomplete"]) == (0, 0, 0)
    assert one["missed"] > 0
    assert two["failed"] >= 1
    assert two["errors"] >= 1
    assert (three["failed"], three["errors"], three["collisions"]) == (0, 0, 0)
    assert 0 < three["cycle_s"] <= three["slowest_cycle_s"]
    assert "E004" not in json.dumps(seen) + out.decode()


def test_at_a_terminal_it_is_drawn_until_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    asyncio.run(_drawn(tmp_path))


async def _drawn(folder: Path) -> None:
    async with a_felt_alone(folder) as (virtual, tags):
        for seat, card in zip((1, 1, 2), CARDS, strict=False):
            virtual.place(f"seat/{seat}", tags[card])
        config = str(folder / "table.toml")
        async with typing("doctor", "--config", config, "--bench") as terminal:
            await terminal.says("Table T1, 0:0")
            await terminal.says("Ctrl-C ends it")
            await terminal.says("seat 1     2")
            await terminal.says("seat 2     1")
            virtual.take("seat/1", tags[CARDS[0]])
            await terminal.says("seat 1     1")
            terminal.press("\x03")
            await terminal.says(" min:")
            summary = await terminal.says("can't be told")
            assert await terminal.status() == 0
        # An older device does not say what its readers counted.
        [row] = [line for line in summary.splitlines() if line.startswith("seat 2")]
        assert row.split()[-4:] == ["0", "–", "–", "–"]
        assert "slowest cycle" in summary
        assert names_no_card(terminal.screen, tags)


def test_it_is_refused_while_a_hand_is_open_and_ends_when_one_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    asyncio.run(_hands(tmp_path))


async def _hands(folder: Path) -> None:
    async with a_table(folder) as (felt, room, _):
        config = str(folder / "table.toml")
        async with typing("doctor", "--config", config, "--bench") as terminal:
            await terminal.says("antenna")
            felt.place("muck", CARDS[9])
            await terminal.says("muck       1")
            await felt.enter(kind="riffle")
            await terminal.says("hand 1 is open: antennas are tuned between two hands")
            assert await terminal.status() == 1
        status, out, err = await doctor("--config", config, "--bench", "--for", "60s")
        assert (status, out) == (1, "")
        assert err == ("cutcard doctor: hand 1 is open: antennas are tuned between two hands\n")
        assert names_no_card(terminal.screen + err, felt.tags)
        assert not room.events("finding")


def test_without_the_service_the_journal_says_that_a_hand_is_open(tmp_path: Path) -> None:
    asyncio.run(_journal(tmp_path))


async def _journal(folder: Path) -> None:
    async with a_felt_alone(folder):
        journal = Journal.open(folder / "journal.sqlite", report=lambda _: None)
        append(journal, b"{}", hand=4, counters=Counters(hands=4, open=4))
        journal.close()
        config = str(folder / "table.toml")
        status, out, err = await doctor("--config", config, "--bench", "--json", "--for", "60s")
        assert (status, out) == (1, "")
        assert "hand 4 is open" in err


def test_readers_of_every_family(tmp_path: Path) -> None:
    asyncio.run(_families(tmp_path))


async def _families(folder: Path) -> None:
    """Readers that are attached directly: what they can't tell is null, and not 0."""
    pn532, feig, puck = VirtualPn532(), VirtualFeig(2), VirtualRdm6300()
    ports: dict[str, VirtualDevice] = {"pn532": pn532, "feig": feig, "rdm6300": puck}
    zones = {"pn532": ["seat/1"], "feig": ["burn", "muck"], "rdm6300": ["seat/2"]}
    (folder / "table.toml").write_text(
        """
        [table]
        id = "T1"
        rulebook = "roberts"
        seats = [1, 2]
        blinds = { small = 5, big = 10 }
        [screen]
        socket = "dealer.sock"
        [journal]
        path = "journal.sqlite"
        keys = "keys"
        """
        + "".join(
            f"""
        [[port]]
        device = "{folder / name}"
        reader = "{name}"
        zones = {json.dumps(zones[name])}
        """
            for name in ports
        )
    )
    pn532.tags = ["04A1B2C3D4E5F6"]
    feig.tags[1] = [f"E0040150{n:08X}" for n in range(7)]
    virtual = [
        VirtualPort(device, clock=time.monotonic, sleep=asyncio.sleep, link=folder / name)
        for name, device in ports.items()
    ]
    running = [asyncio.create_task(each.run()) for each in virtual]
    try:
        status, out, err = await doctor(
            "--config", str(folder / "table.toml"), "--bench", "--json", "--for", "4s"
        )
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    assert (status, err) == (0, "")
    last = of(out)[-1]
    assert last["kind"] == "summary"
    assert last["troubles"] == []
    for zone, most in (("seat/1", 1), ("burn", 0), ("muck", 5), ("seat/2", 0)):
        here = antenna(last, zone)
        assert here["scans"] == sum(here["by_tags"]) + here["failed"]
        assert here["by_tags"][most] > 3
        assert here["cycle_s"] > 0
        assert [here[name] for name in ("collisions", "retries", "errors")] == [None] * 3
    assert antenna(last, "muck")["reads"] >= 7 * antenna(last, "muck")["by_tags"][5] > 0
    assert "04A1" not in out
    assert "E004" not in out


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--bench", "--quick"), "--bench goes alone"),
        (("--bench", "--only", "ports"), "--bench goes alone"),
        (("--for", "3s"), "--for is for --bench"),
        (("--bench", "--for", "soon"), "'soon' is not a time"),
    ],
)
def test_what_does_not_go_together(arguments: tuple[str, ...], words: str) -> None:
    status, out, err = asyncio.run(doctor(*arguments))
    assert (status, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1
