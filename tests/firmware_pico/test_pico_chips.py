"""The simulated chips against captures, tables and data sheets; no firmware takes part."""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from random import Random

import pytest

from firmware_bridge.pico.sim import iso15693, pn532, pn5180
from firmware_bridge.pico.sim.air import Air
from firmware_bridge.pico.sim.pn532 import Pn532Chip
from firmware_bridge.pico.sim.pn532_lines import HsuChip, I2cChip, SpiChip
from firmware_bridge.pico.sim.pn5180 import Pn5180Chip

TAG = "E00401586DE02802"  # read by a CR95HF; its answer is in ANSWER
ANSWER = "00000228e06d580104e0d060"


class Clock:
    """Time that passes when it is told to."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Spi:
    """A host that does what the data sheet says, and no more."""

    def __init__(self, chip: Pn5180Chip, clock: Clock) -> None:
        self.chip = chip
        self.clock = clock
        chip.reset(1)
        self.wait(0.01)

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds

    def command(self, text: str, answer: int = 0) -> bytes:
        self.chip.nss(0)
        self.chip.write(bytes.fromhex(text))
        assert self.chip.busy()
        self.chip.nss(1)
        assert self.chip.busy()
        self.wait(pn5180.COMMAND_S)
        assert not self.chip.busy()
        if not answer:
            return b""
        self.chip.nss(0)
        data = self.chip.read(answer)
        self.chip.nss(1)
        self.wait(pn5180.COMMAND_S)
        return data

    def register(self, number: int) -> int:
        return int.from_bytes(self.command(f"04{number:02x}", 4), "little")

    def field(self) -> None:
        self.command("11 0d 8d")
        self.command("16 00")
        self.wait(0.01)

    def send(self, data: str) -> None:
        self.command("00 03 ff ff 0f 00")
        self.command("02 00 f8 ff ff ff")
        self.command("01 00 03 00 00 00")
        self.command("09 00" + data)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def air() -> Air:
    return Air(2, [(0, 1)])


@pytest.fixture
def spi(air: Air, clock: Clock) -> Spi:
    return Spi(Pn5180Chip(air, lambda: 0, clock, Random(0)), clock)


def test_the_crc_is_the_catalogues() -> None:
    assert iso15693.crc(b"123456789") == bytes.fromhex("6e90")


def test_a_tag_answers_as_one_was_heard_to() -> None:
    assert iso15693.answer(bytes.fromhex(TAG)) == bytes.fromhex(ANSWER)


@pytest.mark.parametrize("sniffed", ["260100f60a", "360100006aa1"])
def test_inventories_that_were_sniffed_are_understood(sniffed: str) -> None:
    assert iso15693.parse(bytes.fromhex(sniffed)) == iso15693.Inventory(1, 0, 0)


@pytest.mark.parametrize("bad", ["260100f60b", "260200", "0601", "2601", "060104"])
def test_tags_are_silent_at_what_they_cannot_understand(bad: str) -> None:
    data = bytes.fromhex(bad)
    assert iso15693.parse(data) is None
    if len(data) < 5:
        assert iso15693.parse(data + iso15693.crc(data)) is None


def test_a_slot_is_named_by_the_bits_behind_the_mask() -> None:
    uid = bytes.fromhex("E004010000000A35")
    assert iso15693.Inventory(16, 0, 0).slot_of(uid) == 5
    assert iso15693.Inventory(16, 4, 5).slot_of(uid) == 3
    assert iso15693.Inventory(16, 8, 0x35).slot_of(uid) == 0xA
    assert iso15693.Inventory(16, 4, 6).slot_of(uid) is None


def test_a_pn5180_reads_one_tag(spi: Spi, air: Air) -> None:
    air.place(0, TAG)
    assert spi.command("07 10 02", 2) == bytes.fromhex("0503")
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.IDLE_IRQ
    spi.field()
    assert air.is_on(0)
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.RF_ON_IRQ
    spi.send("26 01 00")
    assert not spi.register(pn5180.IRQ_STATUS) & pn5180.TX_IRQ
    spi.wait(0.0025)
    irq = spi.register(pn5180.IRQ_STATUS)
    assert irq & pn5180.TX_IRQ
    assert irq & pn5180.SOF_IRQ
    assert not irq & pn5180.RX_IRQ
    spi.wait(0.005)
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.RX_IRQ
    assert spi.register(pn5180.RX_STATUS) == 10
    assert spi.command("0a 00", 10) == bytes.fromhex(ANSWER)[:10]
    spi.command("17 00")
    assert not air.is_on(0)


def test_slots_go_on_with_a_lone_eof_only(spi: Spi, air: Air) -> None:
    air.place(0, "E004010000000002")
    spi.field()
    spi.send("06 01 00")
    spi.wait(0.02)
    spi.command("02 18 3f fb ff ff")
    for slot in (1, 2, 3):
        spi.send("")
        spi.wait(0.02)
        answered = bool(spi.register(pn5180.IRQ_STATUS) & pn5180.RX_IRQ)
        assert answered == (slot == 2)


def test_registers_are_written_one_after_the_other_in_one_frame(spi: Spi) -> None:
    spi.command("03 00 01 08 00 00 00  00 02 03 00 00 00  00 03 f3 ff ff ff  18 01 78 56 34 12")
    assert spi.register(pn5180.SYSTEM_CONFIG) == 0x03  # 8, or 3, and f3
    assert spi.register(pn5180.TX_CONFIG) == 0x12345678
    assert not spi.register(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ


@pytest.mark.parametrize("bad", ["03", "03 00 01 08 00 00", "03 00 04 00 00 00 00"])
def test_registers_that_cannot_be_written_so_are_an_error(spi: Spi, bad: str) -> None:
    spi.command(bad)
    assert spi.register(pn5180.SYSTEM_CONFIG) == 0
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ


def test_a_frame_while_busy_is_high_is_lost(spi: Spi) -> None:
    spi.chip.nss(0)
    spi.chip.write(bytes.fromhex("00 18 01 00 00 00"))
    spi.chip.nss(1)
    assert spi.chip.busy()
    spi.chip.nss(0)
    spi.chip.write(bytes.fromhex("00 18 02 00 00 00"))
    spi.chip.nss(1)
    spi.wait(pn5180.COMMAND_S)
    assert spi.register(pn5180.TX_CONFIG) == 1
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ


@pytest.mark.parametrize("active", [0, 1])
def test_the_irq_pin_is_active_while_an_enabled_bit_is_set(spi: Spi, active: int) -> None:
    spi.chip.irq_config = active
    assert spi.command("07 1a 01", 1) == bytes((active,))
    spi.field()
    assert spi.chip.irq() != active  # TX_RFON, but nothing is let through
    spi.command("00 01 00 02 00 00")
    assert spi.chip.irq() == active
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.RF_ON_IRQ
    assert spi.chip.irq() == active
    spi.command("00 03 00 02 00 00")
    assert spi.chip.irq() != active


def test_reading_clears_irq_status_where_the_eeprom_says_so(spi: Spi) -> None:
    spi.chip.irq_config = pn5180.IRQ_CLEARED_BY_READING
    spi.field()
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.RF_ON_IRQ
    assert not spi.register(pn5180.IRQ_STATUS)


def test_a_lone_eof_may_raise_no_tx_irq(spi: Spi) -> None:
    spi.chip.silent_eof = True
    spi.field()
    spi.send("06 01 00")
    spi.wait(0.02)
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.TX_IRQ
    spi.command("02 18 3f fb ff ff")
    spi.send("")
    spi.wait(0.02)
    assert not spi.register(pn5180.IRQ_STATUS) & pn5180.TX_IRQ


def test_two_in_a_slot_collide_into_the_or_of_both(spi: Spi, air: Air) -> None:
    for tag in ("E00259C186C95D50", "E00259C186C95830"):
        air.place(0, tag)
    spi.field()
    spi.send("06 01 00")
    spi.wait(0.02)
    assert spi.register(pn5180.RX_STATUS) & pn5180.COLLISION
    assert spi.command("0a 00", 10)[:1:-1] == bytes.fromhex("E00259C186C95D70")


@pytest.mark.parametrize(
    "prepare",
    [
        lambda spi: spi.command("16 00"),  # no configuration of ISO 15693
        lambda spi: (spi.field(), spi.command("02 18 3f fb ff ff")),  # no SOF
        lambda spi: (spi.field(), spi.command("17 00"), spi.wait(0.1), spi.command("16 00")),
    ],
    ids=["no configuration", "no SOF", "just switched on"],
)
def test_tags_do_not_answer(prepare: Callable[[Spi], object], spi: Spi, air: Air) -> None:
    air.place(0, TAG)
    prepare(spi)
    spi.send("26 01 00")
    spi.wait(0.02)
    assert not spi.register(pn5180.IRQ_STATUS) & pn5180.RX_IRQ


def test_what_is_sent_out_of_turn_is_an_error(spi: Spi) -> None:
    spi.command("09 00 26 01 00")
    assert spi.register(pn5180.IRQ_STATUS) & pn5180.GENERAL_ERROR_IRQ


def test_neighbours_together_are_noted(air: Air) -> None:
    air.on(0)
    air.on(1)
    assert air.violations == [(1, 0)]


def test_a_reset_ends_the_field(spi: Spi, air: Air) -> None:
    spi.chip.trouble = pn5180.Trouble.FIELD
    spi.field()
    spi.command("17 00")
    assert air.is_on(0)
    spi.chip.reset(0)
    assert not air.is_on(0)


# --- PN532 -------------------------------------------------------------------------------------


class Talk:
    """A host at one of a PN532's three lines, which does what the manual says, and no more."""

    def __init__(self, clock: Clock, air: Air) -> None:
        self.clock = clock
        self.air = air
        self.chip = self.made(air, clock)
        self.pulse(1)

    def made(self, air: Air, clock: Clock) -> Pn532Chip:
        raise NotImplementedError

    def pulse(self, low_s: float, wait_s: float = 1) -> None:
        """RSTPD_N."""
        self.chip.reset(0)
        self.clock.now += low_s
        self.chip.reset(1)
        self.clock.now += wait_s

    def wake(self) -> None:
        raise NotImplementedError

    def write(self, data: bytes) -> None:
        raise NotImplementedError

    def frames(self) -> bytes:
        raise NotImplementedError

    def ask(self, data: str) -> bytes:
        """The frames that answer a frame with these data."""
        self.write(pn532.frame(bytes.fromhex(data)))
        self.clock.now += 1
        return self.frames()


