"""NXP PN5180 seen from its pins: the host interface of data sheet 11.4, ISO 15693 only."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import reduce
from random import Random

from firmware_bridge.pico.sim import iso15693
from firmware_bridge.pico.sim.air import Air

BOOT_S = 0.0023
COMMAND_S = 0.00005
"""How long BUSY stays high after a frame. Unverified: no public document says how long."""
FIELD_S = 0.0005
SENSE_S = 0.0004
"""How long it listens for another field (ISO/IEC 18092 has 4096 / fc for it)."""
TAGS_READY_S = 0.005

RX_IRQ, TX_IRQ, IDLE_IRQ = 1 << 0, 1 << 1, 1 << 2
RF_OFF_IRQ, RF_ON_IRQ, SOF_IRQ, GENERAL_ERROR_IRQ = 1 << 8, 1 << 9, 1 << 14, 1 << 17
RF_ACTIVE_ERROR_IRQ = 1 << 10
NO_COLLISION_AVOIDANCE = 1
"""Of RF_ON's parameter, bit 0 (table of 11.4.3.3; NXP's reader library says the same)."""
SYSTEM_CONFIG, IRQ_ENABLE, IRQ_STATUS, IRQ_CLEAR = 0x00, 0x01, 0x02, 0x03
RX_STATUS, TX_CONFIG = 0x13, 0x18
IRQ_ACTIVE_HIGH, IRQ_CLEARED_BY_READING = 1, 2
"""EEPROM byte 0x1A, IRQ_PIN_CONFIG."""
TX_FRAME_BITS = 0x4C0
"""Of TX_CONFIG: while these are clear, SEND_DATA sends a lone EOF."""
INTEGRITY_ERROR, COLLISION = 1 << 16, 1 << 18

_TRANSCEIVE = 3
_FIXED = {0x00: 6, 0x01: 6, 0x02: 6, 0x04: 2, 0x07: 3, 0x0A: 2, 0x11: 3, 0x16: 2, 0x17: 2}


class Trouble(Enum):
    """How a chip can fail."""

    NONE = "none"
    BUSY = "busy"
    """BUSY stays high."""
    DEAD = "dead"
    """Nothing reacts; BUSY stays low."""
    MUTE = "mute"
    """It takes commands, but nothing ever happens on the air."""
    FIELD = "field"
    """The field does not go off, whatever it is told; a reset ends it."""


class Pn5180Chip:
    """A chip whose antenna connector leads to the zone that `zone()` says."""

    def __init__(
        self, air: Air, zone: Callable[[], int], clock: Callable[[], float], random: Random
    ) -> None:
        self.trouble = Trouble.NONE
        self.heals = True
        self.noise = 0.0
        self.barred = 0
        """How often yet its field does not come on for RF_ACTIVE_ERROR, whatever it was told."""
        self.silent_eof = False
        """No TX_IRQ follows a lone EOF."""
        self.irq_config = IRQ_ACTIVE_HIGH
        self.irq_is_cut = False
        self.frames = 0
        self._air = air
        self._zone = zone
        self._clock = clock
        self._random = random
        self._powered = False
        self._nss = 1
        self._lit: int | None = None
        self._boot()

    def _boot(self) -> None:
        if self._lit is not None:
            self._air.off(self._lit)
        self._lit = None
        self._lit_since = 0.0
        self._registers = dict.fromkeys(range(0x2A), 0)
        self._events: list[tuple[float, Callable[[], None]]] = []
        self._frame = bytearray()
        self._exchanged = False
        self._busy = False
        self._busy_until = 0.0
        self._reply = b""
        self._received = b""
        self._waits_to_send = False
        self._sending_until = 0.0
        self._exchange = 0
        self._protocol = False
        self._inventory: iso15693.Inventory | None = None
        self._slot = 0

    # --- pins ---------------------------------------------------------------------------------

    def reset(self, level: int) -> None:
        """RST: low stops everything, rising boots."""
        if not level:
            self._powered = False
            if self.heals:
                self.trouble = Trouble.NONE
            self._boot()
        elif not self._powered:
            self._powered = True
            self._later(BOOT_S, lambda: self._raise_irq(IDLE_IRQ))

    def nss(self, level: int) -> None:
        """NSS: low begins a frame, rising ends it."""
        if level and not self._nss and self._powered:
            self._advance()
            self._busy = False
            self._busy_until = self._clock() + COMMAND_S
            if self._frame and self.trouble is not Trouble.DEAD:
                frame = bytes(self._frame)
                self._reply = b""
                self._execute(frame)
        self._nss = level
        if not level:
            self._frame.clear()
            self._exchanged = False

    @property
    def selected(self) -> bool:
        """Whether NSS is low."""
        return not self._nss

    def busy(self) -> int:
        """BUSY: high from the first byte of a frame until it has been dealt with."""
        if not self._powered or self.trouble is Trouble.DEAD:
            return 0
        is_busy = self._busy or self._clock() < self._busy_until
        return int(is_busy or self.trouble is Trouble.BUSY)

    def irq(self) -> int:
        """IRQ: active while a bit of IRQ_STATUS is set that IRQ_ENABLE lets through."""
        self._advance()
        told = self._registers[IRQ_STATUS] & self._registers[IRQ_ENABLE]
        return int(bool(told) == bool(self.irq_config & IRQ_ACTIVE_HIGH)) if self._is_heard() else 0

    def _is_heard(self) -> bool:
        return self._powered and not self.irq_is_cut

    def write(self, data: bytes) -> None:
        """MOSI: the host sends a command. What comes while the last is dealt with is lost."""
        if self._powered and self._clock() < self._busy_until:
            self._raise_irq(GENERAL_ERROR_IRQ)
        elif self._powered:
            self.frames += 1
            self._frame += data
            self._busy = True

    def read(self, size: int) -> bytes:
        """MISO: the host reads the answer to the command before."""
        if not self._powered or self.trouble is Trouble.DEAD:
            return bytes(size)
        self._busy = True
        data, self._reply = self._reply[:size], b""
        return data + b"\xff" * (size - len(data))

    # --- time ---------------------------------------------------------------------------------

    def _later(self, seconds: float, event: Callable[[], None]) -> None:
        self._events.append((self._clock() + seconds, event))

    def _advance(self) -> None:
        now = self._clock()
        due = sorted((e for e in self._events if e[0] <= now), key=lambda event: event[0])
        self._events = [event for event in self._events if event[0] > now]
        for _, event in due:
            event()

    def _raise_irq(self, bits: int) -> None:
        self._registers[IRQ_STATUS] |= bits

    # --- commands -----------------------------------------------------------------------------

    def _execute(self, frame: bytes) -> None:
        command = frame[0]
        if command in _FIXED and len(frame) != _FIXED[command]:
            self._raise_irq(GENERAL_ERROR_IRQ)
            return
        match command:
            case 0x00 | 0x01 | 0x02:
                self._write_register(command, frame[1], int.from_bytes(frame[2:], "little"))
            case 0x03 if len(frame) > 1 and len(frame) % 6 == 1:
                self._write_registers(frame[1:])
            case 0x04:
                self._reply = self._registers.get(frame[1], 0).to_bytes(4, "little")
                if frame[1] == IRQ_STATUS and self.irq_config & IRQ_CLEARED_BY_READING:
                    self._registers[IRQ_STATUS] = 0
            case 0x07:
                eeprom = bytes(16) + b"\x05\x03\x05\x03\x00\x99" + bytes(4)
                eeprom += bytes((self.irq_config,))
                self._reply = eeprom[frame[1] : frame[1] + frame[2]]
            case 0x09 if len(frame) >= 2:
                self._send(frame[2:])
            case 0x0A:
                self._reply = self._received
            case 0x11:
                self._protocol = frame[1:] == b"\x0d\x8d"
                self._registers[TX_CONFIG] = 0x00003800 | TX_FRAME_BITS
            case 0x16:
                self._field_on(avoids=not frame[1] & NO_COLLISION_AVOIDANCE)
            case 0x17:
                self._field_off()
            case _:
                self._raise_irq(GENERAL_ERROR_IRQ)

    def _write_registers(self, sets: bytes) -> None:
        """WRITE_REGISTER_MULTIPLE: address, action and value of up to 42, one after the other."""
        if len(sets) > 252 or not all(1 <= action <= 3 for action in sets[1::6]):
            self._raise_irq(GENERAL_ERROR_IRQ)
            return
        for at in range(0, len(sets), 6):
            value = int.from_bytes(sets[at + 2 : at + 6], "little")
            self._write_register(sets[at + 1] - 1, sets[at], value)

    def _write_register(self, how: int, number: int, value: int) -> None:
        if number not in self._registers:
            self._raise_irq(GENERAL_ERROR_IRQ)
            return
        if number == IRQ_CLEAR:
            self._registers[IRQ_STATUS] &= ~value
            return
        old = self._registers[number]
        self._registers[number] = (value, old | value, old & value)[how]
        if number == TX_CONFIG and self._clock() < self._sending_until:
            self._inventory = None  # changed under a request, which no tag understands now
            self._exchange += 1
        elif number == SYSTEM_CONFIG:
            self._waits_to_send = self._registers[number] & 7 == _TRANSCEIVE
            self._exchange += 1

    def _field_on(self, *, avoids: bool) -> None:
        """RF_ON. With collision avoidance a field that is sensed keeps this one off, and says so by
        RF_ACTIVE_ERROR instead of TX_RFON (11.8.2)."""
        if self.trouble is Trouble.MUTE:
            return
        if self._lit is None and self._is_barred(avoids=avoids):
            self._later(SENSE_S, lambda: self._raise_irq(RF_ACTIVE_ERROR_IRQ))
            return
        if self._lit is None:
            self._lit = self._zone()
            self._lit_since = self._clock()
            self._air.on(self._lit)
        self._later(FIELD_S, lambda: self._raise_irq(RF_ON_IRQ))

    def _is_barred(self, *, avoids: bool) -> bool:
        if self.barred:
            self.barred -= 1
            return True
        return avoids and self._air.is_heard(self._zone())

    def _field_off(self) -> None:
        if self.trouble in (Trouble.MUTE, Trouble.FIELD):
            return
        if self._lit is not None:
            self._air.off(self._lit)
        self._lit = None
        self._inventory = None
        self._later(FIELD_S, lambda: self._raise_irq(RF_OFF_IRQ))

    # --- the air ------------------------------------------------------------------------------

    def _send(self, data: bytes) -> None:
        if self.trouble is Trouble.MUTE:
            return
        if not self._waits_to_send or self._lit is None:
            self._raise_irq(GENERAL_ERROR_IRQ)
            return
        self._waits_to_send = False
        self._registers[RX_STATUS] = 0
        self._received = b""
        whole = self._registers[TX_CONFIG] & TX_FRAME_BITS == TX_FRAME_BITS
        if not whole and not data:
            self._slot += 1
            sent = 2 * iso15693.BIT_S
        else:
            on_air = data + iso15693.crc(data)
            self._inventory = iso15693.parse(on_air) if whole and self._protocol else None
            self._slot = 0
            sent = (8 * len(on_air) + 4) * iso15693.BIT_S
        self._sending_until = self._clock() + sent
        if whole or not self.silent_eof:
            self._on_air(sent, lambda: self._raise_irq(TX_IRQ))
        answers = self._answers(self._lit)
        if answers:
            begin = sent + iso15693.REPLY_AFTER_S
            self._on_air(begin + 3 * iso15693.BIT_S, lambda: self._raise_irq(SOF_IRQ))
            length = (8 * len(answers[0]) + 8) * iso15693.BIT_S
            self._on_air(begin + length, lambda: self._receive(answers))

    def _on_air(self, seconds: float, event: Callable[[], None]) -> None:
        """Let something happen unless the exchange is stopped before."""
        exchange = self._exchange
        self._later(seconds, lambda: event() if exchange == self._exchange else None)

    def _answers(self, zone: int) -> list[bytes]:
        inventory = self._inventory
        if inventory is None or self._slot >= inventory.slots:
            return []
        if self._clock() - self._lit_since < TAGS_READY_S:
            return []
        return [
            iso15693.answer(uid)
            for uid in self._air.tags(zone)
            if len(uid) == 8 and uid[0] == 0xE0 and inventory.slot_of(uid) == self._slot
        ]

    def _receive(self, answers: list[bytes]) -> None:
        heard = reduce(lambda a, b: bytes(x | y for x, y in zip(a, b, strict=True)), answers)
        status = len(heard) - 2
        if iso15693.crc(heard[:-2]) != heard[-2:]:
            status |= INTEGRITY_ERROR
        if len(answers) > 1 or self._random.random() < self.noise:
            status |= COLLISION
        self._received = heard[:-2]
        self._registers[RX_STATUS] = status
        self._raise_irq(RX_IRQ)
