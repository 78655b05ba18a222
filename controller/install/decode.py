"""The command `cutcard decode`: what the bytes of a reader, or of the link, mean."""

from __future__ import annotations

import sys
from argparse import RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence

import msgspec

from controller.process.arguments import ArgumentParser
from firmware_bridge.decode.dissect import Dissected, Fault, Piece, Quiet
from firmware_bridge.families import PROTOCOLS

DESCRIPTION = """\
Explains the bytes on a reader's wire: each frame with its fields marked, what is wrong, and
what is left over. For the bench: it names any tag that is in the bytes.
"""
EPILOG = """\
Give the bytes in hex, in any grouping ("00 00 FF", 0000FF, 00:00:FF), or on standard input, as
hex text or raw. A stream that was joined or left in mid-frame is told so, and is no fault as long
as a whole frame is in it. Exit status: 0 for whole frames, 1 with the reason on standard error for
wrong bytes between them or where no whole frame is, 2 for a mistake in the arguments.

examples:
  cutcard decode pn532 0000FF00FF00
  cutcard decode feig --json 07 FF B0 01 00 1C 56
  timeout 5 cat /dev/ttyUSB0 | cutcard decode rdm6300
"""
LONGEST = 1 << 20
_PER_LINE = 16


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns its exit status."""
    parser = ArgumentParser(
        prog="cutcard decode",
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "protocol", metavar="PROTOCOL", choices=PROTOCOLS, help=", ".join(PROTOCOLS)
    )
    parser.add_argument("hex", metavar="HEX", nargs="*", help="the bytes; default: standard input")
    parser.add_argument("--json", action="store_true", help="print one JSON object instead")
    args = parser.parse_intermixed_args(argv)
    try:
        data = from_hex(" ".join(args.hex)) if args.hex else _read_input()
    except ValueError as error:
        parser.error(str(error))
    found = PROTOCOLS[args.protocol].dissect(data)
    if args.json:
        sys.stdout.buffer.write(msgspec.json.encode(as_json(args.protocol, found)) + b"\n")
    else:
        sys.stdout.writelines(f"{line}\n" for line in dump(found))
    sys.stdout.flush()
    if found.reason:
        sys.stderr.write(f"cutcard decode: {found.reason}\n")
        return 1
    return 0


def from_hex(text: str) -> bytes:
    """The bytes that a text gives in hex. Raises ValueError, which says where it is no hex."""
    digits = []
    for word in text.replace(",", " ").replace(":", " ").replace("-", " ").split():
        bare = word[2:] if word[:2] in {"0x", "0X"} else word
        wrong = next((c for c in bare if c not in "0123456789abcdefABCDEF"), None)
        if wrong is not None:
            raise ValueError(f"{word[:40]!r} is not hex: {wrong!r}")
        digits.append(bare if word == bare or len(bare) % 2 == 0 else f"0{bare}")
    joined = "".join(digits)
    if len(joined) % 2:
        raise ValueError("an odd number of hex digits: half a byte is missing")
    if len(joined) > 2 * LONGEST:
        raise ValueError(f"more than {LONGEST} bytes")
    return bytes.fromhex(joined)


def _read_input() -> bytes:
    data = sys.stdin.buffer.read(3 * LONGEST + 1)
    if len(data) > 3 * LONGEST:
        raise ValueError(f"more than {LONGEST} bytes on standard input")
    if data.strip(b"0123456789abcdefABCDEFxX,:- \t\r\n"):
        return data
    return from_hex(data.decode())


def as_json(protocol: str, found: Dissected) -> dict[str, object]:
    """The whole as one JSON object; `reason` and `faults` only where something is wrong.

    `joined` and `rest` are the bytes of a frame cut at the beginning and at the end.
    """
    out: dict[str, object] = {
        "protocol": protocol,
        "valid": not found.reason,
        "frames": [
            {
                "kind": piece.meaning.kind,
                "uids": list(piece.meaning.uids),
                **piece.meaning.facts,
                "at": piece.at,
                "bytes": piece.raw.hex().upper(),
            }
            for piece in found.pieces
            if isinstance(piece, Piece)
        ],
        "joined": found.joined.raw.hex().upper() if found.joined else "",
        "rest": found.rest.hex().upper(),
        "notes": found.notes,
    }
    if found.reason:
        out["reason"] = found.reason
        out["faults"] = [
            {"at": piece.at, "bytes": piece.raw.hex().upper(), "reason": piece.reason}
            for piece in found.pieces
            if isinstance(piece, Fault)
        ]
    return out


def dump(found: Dissected) -> Iterator[str]:
    """The bytes in lines: where, which, and what they are."""
    at = 0
    notes = iter(found.notes)
    if found.joined:
        yield next(notes)
        yield from _lines(0, found.joined.raw, found.joined.reason)
        at = len(found.joined.raw)
    for piece in found.pieces:
        at = piece.at
        match piece:
            case Piece(_, raw, meaning):
                uids = f": {', '.join(meaning.uids)}" if meaning.uids else ""
                yield f"{meaning.kind}{uids}"
                offset = 0
                for part in meaning.parts:
                    end = offset + part.size
                    yield from _lines(at + offset, raw[offset:end], part.text)
                    offset = end
                yield from _lines(at + offset, raw[offset:], "")
            case Fault(_, raw, reason):
                yield "wrong"
                yield from _lines(at, raw, reason)
            case Quiet(_, raw):
                yield from _lines(at, raw, "not part of a frame")
        at += len(piece.raw)
    if found.rest:
        yield next(notes, "rest")
        yield from _lines(at, found.rest, "incomplete")


def _lines(at: int, raw: bytes, text: str) -> Iterator[str]:
    for start in range(0, len(raw), _PER_LINE):
        shown = raw[start : start + _PER_LINE].hex(" ").upper()
        yield f"  {at + start:04X}  {shown:{3 * _PER_LINE}}{text}".rstrip()
        text = ""