class Hsu(Talk):
    chip: HsuChip

    def made(self, air: Air, clock: Clock) -> Pn532Chip:
        return HsuChip(air, 0, clock)

    def wake(self) -> None:
        self.chip.write(b"\x55\x55\0\0\0")
        self.clock.now += 0.002

    def write(self, data: bytes) -> None:
        self.chip.write(data)

    def frames(self) -> bytes:
        return self.chip.read()


def turned(data: bytes) -> bytes:
    """As a bus that begins with the first bit sees what begins with the last (6.2.5)."""
    return bytes(sum(1 << 7 - bit for bit in range(8) if byte >> bit & 1) for byte in data)


class Spi532(Talk):
    chip: SpiChip

    def made(self, air: Air, clock: Clock) -> Pn532Chip:
        return SpiChip(air, 0, clock)

    def wake(self) -> None:
        self.chip.nss(0)
        self.clock.now += 0.002
        self.chip.nss(1)

    def exchange(self, command: int, data: bytes, count: int) -> bytes:
        self.chip.nss(0)
        self.chip.write(turned(bytes((command,)) + data))
        came = turned(self.chip.read(count)) if count else b""
        self.chip.nss(1)
        return came

    def write(self, data: bytes) -> None:
        self.exchange(1, data, 0)

    def status(self) -> int:
        return self.exchange(2, b"", 1)[0]

    def frames(self) -> bytes:
        data = b""
        while self.status() == 1:
            data += first_frame(self.exchange(3, b"", 60))
        return data


