"""Readers and buttons that are attached directly in `table.toml`."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from controller.files.toml_file import ConfigError
from controller.table.attached import make_panels
from controller.table.config import TableConfig, load_table_config
from firmware_bridge.debounce import Button, Timings

TABLE = """
[table]
id = "7"
rulebook = "uk-tda"
seats = 3
blinds = { small = 5, big = 10 }
"""
PORT = """
[[port]]
device = "/dev/a"
reader = "pn532"
zones = ["seat/1"]
"""
Load = Callable[[str], TableConfig]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def load(text: str) -> TableConfig:
        path = tmp_path / "table.toml"
        path.write_text(TABLE + text, encoding="utf-8")
        return load_table_config(path)

    return load


def port(device: str, reader: str, zones: str, more: str = "") -> str:
    return f'\n[[port]]\ndevice = "/dev/{device}"\nreader = "{reader}"\nzones = {zones}\n{more}\n'


def test_readers_with_what_they_come_with(load: Load) -> None:
    config = load(
        PORT
        + port("b", "feig", '["board", "burn"]', "address = 3")
        + port("c", "rdm6300", '["seat/1"]')
        + port("d", "rdm6300", '["seat/2"]')
        + port("e", "yrm100", '["muck"]', 'baud = 57600\nparity = "odd"')
        + port("f", "pico", '["seat/3"]')
    )
    assert [(w.device, w.baud, w.parity, w.address) for w in config.wirings()] == [
        ("pn532", 115200, "none", 255),
        ("feig", 38400, "even", 3),
        ("rdm6300", 9600, "none", 255),
        ("rdm6300", 9600, "none", 255),
        ("yrm100", 57600, "odd", 255),
        ("pico", 115200, "none", 255),
    ]
    # Seat 2 has no reader of cards: no finding may rest on it.
    assert config.table_record(None).zones == ("seat/1", "board", "burn", "muck", "seat/3")


def test_buttons_on_the_header_and_on_expanders(load: Load) -> None:
    config = load(
        PORT
        + """
        [[gpio]]
        buttons = [
            { pin = 17, seat = 1, press = "fold" },
            { pin = 27, seat = 2, press = "call", long = "all-in" },
        ]
        long_ms = 1000
        [[gpio]]
        expander = 0x21
        bus = 3
        buttons = [{ pin = "B6", seat = 3, press = "time" }]
        [[gpio]]
        expander = 0x20
        bus = 3
        buttons = [{ pin = "A0", seat = 1, press = "check" }]
        """
    )
    header, one, other = config.panels
    assert header.buttons == (Button(17, 1, "fold"), Button(27, 2, "call", "all-in"))
    assert (header.timings, header.expander) == (Timings(0.02, 0.15, 1.0), None)
    assert (one.buttons, one.expander, one.bus) == ((Button(14, 3, "time"),), 0x21, 3)
    assert other.timings == Timings()
    assert config.table_record(None).buttons == (1, 2)
    panels = make_panels(config.panels, clock=time.monotonic, sleep=lambda _: None)  # type: ignore[arg-type,return-value]
    assert [panel.health().port for panel in panels] == [
        "the GPIO header",
        "the expander 0x21 on I²C bus 3",
        "the expander 0x20 on I²C bus 3",
    ]


def gpio(buttons: str, more: str = "") -> str:
    return f"{PORT}\n[[gpio]]\nbuttons = [{buttons}]\n{more}\n"


FOLD = '{ pin = 17, seat = 1, press = "fold" }'


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (
            port("a", "pn523", '["seat/1"]'),
            "[[port]] 1 reader: unknown reader 'pn523'; did you mean 'pn532'?",
        ),
        (
            port("a", "pn532", '["seat/1", "seat/2"]'),
            "[[port]] 1 zones: 2, but a pn532 has at most 1",
        ),
        (port("a", "pn532", "[]"), "[[port]] 1 zones: a pn532 has at least one"),
        (
            port("a", "feig", '["seat/1"]', 'parity = "evn"'),
            "[[port]] 1 parity: unknown parity 'evn'; did you mean 'even'?",
        ),
        (port("a", "yrm100", '["seat/1"]', "address = 3"), "[[port]] 1 address: a yrm100 has none"),
        (
            port("a", "pn532", '["seat/1"]', 'buttons = [[1, "fold"]]'),
            "[[port]] 1 buttons: a pn532 has none",
        ),
        (PORT + port("b", "feig", '["seat/1"]'), "[[port]] zones: seat/1 is listed twice"),
        (
            PORT + port("b", "rdm6300", '["seat/1"]') + port("c", "rdm6300", '["seat/1"]'),
            "[[port]] zones: seat/1 (puck) is listed twice",
        ),
        (gpio(FOLD + ", " + FOLD), "[[gpio]] 1 buttons: pin 17 is listed twice"),
        (
            gpio('{ pin = 28, seat = 1, press = "fold" }'),
            "[[gpio]] 1 buttons 1 pin: 28 is not a BCM number on the header: 0 … 27",
        ),
        (
            gpio('{ pin = "A0", seat = 1, press = "fold" }'),
            "[[gpio]] 1 buttons 1 pin: 'A0' is not a BCM number on the header: 0 … 27",
        ),
        (
            gpio('{ pin = 1, seat = 1, press = "flod" }'),
            "[[gpio]] 1 buttons 1 press: unknown label 'flod'; did you mean 'fold'?",
        ),
        (
            gpio('{ pin = 1, seat = 1, press = "fold", long = "allin" }'),
            "[[gpio]] 1 buttons 1 long: unknown label 'allin'; did you mean 'all-in'?",
        ),
        (
            gpio('{ pin = 1, seat = 1, press = "fold", lnog = "call" }'),
            "[[gpio]] 1 buttons 1 no key 'lnog' here; did you mean 'long'?",
        ),
        (
            gpio('{ pin = 1, seat = 1, press = "fold", long = "fold" }'),
            "[[port]] or [[gpio]] buttons: seat 1 fold is listed twice",
        ),
        (
            gpio('{ pin = "A7", seat = 1, press = "fold" }', "expander = 0x20"),
            "[[gpio]] 1 buttons 1 pin: A7 can't be an input, as the chip's data sheet says",
        ),
        (
            gpio('{ pin = 17, seat = 1, press = "fold" }', "expander = 0x20"),
            "[[gpio]] 1 buttons 1 pin: unknown pin '17'",
        ),
        (gpio(FOLD, "expander = 0x28"), "[[gpio]] 1 expander: 0x28 is not in 0x20 … 0x27"),
        (
            gpio(FOLD, 'library = "gpiod"'),
            "[[gpio]] 1 library: unknown library 'gpiod'; did you mean 'lgpio'?",
        ),
        (
            gpio(FOLD, '[[gpio]]\nbuttons = [{ pin = 1, seat = 1, press = "call" }]'),
            "[[gpio]]: the header is listed twice",
        ),
        (gpio(FOLD, "stable_ms = 0"), "[[gpio]] 1 stable_ms: expected `int` >= 1"),
    ],
)
def test_a_mistake_is_one_line(load: Load, text: str, fault: str) -> None:
    with pytest.raises(ConfigError) as raised:
        load(text)
    said = str(raised.value).replace("`", "").split("table.toml: ")[1]
    assert said.startswith(fault.replace("`", "")), said
