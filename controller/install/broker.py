"""The command `cutcard broker`: sets up mosquitto as the broker of a room.

It writes what mosquitto reads, and a new user's password into a file of its own, to be carried to
where that user runs. Whoever has a password already keeps it, so the command may be repeated at
any time: to add a table, to renew the certificate. With `--pairing` mosquitto keeps the logins
itself, and the room's pages add tables while it runs.
"""

from __future__ import annotations

import argparse
import datetime
import os
import pwd
import re
import ssl
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from controller.broker import mosquitto
from controller.broker.mosquitto import Account
from controller.certificates.held import CertificateError, days_left, names_in
from controller.contract.messages import DEFAULT_SITE
from controller.contract.observations import nearest
from controller.files.whole_file import write_whole
from controller.install.broker_logins import ByFile, ByRoom, Kept, LoginsError, kept_in
from controller.process.arguments import ArgumentParser

FOLDER = Path("/etc/mosquitto")
OWN = Path("/etc/cutcard/mosquitto")
"""Of the broker that the Debian package `cutcard-room` runs as a service of its own."""
PASSWORDS = Path("/etc/cutcard/broker")
LOGINS = Path("/var/lib/mosquitto/cutcard-logins.json")
OWN_LOGINS = Path("/var/lib/cutcard-broker/logins.json")
HTTPS = Path("/etc/cutcard/https")
PORT = 8883
MOST = 100
_SYSTEM_USER = "mosquitto"
_PORT = re.compile(r"^listener (\d+)$", re.MULTILINE)


class BrokerSetupError(Exception):
    """The broker can't be set up like that; the text is one line for the user."""


class Files(Struct, frozen=True):
    """Where everything is that mosquitto reads; `rights` and `passwords` are there where it does
    not keep the logins itself."""

    settings: Path
    rights: Path
    passwords: Path
    certificate: Path
    key: Path


