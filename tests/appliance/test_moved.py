"""What a machine has kept is brought back on another one, and hands are dealt on it."""

from __future__ import annotations

import json

import pytest

from tests.appliance.machine import LONG_S, Machine
from tests.appliance.test_room import ROOM, fingerprint, hears, install, set_up_table
from tests.waiting import wait_until

KEPT = (
    "/etc/cutcard/table.toml",
    "/etc/cutcard/ca.pem",
    "/var/lib/cutcard-broker/logins.json",
    "/etc/credstore/cutcard.mqtt-password",
    "/etc/credstore/cutcard.room-password",
)

pytestmark = pytest.mark.timeout(LONG_S)


def sums(machine: Machine) -> list[str]:
    return machine.does(f"sha256sum {' '.join(KEPT)}").splitlines()


def test_a_backup_is_brought_back_after_a_purge(machine: Machine) -> None:
    install(machine, "table room")
    set_up_table(machine)
    wait_until(lambda: hears(machine))
    before = sums(machine)
    modes = machine.does("stat --format='%n %a %U' / /etc /var /var/lib /etc/credstore")
    said = json.loads(machine.does("cutcard backup /all.zip --json"))
    assert said["missing"] == []
    machine.does("apt-get -y purge cutcard cutcard-table cutcard-room")
    machine.does("rm -r /var/backups/cutcard-*")
    install(machine, "table room")
    assert fingerprint(machine, "ca.pem") not in before
    machine.does("systemctl stop cutcard-table cutcard-room cutcard-broker cutcard-archive")
    machine.does("cutcard restore /all.zip --yes")
    assert sums(machine) == before
    machine.does(
        "systemctl enable --now cutcard-table; systemctl start cutcard-broker cutcard-room"
    )
    for unit in (*ROOM, "cutcard-table"):
        machine.comes_up(unit)
    wait_until(lambda: hears(machine))
    assert machine.does("stat --format='%n %a %U' / /etc /var /var/lib /etc/credstore") == modes


def test_hands_are_dealt_with_virtual_readers(machine: Machine) -> None:
    machine.does("sh /bundle/install table")
    said = machine.does("cutcard demo --headless --hands 2 --speed 5 --seed 3")
    assert "\nHand 2 begins" in said
    assert "lost the broker" not in said
