"""The device's end of the link (PROTOCOL.md): frames in, answers and reports out."""

import struct

import edges
import frames
import messages
import zones
from micropython import const

HEARTBEAT_US = const(1000000)


class Link:
    """Speaks over `console` (`read()` -> bytes, `write(bytes)` -> how many it took).

    `who` holds the fixed fields of HELLO: boot_id, unique_id, reset, firmware, buttons, revision.
    `scan` has `cycle_ms`, `set_cycle(ms)`, `slowest()` and `faults`; `lamps` is a Lamps, `tally`
    a Tally of all zones.
    """

    def __init__(self, console, clock, who, zone_count, scan, lamps, tally):
        self.edges = edges.Edges(self._send_edge)
        self.zones = zones.Zones(zone_count, self._send_zone)
        self.heard = 0
        self._console = console
        self._clock = clock
        self._who = who
        self._scan = scan
        self._lamps = lamps
        self._tally = tally
        self._decoder = frames.Decoder()
        self._seq = 0
        self._rx_unknown = 0
        self._tx_dropped = 0
        self._broken = True
        self._answered = None
        self._heartbeat_due = 0

    def hello(self, kind=frames.REPORT, ack=0):
        """Say who this is."""
        fields = {
            "zones": len(self.zones),
            "lamps": len(self._lamps),
            "cycle_ms": self._scan.cycle_ms,
            "next_edge": self.edges.next_edge(),
        }
        fields.update(self._who)
        self._send(kind, messages.HELLO, messages.hello(fields), ack)

    def step(self, now):
        """Answer what has come, send what is due."""
        data = self._console.read()
        if data:
            for frame in self._decoder.feed(data):
                self._frame(*frame)
        self.edges.step(now)
        if now >= self._heartbeat_due:
            self._heartbeat_due = now + HEARTBEAT_US
            self._send(frames.REPORT, messages.HEARTBEAT, self._heartbeat(now))

    def _heartbeat(self, now):
        return messages.heartbeat(
            self._who["boot_id"],
            now // 1000000,
            self._scan.slowest(),
            self._decoder.bad,
            self._rx_unknown,
            self._tx_dropped,
            self.edges.lost,
            self._scan.faults,
        )

    def _send(self, kind, msg, payload, ack=0):
        """Send a frame whole or not at all: what the output does not take is dropped."""
        self._seq = self._seq + 1 & 0xFF
        data = frames.encode(kind, self._seq, ack, msg, self._clock() & 0xFFFFFFFF, payload)
        if self._broken:
            data = b"\0" + data
        self._broken = self._console.write(data) != len(data)
        self._tx_dropped += self._broken

    def _send_zone(self, zone, flags, t, uids):
        tally = self._tally.payload(zone)
        for part in messages.zone_parts(zone, flags, t & 0xFFFFFFFF, uids, tally):
            self._send(frames.REPORT, messages.ZONE, part)

    def _send_edge(self, number, oldest, t, button, pressed):
        payload = messages.button(number, oldest, t & 0xFFFFFFFF, button, pressed)
        self._send(frames.EVENT, messages.BUTTON, payload)

    def _frame(self, version, kind, seq, msg, payload):
        if version != frames.VERSION:
            self._rx_unknown += 1
            return
        self.heard = self._clock()
        if kind == frames.COMMAND:
            self._command(seq, msg, payload)
        elif kind == frames.QUERY and msg == messages.HELLO_REQUEST:
            self._answered = None
            self.zones.all_again()
            self.hello(frames.REPLY, seq)
        elif kind == frames.QUERY and msg == messages.TIME_QUERY:
            received = struct.pack("<I", self.heard & 0xFFFFFFFF)
            self._send(frames.REPLY, messages.TIME, received, seq)
        elif kind == frames.RECEIPT and msg == messages.BUTTON_RECEIPT and len(payload) >= 4:
            self.edges.receipt(struct.unpack_from("<I", payload)[0])
        else:
            self._rx_unknown += 1

    def _command(self, seq, msg, payload):
        if self._answered is None or self._answered[0] != seq:
            reason = self._carry_out(msg, payload)
            if reason:
                self._rx_unknown += reason != messages.OUT_OF_RANGE
                answer = (messages.NAK, bytes((msg, reason)))
            else:
                answer = (messages.ACK, bytes((msg,)))
            self._answered = (seq, answer)
        answer_msg, answer = self._answered[1]
        self._send(frames.REPLY, answer_msg, answer, seq)

    def _carry_out(self, msg, payload):
        """Do what a command asks; return the reason why not, or 0."""
        size = len(payload)
        if msg == messages.SET_SCAN:
            if size < 2:
                return messages.MALFORMED
            self._scan.set_cycle(struct.unpack_from("<H", payload)[0])
        elif msg == messages.LAMP:
            if size < 6:
                return messages.MALFORMED
            lamp, red, green, blue, blink_ms = struct.unpack_from("<BBBBH", payload)
            if lamp >= len(self._lamps):
                return messages.OUT_OF_RANGE
            self._lamps.set(lamp, (red, green, blue), blink_ms, self.heard)
        elif msg == messages.IDENTIFY:
            if size < 1:
                return messages.MALFORMED
            self._lamps.identify(payload[0], self.heard)
        else:
            return messages.UNKNOWN
        return 0
