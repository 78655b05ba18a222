"""Puts files to their places, all of them or none: what was there is moved aside first, and comes
back where anything fails. A file is whole before it has its name, and no link is followed on the
way, since the folders of services are theirs to write."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Self

from controller.files.whole_file import sync
from controller.install.backup.manifest import BackupError
from controller.install.backup.places import Place, under

UNFINISHED = "UNFINISHED"
_BESIDE = ("-wal", "-shm", "-journal")

Owner = Callable[[Path], tuple[int, int]]
"""User and group of a file that is put, by the folder it is put into."""


class Placing:
    """A context: without an error what was put stays, else all is as it was. `aside` is where what
    was there goes; while it is under way there is a file UNFINISHED in it."""

    def __init__(self, root: Path, aside: Path) -> None:
        self._root = root
        self.aside = aside
        self.has_moved = False
        self._undo: list[Callable[[], object]] = []

    def __enter__(self) -> Self:
        self.aside.mkdir(mode=0o700)
        (self.aside / UNFINISHED).touch(mode=0o600)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        if error is not None:
            for undo in reversed(self._undo):
                undo()
        (self.aside / UNFINISHED).unlink(missing_ok=True)
        if error is not None or not self.has_moved:
            shutil.rmtree(self.aside, ignore_errors=True)

    def check(self, path: PurePosixPath, place: Place) -> None:
        """Raises BackupError where a file can't be put without following a link, or taking the
        place of a folder."""
        at = self._base(place)
        names = path.relative_to(place.folder).parts
        for name in names[:-1]:
            at /= name
            if at.is_symlink() or (at.exists() and not at.is_dir()):
                raise BackupError(f"{at}: no folder; nothing was changed")
        target = at / names[-1]
        if target.is_symlink() or (target.exists() and not target.is_file()):
            raise BackupError(f"{target}: no file; nothing was changed")

    def put(self, staged: Path, path: PurePosixPath, place: Place, mode: int, owner: Owner) -> None:
        """Moves a file of the stage to its place. Raises OSError."""
        target = self._target(path, place)
        for each in (target, *(target.with_name(target.name + end) for end in _BESIDE)):
            self._move_aside(each, under(self.aside, path).with_name(each.name))
        fresh = target.with_name(f".{target.name}.new")
        fresh.unlink(missing_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW
        self._undo.append(lambda: fresh.unlink(missing_ok=True))
        with staged.open("rb") as reading, os.fdopen(os.open(fresh, flags, 0o600), "wb") as writing:
            shutil.copyfileobj(reading, writing, 1 << 20)
            writing.flush()
            if os.geteuid() == 0:
                os.fchown(writing.fileno(), *owner(target.parent))
            os.fchmod(writing.fileno(), mode)
            os.fsync(writing.fileno())
        self._undo.append(lambda: target.unlink(missing_ok=True))
        fresh.rename(target)
        sync(target.parent)

    def make_folder(self, path: PurePosixPath, place: Place, mode: int, owner: Owner) -> None:
        """A folder that is missing. Raises OSError."""
        whole = self._target(path, place)
        if whole.is_dir():
            return
        whole.parent.mkdir(parents=True, exist_ok=True)
        whole.mkdir()
        self._undo.append(lambda: _remove(whole))
        whole.chmod(mode)
        if os.geteuid() == 0:
            os.chown(whole, *owner(whole.parent))

    def _move_aside(self, target: Path, aside: Path) -> None:
        if not target.exists():
            return
        aside.parent.mkdir(parents=True, exist_ok=True)
        moving = _Move(target, aside)
        self._undo.append(moving.undo)
        moving.do()
        self.has_moved = True

    def _base(self, place: Place) -> Path:
        """A place's own folder, which systemd may have made a link."""
        folder = under(self._root, place.folder)
        if folder.is_symlink() and not folder.exists():
            raise BackupError(f"{folder}: it leads nowhere; nothing was changed")
        return folder.resolve() if folder.exists() else folder

    def _target(self, path: PurePosixPath, place: Place) -> Path:
        return self._base(place) / path.relative_to(place.folder)


class _Move:
    """Moves a file, and back; also where moving it was cut short."""

    def __init__(self, of: Path, to: Path) -> None:
        self._of, self._to = of, to
        self._is_done = False

    def do(self) -> None:
        """Raises OSError."""
        shutil.move(self._of, self._to)
        self._is_done = True

    def undo(self) -> None:
        """Raises OSError."""
        # Cut short between two disks it may be in both places, and whole where it was.
        if self._is_done or not self._of.exists():
            shutil.move(self._to, self._of)


def unfinished(folder: Path) -> list[Path]:
    """Where a restore that a power cut ended has put what was there."""
    with suppress(OSError):
        return sorted(each.parent for each in folder.glob(f"cutcard-*/{UNFINISHED}"))
    return []


def _remove(folder: Path) -> None:
    with suppress(OSError):
        folder.rmdir()