class Done(Struct, frozen=True):
    """What was done, for whoever reads along. `files` says of each whether it was `changed`."""

    site: str
    port: int
    names: tuple[str, ...]
    days: int
    files: Mapping[str, bool]
    new: Mapping[str, str]
    """User → the file with the password."""
    kept: tuple[str, ...]
    removed: tuple[str, ...]
    also_read: tuple[str, ...]
    """Other settings that mosquitto reads, which may allow more."""
    then: str
    """The command that makes it count; empty if nothing has changed."""


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, 1 for what may pass (a file that can't be written), or 2 for
    a mistake in what was given."""
    args = _parser().parse_args(argv)
    try:
        done = _set_up(args)
    except (BrokerSetupError, CertificateError, LoginsError) as error:
        return _fail(str(error), 2)
    except OSError as error:
        return _fail(f"{error.filename or args.folder}: {error.strerror}", 1)
    sys.stdout.write(_as_json(done) if args.json else _as_text(done))
    return 0


def files_in(folder: Path) -> Files:
    """The files of a broker whose `mosquitto.conf` includes `conf.d` in this folder."""
    return Files(
        settings=folder / "conf.d" / "cutcard.conf",
        rights=folder / "cutcard.acl",
        passwords=folder / "cutcard.passwd",
        certificate=folder / "certs" / "cutcard.crt",
        key=folder / "certs" / "cutcard.key",
    )


def site_of(folder: Path, root: Path = Path("/")) -> str | None:
    """The site that the rights of a broker's folder are for; None where there are none. `root` is
    that of the machine whose broker it is. Raises OSError."""
    files = files_in(folder)
    known = kept_in(files.settings)
    if known is not None:
        return ByRoom(root / known.relative_to("/")).site()
    return ByFile(files.passwords, files.rights).site()


def _set_up(args: argparse.Namespace) -> Done:
    files = files_in(args.folder)
    own = _owner()
    certificate, key = _pair(args.https)
    before, kept = _ways(args, files)
    # Both where the logins move: some may have moved already, in a run that was cut off, or before
    # the way back to a version that reads the files.
    known = {**kept.known(), **before.known()}
    site = args.site or before.site() or kept.site() or DEFAULT_SITE
    port = args.port or int(_before(files.settings, _PORT) or PORT)
    accounts = _accounts(args, known, steward=isinstance(kept, ByRoom))
    passwords = _new_passwords(args.renew, accounts, known)
    lines = {
        each.user: mosquitto.password_line(each.user, passwords[each.password_of])
        if each.password_of in passwords
        else known[each.user]
        for each in accounts
    }
    try:
        texts = kept.texts(site, accounts, lines)
    except ValueError as error:
        raise BrokerSetupError(f"--site: {error}") from None
    settings = mosquitto.room_settings(
        port=port, certificate=files.certificate, key=files.key, logins=kept.settings()
    )
    args.passwords.mkdir(parents=True, exist_ok=True, mode=0o700)
    made = {user: args.passwords / f"{user}.password" for user in passwords}
    for user, file in made.items():
        write_whole(file, f"{passwords[user]}\n")
    changed = {
        files.certificate: _write(files.certificate, certificate, own, 0o644),
        files.key: _write(files.key, key, own),
        **{file: _write(file, text, own) for file, text in texts.items()},
        # Last: mosquitto does not start with settings that name what is not there.
        files.settings: _write(files.settings, settings, None, 0o644),
    }
    if isinstance(before, ByRoom):  # nobody goes back to these any more
        for file in (files.passwords, files.rights):
            file.unlink(missing_ok=True)
    now = datetime.datetime.now(datetime.UTC)
    then = ""
    if any(changed.values()):
        service = "cutcard-broker" if args.folder == OWN else "mosquitto"
        restart = changed[files.settings] or (kept.restart and any(map(changed.get, texts)))
        then = f"systemctl {'restart' if restart else 'reload'} {service}"
    return Done(
        site=site,
        port=port,
        names=names_in(files.certificate),
        days=int(days_left(files.certificate, now)),
        files={str(file): is_new for file, is_new in changed.items()},
        new={user: str(file) for user, file in made.items()},
        kept=tuple(each for each in lines if each == account_of(each) and each not in made),
        removed=tuple(each for each in known if each == account_of(each) and each not in lines),
        also_read=tuple(
            str(each)
            for each in sorted(files.settings.parent.glob("*.conf"))
            if each != files.settings
        ),
        then=then,
    )


def _ways(args: argparse.Namespace, files: Files) -> tuple[Kept, Kept]:
    """Where the logins are, and where they are to be."""
    by_file = ByFile(files.passwords, files.rights)
    known = kept_in(files.settings)
    if known is not None:
        if args.logins not in (None, known):
            raise BrokerSetupError(f"--logins: they are in {known} already")
        return ByRoom(known), ByRoom(known)
    if not args.pairing:
        if args.logins is not None:
            raise BrokerSetupError("--logins: only with --pairing")
        return by_file, by_file
    return by_file, ByRoom(args.logins or (OWN_LOGINS if args.folder == OWN else LOGINS))


def account_of(user: str) -> str:
    """Whose password a user has."""
    return user.removeprefix(mosquitto.DOCTOR)


def _owner() -> Callable[[Path], None] | None:
    """Gives a file to mosquitto's own user, as later versions demand; None where only root may."""
    if os.geteuid() != 0:
        return None
    try:
        user = pwd.getpwnam(_SYSTEM_USER)
    except KeyError:
        raise BrokerSetupError(
            f"there is no user {_SYSTEM_USER}: sudo apt-get install mosquitto"
        ) from None
    return lambda file: os.chown(file, user.pw_uid, user.pw_gid)


def _pair(https: Path) -> tuple[str, str]:
    """The certificate and its key. Raises BrokerSetupError."""
    files = https / "room.crt", https / "room.key"
    for file in files:
        if not file.is_file():
            raise BrokerSetupError(
                f"{file}: no such file; sudo cutcard certificate --folder {https} makes it"
            )
    try:
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*files)
    except ssl.SSLError:
        raise BrokerSetupError(f"{files[0]}: {files[1].name} is not its key") from None
    certificate, key = (file.read_text(encoding="ascii") for file in files)
    return certificate, key


def _before(file: Path, what: re.Pattern[str]) -> str | None:
    """What was said there when it was written before."""
    found = what.search(file.read_text(encoding="utf-8")) if file.exists() else None
    return found[1] if found else None


def _accounts(
    args: argparse.Namespace, known: Mapping[str, str], *, steward: bool
) -> list[Account]:
    """Those who are to log in: who did before, and who is new."""
    own = {account_of(user) for user in known}
    for user in args.remove:
        if user not in own:
            raise BrokerSetupError(f"--remove: there is no user {user!r}{nearest(user, own)}")
    wanted: dict[str, Account] = {}
    for user in known:
        before = mosquitto.account(user)
        if account_of(user) in args.remove:
            continue
        if before is None:
            raise BrokerSetupError(
                f"the broker's user {user!r} is none of cutcard's; --remove {user}"
            )
        wanted[user] = before
    if steward:
        wanted.setdefault(mosquitto.STEWARD, Account(mosquitto.STEWARD, "steward"))
    for role in mosquitto.NUMBERED:
        for each in mosquitto.numbered(role, getattr(args, f"{role}s")):
            wanted.setdefault(each.user, each)
    for table in args.tables:
        try:
            new = mosquitto.table_account(table)
        except ValueError as error:
            raise BrokerSetupError(f"--tables: {error}") from None
        wanted |= {each.user: each for each in (new, mosquitto.twin_of(new))}
    return sorted(wanted.values(), key=lambda each: (each.role, each.table, each.user))


