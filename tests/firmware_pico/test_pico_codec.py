"""The firmware's codecs under MicroPython against the host's, the page's and captured bytes."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tty
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest
import serial

import firmware_bridge.link
from firmware_bridge.link import cobs
from firmware_bridge.link.frames import Frame, FrameDecoder, encode
from firmware_bridge.link.messages import from_frame, to_frame, zone_parts
from firmware_bridge.pico.sim.pico import DOUBLES, FIRMWARE
from tests.waiting import PATIENCE_S

PAGE = Path(firmware_bridge.link.__path__[0], "PROTOCOL.md").read_text(encoding="utf-8")
PATH = os.pathsep.join((str(DOUBLES), str(FIRMWARE), ".frozen"))


def run(micropython: str, source: str, given: object = None) -> list[str]:
    """Run a program beside the firmware's modules; it reads `given` as JSON from its stdin."""
    done = subprocess.run(
        [micropython, "-X", "heapsize=192k", "-c", source],
        input=json.dumps(given),
        capture_output=True,
        text=True,
        env={"MICROPYPATH": PATH},
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-1000:]
    return done.stdout.split("\n")[:-1]


READ = """
import json, sys
from binascii import hexlify, unhexlify
given = json.load(sys.stdin)
def show(data): print(hexlify(data).decode())
"""

# Cheshire and Baker's examples, as Wikipedia's article on COBS gives them.
COBS = ["00", "0000", "00110000", "11223344", "11000000", bytes(range(1, 255)).hex()]
COBS += [bytes(range(256)).hex(), (bytes(range(2, 256)) + b"\0").hex()]


def test_cobs_is_the_hosts(micropython: str) -> None:
    random = Random(1)
    cases = [bytes.fromhex(case) for case in COBS]
    cases += [bytes(random.choices((0, 1, 255), k=size)) for size in range(1, 300, 7)]
    source = READ + "import cobs\nfor c in given: show(cobs.encode(unhexlify(c)))"
    encoded = run(micropython, source, [case.hex() for case in cases])
    assert encoded == [cobs.encode(case).hex() for case in cases]
    source = READ + "import cobs\nfor c in given: show(cobs.decode(unhexlify(c)))"
    assert run(micropython, source, encoded) == [case.hex() for case in cases]


@pytest.mark.parametrize("bad", ["", "00", "0511", "031100", "01021100"])
def test_cobs_refuses_what_is_no_encoding(micropython: str, bad: str) -> None:
    source = READ + "import cobs\nprint(cobs.decode(unhexlify(given)))"
    assert run(micropython, source, bad) == ["None"]


def test_the_crc_is_the_catalogues(micropython: str) -> None:
    assert run(micropython, "import frames\nprint(hex(frames.crc16(b'123456789')))") == ["0x29b1"]


# --- PROTOCOL.md ------------------------------------------------------------------------------


def examples() -> dict[str, dict[str, str]]:
    """Return the page's examples by the name of their message: head, field and wire."""
    found: dict[str, dict[str, str]] = {}
    for name, body in re.findall(r"^### 0x.. (\w+)[^\n]*\n(.*?)(?=^##|\Z)", PAGE, re.M | re.S):
        [block] = re.findall(r"^```\n(.*?)^```", body, re.M | re.S)
        rows: dict[str, str] = {}
        key = ""
        for line in block.splitlines():
            key = line[:6].strip() or key
            rows[key] = f"{rows.get(key, '')} {line[6:]}".strip()
        found[name] = rows
    return found


# How the firmware makes each message's payload, given the example's fields as strings.
MAKE = {
    "HELLO": """messages.hello({
        "boot_id": int(f["boot_id"]), "unique_id": unhexlify(f["unique_id"]),
        "reset": int(f["reset"]), "zones": int(f["zones"]), "buttons": int(f["buttons"]),
        "lamps": int(f["lamps"]), "cycle_ms": int(f["cycle_ms"]),
        "next_edge": int(f["next_edge"]), "firmware": f["firmware"]})""",
    "HEARTBEAT": """messages.heartbeat(*[int(f[name]) for name in (
        "boot_id", "uptime_s", "cycle_us", "rx_bad", "rx_unknown", "tx_dropped", "edges_lost",
        "reader_faults")])""",
    "ZONE": """messages.zone_parts(int(f["zone"]), int(f["flags"]), int(f["scan_ticks"]),
        [unhexlify(tag) for tag in f["tags"].split(",")])[0]""",
    "BUTTON": """messages.button(*[int(f[name]) for name in (
        "edge", "oldest", "edge_ticks", "button", "pressed")])""",
    "ACK": """bytes((int(f["msg"]),))""",
    "NAK": """bytes((int(f["msg"]), int(f["reason"])))""",
    "TIME": """struct.pack("<I", int(f["received_ticks"]))""",
}


