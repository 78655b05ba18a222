"""Messages of the link: payloads as PROTOCOL.md 4 and 5 lay them out."""

import struct

from micropython import const

HELLO = const(0x01)
HEARTBEAT = const(0x02)
ZONE = const(0x03)
BUTTON = const(0x04)
ACK = const(0x05)
NAK = const(0x06)
TIME = const(0x07)
HELLO_REQUEST = const(0x41)
TIME_QUERY = const(0x42)
SET_SCAN = const(0x43)
LAMP = const(0x44)
IDENTIFY = const(0x45)
BUTTON_RECEIPT = const(0x46)

INCOMPLETE = const(1)
FAILED = const(2)

UNKNOWN = const(1)
MALFORMED = const(2)
OUT_OF_RANGE = const(3)

MAX_PARTS = const(16)
_ZONE_ROOM = const(231)  # 240 bytes of payload without the 9 before the UIDs


def hello(m):
    """Return the payload of a HELLO; `m` is a dict of its fields."""
    name = m["firmware"].encode()
    return (
        struct.pack(
            "<BBI8sBBBBBBBHI",
            1,
            m.get("revision", 0),
            m["boot_id"],
            m["unique_id"],
            32,
            m["reset"],
            m["zones"],
            m["buttons"],
            m["lamps"],
            240,
            32,
            m["cycle_ms"],
            m["next_edge"],
        )
        + bytes((len(name),))
        + name
    )


def heartbeat(boot_id, uptime_s, cycle_us, rx_bad, rx_unknown, tx_dropped, edges_lost, faults):
    """Return the payload of a HEARTBEAT; the counters are modulo 2^32."""
    return struct.pack(
        "<IIIIIIII",
        boot_id,
        uptime_s & 0xFFFFFFFF,
        cycle_us & 0xFFFFFFFF,
        rx_bad & 0xFFFFFFFF,
        rx_unknown & 0xFFFFFFFF,
        tx_dropped & 0xFFFFFFFF,
        edges_lost & 0xFFFFFFFF,
        faults & 0xFFFFFFFF,
    )


def zone_parts(zone, flags, scan_ticks, uids, tally=b""):
    """Return the payloads of a full set of UIDs (bytes, most significant first), 1 to 16.

    A set that does not fit 16 parts is cut, and flagged INCOMPLETE. `tally` is appended to each.
    """
    room = _ZONE_ROOM - len(tally)
    parts = [bytearray()]
    counts = [0]
    for uid in uids:
        if len(parts[-1]) + 1 + len(uid) > room:
            if len(parts) == MAX_PARTS:
                flags |= INCOMPLETE
                break
            parts.append(bytearray())
            counts.append(0)
        parts[-1].append(len(uid))
        parts[-1].extend(uid)
        counts[-1] += 1
    return [
        struct.pack("<BBBBIB", zone, flags, number, len(parts), scan_ticks, counts[number])
        + bytes(part)
        + tally
        for number, part in enumerate(parts)
    ]


def button(edge, oldest, edge_ticks, number, pressed):
    """Return the payload of a BUTTON."""
    return struct.pack("<IIIBB", edge, oldest, edge_ticks, number, pressed)
