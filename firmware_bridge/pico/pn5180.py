"""NXP PN5180 over SPI, for ISO 15693: the data sheet's host interface and 16-slot inventory.

Methods that wait for something on the air are generators: they yield meanwhile, so that the
rest of the firmware runs. The chip itself answers within microseconds, and is waited for on
the spot. All raise ReaderError when it does not do what it should.

Not verified on hardware: that WRITE_REGISTER_MULTIPLE may take SYSTEM_CONFIG to idle and on to
transceive in one frame (NXP's own library sends one register twice in a frame so, but another).
"""

import micropython
import tally
from faults import FieldBarredError, ReaderError
from micropython import const

# Host interface commands (data sheet 11.4.3.3).
_WRITE_REGISTER = const(0x00)
_READ_REGISTER = const(0x04)
_READ_EEPROM = const(0x07)
_SEND_DATA = const(0x09)
_READ_DATA = const(0x0A)
_LOAD_RF_CONFIG = const(0x11)

# Registers.
_IRQ_ENABLE = const(0x01)
_IRQ_STATUS = const(0x02)
_RX_STATUS = const(0x13)
_TX_CONFIG = const(0x18)

# IRQ_STATUS.
_RX_IRQ = const(1 << 0)
_TX_IRQ = const(1 << 1)
_IDLE_IRQ = const(1 << 2)
_RF_OFF_IRQ = const(1 << 8)
_RF_ON_IRQ = const(1 << 9)
_RF_ACTIVE_ERROR_IRQ = const(1 << 10)
_SOF_IRQ = const(1 << 14)

_RX_ERRORS = const(7 << 16)  # RX_STATUS: data integrity, protocol, collision

# EEPROM 0x1A: bit 0, the IRQ pin is active high.
_IRQ_PIN_CONFIG = const(0x1A)

_CLEAR_IRQ = b"\x00\x03\xff\xff\x0f\x00"
# RF_ON with bit 0: no collision avoidance, or a lit antenna nearby keeps this one off (11.8.2).
_RF_ON = b"\x16\x01"
_RF_OFF = b"\x17\x00"
# WRITE_REGISTER_MULTIPLE: register, how (1 write, 2 or, 3 and), value, of as many as there are.
# IRQ_CLEAR; SYSTEM_CONFIG to idle, and to transceive.
_READY = b"\x03\x01\xff\xff\x0f\x00\x00\x03\xf8\xff\xff\xff\x00\x02\x03\x00\x00\x00"
_READY_AGAIN = b"\x03" + _READY
# TX_CONFIG before that: SEND_DATA sends neither SOF nor data any more, but a lone EOF.
_READY_FOR_EOF = b"\x03\x18\x03\x3f\xfb\xff\xff" + _READY
_NEXT_SLOT = b"\x09\x00"

# Inventory at the high data rate (ISO 15693-3, 7.3.1).
_ONE_SLOT = const(0x26)
_SIXTEEN_SLOTS = const(0x06)

_BUSY_US = const(10000)
_START_US = const(100000)
_FIELD_US = const(50000)
_BIT_US = const(38)  # on the air, both ways (ISO 15693-2, high data rate)
_EOF_US = const(76)
_SOF_US = const(1000)  # a tag answers 0.32 ms after the request's end (ISO 15693-3, t1)
_UNDER_WAY_US = const(3300)  # of the 3.9 ms that an answer takes, after its SOF
_ANSWER_US = const(6700)
MAX_REQUESTS = const(500)