class I2c532(Talk):
    chip: I2cChip

    def made(self, air: Air, clock: Clock) -> Pn532Chip:
        return I2cChip(air, 0, clock)

    def wake(self) -> None:
        pass

    def write(self, data: bytes) -> None:
        self.clock.now += 0.002
        self.chip.write(0x24, data)

    def read(self, count: int) -> bytes | None:
        self.clock.now += 0.002
        return self.chip.read(0x24, count)

    def frames(self) -> bytes:
        data = b""
        while self.read(1) == b"\x01":
            data += first_frame((self.read(60) or b"")[1:])
        return data


def first_frame(data: bytes) -> bytes:
    """The frame that data begin with: behind it comes what means nothing."""
    size = data[3]
    return data[:6] if size in (0, 0xFF) else data[: size + 7]


@pytest.fixture(params=[Hsu, Spi532, I2c532])
def talk(request: pytest.FixtureRequest, clock: Clock) -> Talk:
    made: Talk = request.param(clock, Air(1, []))
    return made


# Captured: the logs in libnfc issue 85 and node-pn532 issue 12, and nfcpy's tests.
@pytest.mark.parametrize(
    ("asked", "answered"),
    [
        ("0000ff02fed4022a00", "0000ff06fad50332010607e800"),
        ("0000ff05fbd4140100001700", "0000ff02fed5151600"),
        ("0000ff04fcd44a0100e100", "0000ff03fdd54b00e000"),
    ],
)
def test_a_pn532_answers_as_real_ones_did(talk: Talk, asked: str, answered: str) -> None:
    talk.wake()
    talk.ask("d43205ff0101")
    talk.write(bytes.fromhex(asked))
    talk.clock.now += 1
    assert talk.frames() == pn532.ACK + bytes.fromhex(answered)


