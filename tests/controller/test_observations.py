"""A table log is read strictly, and no fault is told in words that could hold a tag."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from controller.contract.observations import MalformedObservationError, decode, encode

LOGS = sorted((Path(__file__).resolve().parents[1] / "hands").glob("*/*.jsonl"))
TABLE = {
    "kind": "table", "v": 1, "table": "T1", "rulebook": "roberts", "button": 1,
    "seats": [{"seat": 1}, {"seat": 2}], "blinds": {"small": 1, "big": 2},
}  # fmt: skip


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_what_is_read_can_be_written_and_read_again(log: Path) -> None:
    for line in log.read_bytes().splitlines():
        observation = decode(line)
        assert decode(encode(observation)) == observation


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        (b'{"kind":"seem","t":1}', "unknown kind 'seem'; did you mean 'seen'?"),
        (b'{"kind":"seen","t":1,"zone":"muck","tga":"As"}', "unknown field 'tga'; did you mean"),
        (b'{"kind":"seen","t":1,"zone":"muck"}', "missing required field `tag`"),
        (b'{"kind":"seen","t":"1","zone":"muck","tag":"As"}', "Expected `float`, got `str`"),
        (b'{"kind":"seen","t":-1,"zone":"muck","tag":"As"}', ">= 0"),
        (b'{"kind":"dealer","t":1,"input":"awrad"}', "unknown dealer input 'awrad'; did you mean"),
        (b'{"kind":"dealer","t":1}', "unknown dealer input ''"),
        (b'{"kind":"floor","t":1,"input":"award"}', "unknown floor input 'award'"),
        (b'{"kind":"press","t":1,"seat":11,"button":"fold"}', "$.seat"),
        (b'{"kind":"press","t":1,"seat":1,"button":"limp"}', "unknown button 'limp'"),
        (b'{"kind":"press","t":1,"seat":1,"button":"calll"}', "did you mean 'call'?"),
        (
            b'{"kind":"floor","t":1,"input":"ruling","finding":1,"outcome":"redeal-flob"}',
            "unknown outcome 'redeal-flob'; did you mean 'redeal-flop'?",
        ),
        (b'{"kind":"press","t":1,"seat":1,"button":"bet","amount":-5}', "$.amount"),
        (b'{"t":1}', "missing required field `kind`"),
        (b"[]", "Expected `object`"),
        (b"hello", "not a JSON object"),
        (b"\xff\xfe", "not a JSON object"),
        (b"{", "not a JSON object"),
    ],
)
def test_a_line_that_means_nothing_is_refused_with_the_reason(line: bytes, fault: str) -> None:
    with pytest.raises(MalformedObservationError) as refused:
        decode(line)
    assert fault in str(refused.value)


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"game": "omaha"}, "the game 'omaha' is not dealt here, only holdem"),
        ({"seats": [{"seat": 1}, {"seat": 1}]}, "seat 1 is listed twice"),
        ({"zones": ["seat/11"]}, "unknown zone 'seat/11'; did you mean 'seat/1'?"),
        ({"objects": {"P": "buton"}}, "unknown object 'buton'; did you mean 'button'?"),
        ({"deck": {"E004": "1s"}}, "not a card code"),
        ({"v": 2}, "$.v"),
        ({"mode": "sit-and-go"}, "unknown mode 'sit-and-go'"),
        ({"timing": {"setle": 1}}, "unknown field 'setle'"),
    ],
)
def test_a_table_that_cannot_be_is_refused(change: dict[str, object], fault: str) -> None:
    with pytest.raises(MalformedObservationError) as refused:
        decode(msgspec.json.encode({**TABLE, **change}))
    assert fault in str(refused.value)


def test_no_repr_and_no_fault_tells_a_tag() -> None:
    deck = {"E004SECRET": "As"}
    lines: list[dict[str, object]] = [
        {**TABLE, "deck": deck},
        {"kind": "deck", "t": 1, "deck": deck},
        {"kind": "seen", "t": 1, "zone": "burn", "tag": "E004SECRET"},
        {"kind": "gone", "t": 1, "zone": "burn", "tag": "E004SECRET"},
        {"kind": "deck-check", "t": 1, "tags": ["E004SECRET"]},
        {"kind": "dealer", "t": 1, "input": "exposed", "tag": "E004SECRET", "cause": "dealer"},
        {"kind": "dealer", "t": 1, "input": "boxed", "tag": "E004SECRET"},
        {"kind": "floor", "t": 1, "input": "pick", "tag": "E004SECRET"},
    ]
    for line in lines:
        assert "SECRET" not in repr(decode(msgspec.json.encode(line)))
    with pytest.raises(MalformedObservationError) as refused:
        decode(msgspec.json.encode({**TABLE, "deck": {"E004SECRET": 7}}))
    assert "SECRET" not in str(refused.value)