class Pn5180:
    """One chip: `bus` has write and readinto; `nss`, `busy`, `reset`, and `irq` if wired, are pins.

    With `irq` nothing goes over SPI while there is nothing to tell.
    """

    settle_us = 6000
    piecemeal = True

    def __init__(self, bus, nss, busy, reset, clock, irq=None):
        self._bus = bus
        self._nss = nss
        self._busy = busy
        self._reset = reset
        self._clock = clock
        self._irq_pin = irq
        self._irq = None
        self._active = 1
        self._told = True
        self._seen = 0
        self._ready = b""
        self.counts = tally.Counts(0, 0)
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
        self._when_busy_is(0)
        self._irq = None  # until it is known which level is the active one
        self._seen = 0
        booted = yield from self._irq_within(_IDLE_IRQ, _START_US)
        if not booted & _IDLE_IRQ:
            raise ReaderError("it does not boot")
        version = bytearray(2)
        self._ask(bytes((_READ_EEPROM, 0x10, 2)), version)
        if version in (b"\0\0", b"\xff\xff"):
            raise ReaderError("no PN5180 answers")
        if self._irq_pin:
            self._ask(bytes((_READ_EEPROM, _IRQ_PIN_CONFIG, 1)), version)
            self._active = version[0] & 1
            self._irq = self._irq_pin
            mask = _RX_IRQ | _SOF_IRQ | _RF_ON_IRQ | _RF_OFF_IRQ | _RF_ACTIVE_ERROR_IRQ
            self._command(bytes((_WRITE_REGISTER, _IRQ_ENABLE)) + mask.to_bytes(4, "little"))
        self._command(bytes((_LOAD_RF_CONFIG, 0x0D, 0x8D)))
        self._read(_TX_CONFIG)
        self._ready = bytes((3, _TX_CONFIG, 1)) + bytes(self._four) + _READY

    def field_on(self):
        """Switch the field on; `settle_us` later the tags in it are ready.

        Raises FieldBarredError where another field keeps it off all the same.
        """
        self._clear_irq()
        self._command(_RF_ON)
        irq = yield from self._irq_within(_RF_ON_IRQ | _RF_ACTIVE_ERROR_IRQ, _FIELD_US)
        if not irq & _RF_ON_IRQ:
            if irq & _RF_ACTIVE_ERROR_IRQ:
                raise FieldBarredError
            raise ReaderError("its field does not come on")
        if not self._told:
            raise ReaderError("its IRQ pin does not tell")

    def field_off(self):
        """Switch the field off, and see that it is."""
        self._clear_irq()
        self._command(_RF_OFF)
        if not (yield from self._irq_within(_RF_OFF_IRQ, _FIELD_US)) & _RF_OFF_IRQ:
            raise ReaderError("its field does not go off")

    def inventory(self, job, until):
        """Read tags into `job`, an Inventory, until all is asked or the clock says `until`.

        ISO 15693-3, 8: tags answer in the slot that four of their bits number. Where two
        collide, the tags of that slot are asked again by a mask, in halves: that is faster than
        sixteen slots, most of them empty. What is left of the slots when time is up is asked
        by masks too. A pile that is known is asked by masks from the first.
        """
        if job.masks is None:
            job.masks = []
            if job.probed:
                self._request(_ONE_SLOT, 0, 0)
                if (yield from self._slot(_BIT_US * 44, True)) is None:
                    return
            job.masks = job.first()
        while job.masks:
            if job.requests == MAX_REQUESTS:
                job.complete = False
                job.masks = []
                return
            job.requests += 1
            bits, mask = job.masks.pop()
            if bits:
                air_us = self._request(_ONE_SLOT, bits, mask)
                answer = yield from self._slot(air_us, True)
                self._take(job, answer, bits, mask)
            else:
                yield from self._slots(job, until)
            if self._clock() > until:
                return

    def _slots(self, job, until):
        """Ask all sixteen slots, or as many as there is time for."""
        air_us = self._request(_SIXTEEN_SLOTS, 0, 0)
        for slot in range(16):
            if slot:
                if self._clock() > until:
                    job.masks += [(4, left) for left in range(slot, 16)]
                    return
                self._send(_READY_FOR_EOF if slot == 1 else _READY_AGAIN, _NEXT_SLOT)
                air_us = _EOF_US
            answer = yield from self._slot(air_us, slot == 0)
            self._take(job, answer, 4, slot)

    def _take(self, job, answer, bits, low):
        """Note what came from the tags whose UIDs end with these bits."""
        if answer is None:
            return
        ten = self._ten
        if not answer or (int.from_bytes(ten[2:], "little") ^ low) & ((1 << bits) - 1):
            self.counts.collisions += 1
            if bits < 64:
                job.masks += ((bits + 1, low), (bits + 1, low | 1 << bits))
            else:
                job.complete = False
        elif ten[9] == 0xE0 and not ten[0] & 1:
            job.uids.add(bytes(reversed(ten[2:])))
        else:
            job.complete = False

    def _slot(self, air_us, is_request):
        """Return None if the slot is empty, True if an answer is in `_ten`, False if it's torn.

        How long sending takes is known, so its end is not waited for; a TX_IRQ after a lone EOF
        is not relied upon. That nothing answers a request it must have sent at all, though.
        """
        irq = yield from self._irq_within(_RX_IRQ | _SOF_IRQ, air_us + _SOF_US, is_request)
        if not irq & (_RX_IRQ | _SOF_IRQ):
            if is_request and not irq & _TX_IRQ:
                raise ReaderError("it does not send")
            return None
        if not irq & _RX_IRQ:
            yield from self._pause(_UNDER_WAY_US)
            irq = yield from self._irq_within(_RX_IRQ, _ANSWER_US)
            if not irq & _RX_IRQ:
                return False
        status = self._read(_RX_STATUS)
        if status & _RX_ERRORS or status & 0x1FF < 10:
            return False
        self._ask(bytes((_READ_DATA, 0)), self._ten)
        return True

    def _request(self, flags, bits, mask):
        """Send an inventory to the tags whose UIDs end with these bits; return its air time."""
        size = (bits + 7) >> 3
        request = bytes((_SEND_DATA, 0, flags, 0x01, bits)) + mask.to_bytes(8, "little")[:size]
        self._send(self._ready, request)
        return _BIT_US * (8 * size + 44)

    def _send(self, ready, request):
        """Send on the air, in two frames: what has to be set before, and what is sent."""
        self._seen = 0
        self._command(ready)
        self._command(request)

    def _clear_irq(self):
        self._seen = 0
        self._command(_CLEAR_IRQ)

    def _irq_within(self, irq, limit_us, is_sure=True):
        """Return the bits of IRQ_STATUS since they were cleared, once one of these is set, or
        after so long without. Unless `is_sure`, an IRQ pin that is silent to the end is believed.
        """
        clock = self._clock
        end = clock() + limit_us
        while True:
            # The clock is read first: a pause after the status was read must not end the wait.
            late = clock() > end
            pin = self._irq
            self._told = pin is None or pin() == self._active
            if self._told or (late and is_sure):
                self._seen |= self._read(_IRQ_STATUS)
            if self._seen & irq or late:
                return self._seen
            yield

    @micropython.native
    def _read(self, register):
        four = self._four
        self._ask(bytes((_READ_REGISTER, register)), four)
        return int.from_bytes(four, "little")

    @micropython.native
    def _ask(self, frame, answer):
        """Exchange two SPI frames: what is asked, and the answer."""
        self._command(frame)
        self._nss(0)
        self._bus.readinto(answer, 0xFF)
        self._when_busy_is(1)
        self._nss(1)
        self._when_busy_is(0)

    @micropython.native
    def _command(self, frame):
        self._nss(0)
        self._bus.write(frame)
        self._when_busy_is(1)
        self._nss(1)
        self._when_busy_is(0)

    @micropython.native
    def _when_busy_is(self, level):
        busy = self._busy
        if busy() == level:
            return
        end = self._clock() + _BUSY_US
        while True:
            late = self._clock() > end
            if busy() == level:
                return
            if late:
                raise ReaderError("BUSY does not go " + ("high" if level else "low"))

    def _pause(self, us):
        end = self._clock() + us
        while self._clock() < end:
            yield
