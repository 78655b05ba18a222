"""What a room needs to let tables in, and what becomes of a room that lacks some of it."""

from __future__ import annotations

import asyncio
import shutil
import socket
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from controller.broker.client import Endpoint
from controller.broker.ports import LOOPBACK
from controller.files.toml_file import ConfigError
from controller.people.door import Door
from controller.people.staff import Holds
from controller.people.staff_store import StaffStore
from controller.room.settings import Certificate, PairingSection, load_room_config
from display.web.pairing import PairingOptions, open_pairing, pairing_options
from tests.web.https_room import certify


@pytest.fixture(scope="module")
def https(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("https")
    certify(folder)
    return folder


@pytest.fixture
def broker(https: Path) -> Endpoint:
    return Endpoint("127.0.0.1", 8883, "room", "the room's", str(https / "ca.crt"))


def lent(folder: Path, *names: str) -> dict[str, str]:
    for name in names:
        (folder / f"cutcard.{name}").write_text("the steward's\n")
    return {"CREDENTIALS_DIRECTORY": str(folder)}


ALL = ("steward-password", "room-certificate", "room-key")


def test_a_room_without_a_steward_lets_no_tables_in(broker: Endpoint, tmp_path: Path) -> None:
    for environment in ({}, lent(tmp_path, *ALL[1:])):
        assert pairing_options(PairingSection(), broker, None, environment) is None


def test_what_systemd_lends_is_enough(broker: Endpoint, tmp_path: Path) -> None:
    options = pairing_options(PairingSection(), broker, None, lent(tmp_path, *ALL))
    assert options is not None
    assert options.steward == replace(broker, user="steward", password="the steward's")  # noqa: S106
    assert options.certificate == tmp_path / "cutcard.room-certificate"
    assert options.key == tmp_path / "cutcard.room-key"
    assert options.port == 8884
    assert "the steward's" not in repr(options)


def test_the_settings_are_enough_too(broker: Endpoint, https: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("another\n")
    file = tmp_path / "room.toml"
    file.write_text(
        f'[web]\ncertificate = "{https}/room.crt"\nkey = "{https}/room.key"\n'
        '[pairing]\nport = 9\nuser = "butler"\npassword_file = "secret"\n'
    )
    config = load_room_config(file, {})
    options = pairing_options(config.pairing, broker, config.certificate, {})
    assert options is not None
    assert (options.steward.user, options.steward.password) == ("butler", "another")
    assert (options.certificate, options.port) == (https / "room.crt", 9)


@pytest.mark.parametrize(
    ("ca", "names", "said"),
    [
        (True, ALL[:1], "pairing needs a certificate"),
        (True, ALL[:2], "pairing needs a certificate"),
        (False, ALL, "pairing needs a ca_file"),
    ],
)
def test_what_is_lacking_is_said(
    broker: Endpoint, tmp_path: Path, ca: bool, names: tuple[str, ...], said: str
) -> None:
    there = broker if ca else replace(broker, ca_file=None)
    with pytest.raises(ConfigError, match=said):
        pairing_options(PairingSection(), there, None, lent(tmp_path, *names))


def opened(options: PairingOptions) -> list[str]:
    """What is said of it."""

    async def run() -> list[str]:
        lines: list[str] = []
        store = StaffStore.open(None)
        desk = open_pairing(options, "main", LOOPBACK, Door(store, Holds()), lines.append)
        if desk is not None:
            assert desk.port
            await desk.close()
        store.close()
        return lines

    return asyncio.run(run())


@pytest.fixture
def options(broker: Endpoint, https: Path) -> PairingOptions:
    return PairingOptions(broker, https / "room.crt", https / "room.key", 0)


def test_nothing_is_said_where_all_is_well(options: PairingOptions) -> None:
    assert opened(options) == []


def _no_pair(options: PairingOptions, folder: Path) -> PairingOptions:
    certify(folder)
    return replace(options, key=folder / "room.key")


def _no_key(options: PairingOptions, folder: Path) -> PairingOptions:
    return replace(options, key=folder / "nothing")


def _no_authority(options: PairingOptions, folder: Path) -> PairingOptions:
    shutil.copy(options.key, folder / "ca.crt")
    return replace(options, steward=replace(options.steward, ca_file=str(folder / "ca.crt")))


@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (_no_pair, "are no pair"),
        (_no_key, "No such file or directory"),
        (_no_authority, "this is not a certificate"),
    ],
)
def test_what_is_wrong_stops_no_room(
    options: PairingOptions,
    tmp_path: Path,
    spoil: Callable[[PairingOptions, Path], PairingOptions],
    said: str,
) -> None:
    (line,) = opened(spoil(options, tmp_path))
    assert line.startswith("no table can pair with this room: ")
    assert said in line


def test_a_port_that_is_taken_stops_no_room(options: PairingOptions) -> None:
    with socket.create_server((LOOPBACK, 0)) as taken:
        port = taken.getsockname()[1]
        (line,) = opened(replace(options, port=port))
    assert f"port {port} on {LOOPBACK}: Address already in use" in line


def test_certificates_are_those_of_the_pages_where_none_is_lent(
    broker: Endpoint, https: Path, tmp_path: Path
) -> None:
    own = Certificate(https / "room.crt", https / "room.key", None)
    options = pairing_options(PairingSection(), broker, own, lent(tmp_path, ALL[0]))
    assert options is not None
    assert options.certificate == own.certificate
