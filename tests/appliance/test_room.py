"""A room's machine: broker and pages are there once it is installed, and its tables come."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.appliance.machine import LONG_S, Machine
from tests.waiting import wait_until

ROOM = ["cutcard-broker", "cutcard-room", "cutcard-renewal.timer"]
STATE = "/var/lib/private/cutcard-room"
ASKS = """
import sys, urllib.request
try:
    with urllib.request.urlopen("http://127.0.0.1:8080/healthz") as page:
        print(page.read().decode())
except OSError as error:
    print("{}")
"""
PAIRS = """
import ssl, urllib.request
anybody = ssl._create_unverified_context()
with urllib.request.urlopen("https://127.0.0.1:8884/ca.crt", context=anybody) as file:
    print(file.read().decode(), end="")
"""
ADDS = """
import hashlib, json, ssl, sys, urllib.request
base, code, table, authority = sys.argv[1:]
ours = {"Origin": base, "X-Requested-With": "cutcard"}
def asks(path, fields=None):
    body = None if fields is None else json.dumps(fields).encode()
    with urllib.request.urlopen(urllib.request.Request(base + path, body, ours)) as answer:
        if answer.headers["Set-Cookie"]:
            ours["Cookie"] = answer.headers["Set-Cookie"].partition(";")[0]
        return answer.read()
asks("/setup", {"code": code, "name": "Ada", "pin": "471147"})
asks("/tables/add", {"table": table})
(offer,) = json.loads(asks("/tables.json"))["offers"]
with open(authority) as file:
    known = hashlib.sha256(ssl.PEM_cert_to_DER_cert(file.read())).hexdigest()
print("code = " + json.dumps(offer["code"]))
print("fingerprint = " + json.dumps(known))
print("address = " + json.dumps("127.0.0.1"))
"""
LOGINS = "/var/lib/cutcard-broker/logins.json"
OPENS = """
import json, sys, urllib.request
base, code, *pages = sys.argv[1:]
ours = {"Origin": base, "X-Requested-With": "cutcard"}
fields = json.dumps({"code": code, "name": "Ada", "pin": "471147"}).encode()
with urllib.request.urlopen(urllib.request.Request(base + "/setup", fields, ours)) as answer:
    ours["Cookie"] = answer.headers["Set-Cookie"].partition(";")[0]
for page in pages:
    with urllib.request.urlopen(urllib.request.Request(base + page, None, ours)) as answer:
        assert answer.status == 200 and "needs=" not in answer.url, answer.url
"""
PAGES = (
    "/ /screen /blinds /pocket /login /floor /clock /players /race /money /rules /events"
    " /history /statistics /people /tables"
)
POLLS = """
import pathlib, sys, time, urllib.request
longest, last = 0.0, time.monotonic()
while not pathlib.Path("/enough").exists():
    try:
        with urllib.request.urlopen("http://127.0.0.1:8080/healthz", timeout=5) as page:
            page.read()
    except OSError:
        time.sleep(0.01)
        continue
    now = time.monotonic()
    longest, last = max(longest, now - last), now
    time.sleep(0.02)
