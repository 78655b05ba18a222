"""NXP PN532 over UART, SPI or I2C (user manual UM0701-02, 7): two tags at most.

Like Pn5180, whose methods it has, it yields while it waits and raises ReaderError.
"""

import tally
from faults import ReaderError
from micropython import const
from pn532_frames import ACK, ERROR, NAK, Parser, frame, targets

_ACK_US = const(40000)
_ANSWER_US = const(150000)

# By the data sheet (12.23) RSTPD_N has to be low for 20 ns and the chip is there 2 ms later. Boards
# need more: one that got 1 ms and 12 ms answered its address and nothing else, and worked with
# these (github.com/Fire-Devils/FilaMan-System-ESP32, pull request 24).
_RESET_US = const(50000)
_START_US = const(200000)

_TO_CHIP = const(0xD4)
_GET_VERSION = const(0x02)
_SAM_CONFIGURATION = const(0x14)
_RF_CONFIGURATION = const(0x32)
_IN_LIST_PASSIVE_TARGET = const(0x4A)


class Pn532:
    """One chip: `line` is one of pn532_lines, `reset` is the pin at RSTPD_N."""

    settle_us = 5000
    piecemeal = False

    def __init__(self, line, reset, clock):
        self._line = line
        self._reset = reset
        self._clock = clock
        self._down_at = None
        self.counts = tally.Counts()

    def kill(self):
        """Hold the chip in power down: its field is off."""
        self._reset(0)
        if self._down_at is None:
            self._down_at = self._clock()

    def start(self):
        """Boot the chip; one attempt per poll, so that an empty field answers at once."""
        self.kill()
        yield from self._until(self._down_at + _RESET_US)
        self._down_at = None
        self._reset(1)
        yield from self._pause(_START_US)
        yield from self._line.wake(self._pause)
        yield from self._call(_SAM_CONFIGURATION, b"\x01\x14\x01")
        version = yield from self._call(_GET_VERSION, b"")
        if len(version) < 2 or version[1] != 0x32:
            raise ReaderError("no PN532 answers")
        yield from self._call(_RF_CONFIGURATION, b"\x05\xff\x01\x01")
        yield from self.field_off()

    def field_on(self):
        """Switch the field on."""
        yield from self._call(_RF_CONFIGURATION, b"\x01\x01")

    def field_off(self):
        """Switch the field off."""
        yield from self._call(_RF_CONFIGURATION, b"\x01\x00")

    def inventory(self, uids):
        """Add the UIDs of up to two tags of type A to the set `uids`; return True.

        The chip can't tell whether there are more. Switch the field off afterwards: a tag
        that stays selected does not answer the next time.
        """
        answer = yield from self._call(_IN_LIST_PASSIVE_TARGET, b"\x02\x00")
        uids.update(targets(answer))
        return True

    def _call(self, command, arguments):
        """Send a command and return its answer, which begins with the command's number + 1."""
        parser = Parser()
        line = self._line
        request = frame(bytes((_TO_CHIP, command)) + arguments)
        # The clock is read before the chip is asked: a pause after that must not end the wait.
        end = self._clock() + _ACK_US
        while True:
            late = self._clock() > end
            if line.write(request):
                break
            if late:
                raise ReaderError("it takes no command")
            yield from self._pause(line.rest_us)
        acked = False
        end = self._clock() + _ACK_US
        while True:
            yield from self._pause(line.rest_us)
            late = self._clock() > end
            for value in parser.feed(line.read()):
                if value is ACK:
                    acked = True
                    late = False
                    end = self._clock() + _ANSWER_US
                elif value is ERROR or value is NAK:
                    raise ReaderError("it refuses a command")
                elif acked and value and value[0] == command + 1:
                    return value
            if late:
                raise ReaderError("it does not answer" if acked else "it does not acknowledge")

    def _pause(self, us):
        yield from self._until(self._clock() + us)

    def _until(self, t):
        yield
        while self._clock() < t:
            yield