@pytest.mark.parametrize("name", MAKE)
def test_the_firmware_says_what_the_page_says(micropython: str, name: str) -> None:
    example = examples()[name]
    head, fields = (dict(p.split("=") for p in example[row].split()) for row in ("head", "field"))
    source = f"""{READ}
import frames, messages, struct
h, f = given
payload = {MAKE[name]}
show(frames.encode(int(h["kind"]), int(h["seq"]), int(h["ack"]), messages.{name},
    int(h["ticks"]), payload))
"""
    [wire] = run(micropython, source, [head, fields])
    assert bytes.fromhex(wire) == bytes.fromhex(example["wire"])


@pytest.mark.parametrize("name", [name for name in examples() if name not in MAKE])
def test_the_firmware_understands_what_the_page_says(micropython: str, name: str) -> None:
    wire = bytes.fromhex(examples()[name]["wire"])
    source = f"""{READ}
import frames, messages
[(version, kind, seq, msg, payload)] = frames.Decoder().feed(unhexlify(given))
assert msg == messages.{name}
print(version, kind, seq, hexlify(payload).decode())
"""
    [frame] = FrameDecoder().feed(wire)
    expected = f"{frame.version} {frame.kind} {frame.seq} {frame.payload.hex()}"
    assert run(micropython, source, wire.hex()) == [expected]


@pytest.mark.parametrize("count", [0, 1, 25, 26, 52, 400])
def test_a_set_of_any_size_is_split_as_the_host_would(micropython: str, count: int) -> None:
    uids = [f"E0040150{number:08X}" for number in range(count)]
    source = (
        READ
        + """
import messages
for part in messages.zone_parts(3, 1, 77, [unhexlify(uid) for uid in given]): show(part)"""
    )
    expected = [to_frame(part).payload.hex() for part in zone_parts(3, 77, uids, 1)]
    assert run(micropython, source, uids) == expected


def test_a_set_beyond_all_parts_is_cut_and_says_so(micropython: str) -> None:
    uids = [f"E0040150{number:08X}" for number in range(401)]
    source = (
        READ
        + """
import messages
for part in messages.zone_parts(0, 0, 0, [unhexlify(uid) for uid in given]): show(part)"""
    )
    parts = run(micropython, source, uids)
    assert len(parts) == 16
    last = from_frame(Frame(0, 3, bytes.fromhex(parts[-1])))
    assert getattr(last, "flags", 0) == 1


# --- frames over a pty ------------------------------------------------------------------------

# Gives back every intact frame; at the message 0xFF it tells what it dropped, and ends.
ECHO = """
import frames, hal
console = hal.Console()
decoder = frames.Decoder()
while True:
    for version, kind, seq, msg, payload in decoder.feed(console.read()):
        if msg == 0xFF:
            payload = decoder.bad.to_bytes(4, "little")
        data = frames.encode(kind, seq, 0, msg, 0, payload)
        while data:
            data = data[console.write(data):]
        if msg == 0xFF:
            raise SystemExit
"""


@contextmanager
def echo(micropython: str) -> Iterator[serial.Serial]:
    """A pty with the echo at its other end."""
    device, port = os.openpty()
    tty.setraw(port)
    nowhere = os.open(os.devnull, os.O_RDWR)
    process = subprocess.Popen(
        [micropython, "-X", "heapsize=192k", "-c", ECHO],
        stdin=device,
        stdout=device,
        env={"MICROPYPATH": PATH, "CUTCARD_SIM_BOARD": str(nowhere)},
        pass_fds=[nowhere],
    )
    try:
        with serial.Serial(os.ttyname(port), timeout=PATIENCE_S) as line:
            yield line
        process.kill()
    finally:
        process.kill()
        process.wait()
        for fd in (device, port, nowhere):
            os.close(fd)


