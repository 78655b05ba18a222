"""A board's wiring.py: the supplied file, filled in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from firmware_bridge.flashing import form
from firmware_bridge.flashing.form import WiringError
from firmware_bridge.pico import SHIPPED
from firmware_bridge.pico.sim import wiring

SUPPLIED = SHIPPED.read_text("utf-8")


def test_the_keys_are_the_names_of_the_supplied_file() -> None:
    named = re.findall(r"^([A-Z][A-Z0-9_]*) = ", SUPPLIED, re.M)
    assert form.keys() == tuple(name.lower() for name in named)
    assert {"spi", "readers", "zones", "neighbours", "borders", "lamps"} <= set(form.keys())


def test_what_is_not_said_is_as_supplied() -> None:
    text = form.written({}, "Pico A.")
    assert text.startswith('"""Pico A."""\n')
    assert text.partition('"""\n\n')[2] == SUPPLIED.partition('"""\n\n')[2]


def test_values_take_their_places_and_comments_stay(tmp_path: Path) -> None:
    values = {
        "spi": [],
        "readers": [
            {"chip": "PN532", "uart": 1, "tx": 8, "rx": 9, "reset": 10, "select": [11]},
        ],
        "zones": [[0, 0], [0, 1]],
        "neighbours": [],
        "borders": [{"zones": [1], "ours": 1, "theirs": 12, "first": True}],
        "cycle_ms": 70,
        "buttons": [],
        "lamps": [0, 0],
    }
    text = form.written(values, "Pico X.")
    assert re.findall(r"^#.*$", text, re.M) == re.findall(r"^#.*$", SUPPLIED, re.M)
    (tmp_path / "wiring.py").write_text(text, "utf-8")
    found = wiring.load(tmp_path / "wiring.py")
    assert found.spi is None
    assert found.readers[0] == {**values["readers"][0], "select": (11,)}  # type: ignore[index]
    assert found.zones == ((0, 0), (0, 1))
    assert found.borders == (wiring.Border((1,), 1, 12, first=True),)
    assert (found.cycle_ms, found.buttons, found.lamps) == (70, (), (0, 0))
    assert max(map(len, text.splitlines())) <= 100


@pytest.mark.parametrize(
    ("values", "key", "said"),
    [
        ({"zones": [[0, 0], [3, 0]]}, "", "zone 1: there is no reader 3"),
        ({"readers": [{"chip": "PN5180", "nss": 1, "busy": 2}]}, "", "a PN5180 needs reset"),
        (
            {"readers": [{"chip": "PN5180", "nss": 1, "busy": 2, "reset": 3, "bsy": 2}]},
            "",
            "no bsy",
        ),
        ({"buttons": [2, 21]}, "", "GPIO 21 is wired twice: reader 0 reset, button"),
        ({"buttons": [0]}, "", "GPIO 0 is wired twice: jumper for the REPL, button"),
        ({"lamps": [24, 1]}, "", "lamps: a Pico has no free GPIO 24"),
        ({"buttons": [29]}, "", "button: a Pico has no free GPIO 29"),
        ({"spi": [0, 18, 19, 12]}, "", "GPIO 12 can't be MISO of SPI 0, but 0, 4, 16, 20 can"),
        ({"zones": 3}, "zones", "3 is not a list"),
        ({"cycle_ms": "fast"}, "cycle_ms", "'fast' is not a whole number"),
        ({"zones": [1]}, "", "it has not the form"),
        ({"buttons": [2.5]}, "", "2.5 is neither"),
    ],
)
def test_what_the_firmware_would_refuse_is_refused(
    values: dict[str, object], key: str, said: str
) -> None:
    with pytest.raises(WiringError, match=said) as refused:
        form.written(values, "Pico X.")
    assert refused.value.key == key


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SPI = 1 / 0\n", "ZeroDivisionError: division by zero"),
        ("SPI = (\n", "SyntaxError"),
        ("raise SystemExit(3)\n", "it ended with 3"),
    ],
)
def test_whatever_goes_wrong_is_told_in_words(text: str, said: str) -> None:
    with pytest.raises(WiringError, match=said):
        form.check(text)


def test_a_check_that_breaks_is_told_in_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = tmp_path / "try_wiring.py"
    broken.write_text("import no_such_module\n", "utf-8")
    monkeypatch.setattr(form, "_TRY", broken)
    with pytest.raises(WiringError, match="No module named 'no_such_module'"):
        form.check(SUPPLIED)
