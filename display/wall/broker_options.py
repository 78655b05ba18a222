"""How a screen is told where its broker is."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from controller.broker.client import PASSWORD_VARIABLE, Endpoint
from controller.contract.messages import DEFAULT_SITE, ROOM_STATE

EPILOG = f"The broker's password is read from ${PASSWORD_VARIABLE} or --password-file."


class BrokerOptionsError(ValueError):
    """A mistake in them; the text is one line for the user."""


def add(parser: argparse.ArgumentParser) -> None:
    """Add them to a command."""
    parser.add_argument(
        "--broker", default="127.0.0.1:1883", metavar="HOST:PORT", help="default: %(default)s"
    )
    parser.add_argument("--user", help="user name at the broker (default: none)")
    parser.add_argument("--password-file", type=Path, help="file whose first line is the password")
    parser.add_argument("--tls-ca", type=Path, help="CA certificate; turns on TLS")
    parser.add_argument(
        "--site", default=DEFAULT_SITE, help="site whose topics are used (default: %(default)s)"
    )


def endpoint(options: argparse.Namespace) -> Endpoint:
    """The broker that was given. Raises BrokerOptionsError."""
    host, colon, port = options.broker.rpartition(":")
    if not colon or not host or not port.isdecimal() or not 0 < int(port) < 65536:
        raise BrokerOptionsError(f"--broker {options.broker!r} is not HOST:PORT")
    ca_file: Path | None = options.tls_ca
    if ca_file is not None and not ca_file.is_file():
        raise BrokerOptionsError(f"--tls-ca {ca_file}: no such file")
    try:
        ROOM_STATE.name(options.site)
    except ValueError as error:
        raise BrokerOptionsError(f"--site {error}") from None
    ca = None if ca_file is None else str(ca_file)
    return Endpoint(host.strip("[]"), int(port), options.user, _password(options), ca)


def _password(options: argparse.Namespace) -> str | None:
    file: Path | None = options.password_file
    if file is None:
        return os.environ.get(PASSWORD_VARIABLE)
    try:
        return next(iter(file.read_text(encoding="utf-8").splitlines()), "")
    except OSError as error:
        raise BrokerOptionsError(f"--password-file {file}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise BrokerOptionsError(f"--password-file {file}: is not text") from None