def exchange(line: serial.Serial, pieces: list[bytes]) -> tuple[list[Frame], int]:
    """Send pieces of a stream; return the echoed frames, and what the firmware dropped."""
    decoder = FrameDecoder()
    frames: list[Frame] = []
    stream = b"".join([*pieces, b"\0", encode(Frame(2, 0xFF))])
    writer = Thread(target=line.write, args=(stream,), daemon=True)
    writer.start()
    while not frames or frames[-1].msg != 0xFF:
        data = line.read(max(1, line.in_waiting))
        assert data, "the echo fell silent"
        frames += decoder.feed(data)
    writer.join(
        PATIENCE_S
    )  # it looks once more whether all is out, and the port is about to be closed
    assert decoder.counters.noise_bytes == 0
    return frames[:-1], int.from_bytes(frames[-1].payload, "little")


def test_thousands_of_frames_of_all_sizes_and_byte_values(micropython: str) -> None:
    random = Random(2)
    sent = [Frame(2, 1, bytes((value,)) * 240, value) for value in range(256)]
    sent += [Frame(2, 1, random.randbytes(number % 241), number & 255) for number in range(1800)]
    assert max(len(encode(frame)) for frame in sent) == 252
    with echo(micropython) as line:
        received, bad = exchange(line, [encode(frame) for frame in sent])
    assert received == sent
    assert bad == 0


def test_ctrl_c_is_a_byte(micropython: str) -> None:
    sent = [Frame(3, 3, b"\3" * (number % 241), 3) for number in range(500)]
    with echo(micropython) as line:
        received, bad = exchange(line, [b"\3\3\3\0", *(encode(frame) for frame in sent)])
    assert received == sent
    assert bad == 1


def test_cut_torn_and_lost_frames_cost_themselves_only(micropython: str) -> None:
    random = Random(3)
    sent: list[Frame] = []
    pieces: list[bytes] = []
    spoilt = 0
    for number in range(1500):
        frame = Frame(2, 1, random.randbytes(random.randrange(60)), number & 255)
        data = encode(frame)
        at = random.randrange(1, len(data) - 1)
        match random.randrange(5):
            case 0:
                pieces.append(data[:at] + b"\0")
            case 1:
                pieces.append(data[:at] + bytes((data[at] ^ 0x55 or 1,)) + data[at + 1 :])
            case 2:
                pieces.append(random.randbytes(300).replace(b"\0", b"\1") + b"\0")
            case _:
                sent.append(frame)
                pieces += [data[:at], data[at:]]
                continue
        spoilt += 1
    with echo(micropython) as line:
        received, bad = exchange(line, pieces)
    assert received == sent
    assert bad >= spoilt


def test_after_a_frame_that_was_cut_comes_a_zero(micropython: str) -> None:
    source = (
        READ
        + """
import lamps, link
class Console:
    out = b""
    room = 1000
    def write(self, data):
        self.out += data[:self.room]
        return min(len(data), self.room)
class Scan:
    cycle_ms = 1
who = {"boot_id": 1, "unique_id": bytes(8), "reset": 0, "firmware": "x", "buttons": 0}
console = Console()
end = link.Link(console, lambda: 0, who, 0, Scan(), lamps.Lamps(0, None), None)
for console.room in (1000, 7, 0, 1000, 1000):
    end.hello()
show(console.out)
"""
    )
    [out] = run(micropython, source)
    decoder = FrameDecoder()
    assert out[:2] == "00"
    assert [frame.seq for frame in decoder.feed(bytes.fromhex(out))] == [1, 4, 5]
    assert decoder.counters.noise_bytes == 7


