"""The serial transport on real ptys: bytes, loss, absence, a busy port, a clogged one."""

from __future__ import annotations

import asyncio
import fcntl
import os
import tty
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from firmware_bridge.transport import MAX_OUTBOX, SerialTransport
from tests.waiting import PATIENCE_S, until


class Pty:
    """A pty whose far end is in the test's hand, behind a path that stays the same."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.far = self.near = -1

    def plug(self) -> None:
        self.far, self.near = os.openpty()
        tty.setraw(self.near)
        self.path.symlink_to(os.ttyname(self.near))

    def unplug(self) -> None:
        if self.far >= 0:
            os.close(self.far)
            os.close(self.near)
            self.path.unlink()
            self.far = -1


@pytest.fixture
def pty(tmp_path: Path) -> Iterator[Pty]:
    pty = Pty(tmp_path / "tty")
    pty.plug()
    yield pty
    pty.unplug()


class Log:
    """What a transport said, in order."""

    def __init__(self, path: Path) -> None:
        self.lines: list[str] = []
        self.received = b""
        self.transport = SerialTransport(
            str(path),
            on_open=lambda: self.lines.append("open"),
            on_bytes=self.take,
            on_lost=self.lines.append,
            sleep=lambda seconds: asyncio.sleep(seconds / 20),
        )

    def take(self, data: bytes) -> None:
        self.received += data

    async def until(self, done: Callable[[], bool]) -> None:
        await until(done)


def test_bytes_go_both_ways_unchanged(pty: Pty) -> None:
    every = bytes(range(256))

    async def scenario() -> Log:
        log = Log(pty.path)
        task = asyncio.create_task(log.transport.run())
        await log.until(lambda: log.transport.is_open)
        os.write(pty.far, every)
        await log.until(lambda: len(log.received) >= 256)
        log.transport.write(every)
        assert os.read(pty.far, 1000) == every
        task.cancel()
        return log

    log = asyncio.run(scenario())
    assert log.received == every
    assert log.lines == ["open"]


def test_a_device_that_vanishes_is_one_line_and_comes_back(pty: Pty) -> None:
    async def scenario() -> Log:
        log = Log(pty.path)
        task = asyncio.create_task(log.transport.run())
        await log.until(lambda: log.transport.is_open)
        pty.unplug()
        await log.until(lambda: not log.transport.is_open)
        log.transport.write(b"into the void")
        await asyncio.sleep(0.2)
        pty.plug()
        await log.until(lambda: log.transport.is_open)
        os.write(pty.far, b"again")
        await log.until(lambda: log.received == b"again")
        task.cancel()
        return log

    log = asyncio.run(scenario())
    assert log.lines == ["open", f"{pty.path} is gone: unplugged or switched off", "open"]
    assert log.transport.dropped == len(b"into the void")


def test_a_device_that_is_not_there_yet_is_one_line(pty: Pty) -> None:
    async def scenario() -> Log:
        pty.unplug()
        log = Log(pty.path)
        task = asyncio.create_task(log.transport.run())
        await asyncio.sleep(0.15)
        pty.plug()
        await log.until(lambda: log.transport.is_open)
        task.cancel()
        return log

    log = asyncio.run(scenario())
    assert log.lines == [f"{pty.path} is not there: is the device plugged in?", "open"]


def test_a_busy_port_is_one_line_and_is_taken_when_it_is_free(pty: Pty) -> None:
    async def scenario() -> Log:
        other = os.open(pty.path, os.O_RDWR | os.O_NOCTTY)
        fcntl.flock(other, fcntl.LOCK_EX)
        log = Log(pty.path)
        task = asyncio.create_task(log.transport.run())
        await asyncio.sleep(0.15)
        os.close(other)
        await log.until(lambda: log.transport.is_open)
        task.cancel()
        return log

    log = asyncio.run(scenario())
    assert log.lines == [f"{pty.path} is busy: another program has it open", "open"]


def test_a_port_that_is_no_port_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("no tty")

    async def scenario() -> Log:
        log = Log(path)
        task = asyncio.create_task(log.transport.run())
        await asyncio.sleep(0.1)
        task.cancel()
        return log

    [line] = asyncio.run(scenario()).lines
    assert line.startswith(f"{path} can't be opened: ")


def test_a_clogged_port_is_capped_and_flows_again(pty: Pty) -> None:
    async def scenario() -> None:
        log = Log(pty.path)
        task = asyncio.create_task(log.transport.run())
        await log.until(lambda: log.transport.is_open)
        for _ in range(400):
            log.transport.write(b"x" * 250)
        dropped = log.transport.dropped
        assert 0 < dropped < 400 * 250
        assert dropped % 250 == 0
        got = 0
        while got < 400 * 250 - dropped:
            async with asyncio.timeout(PATIENCE_S):
                await asyncio.sleep(0)
                got += len(os.read(pty.far, MAX_OUTBOX))
        log.transport.write(b"end")
        assert os.read(pty.far, 10) == b"end"
        task.cancel()

    asyncio.run(scenario())


def test_a_bug_in_a_callback_is_loud(pty: Pty) -> None:
    async def scenario() -> None:
        def fail(_: bytes) -> None:
            raise ZeroDivisionError

        log = Log(pty.path)
        transport = SerialTransport(
            str(pty.path), on_open=lambda: None, on_bytes=fail, on_lost=log.lines.append
        )
        task = asyncio.create_task(transport.run())
        await log.until(lambda: transport.is_open)
        os.write(pty.far, b"!")
        async with asyncio.timeout(PATIENCE_S):
            await task

    with pytest.raises(ZeroDivisionError):
        asyncio.run(scenario())