@pytest.mark.parametrize("kind", [Hsu, Spi532])
def test_a_pn532_sleeps_until_it_is_woken(kind: type[Hsu | Spi532], clock: Clock) -> None:
    talk = kind(clock, Air(1, []))
    assert talk.ask("d402") == b""


def test_a_pn532_on_i2c_is_woken_by_its_address_and_holds_the_clock(clock: Clock) -> None:
    talk = I2c532(clock, Air(1, []))
    assert talk.chip.stretch_s() == 0.002
    assert talk.ask("d402").startswith(pn532.ACK)
    assert 0 < talk.chip.stretch_s() <= 0.001
    talk.chip.hangs = True
    assert talk.chip.stretch_s() == inf


def test_a_pn532_is_not_there_before_it_has_started(talk: Talk) -> None:
    talk.pulse(0.05, 0.05)
    talk.wake()
    assert talk.ask("d402") == b""
    talk.pulse(0.05, 0.2)
    talk.wake()
    assert talk.ask("d402").startswith(pn532.ACK)


@pytest.mark.parametrize("short", [0.001, 0.003])
def test_a_short_pulse_leaves_a_pn532_confused_until_a_longer_one(talk: Talk, short: float) -> None:
    """As was seen of a red board: it acknowledges its address and tells nothing."""
    talk.pulse(short, 1)
    talk.wake()
    if isinstance(talk, I2c532):
        assert talk.read(1) == b"\0"
    assert talk.ask("d402") == b""
    talk.pulse(0.05, 0.2)
    talk.wake()
    assert talk.ask("d402").startswith(pn532.ACK)


