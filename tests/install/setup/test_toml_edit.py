"""A value set in a file that a person has written: nothing else in it changes."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from controller.files.settings import config_dir
from controller.files.toml_edit import Value, with_value
from controller.files.toml_file import ConfigError

FILE = Path("room.toml")


@pytest.mark.parametrize(
    ("before", "value", "after"),
    [
        ('[web]\nhost = "a" # mine\n', "b", '[web]\nhost = "b" # mine\n'),
        ('[web]\n# host = "a"   # mine\n', "b", '[web]\nhost = "b"     # mine\n'),
        ('[web]\nhost = "#a" # "b"\n', "c", '[web]\nhost = "c"  # "b"\n'),
        ("[web]\nport = 1\n", "b", '[web]\nhost = "b"\nport = 1\n'),
        ("[web]", "b", '[web]\nhost = "b"\n'),
        ("[room]\nx = 1", "b", '[room]\nx = 1\n\n[web]\nhost = "b"\n'),
        ("", "b", '[web]\nhost = "b"\n'),
        (
            '[a]\nhost = "x"\n[web] # w\n\n[b]\n',
            "b",
            '[a]\nhost = "x"\n[web] # w\nhost = "b"\n\n[b]\n',
        ),
        ('[web]\nhost = "a"\n', None, '[web]\n# host = "a"\n'),
        ('[web]\n# host = "a"\n', None, '[web]\n# host = "a"\n'),
        ("[web]\n", 'a"\\é', '[web]\nhost = "a\\"\\\\é"\n'),
        ("[web]\n", (1, 2, 4), "[web]\nhost = [1, 2, 4]\n"),
        ("[web]\n", {"small": 1, "big": 2}, "[web]\nhost = { small = 1, big = 2 }\n"),
        ("[web]\n", True, "[web]\nhost = true\n"),
    ],
)
def test_only_this_line_changes(before: str, value: Value | None, after: str) -> None:
    assert with_value(FILE, before, "web", "host", value) == after
    assert with_value(FILE, after, "web", "host", value) == after


@pytest.mark.parametrize(
    "text",
    [
        'web.host = "a"\n',
        'web = { host = "a" }\n',
        "[web]\nhost = [\n  1,\n]\n",
        '[web]\nhost = """\na"""\n',
        '[web]\ntext = """\nhost = 3\n"""\n',
    ],
)
def test_what_would_change_more_is_refused_in_a_line(text: str) -> None:
    with pytest.raises(ConfigError, match=r"^room.toml: \[web\] host can't be .* editor$"):
        with_value(FILE, text, "web", "host", "b")


def test_what_is_no_toml_is_refused() -> None:
    with pytest.raises(ConfigError, match="line 1, column"):
        with_value(FILE, "[web\n", "web", "host", "b")


def test_each_key_of_the_rooms_example_can_be_set_where_it_is_explained() -> None:
    text = (config_dir() / "room.toml").read_text("utf-8")
    changed = with_value(FILE, text, "screen", "name", "Club #1")
    assert tomllib.loads(changed)["screen"] == {"name": "Club #1"}
    (line,) = [each for each in changed.splitlines() if each.startswith("name =")]
    assert line.endswith("# shown above the clock")
    assert len(changed.splitlines()) == len(text.splitlines())