print(f"{longest:.2f}")
"""
AWAY_S = 15.0
"""No longer are the pages away in an upgrade, however busy the machine that tests it is."""
BROKER = '\n[broker]\nhost = "127.0.0.1"\nsite = "main"\nca_file = "/etc/cutcard/ca.pem"\n'

pytestmark = pytest.mark.timeout(LONG_S)


def install(machine: Machine, what: str = "room") -> str:
    said = machine.does(f"sh /bundle/install {what}")
    for unit in ROOM:
        machine.comes_up(unit)
    return said


def health(machine: Machine) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(machine.does(f"/opt/cutcard/bin/python3 -I -c '{ASKS}'"))
    return found


def hears(machine: Machine) -> bool:
    return bool(health(machine).get("heard", {}).get("$state"))


def set_up_table(machine: Machine) -> None:
    machine.does("cutcard broker --tables 7 && systemctl restart cutcard-broker")
    machine.does("mv /etc/cutcard/broker/table-7.password /etc/credstore/cutcard.mqtt-password")
    settings = (machine.root / "usr/share/cutcard/table.toml").read_text("utf-8")
    (machine.root / "etc/cutcard/table.toml").write_text(settings + BROKER, encoding="utf-8")
    machine.does("systemctl enable --now cutcard-table")


def fingerprint(machine: Machine, name: str) -> str:
    return machine.does(f"cd /etc/cutcard && sha256sum {name}")


def test_a_table_is_heard_by_the_room_over_its_own_broker(machine: Machine) -> None:
    said = install(machine, "table room")
    assert said.splitlines()[-2:] == [
        "install: next: sudo cutcard setup table",
        "install: next: sudo cutcard setup room",
    ]
    # Debian's broker came with its package and is as Debian made it.
    assert machine.state("mosquitto") == "active"
    assert machine.does("dpkg --verify mosquitto") == ""
    assert machine.does("ls /etc/mosquitto/conf.d") == "README"
    assert "cutcard" not in machine.does("systemctl --failed --plain --no-legend")
    # Whether it has the right to set a clock is another matter, in a container.
    assert {"allow", "local stratum 10"} <= set(machine.does("chronyd -p").splitlines())
    for user in ("room", "archive", "steward"):
        assert machine.does(f"stat --format=%a /etc/credstore/cutcard.{user}-password") == "600"
        machine.does(f"test ! -e /etc/cutcard/broker/{user}.password")
    wait_until(lambda: health(machine))
    assert machine.does(f"/opt/cutcard/bin/python3 -I -c '{PAIRS}'") == machine.does(
        "cat /etc/cutcard/ca.pem"
    )
    assert "no table can pair" not in machine.does("journalctl -u cutcard-room")
    assert machine.does(f"stat --format=%U:%a {LOGINS}") == "mosquitto:600"
    assert not hears(machine)
    set_up_table(machine)
    wait_until(lambda: hears(machine))


def setup_code(machine: Machine) -> str:
    def said() -> list[str]:
        return re.findall(r"/setup\?code=([\w-]+)", machine.does("journalctl -u cutcard-room"))

    return wait_until(said)[0]


def test_every_page_opens_on_a_machine_without_a_network(machine: Machine) -> None:
    install(machine)
    wait_until(lambda: health(machine))
    where = f"http://127.0.0.1:8080 {setup_code(machine)}"
    machine.does(f"/opt/cutcard/bin/python3 -I -c '{OPENS}' {where} {PAGES}")


def test_a_table_joins_the_room_by_a_file_on_its_boot_partition(machine: Machine) -> None:
    install(machine, "table room")
    settings = (machine.root / "usr/share/cutcard/table.toml").read_text("utf-8")
    (machine.root / "etc/cutcard/table.toml").write_text(settings, encoding="utf-8")
    machine.does("systemctl enable --now cutcard-table")
    machine.comes_up("cutcard-table")
    wait_until(lambda: health(machine))
    where = f"http://127.0.0.1:8080 {setup_code(machine)} 9 /etc/cutcard/ca.pem"
    machine.does("install -d /boot/firmware")
    file = "/boot/firmware/cutcard-pair.toml"
    machine.does(f"/opt/cutcard/bin/python3 -I -c '{ADDS}' {where} >{file}")
    assert machine.state("cutcard-pair") == "inactive"
    assert machine.does("systemctl is-enabled cutcard-pair") == "enabled"
    before = machine.does("systemctl show --property=MainPID --value cutcard-table")
    machine.does("systemctl start cutcard-pair")
    assert "its service has started again" in machine.does("journalctl -u cutcard-pair")
    machine.does(f"test ! -e {file}")
    assert machine.does("systemctl show --property=MainPID --value cutcard-table") != before
    assert machine.does("stat --format=%a /etc/credstore/cutcard.mqtt-password") == "600"
    wait_until(lambda: hears(machine))


def test_a_renewed_certificate_leaves_the_authority_and_the_tables_alone(machine: Machine) -> None:
    install(machine, "table room")
    set_up_table(machine)
    wait_until(lambda: hears(machine))
    names = ("https/ca.crt", "ca.pem", "mosquitto/certs/cutcard.crt")
    before = [fingerprint(machine, each) for each in names]
    process = machine.does("systemctl show --property=MainPID --value cutcard-broker")
    machine.does("systemctl start cutcard-renewal")
    after = [fingerprint(machine, each) for each in names]
    assert [was == now for was, now in zip(before, after, strict=True)] == [True, True, False]
    assert process == machine.does("systemctl show --property=MainPID --value cutcard-broker")
    machine.does("systemctl restart cutcard-room")
    wait_until(lambda: hears(machine))


def test_an_upgrade_keeps_passwords_and_authority(machine: Machine, newer: Path) -> None:
    """While a table talks to the room, and somebody looks at its pages."""
    install(machine, "table room")
    set_up_table(machine)
    wait_until(lambda: hears(machine))
    kept = ("ca.pem", LOGINS, "room.env", "https/room.crt")
    before = [fingerprint(machine, each) for each in kept]
    shutil.copytree(newer, machine.root / "newer")
    for other in (machine.root / "newer").glob("cutcard-wa*"):
        other.unlink()
    (machine.root / "polls.py").write_text(POLLS, encoding="utf-8")
    # Debian's own Python, which stays as it is meanwhile.
    polls = f"{machine.does('readlink -f /opt/cutcard/bin/python3')} -I /polls.py"
    machine.does(f"systemd-run --unit=polls --property=StandardOutput=file:/away {polls}")
    machine.does("apt-get -y install /newer/*.deb")
    for unit in (*ROOM, "cutcard-table"):
        machine.comes_up(unit)
    wait_until(lambda: hears(machine))
    machine.does("touch /enough")
    wait_until(lambda: machine.state("polls") == "inactive")
    away = float(machine.does("cat /away"))
    sys.stderr.write(f"the pages were away for {away:.2f} s\n")
    assert away < AWAY_S
    assert [fingerprint(machine, each) for each in kept] == before


def test_removed_and_purged_its_data_is_kept_and_a_new_room_can_begin(machine: Machine) -> None:
    install(machine)
    before = fingerprint(machine, "ca.pem")
    machine.does("apt-get -y remove cutcard-room")
    assert [machine.state(each) for each in ROOM] == ["inactive"] * 3
    install(machine)
    assert fingerprint(machine, "ca.pem") == before
    said = machine.does("apt-get -y purge cutcard-room")
    (folder,) = machine.does("ls -d /var/backups/cutcard-*").splitlines()
    for each in (
        STATE,
        str(Path(LOGINS).parent),
        "/etc/cutcard/mosquitto",
        "/etc/credstore/cutcard.room-password",
    ):
        assert f"{each} is now {folder}{each}" in said
        machine.does(f"test -e {folder}{each} && test ! -e {each}")
    assert machine.does("ls /etc/cutcard /etc/credstore | grep -v :") == ""
    install(machine)
    assert fingerprint(machine, "ca.pem") != before
    wait_until(lambda: health(machine))
