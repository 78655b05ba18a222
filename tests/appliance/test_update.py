"""A machine is brought to a newer version, and back where that one does not do well."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from zipfile import ZIP_STORED, ZipFile

import pytest
from nacl.signing import SigningKey

from bundle.manifest import key_in, write
from tests.appliance.machine import LONG_S, PYTHON, Machine
from tests.appliance.test_room import STATE, health, install, set_up_table
from tests.appliance.test_setup import TABLE, has_felt, setup
from tests.waiting import wait_until

KEPT = "/var/lib/cutcard-update"
UPDATE = "cutcard update --key /key.pub --watch 10s"
OFFERS = """
from pathlib import Path
from controller.install.updating.bundle import open_bundle
from controller.install.updating.kept import Kept
from controller.install.updating.update_command import offer_of
bundle = open_bundle(Path("/newer.zip"), Path("/key.pub").read_text())
Kept().offer(bundle.file, offer_of(bundle), bundle.made_for)
"""
ALLOWS = "/etc/systemd/system/cutcard-table.service.d"
"""The unit may open serial ports; this one is a pty."""
OPEN_HAND = """
from pathlib import Path
from controller.storage.journal import open_hand
print(open_hand(Path("/var/lib/cutcard/journal.sqlite")))
"""
BREAKS = "\nraise SystemExit('this version was built badly')\n"

pytestmark = pytest.mark.timeout(LONG_S)


def a_newer_bundle(machine: Machine, key: SigningKey, *, breaks: str = "") -> str:
    """Puts the machine's bundle with a later version, signed with the key, at /newer.zip; with
    `breaks` the program's module of this name ends as it is loaded. Returns the version."""
    inside = machine.root / "newer"
    shutil.copytree(machine.root / "bundle", inside)
    version = ""
    for package in inside.glob("cutcard*.deb"):
        tree = machine.root / "tree"
        subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True)
        package.unlink()
        control = tree / "DEBIAN" / "control"
        text = control.read_text("utf-8")
        (old,) = re.findall(r"^Version: (.+)$", text, re.MULTILINE)
        version = f"{old}.1"
        control.write_text(text.replace(old, version), encoding="utf-8")
        for module in tree.glob(f"opt/cutcard/lib/*/site-packages/{breaks}") if breaks else ():
            module.write_text(module.read_text("utf-8") + BREAKS, encoding="utf-8")
            for compiled in (module.parent / "__pycache__").glob(f"{module.stem}.*"):
                compiled.unlink()
        build = ["dpkg-deb", "--root-owner-group", "-Znone", "--build", str(tree), str(inside)]
        subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
        shutil.rmtree(tree)
    scan = "apt-ftparchive packages . >Packages; apt-ftparchive release . >../R; mv ../R Release"
    subprocess.run(["sh", "-c", scan], cwd=inside, check=True)
    manifest = (inside / "manifest.json").read_text("utf-8")
    (made_for,) = re.findall(r'"for": "(.+)"', manifest)
    write(inside, version, made_for, key)
    with ZipFile(machine.root / "newer.zip", "w", ZIP_STORED) as archive:
        for each in inside.iterdir():
            archive.write(each, f"newer/{each.name}")
    shutil.rmtree(inside)
    return version


@pytest.fixture
def key(machine: Machine, tmp_path: Path) -> SigningKey:
    """Return a key whose public half is in the machine, at /key.pub."""
    made = key_in(tmp_path / "key")
    shutil.copy(tmp_path / "key.pub", machine.root / "key.pub")
    return made


def version(machine: Machine) -> str:
    return machine.does("dpkg-query --show --showformat='${Version}' cutcard")


def up(machine: Machine) -> None:
    install(machine, "table room")
    set_up_table(machine)
    wait_until(lambda: health(machine).get("heard", {}).get("$state"))


def test_a_newer_version_comes_with_the_data_and_goes_again(
    machine: Machine, key: SigningKey
) -> None:
    up(machine)
    old = version(machine)
    newer = a_newer_bundle(machine, key)
    said = machine.does(f"{UPDATE} /newer.zip")
    assert said.splitlines()[-1] == f"{newer} is here now. Back again: sudo cutcard rollback"
    assert version(machine) == newer
    for unit in ("cutcard-table", "cutcard-room", "cutcard-broker"):
        assert machine.state(unit) == "active"
    wait_until(lambda: health(machine).get("heard", {}).get("$state"))
    machine.does(f"ls {KEPT}/bundles/*.zip {KEPT}/before-{old}.zip")
    assert machine.does(f"stat --format=%a {KEPT}/before-{old}.zip") == "600"
    assert machine.does(f"{UPDATE} /newer.zip") == f"{newer} is here already"
    said = machine.does("cutcard rollback --yes")
    assert said.splitlines()[-1] == f"{old} is here again, and all data stays"
    assert version(machine) == old
    wait_until(lambda: health(machine).get("heard", {}).get("$state"))
    assert machine.does("stat --format=%a /") == "755"


