"""The units that systemd runs, and whose rights the table has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from controller.install.doctor.check import Check, Probe, fail, ok, skipped, warn
from controller.install.doctor.system import Account, System, account_of, this_account

TABLE, DEALER = UNITS = ("cutcard-table", "cutcard-dealer")
MANY_RESTARTS = 3

_WANTED = (
    "LoadState,ActiveState,SubState,Result,NRestarts,UnitFileState,ExecMainStatus,User,"
    "SupplementaryGroups,DeviceAllow"
)


def probes(system: System) -> list[Probe]:
    """What there is to check."""
    return [Probe(name, partial(_look, system, name)) for name in UNITS]


def _look(system: System, name: str) -> list[Check]:
    return [judge(name, unit(system, name))]


def unit(system: System, name: str) -> dict[str, str] | None:
    """What systemd knows of a unit; None where it does not run."""
    if system.node("/run/systemd/system") is None:
        return None
    said = system.output("systemctl", "show", f"{name}.service", "-p", _WANTED)
    if said is None:
        return None
    return {key: value for key, _, value in (line.partition("=") for line in said.splitlines())}


def account(shown: Mapping[str, str] | None) -> Account:
    """Whose rights count: those of the unit that was installed, else those of this process."""
    if shown is None or shown.get("LoadState") != "loaded" or not shown.get("User"):
        return this_account()
    return account_of(shown["User"], shown.get("SupplementaryGroups", "").split())


def judge(name: str, shown: Mapping[str, str] | None) -> Check:
    """Whether a unit is installed, runs and comes back at the next start."""
    if shown is None:
        return skipped(name, "this system is not run by systemd")
    if shown.get("LoadState") != "loaded":
        return skipped(name, "this unit is not installed", "See docs/install.md if you want it.")
    active, result = shown.get("ActiveState", ""), shown.get("Result", "")
    restarts = int(shown.get("NRestarts", "0") or 0)
    journal = f"See why: journalctl -u {name} -n 20"
    if active == "failed" or (active == "activating" and result not in ("", "success")):
        status = shown.get("ExecMainStatus", "")
        why = " over a mistake in its settings" if status == "2" else f" ({result or 'no reason'})"
        return fail(name, f"it has stopped{why}", journal)
    if active != "active":
        return warn(name, f"it is {active or 'not running'}", f"sudo systemctl start {name}")
    if restarts > MANY_RESTARTS:
        return warn(name, f"it is running, but was restarted {restarts} times", journal)
    if shown.get("UnitFileState") not in ("enabled", "enabled-runtime", "static"):
        return warn(
            name, "it is running, but will not start at boot", f"sudo systemctl enable {name}"
        )
    return ok(name, "it is running, and starts at boot")
