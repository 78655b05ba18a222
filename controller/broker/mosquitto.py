"""What mosquitto is told: who logs in, what each may write and read, and its settings.

The demo, `cutcard simulate` and `cutcard broker` all have it from here; the words themselves are
templates in `config/broker/`.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from string import Template
from typing import Literal

from msgspec import Struct, structs

from controller.contract.messages import ROOM_STATE, TABLE_STATE
from controller.files.settings import config_dir

Role = Literal["table", "room", "archive", "screen", "steward"]
NUMBERED: tuple[Role, ...] = ("room", "archive", "screen")
"""Roles whose first user is called like the role, and the second `room-2`."""
STEWARD = "steward"
"""As whom the room lets tables in and shuts them out, where the broker keeps its logins itself."""
DOCTOR = "doctor@"
PLUGIN = "mosquitto_dynamic_security.so"
_ROUNDS = 101


class Account(Struct, frozen=True):
    """A user of the broker. `table` is the id of the table, for the role `table`."""

    user: str
    role: Role
    table: str = ""

    @property
    def password_of(self) -> str:
        """Whose password it has: a table's doctor has the table's."""
        return self.user.removeprefix(DOCTOR)


def table_account(table: str) -> Account:
    """The account of a table. Raises ValueError for what is no table's id."""
    TABLE_STATE.name("site", table)
    return Account(f"table-{table}", "table", table)


def doctor_of(user: str) -> str:
    """As whom `cutcard doctor` logs in at a table whose service is `user`: with the same password
    and the same rights, beside the service and not in its place."""
    return f"{DOCTOR}{user}"


def twin_of(account: Account) -> Account:
    """The doctor's account of a table."""
    return structs.replace(account, user=doctor_of(account.user))


def numbered(role: Role, count: int) -> list[Account]:
    """So many accounts of a role that is not a table's."""
    return [Account(role if n == 1 else f"{role}-{n}", role) for n in range(1, count + 1)]


def account(user: str) -> Account | None:
    """The account that a user's name tells; None for a name that is none of ours."""
    name = user.removeprefix(DOCTOR)
    kind, _, table = name.partition("-")
    if kind == "table":
        try:
            return Account(user, "table", table_account(table).table)
        except ValueError:
            return None
    if user == STEWARD:
        return Account(user, "steward")
    found = (role for role in NUMBERED if re.fullmatch(rf"{role}(-[1-9][0-9]*)?", user))
    return next((Account(user, role) for role in found), None)


def rights(site: str, accounts: Iterable[Account]) -> str:
    """An `acl_file`: what each may write and read, and nobody anything else. Raises ValueError for
    a site that is no name."""
    ROOM_STATE.name(site)
    return "\n".join(
        template(f"{each.role}.acl").substitute(site=site, user=each.user, table=each.table)
        for each in accounts
    )


def password_line(user: str, password: str) -> str:
    """A line of a `password_file`: PBKDF2 with SHA-512 (mosquitto 2.0, type 7). So few rounds do
    for passwords that are made here, of 192 random bits."""
    salt = secrets.token_bytes(12)
    digest = hashlib.pbkdf2_hmac("sha512", password.encode(), salt, _ROUNDS)
    coded = "$".join(base64.b64encode(each).decode() for each in (salt, digest))
    return f"{user}:$7${_ROUNDS}${coded}\n"


def new_password() -> str:
    """A password that nobody guesses."""
    return secrets.token_urlsafe(24)


def demo_settings(*, host: str, port: int, user: str, passwords: Path, rights: Path) -> str:
    """The `mosquitto.conf` of a broker for one machine, where `user` is the system's."""
    return template("demo-mosquitto.conf").substitute(
        host=host, port=port, user=user, passwords=passwords, rights=rights, limits=_limits()
    )


def by_file(passwords: Path, rights: Path) -> str:
    """The lines by which mosquitto takes its logins and rights from two files."""
    return template("by-file.conf").substitute(passwords=passwords, rights=rights)


def by_room(plugin: Path, logins: Path) -> str:
    """The lines by which mosquitto keeps both itself, and the room's steward changes them."""
    return template("by-room.conf").substitute(plugin=plugin, logins=logins)


def room_settings(*, port: int, certificate: Path, key: Path, logins: str) -> str:
    """The settings of a room's broker, for a folder that its `mosquitto.conf` includes; `logins`
    is what `by_file` or `by_room` says."""
    return template("mosquitto.conf").substitute(
        port=port, certificate=certificate, key=key, logins=logins.rstrip(), limits=_limits()
    )


@cache
def template(name: str) -> Template:
    """A file of `config/broker/`."""
    return Template((config_dir() / "broker" / name).read_text(encoding="utf-8"))


def _limits() -> str:
    return template("limits.conf").template.rstrip()
