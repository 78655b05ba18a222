"""What pairing changes in a table's settings, and what it leaves as it was."""

from __future__ import annotations

from pathlib import Path

import pytest

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError, parse_toml
from controller.install.pair.table_file import with_room

PATH = Path("table.toml")
BROKER: dict[str, str | int] = {
    "host": "room.local",
    "site": "club",
    "port": 8883,
    "ca_file": "ca.pem",
}
TABLE = (
    '[table]\nid = "3"   # the third\nrulebook = "roberts"\nseats = 9\n'
    "blinds = { small = 1, big = 2 }\n"
)
PORT = '\n[[port]]\ndevice = "/dev/null"\nzones = [\n  "seat/1",\n]\n'


def changed(text: str) -> str:
    return with_room(PATH, text, table="7", broker=BROKER)


def test_a_table_without_a_room_gets_one() -> None:
    assert changed(TABLE + PORT) == (
        TABLE.replace('"3"', '"7"') + PORT + '\n[broker]\nhost = "room.local"\nsite = "club"\n'
        'port = 8883\nca_file = "ca.pem"\n'
    )


def test_a_file_without_a_last_line_end() -> None:
    assert changed((TABLE + PORT).rstrip("\n")) == changed(TABLE + PORT)


def test_what_the_room_does_not_say_stays() -> None:
    before = (
        '[broker]  # the old room\n# told by Ann\nhost = "old"\nsite = "main"\n'
        'user = "table-3"\npassword_file = "password"\nplayer_names = true\n'
    )
    assert (
        changed(TABLE + before + PORT)
        == TABLE.replace('"3"', '"7"')
        + (
            '[broker]  # the old room\nhost = "room.local"\nsite = "club"\nport = 8883\n'
            'ca_file = "ca.pem"\n# told by Ann\nplayer_names = true\n'
        )
        + PORT
    )


def test_again_changes_nothing() -> None:
    once = changed(TABLE + PORT)
    assert changed(once) == once


def test_the_shipped_example() -> None:
    text = (config_dir() / "table.toml").read_text(encoding="utf-8")
    after = changed(text)
    assert parse_toml(PATH, after) == {
        **parse_toml(PATH, text),
        "table": {**parse_toml(PATH, text)["table"], "id": "7"},
        "broker": BROKER,
    }
    assert set(text.splitlines()) - set(after.splitlines()) == {
        line for line in text.splitlines() if line.startswith("id = ")
    } - set(after.splitlines())


DOTTED = 'table.id = "3"\ntable.rulebook = "roberts"\ntable.seats = 9\n'


@pytest.mark.parametrize(
    "text",
    [
        DOTTED + PORT,
        'broker = { host = "old", site = "main" }\n' + TABLE + PORT,
        TABLE.replace('"3"', '"\\u0033"') + PORT,
    ],
)
def test_what_can_not_be_changed_line_by_line_is_refused(text: str) -> None:
    with pytest.raises(ConfigError, match="give each key of them a line of its own"):
        changed(text)


@pytest.mark.parametrize("site", ['club"\nx = "', 'club"', "club\\"])
def test_no_room_writes_lines_of_its_own(site: str) -> None:
    with pytest.raises(ConfigError, match="a line of its own"):
        with_room(PATH, TABLE, table="7", broker={**BROKER, "site": site})


def test_a_mistake_in_the_file_is_said() -> None:
    with pytest.raises(ConfigError, match=r"no key 'rulbook' here; did you mean 'rulebook'"):
        changed(TABLE.replace("rulebook", "rulbook"))
