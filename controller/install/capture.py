"""The command `cutcard capture`: what crosses a table's wires, into files."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import re
import signal
import sys
import time
from argparse import RawDescriptionHelpFormatter
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import msgspec

from controller.capture.files import MARK
from controller.files.toml_file import ConfigError
from controller.install import confirming
from controller.install.bench import (
    BenchEndedError,
    BenchError,
    BenchLostError,
    CaptureLines,
    open_bench,
)
from controller.process.arguments import ArgumentParser, duration
from controller.storage.database import DatabaseError
from controller.table.config import TableConfig, load_table_config

DESCRIPTION = """\
Records everything on a table's wires and everything entered at its screens, so that the evening
can be replayed: `cutcard replay FILE`. The table carries on as usual meanwhile; its dealer's
screen says that it is being recorded. Tags get false names that change with every hand and the
cards' faces are swapped, so a capture does not give away the cards of the evening.
"""
EPILOG = """\
Each file can be read on its own. Ctrl-C ends the capture with everything on disk. Exit status: 0
when it ended as planned or, with --raw, since a hand began, 1 when it was refused, or the table's
service or the disk ended it, 2 for a mistake in the arguments, 130 for Ctrl-C.

examples:
  cutcard capture --config /etc/cutcard/table.toml --out /var/tmp --for 2h
  cutcard capture --config table.toml --raw --for 30s
"""
MEGABYTE = 1_000_000
SMALLEST_MB = 0.01
FLUSH_EVERY_S = 1.0
INTERRUPTED = 130


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    parser = ArgumentParser(
        prog="cutcard capture",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("--config", metavar="FILE", type=Path, required=True, help="table.toml")
    parser.add_argument(
        "--out",
        metavar="DIR",
        type=Path,
        default=Path(),
        help="folder for the files (default: this one)",
    )
    parser.add_argument(
        "--rotate-mb",
        metavar="N",
        type=_size,
        default=64.0,
        help="start a new file after N MB (default: 64)",
    )
    parser.add_argument(
        "--keep",
        metavar="N",
        type=_positive,
        default=16,
        help="keep the last N files of this run (default: 16)",
    )
    parser.add_argument(
        "--for",
        metavar="TIME",
        dest="seconds",
        type=duration,
        help="how long to record: 30s, 10m, 2h (default: until Ctrl-C)",
    )
    parser.add_argument(
        "--raw",
        action="store_true",
        help="real tags and no deck; only between two hands, and ends when a card comes to a seat",
    )
    parser.add_argument(confirming.OPTION, action="store_true", help=confirming.HELP)
    parser.add_argument(
        "--json", action="store_true", help="print files and progress as lines of JSON"
    )
    args = parser.parse_args(argv)
    say = _Progress(as_json=args.json)
    try:
        config = load_table_config(args.config, os.environ)
        if not args.out.is_dir():
            parser.error(f"{args.out}: no such folder")
        files = Files(args.out, round(args.rotate_mb * MEGABYTE), args.keep, say.file)
        if args.no_hand:
            confirming.confirm(config)
        capture = _capture(config, files, say, args.seconds, raw=args.raw, confirmed=args.no_hand)
        return asyncio.run(capture)
    except ConfigError as error:
        return _fail(str(error), 2)
    except (BenchError, DatabaseError) as error:
        return _fail(str(error), 1)
    except BrokenPipeError:  # whoever read along has gone
        raise
    except OSError as error:
        return _fail(f"{error.filename or args.out}: {error.strerror}", 1)


def _fail(fault: str, status: int) -> int:
    sys.stderr.write(f"cutcard capture: {fault}\n")
    return status


def _positive(text: str) -> int:
    if not re.fullmatch(r"[1-9][0-9]{0,5}", text):
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of 1 or more")
    return int(text)


def _size(text: str) -> float:
    if not re.fullmatch(r"[0-9]{1,6}(?:\.[0-9]{1,3})?", text) or float(text) < SMALLEST_MB:
        raise argparse.ArgumentTypeError(f"{text[:20]!r} is not a number of {SMALLEST_MB} or more")
    return float(text)


class Files:
    """The files of one capture, each begun by a header; only their owner can read them."""

    def __init__(
        self, folder: Path, most_bytes: int, keep: int, told: Callable[[Path], None]
    ) -> None:
        """A file that has `most_bytes` is full; of more than `keep` the oldest go. `told` gets
        each file's path as it begins."""
        self.written = 0
        self.paths: list[Path] = []
        self._folder = folder
        self._most = most_bytes
        self._keep = keep
        self._told = told
        self._began = datetime.now().astimezone().strftime("%Y%m%d-%H%M%S")
        self._number = 0
        self._size = 0
        self._fd: int | None = None
        self._lines: list[bytes] = []

    @property
    def is_full(self) -> bool:
        """Whether another file should be begun."""
        return self._size >= self._most

    def add(self, line: bytes) -> None:
        """Add a line; a header begins a file."""
        if line.startswith(MARK):
            self._begin()
        self._lines.append(line)
        self._size += len(line)
        self.written += len(line)

    def flush(self) -> None:
        """Write what has been added. Raises OSError."""
        data = b"".join(self._lines)
        self._lines.clear()
        while data and self._fd is not None:
            data = data[os.write(self._fd, data) :]

    def close(self) -> None:
        """Write everything, to the disk itself. Raises OSError."""
        try:
            self.flush()
            if self._fd is not None:
                os.fsync(self._fd)
        finally:
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def _begin(self) -> None:
        self.close()
        while True:
            self._number += 1
            path = self._folder / f"capture-{self._began}-{self._number:03}.jsonl"
            try:
                self._fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
                break
            except FileExistsError:
                continue
        self._size = 0
        self.paths.append(path)
        for old in self.paths[: -self._keep]:
            old.unlink(missing_ok=True)
        del self.paths[: -self._keep]
        self._told(path)


