"""A database as the bytes of one file, read while others write to it, and what has changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from controller.contract.stand_by import PAGE
from controller.files.whole_file import write_whole
from controller.storage.database import Database

_BLOCK = 64


class Images:
    """Follows one file: what another connection has committed to it, in this process or not."""

    def __init__(self, path: Path) -> None:
        """There need be no such file yet."""
        self._path = path
        self._database: Database | None = None
        self._inode = 0
        self._version: object = None

    def latest(self) -> bytes | None:
        """The file's bytes as of the last commit, the write-ahead log included, where they may not
        be those of the last time; None where nothing was committed since, or there is none.
        Raises DatabaseError."""
        try:
            inode = self._path.stat().st_ino
        except FileNotFoundError:
            self.close()
            return None
        if inode != self._inode:  # another one has taken its place
            self.close()
        if self._database is None:
            self._database, self._inode = Database(self._path, read_only=True), inode
        version = self._database.rows("PRAGMA data_version")
        if version == self._version:
            return None
        with self._database.faults():
            image = self._database.connection.serialize()
        self._version = version
        return image

    def close(self) -> None:
        """Let go of the file; the next look finds it changed."""
        if self._database is not None:
            self._database.close()
        self._database, self._inode, self._version = None, 0, None


def differences(before: bytes, after: bytes) -> Iterator[tuple[int, bytes]]:
    """The pages of `after` that `before` has not, those side by side together: the number of the
    first, and their bytes."""
    old, new = memoryview(before), memoryview(after)
    run: list[memoryview] = []
    first = 0
    for begin in range(0, len(after), PAGE * _BLOCK):
        end = begin + PAGE * _BLOCK
        if old[begin:end] == new[begin:end]:
            if run:
                yield first, b"".join(run)
                run = []
            continue
        for at in range(begin, min(end, len(after)), PAGE):
            if old[at : at + PAGE] != new[at : at + PAGE]:
                first = first if run else at // PAGE
                run.append(new[at : at + PAGE])
            elif run:
                yield first, b"".join(run)
                run = []
    if run:
        yield first, b"".join(run)


def changed(before: bytes, size: int, runs: Iterable[tuple[int, bytes]]) -> bytes:
    """What has `size` bytes and these pages, and else is as before. Raises ValueError for pages
    that lie outside of it."""
    image = bytearray(before[:size].ljust(size, b"\0"))
    for first, data in runs:
        begin = first * PAGE
        if begin + len(data) > size:
            raise ValueError("pages beyond the end")
        image[begin : begin + len(data)] = data
    return bytes(image)


def put(path: Path, image: bytes) -> None:
    """There is a database of these bytes now, whole or not at all; nobody else may have it open.
    Raises OSError."""
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    for beside in ("-wal", "-shm"):  # they belong to the one that was there
        path.with_name(f"{path.name}{beside}").unlink(missing_ok=True)
    write_whole(path, image)
