"""What a journal's line says, and what it does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from controller.contract.cards import CARDS
from controller.contract.observations import (
    Boxed,
    DeckChange,
    DeckCheck,
    Exposed,
    Gone,
    MalformedObservationError,
    Observation,
    Pick,
    Seen,
    Table,
    decode,
)
from controller.storage.pseudonyms import KEY_BYTES, Pseudonyms, classifier, reveal

HANDS = sorted((Path(__file__).parent.parent / "hands").rglob("*.jsonl"))
NAMES = Pseudonyms(bytes(range(KEY_BYTES)))
DECK = {f"E004{i:04X}C0DE": code for i, code in enumerate(CARDS)} | {"E0040100C0DE": "X1"}
OBJECTS = {"E0040200C0DE": "button", "E0040201C0DE": "badge:Kim"}
CLASSIFY = classifier(DECK, OBJECTS)
ACE = next(tag for tag, code in DECK.items() if code == "As")


def table(deck: dict[str, str] | None) -> Table:
    line = {
        "kind": "table",
        "v": 1,
        "table": "T1",
        "rulebook": "uk-tda",
        "button": 1,
        "seats": [{"seat": 1}, {"seat": 2}],
        "blinds": {"small": 1, "big": 2},
        "objects": OBJECTS,
    }
    made = decode(json.dumps(line).encode())
    assert isinstance(made, Table)
    return msgspec.structs.replace(made, deck=deck)


@pytest.mark.parametrize("log", HANDS, ids=lambda path: path.stem)
def test_every_line_of_the_hands_comes_back(log: Path) -> None:
    deck: dict[str, str] | None = None
    tags: set[str] = set(CARDS)
    for line in log.read_bytes().splitlines():
        observation = decode(line)
        if isinstance(observation, Table):
            deck = observation.deck
            tags |= {*(deck or ()), *observation.objects}
        tag = getattr(observation, "tag", None)
        tags |= {tag} if tag else set()
        hidden = NAMES.hide(observation, classifier(deck, {}))
        if deck is None:
            assert not re.search(rb'"([2-9TJQKA][shdc]|X[12])"', hidden)
        if not isinstance(observation, Table | DeckChange | DeckCheck):
            assert reveal(hidden, NAMES.known(tags)) == observation


@pytest.mark.parametrize(
    "observation",
    [
        Seen(1.0, "seat/1", ACE, "down"),
        Gone(1.0, "seat/1", ACE),
        Exposed(kind="dealer", t=1.0, cause="dealer", tag=ACE),
        Boxed(kind="dealer", t=1.0, tag=ACE, by="Kim"),
        Pick(kind="floor", t=1.0, tag=ACE, by="Kim"),
    ],
    ids=lambda o: type(o).__name__,
)
def test_one_tag_is_hidden_and_comes_back(observation: Observation) -> None:
    line = NAMES.hide(observation, CLASSIFY)
    assert ACE.encode() not in line
    assert json.loads(line)["c"] == "card"
    assert reveal(line, NAMES.known(DECK)) == observation
    unknown = reveal(line, NAMES.known(set(DECK) - {ACE}))
    assert re.fullmatch("p[0-9a-f]{16}", getattr(unknown, "tag", ""))
    assert unknown == reveal(line, NAMES.known(())) != observation


def test_no_tag_no_class() -> None:
    line = NAMES.hide(decode(b'{"kind": "floor", "t": 1, "input": "pick"}'), CLASSIFY)
    assert json.loads(line) == {"o": {"kind": "floor", "input": "pick", "t": 1.0}}
    assert reveal(line, NAMES.known(DECK)) == Pick(kind="floor", t=1.0)


@pytest.mark.parametrize("deck", [DECK, None])
def test_a_table_is_kept_without_its_deck(deck: dict[str, str] | None) -> None:
    line = NAMES.hide(table(deck), CLASSIFY)
    assert not re.search(rb'"([2-9TJQKA][shdc]|X[12])"', line)
    assert b"C0DE" not in line
    back = reveal(line, NAMES.known([*DECK, *OBJECTS]))
    assert back == table(None if deck is None else {})
    unknown = reveal(line, NAMES.known(DECK))
    assert isinstance(unknown, Table)
    assert set(unknown.objects) == {NAMES.of(tag) for tag in OBJECTS}


def test_a_deck_is_kept_as_classes_in_an_order_that_says_nothing() -> None:
    deck = DECK | {"E0040300C0DE": "As"}
    line = NAMES.hide(DeckChange(t=1.0, deck=deck), CLASSIFY)
    assert not re.search(rb'"([2-9TJQKA][shdc]|X[12])"', line)
    kept: dict[str, str] = json.loads(line)["d"]
    assert list(kept) == sorted(NAMES.of(tag) for tag in deck)
    assert kept[NAMES.of(ACE)] == kept[NAMES.of("E0040300C0DE")] == "twin"
    assert sorted(kept.values()) == ["card"] * 51 + ["joker"] + ["twin"] * 2
    assert reveal(line, NAMES.known(deck)) == DeckChange(t=1.0, deck={})


def test_a_deck_check_is_in_an_order_that_says_nothing() -> None:
    check = DeckCheck(t=1.0, tags=(*sorted(DECK), "E004FFFFC0DE"))
    line = NAMES.hide(check, CLASSIFY)
    read = json.loads(line)
    assert b"C0DE" not in line
    assert read["o"]["tags"] == sorted(NAMES.of(tag) for tag in check.tags) == list(read["c"])
    assert read["c"][NAMES.of("E004FFFFC0DE")] == "foreign"
    back = reveal(line, NAMES.known(check.tags))
    assert isinstance(back, DeckCheck)
    assert sorted(back.tags) == sorted(check.tags)


def test_classes() -> None:
    twins = classifier({"a": "As", "b": "As", "c": "Kd", "d": "X2"}, {"e": "button"})
    assert [twins(tag) for tag in "abcdef"] == [
        *("twin", "twin", "card", "joker", "object", "foreign")
    ]
    own = classifier(None, {})
    assert [own(tag) for tag in ("As", "X1", "E004")] == ["card", "joker", "foreign"]


def test_another_key_gives_other_names() -> None:
    other = Pseudonyms(bytes(KEY_BYTES))
    assert other.of(ACE) != NAMES.of(ACE)
    assert other.fingerprint != NAMES.fingerprint == Pseudonyms(bytes(range(32))).fingerprint
    line = NAMES.hide(Seen(1.0, "seat/1", ACE), CLASSIFY)
    assert reveal(line, other.known(DECK)) == Seen(1.0, "seat/1", NAMES.of(ACE))


def test_it_prints_redacted_and_refuses_without_content() -> None:
    assert repr(NAMES) == "Pseudonyms(…)"
    with pytest.raises(ValueError, match="not one of 3"):
        Pseudonyms(b"key")
    for line in (b"", b"\xff{}", b"[]", b'{"o": 1}', b'{"o": {"kind": "tick"}}', b'{"x": 1}'):
        with pytest.raises(MalformedObservationError):
            reveal(line, NAMES.known(DECK))
