"""Where mosquitto has its logins from: two files that it reads, or one that it keeps itself.

Both hold the same hashes, so that what was the one becomes the other and nobody's password changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Protocol

import msgspec

from controller.broker import logins, mosquitto
from controller.broker.mosquitto import Account

PLUGINS = Path("/usr/lib")
_SITE = re.compile(r"cutcard/1/([^/]+)/")
_KEPT_IN = re.compile(r"^plugin_opt_config_file (.+)$", re.MULTILINE)


class LoginsError(Exception):
    """The logins can't be had so; the text is one line for the user."""


class Kept(Protocol):
    """One of the two ways. `restart`: what is written there counts only after one."""

    restart: bool

    def known(self) -> dict[str, str]:
        """Who has a password: user → the line of a `password_file`. Raises LoginsError."""

    def site(self) -> str | None:
        """The site in the rights, where there are some already."""

    def settings(self) -> str:
        """The lines of mosquitto's settings that name it. Raises LoginsError."""

    def texts(
        self, site: str, accounts: Iterable[Account], lines: Mapping[str, str]
    ) -> dict[Path, str]:
        """What is to be in each file; a file that says the same already keeps its text. Raises
        ValueError for a site that is no name."""


class ByFile:
    """A `password_file` and an `acl_file`."""

    restart = False

    def __init__(self, passwords: Path, rights: Path) -> None:
        self.passwords, self.rights = passwords, rights

    def known(self) -> dict[str, str]:
        """Who has a password."""
        lines = _text(self.passwords).splitlines()
        return {line.partition(":")[0]: f"{line}\n" for line in lines if line}

    def site(self) -> str | None:
        """The site in the rights."""
        return _site(_text(self.rights))

    def settings(self) -> str:
        """The lines that name both."""
        return mosquitto.by_file(self.passwords, self.rights)

    def texts(
        self, site: str, accounts: Iterable[Account], lines: Mapping[str, str]
    ) -> dict[Path, str]:
        """What is to be in both."""
        rights = mosquitto.rights(site, accounts)
        return {self.passwords: "".join(lines.values()), self.rights: rights}


class ByRoom:
    """What mosquitto's dynamic security keeps, and the room's steward changes."""

    restart = True

    def __init__(self, file: Path) -> None:
        self.file = file

    def known(self) -> dict[str, str]:
        """Who has a password."""
        return logins.password_lines(self._held())

    def site(self) -> str | None:
        """The site in the rights."""
        return _site(_text(self.file))

    def settings(self) -> str:
        """The lines that name the plugin and its file."""
        plugin = next(iter(sorted(PLUGINS.glob(f"*/{mosquitto.PLUGIN}"))), None)
        if plugin is None:
            raise LoginsError(f"{PLUGINS}/*/{mosquitto.PLUGIN}: no such file; it is in mosquitto")
        return mosquitto.by_room(plugin, self.file)

    def texts(
        self, site: str, accounts: Iterable[Account], lines: Mapping[str, str]
    ) -> dict[Path, str]:
        """What is to be in it."""
        wanted = logins.written(site, accounts, lines)
        if self.file.exists() and logins.ordered(self._held()) == wanted:
            return {self.file: _text(self.file)}
        return {self.file: msgspec.json.format(msgspec.json.encode(wanted)).decode() + "\n"}

    def _held(self) -> logins.Logins:
        if not self.file.exists():
            return logins.Logins()
        try:
            return msgspec.json.decode(self.file.read_bytes(), type=logins.Logins)
        except msgspec.MsgspecError:
            raise LoginsError(f"{self.file}: these are no logins of mosquitto's") from None


def kept_in(settings: Path) -> Path | None:
    """The file in which mosquitto keeps its logins itself, by its settings."""
    found = _KEPT_IN.search(_text(settings))
    return None if found is None else Path(found[1])


def _site(rights: str) -> str | None:
    found = _SITE.search(rights)
    return None if found is None else found[1]


def _text(file: Path) -> str:
    return file.read_text(encoding="utf-8") if file.exists() else ""
