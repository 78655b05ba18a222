"""The files of answers that are shown: each key is one, and its default is what is taken."""

from __future__ import annotations

import re
import tomllib
from typing import Any, get_type_hints

import msgspec
import pytest
from msgspec import Struct

from controller.files.settings import config_dir
from controller.install.setup.answers_file import example
from controller.install.setup.room_questions import RoomAnswers
from controller.install.setup.table_questions import TableAnswers

KINDS: dict[str, type[Struct]] = {"room": RoomAnswers, "table": TableAnswers}


def in_use(what: str) -> dict[str, Any]:
    """The example with every key that is commented out."""
    return tomllib.loads(re.sub(r"^# (\w+ = )", r"\1", example(what), flags=re.MULTILINE))


@pytest.mark.parametrize("what", KINDS)
def test_it_has_every_key_there_is(what: str) -> None:
    kind = KINDS[what]
    parts = get_type_hints(kind)
    assert {section: set(keys) for section, keys in in_use(what).items()} == {
        name: set(part.__struct_fields__) for name, part in parts.items()
    }
    msgspec.convert(in_use(what), kind)


@pytest.mark.parametrize("what", KINDS)
def test_as_it_is_it_answers_nothing(what: str) -> None:
    assert msgspec.convert(tomllib.loads(example(what)), KINDS[what]) == KINDS[what]()


@pytest.mark.parametrize("what", KINDS)
def test_languages_are_those_there_are(what: str) -> None:
    (line,) = re.findall(r'language = "(\w+)".*: or (.+)', example(what))
    named = {line[0], *re.findall(r"\w+", line[1])}
    assert named == {each.stem for each in (config_dir() / "languages").glob("*.toml")}