# --- wiring.py --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ("wiring.SPI = None", "reader 0: a PN5180 needs SPI"),
        ("del wiring.READERS[1]['reset']", "reader 1: a PN5180 needs reset"),
        ("wiring.READERS[1]['rst'] = 3", "reader 1: a PN5180 has no rst"),
        (
            "wiring.READERS[2]['chip'] = 'RC522'",
            "reader 2: chip 'RC522' is neither PN5180 nor PN532",
        ),
        ("wiring.READERS[0]['chip'] = 'PN532'", "reader 0: a PN532 needs uart"),
        (
            "wiring.READERS = (dict(SPI_532, bus='usb'),)",
            "reader 0: bus 'usb' is neither uart, spi nor i2c",
        ),
        ("wiring.READERS = (dict(SPI_532, bus='i2c'),)", "reader 0: a PN532 on i2c needs i2c"),
        ("wiring.READERS = (dict(SPI_532, tx=8),)", "reader 0: a PN532 on spi has no tx"),
        (
            "wiring.READERS = (SPI_532,); wiring.SPI = None",
            "reader 0: a PN532 on spi needs SPI",
        ),
        ("wiring.READERS[0]['bus'] = 'spi'", "reader 0: a PN5180 has no bus"),
        (
            "wiring.READERS = (I2C_532, dict(I2C_532, sda=8, scl=9))",
            "reader 1: I2C 0 is another reader's, and carries one",
        ),
        ("wiring.READERS = (SPI_532, I2C_532, I2C_532_TOO)", ""),
        ("wiring.ZONES = ((0, 0), (3, 0))", "zone 1: there is no reader 3"),
        ("wiring.ZONES = ((0, 1),)", "zone 0: reader 0 has no antenna 1"),
        ("wiring.ZONES = ((0, 0), (1, 0), (0, 0))", "zone 2 is the same antenna as zone 0"),
        ("wiring.NEIGHBOURS = ((2, 3),)", "NEIGHBOURS: there is no zone 3"),
        ("wiring.BORDERS = (dict(PINS, zones=(3,)),)", "border 0: there is no zone 3"),
        ("wiring.BORDERS = ({'zones': (2,), 'ours': 1},)", "border 0: a border needs theirs"),
        ("wiring.BORDERS = (dict(PINS, zones=2),)", "border 0: zones are 2, no tuple: (2,) is one"),
        ("wiring.BORDERS = (dict(PINS, zones=(), zone=2),)", "border 0: a border has no zone"),
        ("wiring.SPI_HZ = 8000000", "SPI_HZ is 8000000: a PN5180 takes 100000 to 7000000"),
        ("wiring.SPI_HZ = '1M'", "SPI_HZ is '1M': a PN5180 takes 100000 to 7000000"),
        (
            "wiring.SPI_HZ = 6000000; wiring.READERS = (SPI_532,)",
            "SPI_HZ is 6000000: a PN532 takes 100000 to 5000000",
        ),
        ("wiring.SPI_HZ = 6000000", ""),
        ("wiring.SPI = (0, 18, 19)", "SPI is (0, 18, 19): bus, SCK, MOSI and MISO"),
        ("wiring.SPI = (2, 18, 19, 16)", "SPI: there is SPI 0 and 1, and no 2"),
        ("wiring.SPI = (0, 18, 15, 16)", "SPI: GPIO 15 can't be MOSI of SPI 0, but 3, 7, 19 can"),
        ("wiring.SPI = (1, 10, 11, 16)", "SPI: GPIO 16 can't be MISO of SPI 1, but 8, 12, 28 can"),
        ("wiring.SPI = (1, 14, 15, 12)", ""),
        (
            "wiring.READERS = (dict(UART_532, tx=9),)",
            "reader 0: GPIO 9 can't be tx of UART 1, but 4, 8, 20 can",
        ),
        (
            "wiring.READERS = (dict(UART_532, rx=1),)",
            "reader 0: GPIO 1 can't be rx of UART 1, but 5, 9, 21 can",
        ),
        ("wiring.READERS = (dict(UART_532, uart=0, tx=12, rx=13),) + (SPI_532,) * 2", ""),
        (
            "wiring.READERS = (dict(I2C_532, sda=5),)",
            "reader 0: GPIO 5 can't be sda of I2C 0, but 0, 4, 8, 12, 16, 20, 28 can",
        ),
        (
            "wiring.READERS = (dict(I2C_532, i2c=1, sda=6),)",
            "reader 0: GPIO 5 can't be scl of I2C 1, but 3, 7, 11, 15, 19, 27 can",
        ),
        ("wiring.VISIT_MS = 5", "VISIT_MS is 5: 0 for no limit, or 10 to 1000"),
        ("wiring.READERS[0]['irq'] = 12", ""),
        ("del wiring.SPI_HZ, wiring.VISIT_MS", ""),
        ("wiring.LAMPS = (28, 300)", "more than 255 zones, buttons or lamps"),
        ("pass", ""),
    ],
)
def test_a_wiring_that_cannot_be_is_said_so(micropython: str, change: str, complaint: str) -> None:
    source = f"""
import wiring, wiring_check
PINS = {{"ours": 1, "theirs": 12, "first": True}}
SPI_532 = {{"chip": "PN532", "bus": "spi", "nss": 17, "reset": 21}}
I2C_532 = {{"chip": "PN532", "bus": "i2c", "i2c": 0, "sda": 4, "scl": 5, "reset": 22}}
UART_532 = {{"chip": "PN532", "uart": 1, "tx": 8, "rx": 9, "reset": 10}}
I2C_532_TOO = dict(I2C_532, i2c=1, sda=6, scl=7)
{change}
try:
    wiring_check.check(wiring)
    print()
except ValueError as error:
    print(error)
"""
    assert run(micropython, source) == [complaint]


