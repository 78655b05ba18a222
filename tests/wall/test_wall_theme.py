from __future__ import annotations

from pathlib import Path

import pytest

from controller.files.settings import config_dir, themes
from controller.files.toml_file import ConfigError
from display.wall.theme import faults, load

DARK = (config_dir() / "themes" / "dark.toml").read_text(encoding="utf-8")


def test_there_are_three() -> None:
    assert themes(config_dir()) == ["dark", "high-contrast", "light"]


@pytest.mark.parametrize("name", themes(config_dir()))
def test_their_letters_stand_out(name: str) -> None:
    assert not [*faults(load(name, config_dir()))]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ('soft = "#B9CDC7"', 'soft = "#56706A"', "level.soft on level.top has a contrast of"),
        ('fill = "#FFD24A"', 'fill = "#7A6A3A"', "trouble.ink on trouble.fill has a contrast"),
        ('track = "#26433C"', 'track = "#D0B040"', "level.accent on level.track has a contrast of"),
        ('soft = "#B9CDC7"', 'sofd = "#B9CDC7"', "no key level.sofd here; did you mean 'soft'"),
        ("[trouble]", "[troubel]", "no key 'troubel' here; did you mean 'trouble'"),
        ('soft = "#B9CDC7"', "", "missing required field `soft`"),
        ("#B9CDC7", "green", "level.soft"),
    ],
)
def test_one_that_cannot_be_read_is_refused(
    tmp_path: Path, before: str, after: str, said: str
) -> None:
    file = tmp_path / "ours.toml"
    assert before in DARK
    file.write_text(DARK.replace(before, after))
    with pytest.raises(ConfigError) as caught:
        load(str(file), config_dir())
    assert said in str(caught.value)
    assert str(caught.value).startswith(f"{file}: ")


def test_one_that_is_not_there() -> None:
    with pytest.raises(ConfigError, match="no theme 'drak'; did you mean 'dark'"):
        load("drak", config_dir())
    with pytest.raises(ConfigError, match=r"none\.toml: No such file"):
        load("none.toml", config_dir())
