"""NXP PN5180 over SPI, for ISO 15693: the data sheet's host interface and 16-slot inventory.

Every method that talks to the chip is a generator: it yields while it waits, so that the
rest of the firmware runs meanwhile. All raise ReaderError when the chip does not answer.
"""

import tally
from faults import ReaderError
from micropython import const

# Host interface commands (data sheet 11.4.3.3).
_WRITE_REGISTER = const(0x00)
_OR_REGISTER = const(0x01)
_AND_REGISTER = const(0x02)
_READ_REGISTER = const(0x04)
_READ_EEPROM = const(0x07)
_SEND_DATA = const(0x09)
_READ_DATA = const(0x0A)
_LOAD_RF_CONFIG = const(0x11)
_RF_ON = const(0x16)
_RF_OFF = const(0x17)

# Registers.
_SYSTEM_CONFIG = const(0x00)
_IRQ_STATUS = const(0x02)
_IRQ_CLEAR = const(0x03)
_RX_STATUS = const(0x13)
_TX_CONFIG = const(0x18)

# IRQ_STATUS.
_RX_IRQ = const(1 << 0)
_TX_IRQ = const(1 << 1)
_IDLE_IRQ = const(1 << 2)
_RF_OFF_IRQ = const(1 << 8)
_RF_ON_IRQ = const(1 << 9)
_SOF_IRQ = const(1 << 14)

_RX_ERRORS = const(7 << 16)  # RX_STATUS: data integrity, protocol, collision

# Inventory at the high data rate (ISO 15693-3, 7.3.1).
_ONE_SLOT = const(0x26)
_SIXTEEN_SLOTS = const(0x06)

_BUSY_US = const(10000)
_START_US = const(100000)
_FIELD_US = const(50000)
_SEND_US = const(30000)  # an inventory with a full mask takes 4 ms on the air
_SOF_US = const(1000)  # a tag answers 0.32 ms after the request's end (ISO 15693-3, t1)
_ANSWER_US = const(10000)  # the answer is 4 ms long
MAX_ROUNDS = const(48)


