"""The machine as the doctor sees it: files, programs, processes. All that touches it is here."""

from __future__ import annotations

import grp
import os
import pwd
import stat
import subprocess
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Literal

from msgspec import Struct

PROGRAM_S = 4.0
LONGEST_TEXT = 1 << 20

Kind = Literal["char", "file", "dir", "socket", "other"]


class Node(Struct, frozen=True):
    """A file of some kind with its rights; `owner` and `group` are names."""

    kind: Kind
    mode: int
    owner: str
    group: str


class Holder(Struct, frozen=True):
    """A process that has a file open."""

    pid: int
    name: str
    words: tuple[str, ...] = ()


class Said(Struct, frozen=True):
    """What a program printed, and its exit status."""

    status: int
    out: str
    err: str


class Account(Struct, frozen=True):
    """Who runs the table: a user's name and the groups whose rights it has."""

    user: str
    groups: frozenset[str] = frozenset()

    def may(self, node: Node, wanted: int = 0o6) -> bool:
        """Whether it may read (4), write (2) or both (6)."""
        if self.user == "root":
            return True
        if self.user == node.owner:
            return node.mode >> 6 & wanted == wanted
        if node.group in self.groups:
            return node.mode >> 3 & wanted == wanted
        return node.mode & wanted == wanted


class System:
    """Files below `root`, which is another folder than / only for trees that were made up."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root

    def path(self, name: str) -> Path:
        """An absolute name as a path below the root."""
        return self.root / name.lstrip("/")

    def text(self, name: str) -> str | None:
        """The text of a small file, without blanks around it; None where it can't be read."""
        try:
            with self.path(name).open("rb") as file:
                return file.read(LONGEST_TEXT).decode(errors="replace").strip("\0\n ")
        except OSError:
            return None

    def names(self, pattern: str) -> list[str]:
        """The absolute names that match, sorted."""
        try:
            found = sorted(self.root.glob(pattern.lstrip("/")))
        except OSError:
            return []
        return ["/" + str(path.relative_to(self.root)) for path in found]

    def real(self, name: str) -> str:
        """Where the name leads in the end."""
        real = os.path.realpath(self.path(name))
        inside = os.path.realpath(self.root)
        return "/" + os.path.relpath(real, inside) if real.startswith(inside) else real

    def node(self, name: str) -> Node | None:
        """What is there; None if nothing, or nothing that may be looked at."""
        try:
            found = self.path(name).stat()
        except OSError:
            return None
        return Node(_kind(found.st_mode), stat.S_IMODE(found.st_mode), *_owners(found))

    def said(self, *command: str, seconds: float | None = None) -> Said | None:
        """What a program prints, by whatever status it ends; None where it is missing or takes
        too long, and then it is killed."""
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                timeout=PROGRAM_S if seconds is None else seconds,
                check=False,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        out, err = (text.decode(errors="replace").strip() for text in (done.stdout, done.stderr))
        return Said(done.returncode, out, err)

    def output(self, *command: str) -> str | None:
        """What a program prints; None where it is missing, fails or takes too long."""
        said = self.said(*command)
        return said.out if said is not None and said.status == 0 else None

    def processes(self, names: Collection[str]) -> list[Holder]:
        """The running programs with one of these names."""
        return [one for one in self._processes() if one.name in names]

    def holders(self, real: str) -> list[Holder]:
        """Who has the file open, as far as this user may see; not this process itself, nor
        whoever plays the device at the other end of a pseudo-terminal."""
        found = []
        for one in self._processes():
            if one.pid == os.getpid():
                continue
            folder = self.root / f"proc/{one.pid}/fd"
            opened = {folder / number: _target(folder / number) for number in _listed(folder)}
            plays = real.startswith("/dev/pts/") and any(
                name.endswith("/ptmx") for name in opened.values()
            )
            has = any(name == real and not _is_another(at, real) for at, name in opened.items())
            if has and not plays:
                found.append(one)
        return found

    def _processes(self) -> Iterator[Holder]:
        for entry in _listed(self.root / "proc"):
            if not entry.isdecimal():
                continue
            name = self.text(f"/proc/{entry}/comm")
            words = self.text(f"/proc/{entry}/cmdline")
            if name is not None:
                yield Holder(int(entry), name, tuple((words or "").split("\0")))


def this_account() -> Account:
    """The user who runs this process, with its groups as they are in force."""
    return Account(_user(os.geteuid()), frozenset(map(_group, {*os.getgroups(), os.getegid()})))


def account_of(user: str, more_groups: Collection[str]) -> Account:
    """A user of this machine, with groups that come on top, as a service's may."""
    groups = {each.gr_name for each in grp.getgrall() if user in each.gr_mem}
    try:
        groups.add(_group(pwd.getpwnam(user).pw_gid))
    except KeyError:
        return Account(user, frozenset(more_groups))
    return Account(user, frozenset(groups | set(more_groups)))


def _is_another(link: Path, real: str) -> bool:
    """Whether what a process has open under this name is something else: a container has its own
    `/dev/pts/3`."""
    try:
        theirs, ours = link.stat(), Path(real).stat()
    except OSError:
        return False
    return (theirs.st_dev, theirs.st_ino) != (ours.st_dev, ours.st_ino)


def _owners(found: os.stat_result) -> tuple[str, str]:
    return _user(found.st_uid), _group(found.st_gid)


def _user(number: int) -> str:
    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return str(number)


def _group(number: int) -> str:
    try:
        return grp.getgrgid(number).gr_name
    except KeyError:
        return str(number)


def _kind(mode: int) -> Kind:
    if stat.S_ISCHR(mode):
        return "char"
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "dir"
    return "socket" if stat.S_ISSOCK(mode) else "other"


def _listed(folder: Path) -> list[str]:
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def _target(link: Path) -> str:
    try:
        return str(link.readlink())
    except OSError:
        return ""
