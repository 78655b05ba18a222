"""Who from the floor signs in at the table: their PINs and badges."""

from __future__ import annotations

from msgspec import Struct

from controller.files.toml_file import ConfigError
from controller.install.doctor.check import Check, Probe, fail, ok, skipped, warn
from controller.install.doctor.system import Account, Node, System
from controller.table.config import TableConfig

_ADD = "Give somebody a PIN: cutcard floor add NAME --config …"
_SUDO = "Run the doctor as root or as the service's user: sudo cutcard doctor …"


class FloorFile(Struct, frozen=True):
    """The people who have a PIN or a badge here, and the file; no hash and no tag is in it."""

    path: str = ""
    node: Node | None = None
    pins: int = 0
    badges: int = 0
    fault: str = ""
    is_credential: bool = False


def probes(system: System, account: Account, config: TableConfig) -> list[Probe]:
    """What there is to check of the floor's people."""
    return [Probe("floor", lambda: judge(_file(system, config), account))]


def judge(seen: FloorFile, account: Account) -> list[Check]:
    """Somebody can sign in, and nobody else can read the hashes."""
    if seen.fault:
        if seen.node is not None and seen.fault.endswith("Permission denied"):
            return [skipped("floor", seen.fault, _SUDO)]
        return [fail("floor", seen.fault, "Fix it: cutcard floor list --config …")]
    if not seen.pins and not seen.badges:
        return [warn("floor", "nobody from the floor can rule at this table's screen", _ADD)]
    checks = [ok("floor", f"{seen.pins} with a PIN, {seen.badges} with a badge")]
    if seen.node is None:
        return checks
    if seen.node.mode & 0o077:
        checks.append(
            fail(
                "floor's file",
                f"others can read the hashes of the PINs (mode {seen.node.mode:04o})",
                f"sudo chmod 600 {seen.path}",
            )
        )
    elif not seen.is_credential and not account.may(seen.node, 0o4):
        checks.append(
            fail(
                "floor's file",
                f"{account.user} can't read it: it is {seen.node.owner}'s",
                f"sudo chown {account.user} {seen.path}",
            )
        )
    return checks


def _file(system: System, config: TableConfig) -> FloorFile:
    badges = len(set(config.badges.values()))
    if config.floor is None:
        return FloorFile(badges=badges)
    path, node = str(config.floor), system.node(str(config.floor))
    lent = config.floor.parent == config.credentials
    try:
        pins = len(config.read_floor())
    except ConfigError as error:
        return FloorFile(path, node, badges=badges, fault=str(error), is_credential=lent)
    return FloorFile(path, node, pins, badges, is_credential=lent)