def test_the_data_sheets_own_times_suffice_for_the_chip_of_the_data_sheet(clock: Clock) -> None:
    chip = HsuChip(Air(1, []), 0, clock, pulse_s=20e-9, start_s=0.002)
    chip.reset(1)
    clock.now += 1
    chip.reset(0)
    clock.now += 1e-6
    chip.reset(1)
    clock.now += 0.0021
    chip.write(b"\x55")
    clock.now += 0.002
    chip.write(pn532.frame(bytes.fromhex("d402")))
    clock.now += 1
    assert chip.read().startswith(pn532.ACK)


def test_a_pn532_lists_two_and_lists_them_again_only_after_a_release(talk: Talk) -> None:
    for tag in ("04A1B2C3D4E5F6", "11223344", "55667788"):
        talk.air.place(0, tag)
    talk.wake()

    def ask(data: str) -> bytes:
        return talk.ask(data)[len(pn532.ACK) + 5 : -2]

    both = "d54b02 01 0044 00 07 04a1b2c3d4e5f6 02 0004 00 04 11223344"
    assert ask("d44a0200") == bytes.fromhex(both)
    assert ask("d44a0200") == bytes.fromhex("d54b01 01 0004 00 04 55667788")
    assert ask("d45200") == bytes.fromhex("d55300")
    assert ask("d44a0200") == bytes.fromhex(both)


def test_a_nak_brings_the_last_frame_again_and_an_ack_ends_it(talk: Talk) -> None:
    talk.wake()
    answer = talk.ask("d402")[len(pn532.ACK) :]
    talk.write(bytes.fromhex("0000ffff0000"))
    talk.clock.now += 1
    assert talk.frames() == answer
    talk.write(pn532.frame(bytes.fromhex("d402")))
    talk.write(pn532.ACK)
    talk.clock.now += 1
    assert talk.frames() == b""


def test_on_spi_the_first_bit_is_the_last_and_the_status_leads(clock: Clock) -> None:
    talk = Spi532(clock, Air(1, []))
    talk.chip.reset(0)
    talk.chip.nss(0)
    talk.chip.write(b"\x40")
    assert talk.chip.read(1) == b"\xff"  # no power: nothing pulls MISO down
    talk.pulse(1)
    talk.wake()
    assert talk.status() == 0
    talk.write(pn532.frame(bytes.fromhex("d402")))
    assert talk.status() == 0
    clock.now += 0.001
    talk.chip.nss(0)
    talk.chip.write(b"\x40")
    assert talk.chip.read(1) == b"\x80"
    talk.chip.nss(1)
    talk.chip.nss(0)
    talk.chip.write(b"\xc0")
    assert talk.chip.read(6) == bytes.fromhex("0000ff00ff00")
    talk.chip.nss(1)
    clock.now += 0.01
    assert talk.exchange(3, b"", 3) == bytes.fromhex("0000ff")
    assert talk.status() == 0, "the rest of a frame that is not read at once is gone"


def test_on_i2c_a_ready_byte_leads_and_the_address_rests_after_an_exchange(clock: Clock) -> None:
    talk = I2c532(clock, Air(1, []))
    assert talk.chip.read(0x48, 1) is None
    talk.write(pn532.frame(bytes.fromhex("d402")))
    assert talk.chip.read(0x24, 1) is None, "it has just been spoken to"
    clock.now += 0.002
    assert talk.chip.read(0x24, 1) == b"\x01"
    clock.now += 0.002
    assert talk.chip.read(0x24, 7) == b"\x01" + pn532.ACK
    clock.now += 0.002
    assert (talk.chip.read(0x24, 20) or b"")[:8] == bytes.fromhex("010000ff06fad503")
    clock.now += 0.002
    assert talk.chip.read(0x24, 20) == bytes(20)