class _Progress:
    """What the person sees, or a program reads."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json
        self._rewrites = sys.stderr.isatty() and not as_json
        self._has_line = False

    def file(self, path: Path) -> None:
        """A file was begun."""
        self._tell({"kind": "file", "path": str(path)}, f"recording to {path}")

    def note(self, text: str) -> None:
        """Something that a person should know."""
        self._tell({"kind": "note", "text": text}, text)

    def now(self, seconds: float, files: Files) -> None:
        """How far it is."""
        if self._as_json:
            told = {"kind": "progress", "seconds": round(seconds), "bytes": files.written}
            self._tell(told, "")
        elif self._rewrites:
            sys.stderr.write(f"\r{_words(seconds, files)} (Ctrl-C ends)\x1b[K")
            sys.stderr.flush()
            self._has_line = True

    def end(self, seconds: float, files: Files) -> None:
        """It is over."""
        kept = [str(path) for path in files.paths]
        told = {"kind": "end", "seconds": round(seconds), "bytes": files.written, "files": kept}
        self._tell(told, f"recorded {_words(seconds, files)}")

    def _tell(self, told: object, words: str) -> None:
        if self._as_json:
            sys.stdout.write(msgspec.json.encode(told).decode() + "\n")
            sys.stdout.flush()
            return
        sys.stderr.write("\n" * self._has_line + words + "\n")
        sys.stderr.flush()
        self._has_line = False


def _words(seconds: float, files: Files) -> str:
    minutes, rest = divmod(round(seconds), 60)
    count = len(files.paths)
    return (
        f"{minutes}:{rest:02} min, {files.written / MEGABYTE:.1f} MB in {count} "
        f"file{'s'[: count != 1]}"
    )


async def _capture(
    config: TableConfig,
    files: Files,
    say: _Progress,
    seconds: float | None,
    *,
    raw: bool,
    confirmed: bool,
) -> int:
    stop = asyncio.Event()
    caught: list[int] = []

    def catch(number: int) -> None:
        caught.append(number)
        stop.set()

    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, catch, number)
    began = time.monotonic()
    why = ""
    lost: BenchLostError | None = None
    try:
        async with open_bench(config, notice=say.note, confirmed=confirmed) as bench:
            if not bench.of_service:
                say.note("the table's service is not running: recording the wires only")
            async with bench.capture(raw=raw) as lines:
                ending = asyncio.create_task(_end(lines, stop, seconds))
                try:
                    await _write(lines, files, say)
                except BenchEndedError as error:
                    why = f"it stopped by itself: {error.reason}"
                except BenchLostError as error:
                    lost = None if ending.done() else error
                finally:
                    ending.cancel()
    finally:
        files.close()
    say.end(time.monotonic() - began, files)
    if lost is not None:
        raise lost
    if why:
        say.note(why)
    return INTERRUPTED if signal.SIGINT in caught else 0


async def _end(lines: CaptureLines, stop: asyncio.Event, seconds: float | None) -> None:
    """Ends the capture in time."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(stop.wait(), seconds)
    lines.end()


async def _write(lines: CaptureLines, files: Files, say: _Progress) -> None:
    """Writes all lines; raises what the bench does when there are no more."""
    began = flushed = time.monotonic()
    is_asked = False
    async for line in lines:
        is_asked &= not line.startswith(MARK)
        files.add(line)
        if files.is_full and not is_asked:
            is_asked = True
            lines.begin_anew()
        now = time.monotonic()
        if now - flushed >= FLUSH_EVERY_S:
            flushed = now
            files.flush()
            say.now(now - began, files)
