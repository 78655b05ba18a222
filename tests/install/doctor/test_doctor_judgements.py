"""What the doctor makes of what it finds: tables of cases, with nothing real behind them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from controller.files.toml_file import ConfigError
from controller.install.doctor import (
    disk,
    gpio,
    machine,
    network,
    pages,
    ports,
    readers,
    records,
    rights,
    screen,
    seats,
    services,
    swap,
    time_kept,
)
from controller.install.doctor.antennas import Counted, Reading, counted, judge, reading
from controller.install.doctor.check import Check
from controller.install.doctor.system import Account, Holder, Node
from controller.table.attached import PanelWiring
from controller.table.bench import Scan
from controller.table.config import Broker
from firmware_bridge.bridge import Wiring
from firmware_bridge.debounce import Button, Timings
from firmware_bridge.health import LinkHealth
from firmware_bridge.link.frames import DecoderCounters
from firmware_bridge.link.values import SessionCounters

CUTCARD = Account("cutcard", frozenset({"cutcard", "dialout", "video", "input", "gpio"}))
STRANGER = Account("ann", frozenset({"ann"}))
TTY = Node("char", 0o660, "root", "dialout")
BY_ID = "/dev/serial/by-id/usb-Pico-if00"
TABLE = Holder(7, "python3", ("/opt/cutcard/bin/python3", "/opt/cutcard/bin/cutcard", "table"))


def expect(found: Check | Sequence[Check], status: str, *words: str) -> None:
    """The first check has this status and these words; whatever is wrong says what to do."""
    checks = [found] if isinstance(found, Check) else list(found)
    assert checks[0].status == status, checks
    whole = f"{checks[0].name}: {checks[0].found} {checks[0].todo}"
    for word in words:
        assert word in whole
    for check in checks:
        assert check.todo or check.status not in ("fail", "warn"), check
        assert "\n" not in check.found + check.todo


@pytest.mark.parametrize(
    ("port", "account", "status", "words"),
    [
        (ports.Port(BY_ID, "/dev/ttyACM0", TTY), CUTCARD, "ok", ["cutcard may open it"]),
        (
            ports.Port(BY_ID, "/dev/ttyACM0", TTY, holders=(TABLE,)),
            CUTCARD, "ok", ["the table's service has it"],
        ),
        (
            ports.Port(BY_ID, BY_ID, None, others=("/dev/serial/by-id/b",)),
            CUTCARD, "fail", ["not there", "/dev/serial/by-id/b", "ls -l /dev/serial"],
        ),
        (ports.Port(BY_ID, BY_ID, None), CUTCARD, "fail", ["no serial port at all"]),
        (ports.Port(BY_ID, "/x", Node("file", 0o666, "a", "b")), CUTCARD, "fail", ["not a device"]),
        (
            ports.Port(BY_ID, "/dev/ttyACM0", TTY),
            STRANGER, "fail", ["ann may not", "sudo usermod -aG dialout ann"],
        ),
        (
            ports.Port(BY_ID, "/dev/ttyACM0", Node("char", 0o600, "root", "dialout")),
            CUTCARD, "fail", ["sudo chmod g+rw"],
        ),
        (
            ports.Port(BY_ID, "/dev/ttyACM0", TTY, holders=(TABLE, Holder(9, "ModemManager"))),
            CUTCARD, "fail", ["ModemManager (process 9)", "sudo systemctl mask --now ModemManager"],
        ),
        (
            ports.Port(BY_ID, "/dev/ttyACM0", TTY, holders=(Holder(9, "minicom"),)),
            CUTCARD, "fail", ["minicom", "sudo kill 9"],
        ),
        (
            ports.Port("/dev/ttyAMA0", "/dev/ttyAMA0", TTY, is_console=True),
            CUTCARD, "fail", ["console", "do_serial_cons 1"],
        ),
    ],
)  # fmt: skip
def test_ports(port: ports.Port, account: Account, status: str, words: list[str]) -> None:
    expect(ports.judge(port, account), status, *words)


def test_a_port_that_works_and_may_not_tomorrow() -> None:
    port = ports.Port("/dev/ttyUSB0", "/dev/ttyUSB0", TTY, names=(BY_ID,), latency_ms=16)
    fine, name, slow = ports.judge(port, CUTCARD)
    expect(fine, "ok")
    expect(name, "warn", BY_ID)
    expect(slow, "warn", "16 ms", "sudo tee /sys/bus/usb-serial/devices/ttyUSB0/latency_timer")
    expect(ports.judge_meddlers([]), "ok")
    expect(ports.judge_meddlers([Holder(1, "brltty")]), "warn", "disable --now brltty")
    modems = ports.judge_meddlers([Holder(1, "ModemManager"), Holder(2, "gpsd")])
    expect(modems, "warn", "mask --now ModemManager", "ID_MM_DEVICE_IGNORE", "disable --now gpsd")
    later = ports.judge_meddlers([], waiting=True)
    expect(later, "warn", "ModemManager is not running", "mask --now ModemManager")
    assert ports.consoles("quiet console=serial0,115200 console=tty1") == {
        "/dev/serial0",
        "/dev/tty1",
    }


@pytest.mark.parametrize(
    ("account", "node", "may"),
    [
        (Account("root"), Node("char", 0o000, "x", "y"), True),
        (Account("x"), Node("char", 0o060, "x", "y"), False),
        (Account("z", frozenset({"y"})), Node("char", 0o060, "x", "y"), True),
        (Account("z"), Node("char", 0o666, "x", "y"), True),
        (Account("z"), Node("char", 0o664, "x", "y"), False),
    ],
)
def test_who_may_open_what(account: Account, node: Node, may: bool) -> None:
    assert account.may(node) is may


@pytest.mark.parametrize(
    ("shown", "status", "words"),
    [
        (None, "skipped", ["not run by systemd"]),
        ({"LoadState": "not-found"}, "skipped", ["not installed"]),
        (
            {"LoadState": "loaded", "ActiveState": "failed", "ExecMainStatus": "2"},
            "fail", ["a mistake in its settings", "journalctl -u cutcard-table"],
        ),
        (
            {"LoadState": "loaded", "ActiveState": "activating", "Result": "exit-code"},
            "fail", ["exit-code"],
        ),
        (
            {"LoadState": "loaded", "ActiveState": "inactive"},
            "warn", ["sudo systemctl start cutcard-table"],
        ),
        (
            {"LoadState": "loaded", "ActiveState": "active", "NRestarts": "12"},
            "warn", ["restarted 12 times"],
        ),
        (
            {"LoadState": "loaded", "ActiveState": "active", "UnitFileState": "disabled"},
            "warn", ["sudo systemctl enable cutcard-table"],
        ),
        (
            {"LoadState": "loaded", "ActiveState": "active", "UnitFileState": "enabled"},
            "ok", [],
        ),
    ],
)  # fmt: skip
def test_units(shown: dict[str, str] | None, status: str, words: list[str]) -> None:
    expect(services.judge("cutcard-table", shown), status, *words)


@pytest.mark.parametrize(
    ("power", "status", "words"),
    [
        (machine.Power(False), "skipped", ["no Raspberry Pi"]),
        (machine.Power(True), "skipped", ["can't be queried"]),
        (machine.Power(True, 0), "ok", []),
        (machine.Power(True, 0x50005), "fail", ["just now: the voltage", "power supply"]),
        (machine.Power(True, 0x50000), "warn", ["since boot", "power supply"]),
        (machine.Power(True, 0x8), "fail", ["too hot", "fan"]),
        (machine.Power(True, None, True), "fail", ["voltage"]),
        (machine.Power(True, None, False), "ok", []),
    ],
)
def test_power(power: machine.Power, status: str, words: list[str]) -> None:
    expect(machine.judge_power(power), status, *words)


def test_computers() -> None:
    pi = machine.Computer("6.6", "aarch64", 64, (3, 11, 2), "0.1", "Raspberry Pi 4 Model B")
    expect(machine.judge_computer(pi), "ok", "Raspberry Pi 4", "aarch64")
    old = machine.Computer("6.6", "aarch64", 32, (3, 9, 2), "0.1")
    bits, python = machine.judge_computer(old)
    expect(bits, "warn", "32-bit programs")
    expect(python, "fail", "3.9.2")


CARD = ("/dev/dri/card0", Node("char", 0o660, "root", "video"))
TOUCH = ("/dev/input/event0", Node("char", 0o660, "root", "input"))


@pytest.mark.parametrize(
    ("display", "account", "statuses", "words"),
    [
        (screen.Display((CARD,), (TOUCH,), {}), CUTCARD, ["ok", "ok"], []),
        (screen.Display((), (), {"WAYLAND_DISPLAY": "w"}), CUTCARD, ["ok"], ["Wayland"]),
        (screen.Display((), (), {}), CUTCARD, ["warn"], ["no display", "vc4-kms-v3d"]),
        (
            screen.Display((CARD,), (), {}), STRANGER,
            ["fail", "warn"], ["sudo usermod -aG video ann"],
        ),
        (
            screen.Display((CARD,), (TOUCH,), {}, ("labwc",)), CUTCARD,
            ["ok", "warn", "ok"], [],
        ),
    ],
)  # fmt: skip
def test_displays(
    display: screen.Display, account: Account, statuses: list[str], words: list[str]
) -> None:
    found = screen.judge_display(display, account)
    assert [check.status for check in found] == statuses
    expect(found, statuses[0], *words)


def test_libraries_and_pygame() -> None:
    expect(screen.judge_libraries([]), "ok")
    missing = screen.judge_libraries(["libegl1", "libgles2"])
    expect(missing, "fail", "libegl1 and libgles2", "apt-get install -y libegl1 libgles2")
    expect(screen.judge_pygame("2.5.8", None), "ok", "pygame-ce 2.5.8")
    expect(screen.judge_pygame("2.5.8", "2.6.1"), "fail", "uninstall -y pygame pygame-ce")
    expect(screen.judge_pygame(None, "2.6.1"), "warn", "only draws on a desktop")
    expect(screen.judge_pygame(None, None), "fail", "not installed")


def mount(kind: str, *, read_only: bool = False, mb: int = 9000) -> disk.Place:
    return disk.Place("/var/lib/cutcard", disk.Mount("/dev/x", "/", kind, read_only), mb, 10_000)


@pytest.mark.parametrize(
    ("place", "status", "words"),
    [
        (mount("ext4"), "ok", ["8.8 GB"]),
        (mount("ext4", mb=400), "warn", ["400 MB"]),
        (mount("ext4", mb=3), "fail", ["full", "apt-get clean"]),
        (mount("ext4", read_only=True), "fail", ["can't be written"]),
        (mount("nfs4"), "fail", ["network", "[journal] path"]),
        (mount("tmpfs"), "fail", ["a power cut empties it"]),
        (mount("overlay"), "warn", ["do_overlayfs 1"]),
    ],
)
def test_the_journals_disk(place: disk.Place, status: str, words: list[str]) -> None:
    expect(disk.judge_journal(place), status, *words)


def test_other_disks() -> None:
    expect(disk.judge_root(mount("ext4", read_only=True)), "fail", "worn-out", "dmesg")
    expect(disk.judge_root(mount("ext4")), "ok")
    expect(disk.judge_keys(mount("tmpfs")), "ok")
    expect(disk.judge_keys(mount("ext4")), "fail", "takes out", "[journal] keys")
    table = "/dev/a / ext4 rw 0 0\ntmpfs /run tmpfs rw 0 0\n//s/j /my\\040disk cifs ro,x 0 0"
    there = disk.mounts(table)
    for path, kind in (("/", "ext4"), ("/running", "ext4"), ("/run/a", "tmpfs")):
        found = disk.mount_of(path, there)
        assert found is not None
        assert found.kind == kind
    expect(swap.judge([], []), "ok", "no swap on a disk")
    expect(swap.judge(["/var/swap"], []), "skipped", "/var/swap", "no table is running")
    expect(swap.judge(["/var/swap"], [True, True]), "ok", "locked")
    expect(swap.judge(["/var/swap"], [True, False]), "fail", "can be written to /var/swap")
    assert disk.mount_of("/my disk/j", there) == disk.Mount("//s/j", "/my disk", "cifs", True)


NOW = 1_800_000_000.0


@pytest.mark.parametrize(
    ("clock", "statuses"),
    [
        (time_kept.Clock(NOW, True, True), ["ok", "ok"]),
        (time_kept.Clock(NOW, None, True), ["skipped", "ok"]),
        (time_kept.Clock(NOW, False, False), ["warn", "warn"]),
        (time_kept.Clock(1000.0, True, True), ["fail"]),
    ],
)
def test_clocks(clock: time_kept.Clock, statuses: list[str]) -> None:
    found = time_kept.judge(clock)
    assert [check.status for check in found] == statuses
    expect(found, statuses[0])


def test_the_rooms_time() -> None:
    expect(time_kept.judge_room(None), "skipped")
    expect(time_kept.judge_room(0.3), "ok", "0.3 s ahead")
    expect(time_kept.judge_room(-7.0), "warn", "7.0 s behind", "timedatectl")


DECK = Node("file", 0o600, "cutcard", "cutcard")


@pytest.mark.parametrize(
    ("deck", "statuses", "words"),
    [
        (records.DeckFile("deck", "d", DECK, 52), ["ok", "ok"], ["52 tags"]),
        (records.DeckFile("deck", "d", DECK, fault="d: line 3: no tag"), ["fail"], ["line 3"]),
        (records.DeckFile("deck", "d", DECK, fault="d: Permission denied"), ["skipped"], ["sudo"]),
        (records.DeckFile("deck", "d", Node("file", 0o644, "a", "a"), 52), ["ok", "fail"], []),
        (records.DeckFile("deck", "d", Node("file", 0o600, "ann", "ann"), 52), ["ok", "fail"], []),
        (
            records.DeckFile(
                "deck", "d", Node("file", 0o600, "root", "root"), 52, is_credential=True
            ),
            ["ok", "ok"], [],
        ),
    ],
)  # fmt: skip
def test_decks(deck: records.DeckFile, statuses: list[str], words: list[str]) -> None:
    found = records.judge_decks([deck], CUTCARD)
    assert [check.status for check in found] == statuses
    expect(found, statuses[0], *words)


def test_no_deck_several_and_decks_among_each_other() -> None:
    expect(records.judge_decks([], CUTCARD), "warn", "its own card code", "cutcard deck enroll")
    red, blue = (records.DeckFile(name, name, DECK, 52) for name in ("red", "blue"))
    names = [check.name for check in records.judge_decks([red, blue], CUTCARD)]
    assert names == ["deck red", "deck red's file", "deck blue", "deck blue's file"]

    def shared() -> object:
        raise ConfigError("blue.toml: line 3: the same tag as in red.toml: line 9")

    def unreadable() -> object:
        raise ConfigError("blue.toml: Permission denied")

    expect(records.judge_together(shared), "fail", "red.toml: line 9")
    assert records.judge_together(unreadable) == []
    assert records.judge_together(dict) == []


@pytest.mark.parametrize(
    ("journal", "account", "statuses", "words"),
    [
        (records.JournalFile("j", None), CUTCARD, ["ok"], ["will be created"]),
        (records.JournalFile("j", DECK, lines=9), CUTCARD, ["ok"], ["9 lines"]),
        (records.JournalFile("j", DECK, hand=12), CUTCARD, ["ok"], ["hand 12 is open"]),
        (records.JournalFile("j", DECK, damage="x"), CUTCARD, ["fail"], ["numbers go on"]),
        (records.JournalFile("j", DECK, bad_row=4), CUTCARD, ["fail"], ["line 4"]),
        (
            records.JournalFile("j", DECK, fault="it cannot be opened"), STRANGER,
            ["skipped"], ["sudo"],
        ),
        (
            records.JournalFile("j", DECK, fault="x", is_unfit=True, is_newer=True), CUTCARD,
            ["fail"], ["Install the version that wrote it"],
        ),
        (
            records.JournalFile("j", DECK, fault="x", is_unfit=True), CUTCARD,
            ["fail"], ["a file of its own"],
        ),
        (
            records.JournalFile("j", Node("file", 0o600, "root", "root")), CUTCARD,
            ["ok", "fail"], [],
        ),
    ],
)  # fmt: skip
def test_journals(
    journal: records.JournalFile, account: Account, statuses: list[str], words: list[str]
) -> None:
    found = records.judge_journal(journal, account)
    assert [check.status for check in found] == statuses
    expect(found, statuses[0], *words)
    assert not any("mv " in str(check) for check in found), "a new journal numbers hands from 1"


def test_rule_books() -> None:
    def broken() -> str:
        raise ConfigError("house.toml: 'silent' is missing")

    expect(records.judge_book(lambda: "Robert's Rules"), "ok", "Robert")
    expect(records.judge_book(broken), "fail", "silent")


HEADER = PanelWiring((Button(17, 1, "fold", None),), Timings())
EXPANDER = PanelWiring((Button(0, 1, "fold", None),), Timings(), expander=0x20)
CHIP = Node("char", 0o660, "root", "gpio")
BUS = Node("char", 0o660, "root", "i2c")


@pytest.mark.parametrize(
    ("panel", "pins", "status", "words"),
    [
        (HEADER, gpio.Pins(("gpiozero", "lgpio"), (), "/dev/gpiochip0", CHIP), "ok", []),
        (
            HEADER, gpio.Pins(("lgpio",), ("lgpio",), "/dev/gpiochip0", CHIP),
            "fail", ["apt-get install -y python3-lgpio"],
        ),
        (HEADER, gpio.Pins((), (), "/dev/gpiochip0", None), "fail", ["not there"]),
        (
            HEADER, gpio.Pins((), (), "/dev/gpiochip0", CHIP, allowed="char-ttyACM rw"),
            "warn", ["systemctl edit cutcard-table"],
        ),
        (EXPANDER, gpio.Pins(("smbus2",), ("smbus2",), "/dev/i2c-1", BUS), "fail", ["[gpio]"]),
        (EXPANDER, gpio.Pins((), (), "/dev/i2c-1", None), "fail", ["do_i2c 0"]),
        (EXPANDER, gpio.Pins((), (), "/dev/i2c-1", BUS), "fail", ["usermod -aG i2c cutcard"]),
    ],
)  # fmt: skip
def test_pins(panel: PanelWiring, pins: gpio.Pins, status: str, words: list[str]) -> None:
    expect(gpio.judge(panel, pins, CUTCARD), status, *words)


def test_a_library_that_a_pi_5_does_not_take() -> None:
    panel = PanelWiring((Button(17, 1, "fold", None),), Timings(), library="rpigpio")
    pins = gpio.Pins((), (), "/dev/gpiomem", CHIP, is_pi_5=True)
    expect(gpio.judge(panel, pins, CUTCARD), "fail", 'library = "lgpio"')


BROKER = Broker("room.local", 8883, "main", "table-7", None, Path("/etc/cutcard/ca.pem"))
ROUTES = """Iface\tDestination\tGateway\tFlags\tRefCnt\tUse\tMetric\tMask\tMTU\tWindow\tIRTT
eth0\t00000000\t0100A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0
wlan0\t0000000A\t00000000\t0001\t0\t0\t600\t000000FF\t0\t0\t0
"""


@pytest.mark.parametrize(
    ("reached", "status", "words"),
    [
        (network.Reached("", "10.0.0.2"), "ok", ["something answers"]),
        (network.Reached("no such name", words="unknown"), "fail", ["avahi-daemon"]),
        (network.Reached("refused", "10.0.0.2"), "fail", ["systemctl start cutcard-broker"]),
        (network.Reached("no route", "10.0.0.2", "No route"), "fail", ["ping -c 3 10.0.0.2"]),
        (
            network.Reached("no answer", "10.0.0.2", "", "wlan0"),
            "fail", ["Wi-Fi (wlan0) and a router", "guest Wi-Fi", "client isolation"],
        ),
        (
            network.Reached("no answer", "10.0.0.2", "timed out", "wlan0", True, "ARP"),
            "fail", ["it answers ARP", "lets nobody in", "firewall", "“client isolation”"],
        ),
        (
            network.Reached("no answer", "10.0.0.2", "timed out", answers="ping"),
            "fail", ["it answers ping", "“AP isolation”"],
        ),
        (
            network.Reached("no route", "10.0.0.2", "No route to host", is_near=True),
            "fail", ["own network", "guest Wi-Fi often does", "“client isolation”", "ping"],
        ),
        (
            network.Reached("no answer", "10.0.0.2", "timed out", "wlan0", True),
            "fail", ["own network", "Wi-Fi (wlan0)", "“AP isolation”", "or use a cable"],
        ),
    ],
)  # fmt: skip
def test_ways_to_the_broker(reached: network.Reached, status: str, words: list[str]) -> None:
    expect(network.judge_reach(BROKER, reached), status, *words)


@pytest.mark.parametrize(
    ("address", "interface"),
    [("10.1.2.3", "wlan0"), ("11.1.2.3", "eth0"), ("::1", ""), ("room.local", "")],
)
def test_the_interface_that_leads_there(address: str, interface: str) -> None:
    way = network.way_to(address, ROUTES)
    assert (way.interface, way.is_direct) == (interface, interface == "wlan0")
    assert network.way_to(address, "Iface\tDestination") == network.Way()


def test_who_has_answered_arp() -> None:
    table = """IP address       HW type     Flags       HW address            Mask     Device