def test_what_is_not_said_is_as_in_the_supplied_file(micropython: str) -> None:
    source = """
import wiring, wiring_check
print(wiring_check.spi_hz(wiring), wiring_check.visit_ms(wiring))
del wiring.SPI_HZ, wiring.VISIT_MS
print(wiring_check.spi_hz(wiring), wiring_check.visit_ms(wiring))
"""
    supplied, unsaid = run(micropython, source)
    assert supplied == unsaid


# --- borders ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "theirs", "enters", "ours"),
    [
        (True, [0], True, 1),
        (True, [1], False, 1),  # it waits with its flag up
        (False, [0, 0], True, 1),
        (False, [1], False, 0),
        (False, [0, 1], False, 0),  # the other came in between: it withdraws
    ],
)
def test_of_two_that_come_at_once_the_first_side_stays(
    micropython: str, first: bool, theirs: list[int], enters: bool, ours: int
) -> None:
    source = """
import json, sys
import scheduler
first, seen = json.loads(sys.stdin.read())
flag = [0]
border = scheduler.Border((0,), lambda level: flag.append(level), lambda: seen.pop(0), first)
reader = scheduler.Reader("reader", None)
print(scheduler.Scheduler([(reader, 0)], (), None, None, 120, [border])._enter(0))
print(flag[-1], len(seen))
"""
    assert run(micropython, source, [first, theirs]) == [str(enters), f"{ours} 0"]


# --- PN532 ------------------------------------------------------------------------------------

PARSE = (
    READ
    + """
import pn532_frames as pn532
parser = pn532.Parser()
for piece in given:
    for value in parser.feed(unhexlify(piece)):
        print(value if isinstance(value, str) else hexlify(value).decode())
"""
)


# Captured, or nfcpy's own test frames: see firmware_bridge's reader vectors.
@pytest.mark.parametrize(
    ("frame", "meaning"),
    [
        ("0000ff00ff00", ["ack"]),
        ("0000ffff0000", ["nak"]),
        ("0000ff01ff7f8100", ["error"]),
        ("0000ff06fad50332010607e800", ["0332010607"]),
        ("0000ff03fdd54b00e000", ["4b00"]),
        ("0000ff00ff000000ff02fed5151600", ["ack", "15"]),
        ("0000ffffff0105fad501343536" + "00" * 256 + "8b00", ["01343536" + "00" * 256]),
        ("0000ff05fbd5013435368a00", []),
        ("0000ff04fbd5013435368b00", []),
        ("00000005fbd5013435368b00", []),
    ],
)
def test_the_frames_of_a_pn532(micropython: str, frame: str, meaning: list[str]) -> None:
    after = "0000ff02fed5151600"  # whatever came before, the next frame is understood
    whole = run(micropython, PARSE, ["5500ff" + frame, after])
    single = run(micropython, PARSE, [f"{byte:02x}" for byte in bytes.fromhex(frame + after)])
    assert single == [*meaning, "15"]
    assert whole[-len(single) :] == single


@pytest.mark.parametrize(
    ("answer", "uids"),
    [
        ("4b00", ""),
        ("4b01010004080411223344", "11223344"),
        ("4b020100440007 04a1b2c3d4e5f6 02000408 04 11223344", "04a1b2c3d4e5f6 11223344"),
        ("4b0101000420 04 55667788 03 7880", "55667788"),
        ("4b01010004080411", "torn"),
        ("4b02010004080411223344", "torn"),
        ("4b010100040805 1122334455", "torn"),
    ],
)
def test_the_tags_of_a_pn532(micropython: str, answer: str, uids: str) -> None:
    source = (
        READ
        + """
import pn532_frames as pn532
from faults import ReaderError
try:
    print(" ".join([hexlify(uid).decode() for uid in pn532.targets(unhexlify(given))]))
except ReaderError:
    print("torn")
"""
    )
    assert run(micropython, source, answer.replace(" ", "")) == [uids]


def test_a_command_to_a_pn532_is_the_captured_one(micropython: str) -> None:
    source = READ + "import pn532_frames as pn532\nshow(pn532.frame(unhexlify(given)))"
    assert run(micropython, source, "d44a0100") == ["0000ff04fcd44a0100e100"]
    assert run(micropython, source, "d402") == ["0000ff02fed4022a00"]
