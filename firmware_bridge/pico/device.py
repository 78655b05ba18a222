"""The firmware put together: the wiring's parts, and the loop that serves them all."""

import gc

import buttons
import lamps
import link
import pn532
import pn532_lines
import pn5180
import scheduler
import tally
import wiring_check
from clock import Clock
from micropython import const

FIRMWARE = "cutcard-pico 1.0"
_SERVE_US = const(1000)
_WATCHDOG_MS = const(4000)
_STUCK_US = const(6000000)
_COLLECT_BYTES = const(32768)  # one collection takes some milliseconds: not after every scan


def _reader(board, bus, clock, number, wired):
    """Return the Reader that one entry of READERS describes."""
    name = "reader %d" % number
    select = tuple([board.output(pin, 0, name + " select") for pin in wired.get("select", ())])
    reset = board.output(wired["reset"], 0, name + " reset")
    if wired["chip"] == "PN5180":
        nss = board.output(wired["nss"], 1, name + " nss")
        busy = board.input(wired["busy"], name + " busy")
        irq = board.input(wired["irq"], name + " irq") if "irq" in wired else None
        chip = pn5180.Pn5180(bus, nss, busy, reset, clock, irq)
    else:
        chip = pn532.Pn532(pn532_lines.line(board, bus, name, wired), reset, clock)
    return scheduler.Reader(name, chip, select)


def _border(board, number, wired):
    """Return the Border that one entry of BORDERS describes."""
    name = "border %d" % number
    ours = board.output(wired["ours"], 0, name + " ours")
    theirs = board.input(wired["theirs"], name + " theirs", board.PULL_DOWN)
    return scheduler.Border(wired["zones"], ours, theirs, wired["first"])


def _no_lamps(colours):
    """Light nothing."""


class Device:
    """`board` is the hardware, `wiring` what hangs on it (see wiring.py), `console` the line."""

    def __init__(self, board, wiring, console, ticks_us, ticks_diff):
        wiring_check.check(wiring)
        self._board = board
        self._clock = clock = Clock(ticks_us, ticks_diff)
        bus = board.spi(*wiring.SPI, wiring_check.spi_hz(wiring)) if wiring.SPI else None
        readers = [_reader(board, bus, clock, n, wired) for n, wired in enumerate(wiring.READERS)]
        self._scheduler = scheduler.Scheduler(
            [(readers[reader], antenna) for reader, antenna in wiring.ZONES],
            wiring.NEIGHBOURS,
            clock,
            self._scanned,
            wiring.CYCLE_MS,
            [_border(board, n, wired) for n, wired in enumerate(wiring.BORDERS)],
            wiring_check.visit_ms(wiring),
        )
        for pin in wiring.BUTTONS:
            board.input(pin, "button", board.PULL_UP)
        pin, count = wiring.LAMPS
        self._lamps = lamps.Lamps(count, board.pixels(pin, count).show if count else _no_lamps)
        who = {
            "boot_id": board.random32(),
            "unique_id": board.unique_id(),
            "revision": 1,
            "reset": board.reset_cause(),
            "firmware": FIRMWARE,
            "buttons": len(wiring.BUTTONS),
        }
        self._tally = tally.Tally([readers[reader].chip.counts for reader, _ in wiring.ZONES])
        self._link = link.Link(
            console, clock, who, len(wiring.ZONES), self._scheduler, self._lamps, self._tally
        )
        self._buttons = buttons.Buttons(wiring.BUTTONS, self._edge)

    def run(self):
        """Serve for ever; only a loop in which antennas are scanned feeds the watchdog."""
        gc.collect()
        gc.threshold(_COLLECT_BYTES)
        clock = self._clock
        watchdog = self._board.watchdog(_WATCHDOG_MS)
        self._link.hello()
        scan = self._scheduler.run()
        served = clock() - _SERVE_US
        while True:
            now = clock()
            if now - served >= _SERVE_US:
                served = now
                self._buttons.step(self._board.levels(), now)
                self._link.step(now)
                self._lamps.step(now, self._link.heard)
                if now - self._scheduler.alive_at < _STUCK_US:
                    watchdog.feed()
            next(scan)

    def _scanned(self, zone, flags, t, uids, took_us):
        self._tally.scanned(zone, took_us)
        self._link.zones.scanned(zone, flags, t, uids)

    def _edge(self, t, button, pressed):
        self._link.edges.add(t, button, pressed, self._clock())
