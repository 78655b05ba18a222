"""A floorperson at the table: PIN, badge, and who guesses."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from controller.files.toml_file import ConfigError
from controller.people.pins import FIRST_WAIT_S, LONGEST_WAIT_S, hashed, is_pin
from controller.table.floor import (
    HOLDS_S,
    FloorLogin,
    Guesses,
    read_guesses,
    read_people,
    write_guesses,
)

ANN = hashed("4711")


def sign_in(login: FloorLogin, name: str, pin: str, now: float) -> str | None:
    check = login.check(name, now)
    if isinstance(check, str):
        return check
    return login.checked(name, right=check(pin), now=now)


def test_a_pin_is_kept_as_what_it_cannot_be_read_from() -> None:
    assert ANN.startswith("$argon2id$")
    assert "4711" not in ANN
    assert hashed("4711") != ANN
    assert is_pin(ANN, "4711")
    assert not is_pin(ANN, "4712")
    assert not is_pin("$argon2id$nonsense", "4711")


@pytest.mark.parametrize("pin", ["", "123", "1234567890123", "12a4", "١٢٣٤", "12 34"])
def test_what_is_no_pin(pin: str) -> None:
    with pytest.raises(ValueError, match="4 to 12 digits"):
        hashed(pin)


def test_a_sign_in_holds_for_a_minute_after_the_last_use() -> None:
    login = FloorLogin({"Ann": ANN})
    assert login.person(0) is None
    assert sign_in(login, "Ann", "4711", 10) is None
    assert login.person(10 + HOLDS_S - 1) == "Ann"
    login.used(10 + HOLDS_S - 1)
    assert login.person(10 + HOLDS_S) == "Ann"
    assert login.person(10 + 2 * HOLDS_S) is None
    login.used(10 + 2 * HOLDS_S)
    assert login.person(10 + 2 * HOLDS_S) is None
    assert sign_in(login, "Ann", "4711", 200) is None
    login.sign_out()
    assert login.person(200) is None


def test_who_guesses_waits_longer_each_time() -> None:
    login = FloorLogin({"Ann": ANN})
    assert [sign_in(login, "Ann", "0000", 0) for _ in range(3)] == ["wrong"] * 3
    assert login.wait(0) == FIRST_WAIT_S
    assert sign_in(login, "Ann", "4711", FIRST_WAIT_S - 1) == "wait"
    now = FIRST_WAIT_S
    assert sign_in(login, "Ann", "0000", now) == "wrong"
    assert login.wait(now) == 2 * FIRST_WAIT_S
    for _ in range(12):
        now += login.wait(now)
        sign_in(login, "Ann", "0000", now)
    assert login.wait(now) == LONGEST_WAIT_S
    now += login.wait(now)
    assert sign_in(login, "Ann", "4711", now) is None
    assert [sign_in(login, "Ann", "0000", now) for _ in range(2)] == ["wrong"] * 2
    assert login.wait(now) == 0
    assert login.refused > 10


def wrong(count: int, until: float, now: float) -> FloorLogin:
    login = FloorLogin({"Ann": ANN})
    login.go_on(Guesses(count, until), now)
    return login


def test_a_restart_shortens_no_wait_and_makes_none_endless() -> None:
    assert wrong(2, 100.0, 100.0).wait(100) == 0
    assert wrong(3, 115.0, 105.0).wait(105) == 10
    assert wrong(3, 115.0, 5.0).wait(5) == FIRST_WAIT_S  # the table's time began anew
    assert wrong(3, 115.0, 120.0).wait(120) == 0
    assert sign_in(wrong(3, 115.0, 105.0), "Ann", "4711", 114) == "wait"
    assert sign_in(wrong(3, 115.0, 105.0), "Ann", "4711", 115) is None
    again = wrong(3, 115.0, 120.0)
    assert sign_in(again, "Ann", "0000", 120) == "wrong"
    assert again.wait(120) == 2 * FIRST_WAIT_S


def test_wrong_pins_are_kept_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "guesses"
    assert read_guesses(file) == Guesses()
    for kept in (Guesses(4, 130.5), Guesses()):
        write_guesses(file, kept)
        assert read_guesses(file) == kept
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b'{"wrong":-9}', b'{"until":0}x', b"\xff"])
def test_to_damage_the_file_gains_no_try(tmp_path: Path, damage: bytes) -> None:
    file = tmp_path / "guesses"
    file.write_bytes(damage)
    login = FloorLogin({"Ann": ANN})
    login.go_on(read_guesses(file), 7.0)
    assert login.wait(7.0) == FIRST_WAIT_S


def test_an_unknown_name_is_a_wrong_pin() -> None:
    login = FloorLogin({"Ann": ANN})
    assert sign_in(login, "Bob", "4711", 0) == "wrong"
    assert sign_in(login, "Bob", "no such person", 0) == "wrong"
    assert sign_in(FloorLogin({}), "Ann", "4711", 0) == "nobody"


def test_a_badge_signs_in() -> None:
    login = FloorLogin({})
    login.badge("Eve", 5)
    assert login.person(6) == "Eve"


def test_the_file_of_people(tmp_path: Path) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(f'"Ann Smith" = "{ANN}"\n')
    assert read_people(file) == {"Ann Smith": ANN}


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('"Ann" = "4711"', "Ann: no hashed PIN; `cutcard floor add Ann` makes one"),
        ('"Ann" = 4711', "Ann: no hashed PIN"),
        ('"" = "x"', "'' is not a valid name"),
        ('"Ann" = ', "at end of document"),
    ],
)
def test_a_mistake_names_file_and_person(tmp_path: Path, text: str, fault: str) -> None:
    file = tmp_path / "floor.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        read_people(file)
    assert str(file) in str(error.value)
    assert fault in str(error.value)
    assert "4711" not in str(error.value)