class Pn5180:
    """One chip: `bus` has write and readinto, `nss`, `busy` and `reset` are pins."""

    settle_us = 6000

    def __init__(self, bus, nss, busy, reset, clock):
        self._bus = bus
        self._nss = nss
        self._busy = busy
        self._reset = reset
        self._clock = clock
        self.counts = tally.Counts(0, 0)
        self._tx_config = b""
        self._four = bytearray(4)
        self._ten = bytearray(10)

    def kill(self):
        """Hold the chip in reset: whatever state it was in, its field is off."""
        self._reset(0)
        self._nss(1)

    def start(self):
        """Boot the chip and load the configuration of ISO 15693 with one subcarrier, 26 kbit/s."""
        self.kill()
        yield from self._pause(10000)
        self._reset(1)
        yield from self._pause(2500)
        yield from self._until(_IDLE_IRQ, _START_US, "it does not boot")
        version = bytearray(2)
        yield from self._ask(bytes((_READ_EEPROM, 0x10, 2)), version)
        if version in (b"\0\0", b"\xff\xff"):
            raise ReaderError("no PN5180 answers")
        yield from self._command(bytes((_LOAD_RF_CONFIG, 0x0D, 0x8D)))
        yield from self._read(_TX_CONFIG)
        self._tx_config = bytes(self._four)

    def field_on(self):
        """Switch the field on; `settle_us` later the tags in it are ready."""
        yield from self._clear_irq()
        yield from self._command(bytes((_RF_ON, 0)))
        yield from self._until(_RF_ON_IRQ, _FIELD_US, "its field does not come on")

    def field_off(self):
        """Switch the field off, and see that it is."""
        yield from self._clear_irq()
        yield from self._command(bytes((_RF_OFF, 0)))
        yield from self._until(_RF_OFF_IRQ, _FIELD_US, "its field does not go off")

    def inventory(self, uids):
        """Add all UIDs in the field to the set `uids`; return whether these are all there are.

        ISO 15693-3, 8: tags answer in the slot that four of their bits number; where two
        collide, the slot's tags are asked again with these bits in the mask. An empty field
        is told before, by silence in a single slot.
        """
        yield from self._request(_ONE_SLOT, 0, 0)
        if (yield from self._slot()) is None:
            return True
        pending = [(0, 0)]
        complete = True
        rounds = 0
        while pending:
            if rounds == MAX_ROUNDS:
                return False
            rounds += 1
            bits, mask = pending.pop()
            yield from self._request(_SIXTEEN_SLOTS, bits, mask)
            for slot in range(16):
                if slot == 1:
                    # From now on SEND_DATA sends neither SOF nor data, but a lone EOF: next slot.
                    yield from self._command(b"\x02\x18\x3f\xfb\xff\xff")
                if slot:
                    yield from self._send(b"\x09\x00")
                answer = yield from self._slot()
                if answer is None:
                    continue
                low = mask | slot << bits
                if not answer or not self._fits(low, bits + 4):
                    self.counts.collisions += 1
                    if bits < 60:
                        pending.append((bits + 4, low))
                    else:
                        complete = False
                elif self._ten[9] == 0xE0 and not self._ten[0] & 1:
                    uids.add(bytes(reversed(self._ten[2:])))
                else:
                    complete = False
        return complete

    def _fits(self, low, bits):
        """Whether the answer comes from a tag that was asked."""
        return not (int.from_bytes(self._ten[2:], "little") ^ low) & ((1 << bits) - 1)

    def _slot(self):
        """Return None if the slot is empty, True if an answer is in `_ten`, False if it's torn."""
        yield from self._until(_TX_IRQ, _SEND_US, "it does not send")
        irq = yield from self._irq_within(_RX_IRQ | _SOF_IRQ, _SOF_US)
        if not irq & (_RX_IRQ | _SOF_IRQ):
            return None
        if not irq & _RX_IRQ:
            irq = yield from self._irq_within(_RX_IRQ, _ANSWER_US)
            if not irq & _RX_IRQ:
                return False
        status = yield from self._read(_RX_STATUS)
        if status & _RX_ERRORS or status & 0x1FF < 10:
            return False
        yield from self._ask(bytes((_READ_DATA, 0)), self._ten)
        return True

    def _request(self, flags, bits, mask):
        """Send an inventory to the tags whose UIDs end with these bits."""
        size = (bits + 7) >> 3
        request = bytes((_SEND_DATA, 0, flags, 0x01, bits)) + mask.to_bytes(8, "little")[:size]
        yield from self._command(bytes((_WRITE_REGISTER, _TX_CONFIG)) + self._tx_config)
        yield from self._send(request)

    def _send(self, request):
        yield from self._clear_irq()
        yield from self._command(b"\x02\x00\xf8\xff\xff\xff")  # SYSTEM_CONFIG: idle
        yield from self._command(b"\x01\x00\x03\x00\x00\x00")  # SYSTEM_CONFIG: transceive
        yield from self._command(request)

    def _clear_irq(self):
        yield from self._command(b"\x00\x03\xff\xff\x0f\x00")

    def _read(self, register):
        yield from self._ask(bytes((_READ_REGISTER, register)), self._four)
        return int.from_bytes(self._four, "little")

    def _until(self, irq, limit_us, trouble):
        if not (yield from self._irq_within(irq, limit_us)) & irq:
            raise ReaderError(trouble)

    def _irq_within(self, irq, limit_us):
        """Return IRQ_STATUS once one of these bits is set, or after so long without."""
        end = self._clock() + limit_us
        while True:
            # The clock is read first: a pause after the status was read must not end the wait.
            late = self._clock() > end
            status = yield from self._read(_IRQ_STATUS)
            if status & irq or late:
                return status
            yield

    def _ask(self, frame, answer):
        """Exchange two SPI frames: what is asked, and the answer."""
        yield from self._command(frame)
        self._nss(0)
        self._bus.readinto(answer, 0xFF)
        yield from self._release()

    def _command(self, frame):
        yield from self._when_busy_is(0)
        self._nss(0)
        self._bus.write(frame)
        yield from self._release()

    def _release(self):
        yield from self._when_busy_is(1)
        self._nss(1)
        yield from self._when_busy_is(0)

    def _when_busy_is(self, level):
        if self._busy() == level:
            return
        end = self._clock() + _BUSY_US
        while self._busy() != level:
            if self._clock() > end:
                raise ReaderError("BUSY does not go " + ("high" if level else "low"))
            yield

    def _pause(self, us):
        end = self._clock() + us
        while self._clock() < end:
            yield