def _new_passwords(
    renew: Sequence[str], accounts: Sequence[Account], known: Mapping[str, str]
) -> dict[str, str]:
    """A password for each who has none, and for those who are to have another."""
    users = {each.user for each in accounts}
    for user in renew:
        if user not in users:
            raise BrokerSetupError(f"--renew: there is no user {user!r}{nearest(user, users)}")
    without = {each.password_of for each in accounts if each.user not in known}
    return {
        user: mosquitto.new_password()
        for user in sorted(without | {account_of(user) for user in renew})
    }


def _write(file: Path, text: str, own: Callable[[Path], None] | None, mode: int = 0o600) -> bool:
    """Writes a file where it is not like that already; tells whether it did."""
    if file.exists() and file.read_text(encoding="utf-8") == text:
        return False
    if not file.parent.exists():
        file.parent.mkdir(parents=True)
        if own is not None and file.parent == OWN_LOGINS.parent:
            file.parent.chmod(0o700)
            own(file.parent)  # mosquitto writes there
    write_whole(file, text)
    file.chmod(mode)
    if own is not None:
        own(file)
    return True


def _as_json(done: Done) -> str:
    return msgspec.json.encode(done).decode() + "\n"


def _as_text(done: Done) -> str:
    lines = [
        f"site {done.site}, port {done.port}; a certificate for {done.days} days:"
        f" {', '.join(done.names)}"
    ]
    lines += [
        f"{file}: {'written' if is_new else 'as it was'}" for file, is_new in done.files.items()
    ]
    lines += [f"{user}: a new password, in {file}" for user, file in done.new.items()]
    if done.kept:
        lines.append(f"passwords as they were: {', '.join(done.kept)}")
    if done.removed:
        lines.append(f"log in no more: {', '.join(done.removed)}")
    if done.also_read:
        others = ", ".join(done.also_read)
        lines.append(f"mosquitto reads these too, which may allow more: {others}")
    lines.append(f"to make it count: sudo {done.then}" if done.then else "nothing has changed")
    return "".join(f"{line}\n" for line in lines)


def _fail(text: str, status: int) -> int:
    sys.stderr.write(f"cutcard broker: {text}\n")
    return status


def _number(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number up to {MOST}")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 < int(text) < 65_536:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port")
    return int(text)


def _parser() -> ArgumentParser:
    parser = ArgumentParser(
        prog="cutcard broker",
        description="Sets up mosquitto as the broker of a room: TLS, a user with a password for "
        "each table and for everything else, and what each of them may do. Who has a password "
        "keeps it, so it may be run again: to add a table, or with a renewed certificate.",
    )
    more = parser.add_argument
    more("--tables", nargs="+", default=[], metavar="ID", help="add these tables")
    for role, what in (
        ("screen", "walls that run `cutcard wall`"),
        ("archive", "processes that keep the history"),
        ("room", "rooms; a second one stands by"),
    ):
        more(
            f"--{role}s",
            type=_number,
            default=1,
            metavar="N",
            help=f"{what}: users {role}, {role}-2, … (default: 1)",
        )
    more("--renew", nargs="+", default=[], metavar="USER", help="give these a new password")
    more("--remove", nargs="+", default=[], metavar="USER", help="let these log in no more")
    more("--site", help=f"site of the topics (default: the one before, or {DEFAULT_SITE})")
    more("--port", type=_port, help=f"default: the one before, or {PORT}")
    more(
        "--pairing",
        action="store_true",
        help="mosquitto keeps the logins itself, so that the room's pages can add tables; "
        "passwords stay, and so does this",
    )
    more(
        "--logins",
        type=Path,
        metavar="FILE",
        help=f"where it keeps them (default: the one before, {OWN_LOGINS} for the broker in {OWN}, "
        f"or {LOGINS})",
    )
    more(
        "--https",
        type=Path,
        default=HTTPS,
        metavar="DIR",
        help="where `cutcard certificate` put room.crt and room.key (default: %(default)s)",
    )
    more(
        "--folder",
        type=Path,
        default=OWN if OWN.is_dir() else FOLDER,
        metavar="DIR",
        help=f"of mosquitto.conf, which includes conf.d (default: {OWN} if it is there, "
        f"or {FOLDER})",
    )
    more(
        "--passwords",
        type=Path,
        default=PASSWORDS,
        metavar="DIR",
        help="where new passwords are put, a file each (default: %(default)s)",
    )
    more("--json", action="store_true", help="print one line of JSON")
    return parser
