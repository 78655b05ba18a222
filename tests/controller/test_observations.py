"""A table log is read strictly, and no fault is told in words that could hold a tag."""

from __future__ import annotations

import json
from collections.abc import Callable
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
        (b'{"kind":"press","t":1,"seat":11,"button":"fold"}', "seat is more than 10"),
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


MOST = 10**12
AMOUNTS: list[tuple[str, Callable[[int], dict[str, object]]]] = [
    ("seats[1].stack", lambda n: {**TABLE, "seats": [{"seat": 1}, {"seat": 2, "stack": n}]}),
    ("blinds.small", lambda n: {**TABLE, "blinds": {"small": n, "big": 2}}),
    ("blinds.big", lambda n: {**TABLE, "blinds": {"small": 1, "big": n}}),
    ("blinds.ante", lambda n: {**TABLE, "blinds": {"small": 1, "big": 2, "ante": n}}),
    ("amount", lambda n: {"kind": "press", "t": 1, "seat": 1, "button": "bet", "amount": n}),
    ("stack", lambda n: {"kind": "seat", "t": 1, "seat": 1, "status": "seated", "stack": n}),
    ("small", lambda n: {"kind": "level", "t": 1, "small": n, "big": 2}),
    ("big", lambda n: {"kind": "level", "t": 1, "small": 1, "big": n}),
    ("ante", lambda n: {"kind": "level", "t": 1, "small": 1, "big": 2, "ante": n}),
]


@pytest.mark.parametrize(("name", "line"), AMOUNTS, ids=[name for name, _ in AMOUNTS])
def test_no_amount_is_more_than_a_million_millions(
    name: str, line: Callable[[int], dict[str, object]]
) -> None:
    decode(json.dumps(line(MOST)).encode())
    for amount in (MOST + 1, 2**63, 2**64, 10**30):
        with pytest.raises(MalformedObservationError) as refused:
            decode(json.dumps(line(amount)).encode())
        assert str(refused.value) == f"{name} is more than 1,000,000,000,000"
    endless = json.dumps(line(MOST)).replace(str(MOST), "9" * 5_000).encode()
    with pytest.raises(MalformedObservationError) as refused:
        decode(endless)
    assert str(refused.value) == f"{name} is too great a number"


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
