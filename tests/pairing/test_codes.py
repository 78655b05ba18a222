"""Codes as values: how long, how often, after how many wrong ones."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import cycle

import pytest

from controller.pairing.codes import (
    ALPHABET,
    CODE_S,
    LENGTH,
    TRIES,
    Offer,
    Pairing,
    in_groups,
    new_code,
    typed,
)
from controller.pairing.proof import in_rows, key_of, proof

WRONG = proof(b"wrong", "table")


def offer(table: str, until_s: float = CODE_S) -> Offer:
    return Offer(table, "", table.encode(), until_s)


def shown(table: str) -> str:
    return proof(table.encode(), "table")


def test_a_code_works_once() -> None:
    pairing, found = Pairing().offering(offer("7")).tried(shown("7"), 0)
    assert found is not None
    assert found.table == "7"
    assert pairing.tried(shown("7"), 0) == (pairing, None)


def test_a_code_is_for_its_table() -> None:
    pairing = Pairing().offering(offer("7")).offering(offer("8"))
    rest, found = pairing.tried(shown("8"), 0)
    assert found is not None
    assert found.table == "8"
    assert [each.table for each in rest.offers] == ["7"]


@pytest.mark.parametrize(("now_s", "works"), [(0, True), (CODE_S - 0.1, True), (CODE_S, False)])
def test_a_code_ends(now_s: float, works: bool) -> None:
    _, found = Pairing().offering(offer("7")).tried(shown("7"), now_s)
    assert (found is not None) == works


def test_wrong_codes_end_all_that_are_open() -> None:
    pairing = Pairing().offering(offer("7")).offering(offer("8"))
    for _ in range(TRIES - 1):
        pairing, found = pairing.tried(WRONG, 0)
        assert found is None
    assert (len(pairing.offers), pairing.spoilt) == (2, False)
    pairing, _ = pairing.tried(WRONG, 0)
    assert pairing == Pairing(spoilt=True)
    assert not pairing.offering(offer("9")).spoilt


def test_a_right_code_is_right_after_a_few_wrong_ones() -> None:
    pairing = Pairing().offering(offer("7"))
    for _ in range(TRIES - 1):
        pairing, _ = pairing.tried(WRONG, 0)
    assert pairing.tried(shown("7"), 0)[1] is not None


def test_a_new_code_for_a_table_does_not_begin_the_count_anew_while_others_are_open() -> None:
    pairing = Pairing().offering(offer("7")).offering(offer("8"))
    for _ in range(TRIES - 1):
        pairing, _ = pairing.tried(WRONG, 0)
    pairing, _ = pairing.offering(offer("7")).tried(WRONG, 0)
    assert pairing.spoilt


def test_wrong_codes_where_none_is_open_count_for_nothing() -> None:
    pairing = Pairing()
    for _ in range(2 * TRIES):
        pairing, _ = pairing.tried(WRONG, 0)
    assert pairing == Pairing()


def test_a_new_code_takes_the_place_of_the_one_before() -> None:
    before = Offer("7", "", b"before", CODE_S)
    pairing = Pairing().offering(before).offering(offer("7"))
    assert pairing.tried(proof(b"before", "table"), 0)[1] is None
    assert pairing.tried(shown("7"), 0)[1] is not None


def test_a_code_that_is_withdrawn_is_none() -> None:
    pairing = Pairing().offering(offer("7")).without("7")
    assert pairing.tried(shown("7"), 0) == (pairing, None)


def test_codes_are_by_chance_and_of_plain_letters() -> None:
    chance = random.Random(7)
    codes = {new_code(chance.choice) for _ in range(1_000)}
    assert len(codes) == 1_000
    assert {len(code) for code in codes} == {LENGTH}
    assert set("".join(codes)) == set(ALPHABET)
    assert not set(ALPHABET) & set("01OILBSZ")


def test_all_of_a_code_is_taken_by_chance() -> None:
    letters: Iterator[str] = cycle(ALPHABET)
    assert new_code(lambda _: next(letters)) == ALPHABET[:LENGTH]


@pytest.mark.parametrize("text", ["2345 6789", "23456789", "2345-6789", " 2345 6789\n"])
def test_a_code_is_typed_in_many_ways(text: str) -> None:
    assert typed(text) == "23456789"


def test_a_code_is_typed_in_small_letters_as_it_was_shown() -> None:
    code = new_code(random.Random(1).choice)
    assert typed(in_groups(code).lower()) == code


@pytest.mark.parametrize("text", ["", "2345 678", "2345 67890", "2345 678O", "2345 678\u0399"])
def test_what_can_be_no_code(text: str) -> None:
    assert typed(text) is None


def test_a_proof_is_of_the_code_the_authority_and_who_shows_it() -> None:
    one, other = "AA " * 31 + "AA", "BB" * 32
    proofs = {
        proof(key_of(code, fingerprint), by)
        for code in ("23456789", "23456782")
        for fingerprint in (one, other)
        for by in ("table", "room")
    }
    assert len(proofs) == 8
    assert key_of("23456789", one) == key_of("23456789", one)


def test_a_code_is_in_no_repr() -> None:
    told = repr(Pairing().offering(Offer("7", "23456789", b"the key", 1)))
    assert "23456789" not in told
    assert "the key" not in told


def test_a_fingerprint_is_compared_row_by_row() -> None:
    rows = in_rows(bytes(range(32)).hex(" ").upper())
    assert rows[0] == "0001 0203 0405 0607"
    assert rows[3] == "1819 1a1b 1c1d 1e1f"
    assert len(rows) == 4
