"""Files of variables and options in them: what is not meant stays as it is."""

from __future__ import annotations

import pytest

from controller.install.setup.environment import option, variable, with_option, with_variable

FILE = "# mine\nSDL_KMSDRM_DEVICE_INDEX=1\nDEALER_OPTIONS=--suits two\n"


def test_the_last_value_counts_without_its_quotes() -> None:
    assert variable(FILE + 'DEALER_OPTIONS="--panel 7in"\n', "DEALER_OPTIONS") == "--panel 7in"
    assert variable(FILE, "WALL_OPTIONS") == ""


def test_a_value_is_set_and_other_lines_stay() -> None:
    changed = with_variable(FILE, "DEALER_OPTIONS", "--panel 7in")
    assert changed == "# mine\nSDL_KMSDRM_DEVICE_INDEX=1\nDEALER_OPTIONS=--panel 7in\n"
    assert with_variable(changed, "DEALER_OPTIONS", "--panel 7in") is changed
    assert with_variable("A=1", "B", "2") == "A=1\nB=2\n"
    assert with_variable("A=1\nB=2\n", "B", "") == "A=1\n"


@pytest.mark.parametrize(
    ("words", "value", "wanted"),
    [
        ("", "7in", "--panel 7in"),
        ("--mute --panel 9in --suits two", "7in", "--mute --panel 7in --suits two"),
        ("--panel=9in --mute", "7in", "--panel 7in --mute"),
        ("--panel=7in --mute", "7in", "--panel=7in --mute"),
        ("--panel 9in --mute --panel 8in", "7in", "--panel 7in --mute"),
        ("--mute --panel 9in", None, "--mute"),
        ("--panel", None, ""),
        ("--panels 9in", "7in", "--panels 9in --panel 7in"),
    ],
)
def test_an_option_is_set_where_it_was(words: str, value: str | None, wanted: str) -> None:
    changed = with_option(words.split(), "--panel", value)
    assert changed == tuple(wanted.split())
    assert option(changed, "--panel") == value
