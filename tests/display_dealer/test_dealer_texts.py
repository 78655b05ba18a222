from __future__ import annotations

from pathlib import Path

import pytest

from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from display.dealer.texts import available, load

ENGLISH = (config_dir() / "languages" / "en.toml").read_text(encoding="utf-8")


def write(root: Path, text: str, name: str = "xx") -> Path:
    folder = root / "languages"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('award = "Award"', "", "key screen.award is missing"),
        (
            '\naward = "Award"',
            '\nawart = "Award"',
            "unknown key screen.awart; did you mean 'award'?",
        ),
        ('award = "Award"', "award = 3", "screen.award is not text"),
        ('pot = "Pot {amount}"', 'pot = "Pot"', "screen.pot needs {amount}"),
        ('award = "Award"', 'award = "{seat}"', "screen.award needs no braces"),
        ('award = "Award"', 'award = "{"', "screen.award: "),
        ("[screen]", "[scream]", "unknown section [scream]; did you mean 'screen'?"),
        ("[screen]", "[screen", "languages/xx.toml: "),
    ],
)
def test_mistake_names_file_and_key(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in ENGLISH
    path = write(tmp_path, ENGLISH.replace(old, new))
    with pytest.raises(ConfigError) as error:
        load("xx", tmp_path)
    assert str(path) in str(error.value)
    assert fault in str(error.value)


def test_missing_language_names_the_nearest(tmp_path: Path) -> None:
    write(tmp_path, ENGLISH, "deu")
    with pytest.raises(ConfigError, match=r"^unknown language 'de'; did you mean 'deu'\?$"):
        load("de", tmp_path)


def test_texts_are_filled_in() -> None:
    texts = load("en", config_dir())
    assert texts("hand", hand=7) == "Hand 7"
    assert texts.number(1234567) == "1,234,567"
    assert texts.named("book", "house-of-cards") == "house-of-cards"


def test_languages_give_their_own_names(tmp_path: Path) -> None:
    write(tmp_path, ENGLISH, "en")
    write(tmp_path, ENGLISH.replace('language = "English"', 'language = "Deutsch"'), "de")
    assert available(tmp_path) == {"de": "Deutsch", "en": "English"}
