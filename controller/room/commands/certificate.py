"""The command `cutcard certificate`: HTTPS for the room, by an authority of its own.

The same command renews: the authority stays, so that phones trust the new certificate as well.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

from controller.certificates.authority import Issued, make_authority, make_server, vouches_for
from controller.certificates.held import CertificateError, days_left, fingerprint, names_in
from controller.files.whole_file import write_whole
from controller.process.arguments import ArgumentParser
from controller.room.address import machine_names
from controller.room.settings import SERVICE_STATE, default_store

MOST_NAMES = 40
LENT = {"room.key": 0o600, "room.crt": 0o644, "ca.crt": 0o644}
"""What a room needs to show its certificate. The key first: a room that looks meanwhile takes
neither unless both belong together."""
_FOLDER = "https"
_NOWHERE = ("192.0.2.1", "2001:db8::1")
"""Addresses of documentation (RFC 5737, RFC 3849): to ask for a way there sends nothing."""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 for what may pass (a file that can't be written), or 2 for
    a mistake in what was given."""
    args = _parser().parse_args(argv)
    folder: Path = args.folder or _usual_folder()
    try:
        return _make(folder, args)
    except CertificateError as error:
        return _fail(str(error), 2)
    except OSError as error:
        return _fail(f"{error.filename or folder}: {error.strerror}", 1)


def _make(folder: Path, args: argparse.Namespace) -> int:
    now = datetime.datetime.now(datetime.UTC)
    ca, ca_key = folder / "ca.crt", folder / "ca.key"
    room, room_key = folder / "room.crt", folder / "room.key"
    before = names_in(room) if room.exists() and not args.name else ()
    wanted = (*args.name, *before)
    own = () if args.name else (*machine_names(), "localhost", *_addresses())
    is_new = args.new_authority or not ca.exists()
    if is_new:
        if ca.exists() != ca_key.exists() and not args.new_authority:
            raise CertificateError(f"{folder}: only one of ca.crt and ca.key is there")
        authority = make_authority(f"cutcard {socket.gethostname()}", (*wanted, *own), now)
    else:
        if not ca_key.exists():
            raise CertificateError(
                f"{ca_key}: no such file; nothing can be renewed without it, "
                "only replaced by --new-authority"
            )
        authority = Issued(ca.read_bytes(), ca_key.read_bytes())
        if days_left(ca, now) <= 0:
            raise CertificateError(f"{ca}: it has expired; --new-authority makes another one")
    own = tuple(each for each in own if vouches_for(authority, each))
    names = tuple(dict.fromkeys((*wanted, *own)))[:MOST_NAMES]
    server = make_server(authority, names, now)
    _make_way(folder)
    if is_new:
        _write(ca_key, authority.key, 0o600)
        _write(ca, authority.certificate, 0o644)
    # The key first: a room that looks meanwhile takes neither unless both belong together.
    _write(room_key, server.key, 0o600)
    _write(room, server.certificate, 0o644)
    if args.lend is not None and args.lend.is_dir():
        lend(folder, args.lend)
    _tell(folder, names, is_new=is_new, as_json=args.json)
    return 0


def lend(folder: Path, other: Path) -> None:
    """Puts what a room shows into another folder too, where its own user reads it, and not the
    authority's key. Raises CertificateError, OSError."""
    if other.is_symlink():
        raise CertificateError(f"{other}: it leads elsewhere")  # that user may have laid it
    _make_way(other)
    for name, mode in LENT.items():
        _write(other / name, (folder / name).read_bytes(), mode)


def _tell(folder: Path, names: Sequence[str], *, is_new: bool, as_json: bool) -> None:
    files = {each: str(folder.absolute() / each) for each in ("ca.crt", "room.crt", "room.key")}
    days = int(days_left(folder / "room.crt", datetime.datetime.now(datetime.UTC)))
    if as_json:
        fields = {
            "names": list(names),
            "days": days,
            "new_authority": is_new,
            "fingerprint": fingerprint(folder / "ca.crt"),
            "files": files,
        }
        sys.stdout.write(json.dumps(fields) + "\n")
        return
    how = "a new authority, and " if is_new else ""
    sys.stdout.write(
        f"{how}a certificate for {days} days: {', '.join(names)}\n"
        f"authority: {fingerprint(folder / 'ca.crt')}\n"
        "in the room's settings:\n"
        "[web]\n"
        f'certificate = "{files["room.crt"]}"\n'
        f'key = "{files["room.key"]}"\n'
        "the room's page /trust shows how phones come to trust it\n"
        f"ca.key is only needed to make such certificates: {folder / 'ca.key'}\n"
    )


def _make_way(folder: Path) -> None:
    """The room's own user has to come to its files, whoever makes them and whatever his umask."""
    folder.mkdir(parents=True, exist_ok=True)
    if os.geteuid() in (0, folder.stat().st_uid):
        folder.chmod(0o711)


def _write(file: Path, content: bytes, mode: int) -> None:
    write_whole(file, content)
    file.chmod(mode)
    if os.geteuid() == 0 and file.name.startswith("room."):
        owner = file.parent.parent.stat()  # the room's own user, where it has the state's folder
        os.chown(file, owner.st_uid, owner.st_gid)


def _usual_folder() -> Path:
    if os.access(SERVICE_STATE, os.W_OK | os.X_OK):
        return SERVICE_STATE / _FOLDER
    return default_store(os.environ).parent / _FOLDER


def _addresses() -> tuple[str, ...]:
    """The machine's own, of the ways that lead out of it, and its loopback's."""
    found = []
    for family, nowhere in zip((socket.AF_INET, socket.AF_INET6), _NOWHERE, strict=True):
        try:
            with socket.socket(family, socket.SOCK_DGRAM) as asking:
                asking.connect((nowhere, 9))
                found.append(str(asking.getsockname()[0]))
        except OSError:
            continue  # there is no such network
    return (*found, "127.0.0.1", "::1")


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard certificate: {text}\n")
    return status


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard certificate",
        description="Makes or renews what the room needs for HTTPS: a certificate "
        "authority of its own, valid for ten years and only for local "
        "names, and the room's certificate, valid for 397 days.",
    )
    parser.add_argument(
        "--name",
        action="append",
        default=[],
        metavar="NAME",
        help="a name or address of the room; may be given several times "
        "(default: those of this machine and of the certificate being "
        "renewed)",
    )
    parser.add_argument(
        "--folder", type=Path, metavar="DIR", help="default: beside the room's store"
    )
    parser.add_argument(
        "--new-authority",
        action="store_true",
        help="make a new authority; phones then have to trust that one",
    )
    parser.add_argument(
        "--lend",
        type=Path,
        metavar="DIR",
        help="if there is this folder, put the room's certificate there as well, for its own user",
    )
    parser.add_argument("--json", action="store_true", help="print one line of JSON")
    return parser