@pytest.mark.parametrize("module", ["controller/table/service.py", "display/web/command.py"])
def test_a_version_that_does_not_do_well_goes_by_itself(
    machine: Machine, key: SigningKey, module: str
) -> None:
    up(machine)
    old, hands = version(machine), machine.does("cat /etc/cutcard/table.toml | sha256sum")
    newer = a_newer_bundle(machine, key, breaks=module)
    done = machine.tries(f"{UPDATE} /newer.zip")
    assert done.returncode == 1, done.stdout
    last = done.stdout.splitlines()[-1]
    assert f"{old} is here again with its data; " in last
    assert newer in done.stdout
    assert version(machine) == old
    assert machine.does("cat /etc/cutcard/table.toml | sha256sum") == hands
    for unit in ("cutcard-table", "cutcard-room"):
        machine.comes_up(unit)
    wait_until(lambda: health(machine).get("heard", {}).get("$state"))


def test_a_table_takes_what_its_room_offers(machine: Machine, key: SigningKey) -> None:
    """Both are on this machine, as it has no network."""
    up(machine)
    newer = a_newer_bundle(machine, key)
    assert "is here already" in machine.does(f"{UPDATE} --follow")
    machine.does(f"/opt/cutcard/bin/python3 -I -c '{OFFERS}'")
    said = machine.does(f"{UPDATE} --follow")
    assert said.splitlines()[-1].startswith(f"{newer} is here now")
    assert version(machine) == newer
    wait_until(lambda: health(machine).get("heard", {}).get("$state"))
    assert "is here already" in machine.does(f"{UPDATE} --follow")


@pytest.mark.usefixtures("key")
def test_a_bundle_of_others_is_refused(machine: Machine) -> None:
    install(machine)
    a_newer_bundle(machine, SigningKey.generate())
    assert (machine.root / "key.pub").exists()
    done = machine.tries(f"{UPDATE} /newer.zip")
    assert (done.returncode, "not signed by those" in done.stdout) == (2, True)


def test_not_while_the_clock_runs(machine: Machine, key: SigningKey) -> None:
    install(machine)
    a_newer_bundle(machine, key)
    machine.does("sed -i 's/^ROOM_OPTIONS=/&--start /' /etc/cutcard/room.env")
    machine.does(f"systemctl stop cutcard-room; rm {STATE}/room.sqlite*")
    machine.does("systemctl start cutcard-room")
    wait_until(lambda: health(machine))
    done = machine.tries(f"{UPDATE} /newer.zip")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        1,
        "cutcard update: not now: the tournament's clock is running",
    )
    assert machine.state("cutcard-room") == "active"


def test_not_in_an_open_hand(machine: Machine, key: SigningKey) -> None:
    machine.does("sh /bundle/install table")
    has_felt(machine)
    machine.does(
        f"mkdir {ALLOWS}; printf '[Service]\\nDeviceAllow=char-pts rw\\n' >{ALLOWS}/a.conf"
    )
    machine.does("systemctl daemon-reload")
    setup(machine, "table", TABLE)
    machine.comes_up("cutcard-table")
    a_newer_bundle(machine, key)
    before = version(machine)
    machine.does("touch /deal")
    wait_until(lambda: machine.does(f"{PYTHON} -c '{OPEN_HAND}'") == "1")
    done = machine.tries(f"{UPDATE} /newer.zip")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        1,
        "cutcard update: not now: hand 1 is being played",
    )
    assert version(machine) == before
    assert machine.state("cutcard-table") == "active"


def ended(machine: Machine, number: str, line: str, *, after_s: float = 0.0) -> str:
    """Begins to update, and ends that by a signal once it says this; returns what it said."""
    return machine.does(
        f"{UPDATE} /newer.zip >/said 2>&1 & pid=$!; "
        f"until grep -q '{line}' /said; do kill -0 $pid || break; sleep 0.05; done; "
        f"sleep {after_s}; kill -{number} $pid; wait $pid; "
        "while grep -qsxE 'dpkg|apt-get|apt' /proc/[0-9]*/comm; do sleep 0.1; done; cat /said"
    )


def all_is_well(machine: Machine) -> None:
    for unit in ("cutcard-table", "cutcard-room", "cutcard-broker"):
        machine.comes_up(unit)
    wait_until(lambda: health(machine).get("heard", {}).get("$state"))


def test_ended_by_a_signal_it_leaves_what_ran_running(machine: Machine, key: SigningKey) -> None:
    up(machine)
    old = version(machine)
    newer = a_newer_bundle(machine, key)
    ended(machine, "TERM", "saving all")
    assert version(machine) == old
    all_is_well(machine)
    said = ended(machine, "TERM", "installing")
    assert "sudo cutcard rollback" in said.splitlines()[-1]
    assert version(machine) == newer  # dpkg has come to its end
    assert machine.does(f"{UPDATE} /newer.zip") == f"{newer} is here already"
    all_is_well(machine)
    said = machine.does("cutcard rollback --yes")
    assert said.splitlines()[-1] == f"{old} is here again, and all data stays"
    all_is_well(machine)


@pytest.mark.parametrize(
    ("line", "after_s"), [("saving all", 0.0), ("installing", 1.0), ("watching", 1.0)]
)
def test_killed_the_next_command_brings_all_up(
    machine: Machine, key: SigningKey, line: str, after_s: float
) -> None:
    up(machine)
    old = version(machine)
    a_newer_bundle(machine, key)
    ended(machine, "KILL", line, after_s=after_s)
    done = machine.tries("cutcard rollback --yes")
    wanted = 1 if line == "saving all" else 0  # then there is no update to go back from
    assert done.returncode == wanted, done.stdout
    assert version(machine) == old
    all_is_well(machine)
