"""A room and a table, two machines on one network: the table finds the room by itself."""

from __future__ import annotations

import json

import pytest

from tests.appliance.machine import LONG_S, PYTHON, Machine
from tests.appliance.test_room import ADDS, health, hears, setup_code
from tests.appliance.test_table import set_up
from tests.waiting import wait_until

FINDS = """
from controller.install.pair.finding import rooms
print([[each.host, each.port, each.address] for each in rooms()])
"""

pytestmark = pytest.mark.timeout(LONG_S)


def named(machine: Machine, name: str) -> None:
    machine.does(f"hostname {name} && hostname >/etc/hostname")


def test_a_table_finds_its_room_and_joins_it(neighbours: tuple[Machine, Machine]) -> None:
    room, table = neighbours
    named(room, "room")
    named(table, "table-9")
    room.does("sh /bundle/install room")
    table.does("sh /bundle/install table")
    wait_until(lambda: health(room))
    seen = f"{PYTHON} -c '{FINDS}'"
    wait_until(lambda: json.loads(table.does(seen).replace("'", '"')))
    assert json.loads(table.does(seen).replace("'", '"')) == [["room.local", 8884, "10.77.0.1"]]

    set_up(table)
    where = f"http://127.0.0.1:8080 {setup_code(room)} 9 /etc/cutcard/ca.pem"
    answers = room.does(f"{PYTHON} -c '{ADDS}' {where}").splitlines()
    known = [line for line in answers if not line.startswith("address")]
    table.does("install -d /boot/firmware")
    file = table.root / "boot/firmware/cutcard-pair.toml"
    file.write_text("\n".join(known), encoding="utf-8")
    table.does("systemctl start cutcard-pair")
    table.comes_up("cutcard-table")
    wait_until(lambda: hears(room))
    assert 'host = "room.local"' in table.does("cat /etc/cutcard/table.toml")
