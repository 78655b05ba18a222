from __future__ import annotations

from pathlib import Path

import pytest

from controller.contract.events import Blinds
from controller.files.settings import config_dir
from controller.room.structure import (
    Entry,
    StructureError,
    load_structure,
    read_structure,
    smallest_chip,
)
from controller.room.structure import written as as_text


def written(folder: Path, text: str) -> Path:
    file = folder / "mine.toml"
    file.write_text(text)
    return file


def test_a_structure_is_read(tmp_path: Path) -> None:
    file = written(
        tmp_path,
        """
        name = "Mine"
        stack = 200
        chips = [1, 5]
        [[level]]
        minutes = 7.5
        small = 1
        big = 2
        ante = 2
        [[level]]
        minutes = 5
        break = true
        race_off = [1]
        [[level]]
        minutes = 7
        small = 5
        big = 10
        """,
    )
    structure = load_structure(file)
    assert (structure.name, structure.stack, structure.chips) == ("Mine", 200, (1, 5))
    assert structure.entries == (
        Entry(450_000, Blinds(1, 2, 2)),
        Entry(300_000, None, (1,)),
        Entry(420_000, Blinds(5, 10)),
    )


@pytest.mark.parametrize("file", sorted((config_dir() / "blinds").glob("*.toml")), ids=str)
def test_those_that_come_along_are_sound_and_rise(file: Path) -> None:
    structure = load_structure(file)
    assert structure.stack
    assert structure.chips
    assert structure.note
    levels = [entry.blinds for entry in structure.entries if entry.blinds]
    assert len(levels) >= 8
    assert [each.big for each in levels] == sorted({each.big for each in levels})


LEVEL = "[[level]]\nminutes = 20\nsmall = 1\nbig = 2\n"
BREAK = "[[level]]\nminutes = 5\nbreak = true\n"
NAME = 'name = "x"\n'
CHIPS = NAME + "chips = [5, 25]\n"


def level(small: int, big: int, more: str = "") -> str:
    return f"[[level]]\nminutes = 20\nsmall = {small}\nbig = {big}\n{more}\n"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'name = "x"\n' + LEVEL + "antee = 3",
            "level 1: there is no key 'antee' here; did you mean 'ante'",
        ),
        ('name = "x"\nlevels = 3\n' + LEVEL, "no key 'levels' here; did you mean 'level'"),
        ('name = "x"\n' + LEVEL + LEVEL.replace("big = 2\n", ""), "level 2: needs 'small' and"),
        ('name = "x"\n[[level]]\nminutes = 5\nbreak = true\nbig = 2', "level 1: a break has no"),
        ('name = "x"\n[[level]]\nminutes = 5\nbreak = true', "only breaks"),
        (NAME + level(3, 2), "level 1 (3/2): 'big' is less than 'small'"),
        (NAME + LEVEL + LEVEL.replace("20", "0"), "level 2 (1/2) has no length"),
        (NAME + LEVEL.replace("20", "-4"), "level 1 (1/2) has no length"),
        (NAME + level(50, 100) + level(25, 50), "level 2 (25/50) is lower than 50/100"),
        (NAME + level(50, 100) + level(25, 150), "level 2 (25/150) is lower than 50/100"),
        (NAME + level(50, 100) + level(50, 80), "level 2 (50/80) is lower than 50/100"),
        (NAME + level(1, 10**13), "level[0].big is more than 1,000,000,000,000"),
        (NAME + level(0, 0), "level 1 (0/0) has no big blind"),
        (NAME + level(50, 100, "ante = 1000"), "level 1 (50/100): an ante of 1000 is more than 2"),
        (NAME + LEVEL + BREAK + BREAK + LEVEL, "level 3 (break) follows a break"),
        (NAME + BREAK + LEVEL, "level 1 (break) comes first"),
        (NAME + LEVEL + BREAK, "level 2 (break) comes last"),
        (CHIPS + level(3, 5), "level 1 (3/5): 3 can't be paid, the smallest chip in play is 5"),
        (CHIPS + level(5, 10) + level(10, 20, "race_off = [5]"), "10 can't be paid, the smallest"),
        (CHIPS + level(5, 10, "ante = 1"), "level 1 (5/10): 1 can't be paid"),
        (CHIPS + level(5, 10, "race_off = [10]"), "races off chips of 10; in play: 5, 25"),
        (CHIPS + level(5, 10, "race_off = [5, 25]"), "races off the last chips in play"),
        (NAME + level(5, 10, "race_off = [5]"), "in play: no chips at all"),
        (NAME + level(5, 10, "raceoff = [5]"), "no key 'raceoff' here; did you mean 'race_off'"),
        (NAME + "chips = [25, 5]\n" + LEVEL, "chips [25, 5] are not in order"),
        (CHIPS + "stack = 12\n" + level(5, 10), "a stack of 12 can't be made of chips of 5"),
        ('name = "x"\n' + LEVEL.replace("20", '"20"'), "minutes"),
        ('name = "x"\nlevel = []', "has no levels"),
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


def test_the_home_games_schedule_is_the_books() -> None:
    """HPT-TBL-BLINDS, level by level as it is printed."""
    home = load_structure(config_dir() / "blinds" / "home-t1000.toml")
    assert [(e.blinds.small, e.blinds.big) for e in home.entries if e.blinds] == [
        (10, 20), (15, 30), (20, 40), (25, 50), (50, 100), (75, 150), (100, 200), (150, 300),
        (200, 400), (300, 600), (400, 800), (500, 1000), (600, 1200), (800, 1600), (1000, 2000),
    ]  # fmt: skip


def test_who_posts_the_antes_and_which_chips_are_left(tmp_path: Path) -> None:
    text = """
        name = "Mine"
        chips = [25, 100]
        ante_by = "big-blind"
        [[level]]
        minutes = 10
        small = 25
        big = 50
        ante = 50
        [[level]]
        minutes = 5
        break = true
        race_off = [25]
        [[level]]
        minutes = 10
        small = 100
        big = 200
        ante = 200
        """
    structure = load_structure(written(tmp_path, text))
    assert structure.ante_by == "big-blind"
    assert [smallest_chip(structure, index) for index in range(3)] == [25, 100, 100]
    assert read_structure(as_text(structure).encode()) == structure
    wrong = text.replace("big-blind", "everybody")
    with pytest.raises(StructureError, match="ante_by"):
        load_structure(written(tmp_path, wrong))


@pytest.mark.parametrize(
    "file", sorted((config_dir() / "blinds").glob("*.toml")), ids=lambda file: file.stem
)
def test_an_ante_of_a_whole_big_blind_is_one_for_the_table(file: Path) -> None:
    """TDA24-RP11A: if one player pays the ante, the big blind does; nine of them are an orbit."""
    structure = load_structure(file)
    antes = [each.blinds for each in structure.entries if each.blinds and each.blinds.ante]
    if any(blinds.ante == blinds.big for blinds in antes):
        assert structure.ante_by == "big-blind"
