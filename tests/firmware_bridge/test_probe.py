"""Who is at which port: devices of software on real ptys, each asked in every manner."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest

from firmware_bridge.families import FAMILIES
from firmware_bridge.link.frames import Frame, FrameDecoder, Kind, encode
from firmware_bridge.probe import Answer, Manner, NobodyThere, who_is_at
from firmware_bridge.readers.feig.virtual import VirtualFeig
from firmware_bridge.readers.pepper.virtual import VirtualPepper
from firmware_bridge.readers.pn532.virtual import VirtualPn532
from firmware_bridge.readers.rdm6300.virtual import VirtualRdm6300
from firmware_bridge.readers.yrm100.virtual import VirtualYrm100
from firmware_bridge.search import every_port, ports_at
from firmware_bridge.virtual.port import VirtualDevice, VirtualPort

MANNERS = (
    Manner(FAMILIES["pico"], 115200),
    Manner(FAMILIES["pn532"], 115200),
    Manner(FAMILIES["pepper"], 115200),
    Manner(FAMILIES["yrm100"], 115200),
    Manner(FAMILIES["feig"], 38400, "even"),
    Manner(FAMILIES["rdm6300"], 9600),
)


class Newer:
    """A board whose frames are of a version that is not known here; keeps what it is asked."""

    def __init__(self) -> None:
        self.asked = b""

    def receive(self, data: bytes, _now: float) -> None:
        self.asked += data

    def poll(self, _now: float) -> bytes:
        return b"\0" + encode(Frame(kind=Kind.REPORT, seq=1, ack=0, msg=2, ticks=0, version=9))


def asked(device: VirtualDevice, folder: Path, *manners: Manner) -> Answer | NobodyThere:
    async def ask() -> Answer | NobodyThere:
        port = VirtualPort(device, folder / "port", clock=time.monotonic)
        answering = asyncio.create_task(port.run())
        try:
            return await who_is_at(port.path, manners or MANNERS, clock=time.monotonic)
        finally:
            answering.cancel()
            await asyncio.gather(answering, return_exceptions=True)

    return asyncio.run(ask())


@pytest.mark.parametrize(
    ("device", "manner", "zones"),
    [
        (VirtualPn532(), MANNERS[1], 1),
        (VirtualPepper(8), MANNERS[2], 8),
        (VirtualPepper(1), MANNERS[2], 1),
        (VirtualYrm100(), MANNERS[3], 1),
        (VirtualFeig(1), MANNERS[4], 1),
        (VirtualFeig(4), MANNERS[4], 8),
    ],
)
def test_a_reader_is_known_by_the_answer_to_its_own_question(
    tmp_path: Path, device: VirtualDevice, manner: Manner, zones: int
) -> None:
    said = asked(device, tmp_path)
    assert isinstance(said, Answer)
    assert (said.manner, said.zones) == (manner, zones)


def test_a_newer_board_is_told_and_not_asked_as_if_it_were_a_reader(tmp_path: Path) -> None:
    board, ours = Newer(), FrameDecoder()
    said = asked(board, tmp_path)
    assert isinstance(said, NobodyThere)
    assert said.opened
    assert "version" in said.text
    assert ours.feed(board.asked)
    told = ours.counters
    assert (told.noise_bytes, told.bad_cobs, told.bad_crc, told.too_long) == (0, 0, 0, 0)


def test_who_is_mute_is_nobody(tmp_path: Path) -> None:
    device = VirtualPn532()
    device.mute = True
    said = asked(device, tmp_path, MANNERS[1])
    assert said == NobodyThere(
        str(tmp_path / "port"), f"nothing answers at {tmp_path / 'port'}", True
    )


def test_what_comes_while_this_machine_stands_still_is_heard(tmp_path: Path) -> None:
    device, manner = VirtualRdm6300(), MANNERS[5]
    device.tags = ["0102030405"]

    async def ask() -> Answer | NobodyThere:
        port = VirtualPort(device, tmp_path / "port", clock=time.monotonic)
        asking = asyncio.create_task(who_is_at(port.path, (manner,), clock=time.monotonic))
        await asyncio.sleep(0.1)
        port.disturb(device.poll(time.monotonic()))
        time.sleep(manner.family.answers_within_s)  # noqa: ASYNC251
        try:
            return await asking
        finally:
            port.unplug()

    assert isinstance(asyncio.run(ask()), Answer)


def test_a_port_that_is_not_there_is_given_up_at_once(tmp_path: Path) -> None:
    async def ask() -> Answer | NobodyThere:
        return await who_is_at(str(tmp_path / "none"), MANNERS, clock=time.monotonic)

    said = asyncio.run(ask())
    assert isinstance(said, NobodyThere)
    assert not said.opened
    assert "is the device plugged in?" in said.text


def dev(folder: Path, *links: tuple[str, str]) -> str:
    for name in {to for _, to in links}:
        (folder / name).touch()
    for name, to in links:
        path = folder / "serial" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(folder / to)
    return str(folder)


def test_a_port_goes_by_its_devices_name(tmp_path: Path) -> None:
    found = every_port(
        dev(
            tmp_path,
            ("by-id/pico", "ttyACM0"),
            ("by-path/1", "ttyACM0"),
            ("by-id/ftdi", "ttyUSB0"),
            ("by-path/2", "ttyUSB0"),
        )
    )
    assert found == [f"{tmp_path}/serial/by-id/ftdi", f"{tmp_path}/serial/by-id/pico"]


def test_two_devices_that_share_a_name_go_by_their_sockets(tmp_path: Path) -> None:
    found = every_port(
        dev(
            tmp_path,
            ("by-id/cheap", "ttyUSB1"),
            ("by-path/1", "ttyUSB0"),
            ("by-path/2", "ttyUSB1"),
        )
    )
    assert found == [f"{tmp_path}/serial/by-path/1", f"{tmp_path}/serial/by-path/2"]


def test_a_port_with_two_names_is_one(tmp_path: Path) -> None:
    dev(tmp_path, ("by-id/a", "ttyACM0"))
    assert ports_at([f"{tmp_path}/ttyACM*", f"{tmp_path}/serial/by-id/*"]) == [
        f"{tmp_path}/ttyACM0"
    ]