10.0.0.2         0x1         0x2         b8:27:eb:00:00:01     *        wlan0
10.0.0.3         0x1         0x0         00:00:00:00:00:00     *        wlan0
"""
    assert [network.in_arp(f"10.0.0.{n}", table) for n in (2, 3, 4)] == [True, False, False]


HERE = network.Reached("")
DEAF = network.Reached("no answer", "10.0.0.2", "timed out", is_near=True)
TOLD = "http://10.0.0.2:8080/pocket"


@pytest.mark.parametrize(
    ("seen", "status", "words", "phones"),
    [
        (pages.Pages(HERE, True, TOLD, told=HERE), "ok", ["the room answers"], "skipped"),
        (pages.Pages(HERE, False, TOLD, told=HERE), "warn", ["has a fault", "curl"], "skipped"),
        (pages.Pages(HERE, True, why_not="for this machine only"), "ok", [], "skipped"),
        (pages.Pages(HERE, True, TOLD, told=DEAF), "ok", [], "warn"),
        (pages.Pages(HERE, True, TOLD, told=network.Reached("refused")), "ok", [], "warn"),
        (pages.Pages(HERE), "warn", ["not a room", "--room"], ""),
        (pages.Pages(network.Reached("refused")), "warn", ['host = "0.0.0.0"', "--room"], ""),
        (pages.Pages(network.Reached("no such name")), "warn", ["--room"], ""),
        (pages.Pages(DEAF), "warn", ["own network", "client isolation"], ""),
    ],
)
def test_the_rooms_pages(seen: pages.Pages, status: str, words: list[str], phones: str) -> None:
    found = pages.judge("http://10.0.0.2:8080/", seen)
    expect(found, status, *words)
    assert [each.status for each in found[1:]] == ([phones] if phones else [])


def test_a_phone_is_tried_by_hand() -> None:
    (_, check) = pages.judge("http://10.0.0.2:8080/", pages.Pages(HERE, True, TOLD, told=HERE))
    expect(check, "skipped", TOLD, "open http://10.0.0.2:8080/healthz", "turn off “client isol")
    (_, check) = pages.judge("http://localhost:8080/", pages.Pages(HERE, True, TOLD, told=DEAF))
    expect(check, "warn", TOLD, "“AP isolation”")


@pytest.mark.parametrize(
    ("host", "given", "address"),
    [
        ("room.local", None, "http://room.local:8080/"),
        ("fd00::1", None, "http://[fd00::1]:8080/"),
        ("room.local", "http://a:1", "http://a:1/"),
        (None, None, None),
    ],
)
def test_where_the_pages_should_be(host: str | None, given: str | None, address: str) -> None:
    broker = None if host is None else Broker(host, 8883, "main", "table-7", None, None)
    assert pages.address_of(broker, given) == address


@pytest.mark.parametrize(
    ("certificate", "status", "words"),
    [
        (None, "warn", ["read along"]),
        (network.Certificate(until=NOW + 86400 * 100), "ok", ["2027-04-25"]),
        (network.Certificate(until=NOW + 86400 * 3), "warn", ["3 days"]),
        (network.Certificate(code=10), "fail", ["expired", "2027-01-15"]),
        (network.Certificate(code=9), "fail", ["not valid yet", "set-ntp"]),
        (network.Certificate(code=62), "fail", ["a name other than room.local"]),
        (network.Certificate(code=18), "fail", ["not signed by /etc/cutcard/ca.pem"]),
        (network.Certificate(code=-1, words="no TLS there"), "fail", ["no TLS there"]),
        (network.Certificate(is_readable=False), "fail", ["holds no certificate"]),
    ],
)
def test_certificates(
    certificate: network.Certificate | None, status: str, words: list[str]
) -> None:
    expect(network.judge_certificate(BROKER, certificate, NOW), status, *words)


@pytest.mark.parametrize(
    ("login", "status", "words"),
    [
        (rights.Login(True), "ok", ["table-7"]),
        (rights.Login(False, "Not authorized"), "fail", ["Not authorized", "broker --renew"]),
        (rights.Login(False, "Unsupported protocol version"), "fail", ["mosquitto 2"]),
        (rights.Login(False), "fail", ["does not speak MQTT 5"]),
        (rights.Login(False, hangs=True), "fail", ["it hangs", "systemctl restart cutcard-broker"]),
        (rights.Login(True, user="doctor@table-7"), "ok", ["as doctor@table-7"]),
    ],
)
def test_logins(login: rights.Login, status: str, words: list[str]) -> None:
    expect(rights.judge_login("table-7", login), status, *words)


def test_rights() -> None:
    every: dict[str, rights.Taken] = dict.fromkeys(("alerts", "answers", "commands"), "taken")
    heard = frozenset(("alerts", "commands"))
    fine = rights.Rights(every | {"other table": "refused"}, heard, 0.0)
    assert {c.status for c in rights.judge_rights("main", "7", "table-7", fine)} == {"ok"}
    told: dict[str, rights.Taken] = {
        "alerts": "refused",
        "answers": "refused",
        "commands": "taken",
        "other table": "taken",
    }
    none = rights.Rights(told, frozenset())
    found = rights.judge_rights("main", "7", "table-7", none)
    statuses = [check.status for check in found]
    assert statuses == ["fail", "fail", "skipped", "fail", "warn", "skipped"]
    expect(found, "fail", "tables/7/alerts/doctor/doctor", "sudo cutcard broker --tables 7")
    expect(found[3], "fail", "cutcard/1/main/tables/7/cmd/#")
    curious = rights.Rights(every | {"other table": "refused"}, frozenset(every), 0.0)
    statuses = [check.status for check in rights.judge_rights("main", "7", "table-7", curious)]
    assert statuses == ["ok", "ok", "ok", "ok", "warn", "ok"]
    expect(rights.judge_anonymous(rights.Login(True)), "warn", "cutcard broker", "allow_anonymous")
    expect(rights.judge_anonymous(rights.Login(False)), "ok")


def link(state: str = "up", text: str = "", firmware: str = "pico 3", **more: object) -> LinkHealth:
    bad = more.pop("bad", 0)
    assert isinstance(bad, int)
    assert state in ("closed", "handshake", "up", "wrong version")
    return LinkHealth(
        port=str(more.get("port", "/dev/p")),
        state=state,  # type: ignore[arg-type]
        text=text,
        firmware=firmware,
        boot_id=1,
        clock_error_s=0.0,
        dropped_bytes=0,
        decoder=DecoderCounters(bad_crc=bad),
        session=SessionCounters(),
        device="E661",
        cycle_s=more.get("cycle_s"),  # type: ignore[arg-type]
    )


WIRED = Wiring("/dev/p", ("seat/1", "board"), ((1, "fold"),), (1,))


@pytest.mark.parametrize(
    ("seen", "status", "words"),
    [
        (link(), "ok", ["pico 3, id E661: 2 antennas, 1 button, 1 lamp"]),
        (link(bad=500), "warn", ["500 frames"]),
        (link("closed", "/dev/p is busy: another"), "fail", ["is busy", "--only ports"]),
        (link("handshake"), "fail", ["nothing answers as a pico, at 115200 baud"]),
        (link("wrong version", "/dev/p: it speaks 2"), "fail", ["it speaks 2", "docs/pico.md"]),
        (
            link(text="/dev/p has 3 zones and 4 buttons, but 2 and 1 are configured"),
            "fail", ["has 3 zones and 4 buttons", "cutcard pico flash"],
        ),
        (link(text="/dev/p: it only tells new cards: turn ONT off"), "fail", ["ONT"]),
    ],
)  # fmt: skip
def test_links(seen: LinkHealth, status: str, words: list[str]) -> None:
    expect(readers.judge_link(seen, WIRED), status, *words)


def test_the_slowest_cycle_of_a_device() -> None:
    expect(readers.judge_link(link(cycle_s=0.214), WIRED), "ok", "slowest scan cycle 0.21 s")
    slow = readers.judge_link(link(cycle_s=1.02), WIRED)
    expect(slow, "warn", "slowest scan cycle 1.02 s", "cutcard doctor --bench")


def test_a_board_of_buttons_that_is_away() -> None:
    gone = link("closed", "the GPIO header can't be used", port="the GPIO header")
    expect(readers.judge_link(gone, None), "fail", "cutcard doctor --only gpio")
    expect(readers.judge_link(link(port="the GPIO header"), None), "ok")


def test_boards_with_several_firmwares() -> None:
    assert readers.judge_versions([link()]) is None
    same = readers.judge_versions([link(port="/a"), link(port="/b")])
    other = readers.judge_versions([link(port="/a"), link(port="/b", firmware="pico 4")])
    assert same is not None
    assert other is not None
    expect(same, "ok", "all 2 boards run pico 3")
    expect(other, "warn", "/a: pico 3; /b: pico 4")


def scan(t: float, *tags: str, zone: str = "seat/1", failed: bool = False) -> Scan:
    return Scan(t, "/dev/p", zone, tags, True, failed)


@pytest.mark.parametrize(
    ("scans", "expected"),
    [
        ([], Counted(0, 0)),
        ([scan(0, "A")], Counted(1, 1)),
        ([scan(0, "A"), scan(0.1), scan(0.2, "A"), scan(0.3, "A")], Counted(3, 4)),
        # Nothing changed for a second: nine scans were not reported.
        ([scan(0, "A"), scan(0.1, "A"), scan(1.1, "A")], Counted(12, 12)),
        ([scan(0, "A"), scan(0.1), scan(1.1, "A")], Counted(2, 12)),
        # Once a second only: the device's own cycle tells how many there were.
        ([scan(0, "A"), scan(1, "A"), scan(2, "A")], Counted(11, 11)),
        ([scan(0, "A"), scan(0.1, failed=True), scan(0.2, "A")], Counted(2, 2)),
    ],
)
def test_scans_are_counted(scans: list[Scan], expected: Counted) -> None:
    assert counted(scans, "A", 0.2) == expected


SEAT, NEXT = ("/dev/p", "seat/1"), ("/dev/p", "seat/2")


def test_what_an_antenna_and_its_neighbour_read() -> None:
    mine = [scan(n / 10, "A") for n in range(10)]
    other = [scan(n / 10, *(["A"] if n == 3 else []), zone="seat/2") for n in range(10)]
    assert reading({SEAT: mine, NEXT: other}, SEAT, {}, 0.1) == Reading(
        Counted(10, 10), {"seat/2": Counted(1, 10)}
    )
    none = reading({SEAT: [scan(0), scan(0.1)], NEXT: mine}, SEAT, {}, 0.1)
    assert none == Reading(Counted(0, 2), {"seat/2": Counted(10, 10)}, cards=0)
    lay_there = reading({SEAT: [scan(0)], NEXT: mine}, SEAT, {NEXT: frozenset("A")}, 0.1)
    assert lay_there.elsewhere == {}
    assert reading({}, SEAT, {}, 0.1).here == Counted(0, 0)


@pytest.mark.parametrize(
    ("seen", "statuses", "words"),
    [
        (Reading(Counted(38, 40), {}), ["ok"], ["seat 4: 38 of 40 scans, 95 %"]),
        (Reading(Counted(30, 40), {}), ["warn"], ["30 of 40 scans, 75 %"]),
        (Reading(Counted(10, 40), {}), ["fail"], ["come and go"]),
        (Reading(Counted(0, 40), {}), ["fail"], ["0 of 40", "antenna's cable"]),
        (Reading(Counted(0, 0), {}), ["fail"], ["does not report"]),
        (Reading(Counted(0, 0), {}, failed=4), ["fail"], ["its reader is failing"]),
        (
            Reading(Counted(0, 40), {"board": Counted(40, 40)}),
            ["fail"], ["board read a card instead", "swap"],
        ),
        (Reading(Counted(40, 40), {"seat/5": Counted(1, 40)}), ["ok"], []),
        (Reading(Counted(40, 40), {"seat/5": Counted(5, 40)}), ["ok", "warn"], []),
        (Reading(Counted(30, 40), {"seat/5": Counted(40, 40)}), ["warn", "fail"], []),
        (Reading(Counted(40, 40), {}, cards=2), ["ok", "warn"], []),
    ],
)  # fmt: skip
def test_antennas(seen: Reading, statuses: list[str], words: list[str]) -> None:
    found = judge("seat/4", seen)
    assert [check.status for check in found] == statuses
    expect(found, statuses[0], *words)


def test_cross_talk_in_words() -> None:
    found = judge("seat/4", Reading(Counted(40, 40), {"seat/5": Counted(5, 40)}))
    expect(found[1], "warn", "seat 5 reads it too in 12 %")


def test_buttons_and_lamps() -> None:
    expect(seats.judge_press((3, "fold"), (3, "fold")), "ok")
    expect(seats.judge_press((3, "fold"), (4, "call")), "fail", "it reports seat 4's call")
    expect(seats.judge_press((3, "fold"), None), "fail", "nothing came")
    expect(seats.judge_lamp(3, True), "ok")
    expect(seats.judge_lamp(3, False), "fail", "seat 3's lamp")
    expect(seats.judge_lamp(3, None), "skipped")
