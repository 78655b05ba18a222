"""Boxes: the same length for every card and every kind of tag, and told apart by nothing."""

from __future__ import annotations

import pytest

from controller.contract.cards import CARDS
from controller.contract.observations import Exposed, Seen, Table, TableBlinds, TableSeat
from controller.storage.auditor_key import (
    KeyTextError,
    public_text,
    read_public,
    read_secret,
    secret_text,
)
from controller.storage.pseudonyms import KEY_BYTES, Pseudonyms, classifier
from controller.storage.sealing import Opener, Sealer, new_secret

SECRET = new_secret()
SEALER = Sealer(Opener(SECRET).public)
NAMES = Pseudonyms(bytes(KEY_BYTES))


@pytest.mark.parametrize("zone", ["burn", "seat/1", "seat/10"])
def test_a_readings_box_has_one_length_for_every_tag(zone: str) -> None:
    tags = [*CARDS, "04A1B2C3", "04A1B2C3D4E5F6", "E004015012345678", "0123456789ABCDEF0123"]
    classify = classifier(dict.fromkeys(tags, "As"), {})
    lengths = set()
    for tag in tags:
        seen = Seen(12.5, zone, tag)
        lengths.add(len(SEALER.observation(seen, NAMES.hide(seen, classify))))
    assert len(lengths) == 1


def test_a_reason_of_any_length_hides_the_tag_as_well() -> None:
    for length in range(130):
        lengths = set()
        for tag in ("As", "0123456789ABCDEF0123"):
            shown = Exposed(kind="dealer", t=1.0, tag=tag, cause="dealer", reason="x" * length)
            line = NAMES.hide(shown, classifier({tag: "As"}, {}))
            lengths.add(len(SEALER.observation(shown, line)))
        assert len(lengths) == 1, length


def test_the_same_thing_is_sealed_otherwise_each_time() -> None:
    seen = Seen(1.0, "seat/1", "As")
    boxes = {SEALER.observation(seen, b"line") for _ in range(20)}
    assert len(boxes) == 20
    assert len({box[:32] for box in boxes}) == 20
    assert {Opener(SECRET).open(box).observations for box in boxes} == {(seen,)}


def test_whoever_prints_them_learns_nothing() -> None:
    table = Table(
        v=1,
        table="T",
        rulebook="roberts",
        seats=(TableSeat(seat=1),),
        button=1,
        blinds=TableBlinds(small=1, big=2),
        deck={"E004": "As"},
    )
    found = Opener(SECRET).open(SEALER.beginning([table, Seen(1.0, "seat/1", "E004")], 1))
    for each in (found, SEALER, Opener(SECRET)):
        assert "E004" not in repr(each)
        assert "As" not in repr(each)
    assert (found.repeated, found.line, len(found.observations)) == (1, "", 2)


def test_a_key_survives_being_copied_or_is_refused() -> None:
    text = public_text(bytes(range(32)))
    assert read_public(f"# a note\n  {text}\n") == bytes(range(32))
    assert read_secret(secret_text(SECRET)) == SECRET
    begin = len("cutcard-audit-public:")
    for at in range(begin, len(text)):
        other = "A" if text[at] != "A" else "B"
        for wrong in (text[:at] + other + text[at + 1 :], text[:at] + text[at + 1 :]):
            with pytest.raises(KeyTextError, match="a character is missing or wrong"):
                read_public(wrong)
    for wrong in ("", "\n", text[:5], text.replace("public", "pubic"), f"{text}\n{text}"):
        with pytest.raises(KeyTextError, match="no line that begins with cutcard-audit-public:"):
            read_public(wrong)
    with pytest.raises(KeyTextError, match="this is the public half"):
        read_secret(text)
    with pytest.raises(KeyTextError, match="this is the private half"):
        read_public(secret_text(SECRET))
