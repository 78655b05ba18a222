from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from controller.contract.events import Step
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from display.dealer.texts import available, load

STEPS = "steps.toml"
ENGLISH = (config_dir() / "languages" / "en.toml").read_text(encoding="utf-8")


def write(root: Path, text: str, name: str = "xx") -> Path:
    folder = root / "languages"
    folder.mkdir(exist_ok=True)
    path = folder / f"{name}.toml"
    path.write_text(text, encoding="utf-8")
    (root / STEPS).write_text((config_dir() / STEPS).read_text("utf-8"), "utf-8")
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
    for path in config_dir().glob("catalogue*.csv"):
        shutil.copy(path, tmp_path)
    write(tmp_path, ENGLISH, "en")
    write(tmp_path, ENGLISH.replace('language = "English"', 'language = "Deutsch"'), "de")
    assert available(tmp_path) == {"de": "Deutsch", "en": "English"}


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('cut = "cut"\n', "", "step cut has no verb"),
        ('cut = "cut"', 'cut = "cutt"', "unknown verb of cut 'cutt'; did you mean 'cut'?"),
        ('cut = "cut"', 'cut = "cut"\ncutt = "cut"', "unknown step 'cutt'; did you mean 'cut'?"),
        ("[verbs]", "[verb]", "no section 'verb' here; did you mean 'verbs'?"),
    ],
)
def test_a_mistake_in_the_verbs_names_file_and_step(
    tmp_path: Path, old: str, new: str, fault: str
) -> None:
    write(tmp_path, ENGLISH)
    steps = (tmp_path / STEPS).read_text("utf-8")
    assert old in steps
    (tmp_path / STEPS).write_text(steps.replace(old, new), "utf-8")
    with pytest.raises(ConfigError) as error:
        load("xx", tmp_path)
    assert str(error.value).startswith(f"{tmp_path / STEPS}: ")
    assert fault in str(error.value)


def test_every_step_of_every_book_has_a_verb_or_answers() -> None:
    texts = load("en", config_dir())
    for step in texts.engine.steps:
        if step.startswith("ask-"):
            assert {f"{step}-yes", f"{step}-no"} <= texts.answers.keys()
        else:
            assert texts.verb(Step(step, "")) != ""
            assert step in texts.verb_of


def test_the_head_of_a_ruling_is_written_as_each_language_does() -> None:
    said = {
        name: load(name, config_dir())("ruled-head", who="Ali", outcome="…")
        for name in ("en", "de", "fr", "es")
    }
    assert said.pop("fr") == "Ali\u202f: …"
    assert set(said.values()) == {"Ali: …"}
