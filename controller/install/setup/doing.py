"""Does the acts of a plan, at a machine or below a folder that stands for one."""

from __future__ import annotations

import io
import os
import socket
import stat
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path, PurePosixPath

from controller.files.toml_file import ConfigError
from controller.files.whole_file import sync, write_whole
from controller.install import broker
from controller.install.backup.places import ROOM_STATE, under
from controller.install.broker import PASSWORDS, files_in
from controller.install.broker_logins import kept_in
from controller.install.setup.room_now import below, broker_folder, https, people
from controller.install.setup.services import Systemd
from controller.install.setup.steps import (
    CREDENTIALS,
    Act,
    AddAdmin,
    Certify,
    KeepSecret,
    LendCertificate,
    Link,
    MakeFolder,
    NameHost,
    Order,
    SetUpBroker,
    Write,
    WriteTable,
)
from controller.people.staff import Person
from controller.people.staff_store import Done, StaffError, StaffStore
from controller.room.commands import certificate
from controller.room.commands.here import user
from controller.room.settings import PAIRING_CERTIFICATE, PAIRING_KEY
from controller.table.config import load_table_config

_SHOWN = {"room.crt": PAIRING_CERTIFICATE, "room.key": PAIRING_KEY}


class NotDoneError(Exception):
    """An act could not be done; one line says why."""


class Doer:
    """Does one act after the other. `pin` is the hash of the new admin's."""

    def __init__(self, root: Path, systemd: Systemd, pin: str = "") -> None:
        self._root = root
        self._systemd = systemd
        self._pin = pin

    def do(self, act: Act) -> None:
        """Does it. Raises NotDoneError, ConfigError, ServicesError, OSError."""
        match act:
            case Write(path, text):
                self._write(path, text, lambda _: None)
            case WriteTable(path, text):
                self._write(path, text, load_table_config_at(self._at(path)))
            case Link(path, target):
                self._link(path, target)
            case NameHost(name):
                socket.sethostname(name)
            case KeepSecret(source, target):
                self._keep(source, target)
            case Certify(names):
                words = [word for name in names for word in ("--name", name)]
                _quietly(certificate.main, ["--folder", str(https(self._root)), *words])
            case LendCertificate():
                state = self._at(ROOM_STATE)
                state.mkdir(parents=True, exist_ok=True, mode=0o700)
                certificate.lend(https(self._root), state / "https")
            case SetUpBroker(site):
                self._set_up_broker(site)
            case AddAdmin(name):
                self._add_admin(name)
            case MakeFolder(path):
                self._at(path).mkdir(parents=True, exist_ok=True, mode=0o700)
            case Order():
                self._systemd.obey(act)

    def _at(self, path: PurePosixPath) -> Path:
        return under(self._root, path)

    def _write(self, path: PurePosixPath, text: str, check: Callable[[Path], None]) -> None:
        file = self._at(path)
        file.parent.mkdir(parents=True, exist_ok=True)
        before = file.stat() if file.exists() else None
        draft = file.with_name(f".setup-{file.name}")
        try:
            write_whole(draft, text)
            check(draft)
            draft.chmod(0o644 if before is None else stat.S_IMODE(before.st_mode))
            if before is not None and os.geteuid() == 0:
                os.chown(draft, before.st_uid, before.st_gid)
            draft.replace(file)
            sync(file.parent)
        finally:
            draft.unlink(missing_ok=True)

    def _link(self, path: PurePosixPath, target: PurePosixPath) -> None:
        place = self._at(path)
        fresh = place.with_name(f".setup-{place.name}")
        fresh.unlink(missing_ok=True)
        fresh.symlink_to(target)
        fresh.replace(place)
        sync(place.parent)

    def _keep(self, source: PurePosixPath, target: PurePosixPath) -> None:
        self._at(CREDENTIALS).mkdir(parents=True, exist_ok=True, mode=0o700)
        write_whole(self._at(target), self._at(source).read_text(encoding="utf-8"))
        self._at(source).unlink()

    def _set_up_broker(self, site: str) -> None:
        kept = kept_in(files_in(broker_folder(self._root)).settings)
        if kept is not None and not self._systemd.is_live:
            raise NotDoneError(f"the broker keeps its logins in {kept}: set it up on its machine")
        places: Mapping[str, Path] = {
            "--folder": broker_folder(self._root),
            "--passwords": below(self._root, PASSWORDS),
            "--https": https(self._root),
        }
        words = [word for name, place in places.items() for word in (name, str(place))]
        _quietly(broker.main, [*words, "--site", site])
        for name, credential in _SHOWN.items():
            kept = self._at(CREDENTIALS / credential)
            if kept.exists():
                write_whole(kept, (https(self._root) / name).read_text(encoding="utf-8"))

    def _add_admin(self, name: str) -> None:
        file = people(self._root)
        try:
            with closing(StaffStore.open(file)) as store:
                store.add(Person(name, "admin", self._pin), first_admin=True)
                here = "cutcard setup"
                said = Done(
                    time.time(), user(), "admin", here, "people add", f"{name}: admin", "ok"
                )
                store.did(said)
        except StaffError as error:
            raise NotDoneError(str(error)) from None


def load_table_config_at(path: Path) -> Callable[[Path], None]:
    """Looks whether `cutcard table` would take a draft of the file at this path."""

    def check(draft: Path) -> None:
        try:
            load_table_config(draft)
        except ConfigError as error:
            raise ConfigError(str(error).replace(str(draft), str(path))) from None

    return check


def _quietly(main: Callable[[Sequence[str]], int], words: Sequence[str]) -> None:
    """Runs a command of ours; what it says is heard only where it fails."""
    complaint = io.StringIO()
    with redirect_stdout(io.StringIO()), redirect_stderr(complaint):
        status = main(words)
    if status:
        raise NotDoneError(complaint.getvalue().strip() or f"status {status}")
