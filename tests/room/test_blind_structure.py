from __future__ import annotations

from pathlib import Path

import pytest

from controller.events import Blinds
from controller.room.structure import Entry, StructureError, load_structure
from controller.settings import config_dir


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


def test_a_structure_is_read(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
        name = "Mine"
        [[level]]
        minutes = 7.5
        small = 1
        big = 2
        ante = 2
        [[level]]
        minutes = 5
        break = true
        """,
    )
    structure = load_structure(file)
    assert structure.name == "Mine"
    assert structure.entries == (Entry(450_000, Blinds(1, 2, 2)), Entry(300_000, None))


@pytest.mark.parametrize("file", sorted((config_dir() / "blinds").glob("*.toml")), ids=str)
def test_those_that_come_along_are_sound_and_rise(file: Path) -> None:
    levels = [entry.blinds for entry in load_structure(file).entries if entry.blinds]
    assert len(levels) >= 8
    assert [each.big for each in levels] == sorted({each.big for each in levels})


LEVEL = "[[level]]\nminutes = 20\nsmall = 1\nbig = 2\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('name = "x"\n' + LEVEL + "antee = 3", "level 1: no key 'antee' here; did you mean 'ante'"),
        ('name = "x"\nlevels = 3\n' + LEVEL, "no key 'levels' here; did you mean 'level'"),
        ('name = "x"\n' + LEVEL + LEVEL.replace("big = 2\n", ""), "level 2: needs 'small' and"),
        ('name = "x"\n[[level]]\nminutes = 5\nbreak = true\nbig = 2', "level 1: a break has no"),
        ('name = "x"\n[[level]]\nminutes = 5\nbreak = true', "breaks only"),
        ('name = "x"\n' + LEVEL.replace("1", "3"), "level 1: 'big' is less than 'small'"),
        ('name = "x"\n' + LEVEL.replace("20", "0"), "minutes"),
        ('name = "x"\n' + LEVEL.replace("20", '"20"'), "minutes"),
        ('name = "x"\nlevel = []', "level"),
        (LEVEL, "name"),
        ("name = ", "mine.toml"),
        ("\x00", "mine.toml"),
    ],
)
def test_a_mistake_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    file = written(tmp_path, text)
    with pytest.raises(StructureError) as caught:
        load_structure(file)
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{file}: ")
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(StructureError, match="No such file"):
        load_structure(tmp_path / "none.toml")
