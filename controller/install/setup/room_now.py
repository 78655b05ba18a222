"""What a machine has of a room now; nothing is changed."""

from __future__ import annotations

import subprocess
from contextlib import closing
from pathlib import Path, PurePosixPath
from typing import Literal

from controller.certificates.authority import Issued, vouches_for
from controller.certificates.held import CertificateError, fingerprint, names_in
from controller.files.settings import config_dir
from controller.install.backup.places import ROOM_STATE, under
from controller.install.broker import FOLDER, HTTPS, OWN, files_in, site_of
from controller.install.setup import room_plan, sticks
from controller.install.setup.environment import option, variable
from controller.install.setup.machine_now import NotThereError, changed_at, machine_now, text_of
from controller.install.setup.room_plan import RoomNow
from controller.install.setup.services import Systemd
from controller.install.setup.steps import Certify, Plan
from controller.people.staff_store import StaffError, StaffStore, staff_file
from controller.room.commands.certificate import LENT


def room_now(root: Path, systemd: Systemd) -> RoomNow:
    """What there is below a root. Raises NotThereError, ServicesError, OSError."""
    options = text_of(root, room_plan.OPTIONS)
    folder = https(root)
    units = {each: systemd.unit(each) for each in room_plan.UNITS}
    is_there = units[room_plan.ROOM].is_installed and (folder / "room.crt").is_file()
    if options is None or not is_there:
        raise NotThereError("there is no room on this machine yet: sudo sh install room")
    given = option(variable(options, "ROOM_OPTIONS").split(), "--config")
    settings_at = PurePosixPath(given) if given else room_plan.SETTINGS
    if not settings_at.is_absolute():
        raise NotThereError(f"{room_plan.OPTIONS}: --config {given} is not a path from / on")
    try:
        names = names_in(folder / "room.crt")
    except CertificateError as error:
        raise NotThereError(str(error)) from None
    return RoomNow(
        machine=machine_now(root, systemd),
        settings_at=settings_at,
        settings=text_of(root, settings_at),
        example=(config_dir() / "room.toml").read_text(encoding="utf-8"),
        options=options,
        names=names,
        is_shown=_is_shown(folder, files_in(broker_folder(root)).certificate),
        is_lent=_is_lent(folder, under(root, room_plan.LENT)),
        broker="cutcard-broker" if broker_folder(root) == below(root, OWN) else "mosquitto",
        rights_site=site_of(broker_folder(root), root),
        admins=_admins(people(root)),
        fstab=text_of(root, sticks.FSTAB) or "",
        sticks=_sticks() if systemd.is_live else (),
        backup=text_of(root, room_plan.BACKUP) or "",
        wall=text_of(root, room_plan.WALL) or "",
        wall_login=_wall_login(root),
        changed_at={
            room_plan.ROOM: changed_at(root, settings_at, room_plan.OPTIONS),
            room_plan.WALLS: changed_at(root, room_plan.WALL, room_plan.WALL_CREDENTIAL),
        },
        units=units,
    )


def can_certify(root: Path, plan: Plan) -> None:
    """Raises NotThereError where the room's authority may not vouch for a name in the plan."""
    authority = Issued((https(root) / "ca.crt").read_bytes(), b"")
    for act in (act for step in plan.steps for act in step.acts if isinstance(act, Certify)):
        for name in act.names:
            if not vouches_for(authority, name):
                raise NotThereError(
                    f"the room's authority may not vouch for {name}, only for names of the house: "
                    "that end in .local, .lan, .home.arpa or .internal"
                )


def room_authority(root: Path) -> str:
    """The fingerprint of what phones have to trust. Raises CertificateError."""
    return fingerprint(https(root) / "ca.crt")


def below(root: Path, path: Path) -> Path:
    """Where a file of the machine is, of which `root` is the root."""
    return under(root, PurePosixPath(path))


def https(root: Path) -> Path:
    """The folder of authority and certificate."""
    return below(root, HTTPS)


def broker_folder(root: Path) -> Path:
    """That of the broker which tables use: the package's own, or Debian's if it is set up."""
    own, debians = below(root, OWN), below(root, FOLDER)
    return debians if files_in(debians).settings.exists() and not own.exists() else own


def people(root: Path) -> Path:
    """The file of who may do what."""
    return staff_file(under(root, ROOM_STATE) / "room.sqlite")


def _is_shown(folder: Path, certificate: Path) -> bool:
    try:
        return (folder / "room.crt").read_bytes() == certificate.read_bytes()
    except FileNotFoundError:
        return False


def _is_lent(folder: Path, lent: Path) -> bool:
    try:
        return all((folder / each).read_bytes() == (lent / each).read_bytes() for each in LENT)
    except FileNotFoundError:
        return False


def _admins(file: Path) -> tuple[str, ...]:
    if not file.exists():
        return ()
    try:
        with closing(StaffStore.open(file)) as store:
            return tuple(each.name for each in store.people() if each.role == "admin")
    except StaffError as error:
        raise NotThereError(str(error)) from None


def _wall_login(root: Path) -> Literal["kept", "to carry", "none"]:
    if under(root, room_plan.WALL_PASSWORD).exists():
        return "to carry"
    return "kept" if under(root, room_plan.WALL_CREDENTIAL).exists() else "none"


def _sticks() -> tuple[sticks.Stick, ...]:
    try:
        said = subprocess.run(
            ["lsblk", "--json", "--output", sticks.COLUMNS],
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ()
    return sticks.sticks(said.stdout)
