"""What a table keeps of its room: the authority, the password, and where the broker is."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from controller.files.toml_file import read_text
from controller.files.whole_file import write_whole
from controller.install.pair.meeting import Address, Authority
from controller.install.pair.table_file import with_room
from controller.pairing.words import Granted
from controller.table.config import PASSWORD_CREDENTIAL

CA_FILE = "ca.pem"


class Places:
    """Where it is kept, below `root`."""

    def __init__(self, root: Path) -> None:
        etc = root / "etc"
        self.settings = etc / "cutcard" / "table.toml"
        self.authority = self.settings.with_name(CA_FILE)
        self.password = etc / "credstore" / PASSWORD_CREDENTIAL


def try_out(places: Places) -> None:
    """Whether `join` will find all in order, before a code is used up. Raises ConfigError and
    OSError."""
    text = read_text(places.settings)
    with_room(places.settings, text, table="7", broker=_broker("room.local", 1, "site"))
    for folder in (places.settings.parent, places.password.parent):
        if folder.exists() and not os.access(folder, os.W_OK):
            raise PermissionError(13, "it can't be written; sudo cutcard pair", str(folder))


def join(places: Places, address: Address, authority: Authority, granted: Granted) -> str:
    """Keeps it; returns the host of the broker. The settings come last, so that what they name is
    there. Raises ConfigError and OSError."""
    host = granted.host or address.host
    broker = _broker(host, granted.port, granted.site)
    settings = with_room(
        places.settings, read_text(places.settings), table=granted.table, broker=broker
    )
    places.password.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    write_whole(places.password, f"{granted.password}\n")
    write_whole(places.authority, authority.pem)
    places.authority.chmod(0o644)
    _in_place_of(places.settings, lambda: write_whole(places.settings, settings))
    return host


def _broker(host: str, port: int, site: str) -> dict[str, str | int]:
    return {"host": host, "site": site, "port": port, "ca_file": CA_FILE}


def _in_place_of(file: Path, write: Callable[[], None]) -> None:
    """Whose it was, and who could read it, it is afterwards too."""
    was = file.stat()
    write()
    file.chmod(was.st_mode & 0o7777)
    if os.geteuid() == 0:
        os.chown(file, was.st_uid, was.st_gid)
