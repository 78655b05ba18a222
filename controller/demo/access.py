"""A broker that is there already: where it is, and who the demo is to it."""

from __future__ import annotations

import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from controller.broker.client import Endpoint

USER, PASSWORD = "CUTCARD_MQTT_USER", "CUTCARD_MQTT_PASSWORD"
_CONNECT_S = 3.0
_Text = Annotated[str, Meta(min_length=1, max_length=200)]


class AccessError(Exception):
    """The broker can't be used; the text is one line for the user."""


class Access(Struct, frozen=True):
    """How the table and the room log in. `banner` is empty, or what screens have to say of it."""

    table: Endpoint
    room: Endpoint
    banner: str = ""

    @property
    def where(self) -> str:
        """HOST:PORT."""
        return f"{self.room.host}:{self.room.port}"


class _Login(Struct, frozen=True, forbid_unknown_fields=True):
    user: _Text
    password: _Text


class _Logins(Struct, frozen=True, forbid_unknown_fields=True):
    """The file: one login for both, or one for each."""

    user: _Text | None = None
    password: _Text | None = None
    table: _Login | None = None
    room: _Login | None = None


def given_broker(where: str, credentials: Path | None, environment: Mapping[str, str]) -> Access:
    """The broker at HOST:PORT, with credentials from a TOML file or the environment.

    The file has `user` and `password`, or a section with both for `[table]` and `[room]`.
    Raises AccessError, also where nothing answers there.
    """
    host, colon, port = where.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise AccessError(f"--broker {where!r} is not HOST:PORT")
    host = host.strip("[]")
    logins: tuple[_Login | None, _Login | None]
    if credentials is not None:
        logins = _from_file(credentials)
    else:
        user, password = environment.get(USER), environment.get(PASSWORD)
        if (user is None) != (password is None):
            raise AccessError(f"${USER} and ${PASSWORD}: only one of the two is set")
        login = None if user is None or password is None else _Login(user, password)
        logins = (login, login)
    try:
        socket.create_connection((host, int(port)), timeout=_CONNECT_S).close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise AccessError(f"no broker at {where}: {reason}") from None
    table, room = logins
    return Access(_endpoint(host, int(port), table), _endpoint(host, int(port), room))


def _endpoint(host: str, port: int, login: _Login | None) -> Endpoint:
    if login is None:
        return Endpoint(host, port)
    return Endpoint(host, port, login.user, login.password)


def _from_file(path: Path) -> tuple[_Login, _Login]:
    try:
        file = msgspec.toml.decode(path.read_bytes(), type=_Logins)
    except OSError as error:
        raise AccessError(f"--credentials {path}: {error.strerror}") from None
    except (msgspec.DecodeError, UnicodeDecodeError):
        words = "is not TOML with user and password, or with both in [table] and in [room]"
        raise AccessError(f"--credentials {path}: {words}") from None
    both = None
    if file.user is not None and file.password is not None:
        both = _Login(file.user, file.password)
    table, room = file.table or both, file.room or both
    if table is None or room is None:
        whose = "the table" if table is None else "the room"
        raise AccessError(f"--credentials {path}: no user and password for {whose}")
    return table, room
