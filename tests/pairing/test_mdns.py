"""DNS as rooms are announced with it: avahi's answer to one who asks once, and what is none."""

from __future__ import annotations

import random
import struct

import pytest

from controller.pairing.mdns import Found, answers, question
from controller.pairing.words import SERVICE


def name(text: str) -> bytes:
    return b"".join(bytes([len(each)]) + each.encode() for each in text.split(".")) + b"\0"


def record(owner: bytes, kind: int, data: bytes, where: int = 0x8001) -> bytes:
    return owner + struct.pack("!2HIH", kind, where, 10, len(data)) + data


def answer(number: int = 7, host: str = "room.local", port: int = 8884) -> bytes:
    """With the question, and names that point back to it, as avahi writes them."""
    head = struct.pack("!6H", number, 0x8400, 1, 1, 0, 3)
    asked = name(f"{SERVICE}.local") + struct.pack("!2H", 12, 1)
    service = struct.pack("!H", 0xC000 | len(head))
    instance = bytes([len("cutcard on room")]) + b"cutcard on room" + service
    pointer = record(service, 12, instance)
    at = len(head) + len(asked) + len(service) + 10
    named = struct.pack("!H", 0xC000 | at)
    return b"".join((
        head, asked, pointer,
        record(named, 33, struct.pack("!3H", 0, 0, port) + name(host)),
        record(named, 16, b"\0"),
        record(name(host), 1, bytes([10, 0, 0, 9])),
    ))  # fmt: skip


def test_the_question() -> None:
    assert question("_x._tcp", 7) == bytes.fromhex(
        "0007 0000 0001 0000 0000 0000 025f78 045f746370 056c6f63616c 00 000c 0001"
    )


def test_a_room_answers() -> None:
    assert answers(answer(), SERVICE, 7) == (Found("room.local", 8884, "10.0.0.9"),)


def test_what_others_were_asked_is_no_answer() -> None:
    assert answers(answer(number=8), SERVICE, 7) == ()
    assert answers(question(SERVICE, 7), SERVICE, 7) == ()
    assert answers(answer(), "_other._tcp", 7) == ()


def test_an_answer_that_is_cut_short_is_none() -> None:
    whole = answer()
    for length in range(len(whole)):
        assert answers(whole[:length], SERVICE, 7) == ()


def test_a_name_that_points_to_itself_has_an_end() -> None:
    head = struct.pack("!6H", 7, 0x8400, 0, 1, 0, 0)
    assert answers(head + b"\xc0\x0c" + struct.pack("!2HIH", 33, 1, 0, 0), SERVICE, 7) == ()


@pytest.mark.parametrize("seed", range(20))
def test_damaged_answers_are_survived(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(200):
        damaged = bytearray(answer())
        for _ in range(chance.randint(1, 8)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        assert len(answers(bytes(damaged), SERVICE, 7)) <= 1
