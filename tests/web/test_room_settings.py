"""`room.toml`: what can be set, and how a mistake is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.archive.archivist import Retention
from controller.archive.running import HistoryOptions
from controller.settings import config_dir
from controller.table.toml_file import ConfigError
from display.web.command import main
from display.web.settings import HistorySection, load_room_config, password


def written(folder: Path, text: str) -> Path:
    file = folder / "room.toml"
    file.write_text(text)
    return file


def test_without_a_file_everything_has_a_default() -> None:
    config = load_room_config(None, {"XDG_STATE_HOME": "/state"})
    assert (config.site, config.language) == ("main", "en")
    assert (config.broker.host, config.broker.port) == ("127.0.0.1", 1883)
    assert (config.web.host, config.web.port) == ("127.0.0.1", 8080)
    assert config.store == Path("/state/cutcard/room.sqlite")
    assert config.blinds.name == "standard.toml"
    assert config.blinds.is_file()


def test_systemd_says_where_the_store_is() -> None:
    environment = {"STATE_DIRECTORY": "/var/lib/room:/else", "XDG_STATE_HOME": "/state"}
    assert load_room_config(None, environment).store == Path("/var/lib/room/room.sqlite")
    assert load_room_config(None, {}).store == Path.home() / ".local/state/cutcard/room.sqlite"


def test_the_file_that_comes_along_shows_every_key_with_its_default(tmp_path: Path) -> None:
    shown = config_dir() / "room.toml"
    assert load_room_config(shown, {}) == load_room_config(None, {})
    (tmp_path / "logo.png").write_text("")
    (tmp_path / "ca.crt").write_text("")
    text = re.sub(r"^# (?=\w+ = )", "", shown.read_text(), flags=re.MULTILINE)
    config = load_room_config(written(tmp_path, text), {})
    default = load_room_config(None, {})
    assert config.clock == default.clock
    assert (config.web, config.site, config.language) == (default.web, "main", "en")
    assert config.store == tmp_path / "room.sqlite"
    assert config.password_file == tmp_path / "room.password"
    assert config.screen.name == "Club Royale"
    assert config.screen.logo == str(tmp_path / "logo.png")
    keys = set(re.findall(r"^(\w+) = ", text, flags=re.MULTILINE))
    assert config.history == HistoryOptions(str(tmp_path / "history.sqlite"))
    assert default.history is not None
    assert default.history.retention == Retention(400, 0)
    assert config.room_writes
    sections = [config.web, config.clock, config.broker]
    named = {key for each in sections for key in each.__struct_fields__}
    named |= {"site", "language", "store", "name", "logo", "diagonal_inches"}
    named |= set(HistorySection.__struct_fields__)
    assert keys == named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[history]\nstor = 'x'", "[history] no key 'stor' here; did you mean 'store'"),
        ("[history]\nstore = 'postgressql://x'", "neither a file nor postgresql://…"),
        ("[history]\nkeep_findings_days = 9", "less than the events they follow from"),
        ("[brokre]", "no section 'brokre' here; did you mean 'broker'"),
        ("[broker]\nprot = 3", "[broker] no key 'prot' here; did you mean 'port'"),
        ("[web]\nport = 70000", "[web] port"),
        ("[web]\nport = '8080'", "[web] port"),
        ("[room]\nsite = 'a/b'", "[room] site: 'a/b' is not a name"),
        ("[room]\nlanguage = 'eng'", "[room] language: there is no language 'eng'; did you mean"),
        ("[room]\nlanguage = 'xx'", "[room] language: there is no language 'xx'; there are de, en"),
        ("[clock]\nblinds = 'standart'", "[clock] blinds: there is no structure 'standart'; did"),
        ("[clock]\nhold_for_hands = 1", "[clock] hold_for_hands"),
        ("[screen]\nlogo = 'none.png'", "[screen] logo: "),
        ("[screen]\ndiagonal_inches = 0", "[screen] diagonal_inches"),
        ("[broker]\nca_file = 'none.crt'", "[broker] ca_file: "),
        ("[broker", "not TOML"),
    ],
)
def test_a_mistake_names_file_key_and_the_nearest(
    tmp_path: Path, text: str, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(ConfigError) as caught:
        load_room_config(file, {})
    assert said in str(caught.value)
    assert main(["--config", str(file)]) == 2
    line = capfd.readouterr().err
    assert line.startswith(f"cutcard room: {file}: ")
    assert line.count("\n") == 1


def test_a_structure_of_the_house_lies_beside_the_file(tmp_path: Path) -> None:
    config = load_room_config(written(tmp_path, "[clock]\nblinds = 'mine.toml'"), {})
    assert config.blinds == tmp_path / "mine.toml"


def test_an_empty_password_is_a_mistake(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("")
    with pytest.raises(ConfigError, match="empty"):
        password(file)
    file.write_text("secret\nrest")
    assert password(file) == "secret"
