"""A table's machine: installed without a network, upgraded, removed and purged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.appliance.machine import LONG_S, Machine
from tests.waiting import wait_until

TABLE, DEALER = "cutcard-table", "cutcard-dealer"
JOURNAL = "/var/lib/cutcard/journal.sqlite"

pytestmark = pytest.mark.timeout(LONG_S)


def install(machine: Machine) -> str:
    return machine.does("sh /bundle/install table")


def set_up(machine: Machine) -> None:
    machine.does("cp /usr/share/cutcard/table.toml /etc/cutcard/")
    machine.does(f"systemctl enable --now {TABLE} {DEALER}")
    machine.comes_up(TABLE)


def process(machine: Machine) -> str:
    return machine.does(f"systemctl show --property=MainPID --value {TABLE}")


def test_it_is_installed_and_waits_for_its_settings(machine: Machine) -> None:
    said = install(machine)
    assert said.splitlines()[-1] == "install: next: sudo cutcard setup table"
    assert machine.does("cutcard --version").startswith("cutcard ")
    for unit in (TABLE, DEALER):
        assert machine.state(f"{unit}.service") == "inactive"
        assert machine.tries(f"systemctl is-enabled {unit}").stdout.strip() == "disabled"
        assert machine.tries(f"systemctl start {unit}").returncode == 0
        assert machine.state(f"{unit}.service") == "inactive"
    assert "cutcard" not in machine.does("systemctl --failed --plain --no-legend")
    assert machine.does("stat --format=%a /etc/credstore") == "700"


def test_it_runs_once_it_is_set_up_and_the_screen_waits_for_a_display(machine: Machine) -> None:
    install(machine)
    set_up(machine)
    machine.comes_up(DEALER)
    said = machine.does(f"journalctl --no-pager --unit {DEALER}")
    assert "Main process exited" not in said, said
    log = f"journalctl --output=cat --unit {DEALER} _UID=$(id -u cutcard)"
    wait_until(lambda: "display" in machine.does(log))


def test_an_upgrade_starts_it_again_and_keeps_all(machine: Machine, newer: Path) -> None:
    install(machine)
    set_up(machine)
    before = process(machine)
    shutil.copytree(newer, machine.root / "newer")
    for other in (machine.root / "newer").glob("cutcard-[rw]*"):
        other.unlink()
    machine.does("cp /etc/cutcard/table.toml /tmp; apt-get -y install /newer/*.deb")
    machine.comes_up(TABLE)
    assert process(machine) != before
    assert machine.does("dpkg-query --show --showformat='${Version}' cutcard").endswith(".1")
    machine.does(f"cmp /etc/cutcard/table.toml /tmp/table.toml && test -e {JOURNAL}")
    # An older bundle does not go over a newer version by itself.
    assert machine.tries("sh /bundle/install table").returncode in (0, 2)
    assert machine.does("dpkg-query --show --showformat='${Version}' cutcard").endswith(".1")


def test_removed_it_leaves_data_and_settings_and_begins_again_with_them(machine: Machine) -> None:
    install(machine)
    set_up(machine)
    machine.does("apt-get -y remove cutcard cutcard-table")
    assert machine.state(TABLE) == "inactive"
    machine.does(f"test -e {JOURNAL} && test -e /etc/cutcard/table.toml && test ! -e /opt/cutcard")
    install(machine)
    machine.comes_up(TABLE)


def test_purged_it_says_where_its_data_is_now(machine: Machine) -> None:
    install(machine)
    set_up(machine)
    machine.does("echo secret >/etc/credstore/cutcard.deck")
    said = machine.does("apt-get -y purge cutcard cutcard-table")
    (folder,) = machine.does("ls -d /var/backups/cutcard-*").splitlines()
    for each in ("/var/lib/cutcard", "/etc/cutcard", "/etc/credstore/cutcard.deck"):
        assert f"{each} is now {folder}{each}" in said
        machine.does(f"test -e {folder}{each} && test ! -e {each}")
    machine.does(f"test -e {folder}{JOURNAL} && test -e {folder}/etc/cutcard/table.toml")
    assert machine.does(f"stat --format=%a {folder}") == "700"
    # Another purge on the same day takes nothing of the first away.
    install(machine)
    set_up(machine)
    machine.does("apt-get -y purge cutcard cutcard-table")
    assert len(machine.does("ls -d /var/backups/cutcard-*").splitlines()) == 2
    machine.does(f"test -e {folder}{JOURNAL}")


def test_a_damaged_bundle_is_refused(machine: Machine) -> None:
    (package,) = (machine.root / "bundle").glob("cutcard-table_*.deb")
    with package.open("r+b") as damaged:
        damaged.seek(100)
        damaged.write(b"?")
    done = machine.tries("sh /bundle/install table")
    assert done.returncode == 2
    assert done.stdout.splitlines()[-1] == (
        "install: a file is damaged or missing: copy the folder here again"
    )
    assert machine.tries("dpkg-query --show cutcard").returncode != 0


def test_a_bundle_for_another_machine_is_refused(machine: Machine) -> None:
    manifest = machine.root / "bundle" / "manifest.json"
    text = manifest.read_text("utf-8")
    manifest.write_text(text.replace('"for": "debian', '"for": "debian9'), encoding="utf-8")
    done = machine.tries("sh /bundle/install table")
    assert (done.returncode, done.stdout.startswith("install: this is for debian9")) == (2, True)
