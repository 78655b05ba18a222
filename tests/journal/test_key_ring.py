"""The keys of the journal's names, and what they don't tell."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from controller.storage.key_ring import FILE, KeyRing

ACE, KING = "E0040150A", "E0040150B"


def test_a_name_stays_while_the_card_lies_and_is_another_one_when_it_comes_again(
    tmp_path: Path,
) -> None:
    ring = KeyRing(tmp_path)
    ace, king = ring.of(ACE), ring.of(KING)
    assert ace != king
    ring.change({KING})
    assert ring.of(KING) == king
    assert ring.of(ACE) != ace
    assert ring.known([ACE]).keys() == {ace, ring.of(ACE), KeyRing(tmp_path).of(ACE)}


def test_what_nobody_needs_is_wiped(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ace, king = ring.of(ACE), ring.of(KING)
    ring.change({KING})
    later = ring.of(ACE)
    ring.forget(ring.worn())
    assert set(ring.known([ACE, KING])) >= {king, later}
    ring.change(())
    with (tmp_path / FILE).open("rb") as old:
        ring.forget(ring.worn())
        assert old.read() == bytes(3 * 32)
    assert {ace, king, later}.isdisjoint(ring.known([ACE, KING]))
    assert len((tmp_path / FILE).read_bytes()) == 32


def test_a_key_that_has_named_nothing_serves(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ring.change(())
    first = ring.fingerprint
    assert ring.of(ACE)
    ring.change(())
    ring.change(())
    assert ring.fingerprint != first
    assert len((tmp_path / FILE).read_bytes()) == 64


def test_another_process_goes_on_with_the_same_names(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ace = ring.of(ACE)
    ring.change({ACE})
    again = KeyRing(tmp_path)
    assert again.known([ACE])[ace] == ACE
    assert again.has(ring.fingerprint)
    assert again.fingerprint == ring.fingerprint


def test_after_a_power_cut_the_names_mean_nothing(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ace, old = ring.of(ACE), ring.fingerprint
    (tmp_path / FILE).unlink()
    again = KeyRing(tmp_path)
    assert not again.has(old)
    assert ace not in again.known([ACE])


@pytest.mark.parametrize("text", [b"", b"short"])
def test_what_is_no_key_is_replaced(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE).write_bytes(text)
    (tmp_path / f"{FILE}.new").write_bytes(b"left by a kill")
    ring = KeyRing(tmp_path, lambda size: b"k" * size)
    assert (tmp_path / FILE).read_bytes() == b"k" * 32
    assert stat.S_IMODE((tmp_path / FILE).stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [FILE]
    assert repr(ring) == "KeyRing(…)"
