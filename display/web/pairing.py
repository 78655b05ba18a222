"""A room's pairing: who lets tables in at its broker, and the port where they come."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Callable, Mapping
from ipaddress import ip_address
from pathlib import Path

from msgspec import Struct, structs

from controller.broker.client import Endpoint, to_stderr
from controller.broker.mosquitto import STEWARD
from controller.broker.steward import Steward
from controller.certificates.held import CertificateError, fingerprint
from controller.files.toml_file import ConfigError
from controller.people.door import Door
from controller.room.registrar import Registrar
from controller.room.settings import (
    PAIRING_CERTIFICATE,
    PAIRING_KEY,
    Certificate,
    PairingSection,
    password,
)
from display.web.serving.listener import Listener
from display.web.serving.pairing import pairing_app
from display.web.serving.server import Server

PASSWORD_CREDENTIAL = "cutcard.steward-password"  # noqa: S105 (the name of a file)


class PairingError(Exception):
    """Tables can't pair with this room; one line says why."""


class PairingOptions(Struct, frozen=True):
    """`steward` is how the room logs in to let tables in; `port` 0 takes a free one. The authority
    of the certificate is that by which `steward` knows the broker."""

    steward: Endpoint
    certificate: Path
    key: Path
    port: int


def pairing_options(
    section: PairingSection,
    broker: Endpoint,
    certificate: Certificate | None,
    environment: Mapping[str, str],
) -> PairingOptions | None:
    """What a room needs to let tables in; None where it has no steward. What systemd lends goes
    before the `certificate` of the pages. Raises ConfigError."""
    lent = Path(environment.get("CREDENTIALS_DIRECTORY", "/nonexistent"))
    given = None if section.password_file is None else Path(section.password_file)
    file = given or _there(lent / PASSWORD_CREDENTIAL)
    if file is None:
        return None
    own = (_there(lent / PAIRING_CERTIFICATE), _there(lent / PAIRING_KEY))
    if own == (None, None) and certificate is not None:
        own = (certificate.certificate, certificate.key)
    if broker.ca_file is None or own[0] is None or own[1] is None:
        lacks = "certificate under [web]" if broker.ca_file else "ca_file under [broker]"
        raise ConfigError(f"{file}: pairing needs a {lacks} as well: docs/pairing.md")
    steward = structs.replace(broker, user=section.user or STEWARD, password=password(file))
    return PairingOptions(steward, own[0], own[1], section.port)


class PairingDesk:
    """Lets tables in while the room runs. Nothing that fails here stops the room."""

    def __init__(self, options: PairingOptions, site: str, host: str, door: Door) -> None:
        """`host` is the address of this machine where tables may come. Raises PairingError."""
        authority = Path(str(options.steward.ca_file))
        certificate = Certificate(options.certificate, options.key, authority)
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(
                certificate.certificate, certificate.key
            )
            known_by = fingerprint(authority)
            listener = Listener(host, options.port)
        except CertificateError as error:
            raise PairingError(str(error)) from None
        except ssl.SSLError:
            wrong = f"{certificate.certificate} and {certificate.key.name} are no pair"
            raise PairingError(wrong) from None
        except OSError as error:
            at = error.filename or f"port {options.port} on {host}"
            raise PairingError(f"{at}: {error.strerror}") from None
        self.port: int = listener.getsockname()[1]
        self._listener = listener
        self._steward = Steward(options.steward)
        self.registrar = Registrar(
            self._steward,
            site=site,
            fingerprint=known_by,
            host="" if _is_here(options.steward.host) else options.steward.host,
            port=options.steward.port,
        )
        self._server = Server(pairing_app(self.registrar, authority, door), listener, certificate)
        self._serving: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Begins to answer."""
        self._steward.start()
        self._serving = asyncio.create_task(self._server.answer(), name="pairing")

    async def close(self) -> None:
        """Ends it."""
        self._server.should_exit = True
        if self._serving is not None:
            await self._serving
        self._listener.close()
        await self._steward.close()


def open_pairing(
    options: PairingOptions | None,
    site: str,
    host: str,
    door: Door,
    report: Callable[[str], None] = to_stderr,
) -> PairingDesk | None:
    """The pairing of a room that has one; why it can't be had is reported."""
    if options is None:
        return None
    try:
        return PairingDesk(options, site, host, door)
    except PairingError as error:
        report(f"no table can pair with this room: {error}")
        return None


def _there(file: Path) -> Path | None:
    return file if file.is_file() else None


def _is_here(host: str) -> bool:
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"
