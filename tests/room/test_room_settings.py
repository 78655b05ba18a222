"""`room.toml`: what can be set, and how a mistake is told."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from controller.archive.archivist import Retention
from controller.archive.running import HistoryOptions
from controller.files.settings import config_dir
from controller.files.toml_file import ConfigError
from controller.people.staff import Holds
from controller.room.settings import (
    ARCHIVE_CREDENTIAL,
    BrokerLogin,
    Certificate,
    HistorySection,
    load_room_config,
    password,
)
from display.web.command import main


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
    for name in ("ca.crt", "room.crt", "room.key", "ntfy.token"):
        (tmp_path / name).write_text("")
    text = re.sub(r"^# (?=\w+ = )", "", shown.read_text(), flags=re.MULTILINE)
    config = load_room_config(written(tmp_path, text), {})
    default = load_room_config(None, {})
    assert config.clock == default.clock
    assert config.screen.alerts == default.screen.alerts == "calls"
    assert config.people == default.people
    assert (config.web.host, config.web.port, config.web.https_port) == ("127.0.0.1", 8080, 8443)
    assert config.web.address == "http://clock.club.lan:8080/"
    assert config.certificate == Certificate(
        tmp_path / "room.crt", tmp_path / "room.key", tmp_path / "ca.crt"
    )
    assert (config.site, config.language) == ("main", "en")
    assert config.store == tmp_path / "room.sqlite"
    assert config.password_file == tmp_path / "room.password"
    assert config.screen.name == "Club Royale"
    assert config.screen.logo == str(tmp_path / "logo.png")
    keys = set(re.findall(r"^(\w+) = ", text, flags=re.MULTILINE))
    assert config.limits == default.limits
    assert (config.ntfy, config.ntfy_token_file) == (
        "http://ntfy.lan/floor",
        tmp_path / "ntfy.token",
    )
    assert config.sections == {"north": ("1", "2", "3")}
    assert config.history == HistoryOptions(str(tmp_path / "history.sqlite"))
    assert config.history_login == BrokerLogin("archive", tmp_path / "archive.password")
    assert default.history_login is None
    assert default.history is not None
    assert default.history.retention == Retention(400, 0)
    assert config.room_writes
    sections = [config.web, config.people, config.clock, config.broker, config.limits]
    named = {key for each in sections for key in each.__struct_fields__}
    named |= {"site", "language", "store", "name", "logo", "diagonal_inches", "theme", "alerts"}
    named |= {"ntfy", "ntfy_token_file", "north", "stand_by"}
    named |= set(HistorySection.__struct_fields__) | {"keep_days"}
    assert config.players.keep_ms == default.players.keep_ms == 400 * 24 * 3_600_000
    assert keys == named


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[history]\nstor = 'x'", "[history] no key 'stor' here; did you mean 'store'"),
        ("[history]\nstore = 'postgressql://x'", "neither a file nor postgresql://…"),
        ("[history]\nkeep_findings_days = 9", "less than the events they follow from"),
        ("[screen]\nalerts = 'cals'", "not one of none, calls, all; did you mean 'calls'?"),
        (
            "[screen]\nalerts = 'off'",
            "[screen] alerts: 'off' is not one of none, calls, all",
        ),
        ("[screen]\nalerts = false", "[screen] alerts: expected str, got bool"),
        ("[screen]\nalert = 'all'", "[screen] no key 'alert' here; did you mean 'alerts'"),
        ("[brokre]", "no section 'brokre' here; did you mean 'broker'"),
        ("[broker]\nprot = 3", "[broker] no key 'prot' here; did you mean 'port'"),
        ("[web]\nport = 70000", "[web] port"),
        ("[web]\nport = '8080'", "[web] port"),
        ("[web]\nadress = 'http://a/'", "[web] no key 'adress' here; did you mean 'address'"),
        (
            "[web]\naddress = 'clock.lan'",
            "[web] address: 'clock.lan' is not an address such as http",
        ),
        ("[room]\nsite = 'a/b'", "[room] site: 'a/b' is not a name"),
        ("[room]\nlanguage = 'eng'", "[room] language: there is no language 'eng'; did you mean"),
        ("[room]\nlanguage = 'xx'", "[room] language: there is no language 'xx'; there are de, en"),
        ("[clock]\nblinds = 'standart'", "[clock] blinds: there is no structure 'standart'; did"),
        ("[clock]\nhold_for_hands = 1", "[clock] hold_for_hands"),
        ("[screen]\nlogo = 'none.png'", "[screen] logo: "),
        (
            "[screen]\ntheme = 'drak'",
            "[screen] theme: there is no theme 'drak'; did you",
        ),
        ("[screen]\ndiagonal_inches = 0", "[screen] diagonal_inches"),
        ("[broker]\nca_file = 'none.crt'", "[broker] ca_file: "),
        ("[alerts]\ntake_s = 3", "[alerts] no key 'take_s' here; did you mean 'take_"),
        ("[alerts]\ntake_1_s = 1", "[alerts] take_1_s"),
        ("[alerts]\nntfy = 'ntfy.lan/floor'", "[alerts] ntfy: 'ntfy.lan/floor' is not http://"),
        ("[alerts]\nntfy = 'file:///etc/x'", "[alerts] ntfy: 'file:///etc/x' is not http://"),
        ("[sections]\nnorth = ['a/b']", "[sections] north"),
        ("[sections]\nnorth = []", "[sections] north"),
        ("[web]\nnames = ['a b']", "[web] names 1: "),
        ("[web]\ncertificate = 'room.crt'", "[web] certificate: it needs a 'key' too"),
        ("[web]\nkey = 'room.key'", "[web] key: it needs a 'certificate' too"),
        ("[web]\nauthority = 'ca.crt'", "[web] authority: it needs a 'key' too"),
        ("[web]\ncertificate = 'no.crt'\nkey = 'no.key'", "no.crt: no such file; `cutcard cert"),
        ("[people]\nidle_hour = 2", "[people] no key 'idle_hour' here; did you mean 'idle_hours'"),
        ("[people]\nidle_hours = 0", "[people] idle_hours"),
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


def test_how_long_a_sign_in_holds_and_what_is_kept(tmp_path: Path) -> None:
    text = "[people]\nidle_hours = 0.5\nlongest_hours = 2\naudit_days = 1"
    people = load_room_config(written(tmp_path, text), {}).people
    assert (people.holds, people.keep_audit_s) == (Holds(1_800, 7_200), 86_400)


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


@pytest.mark.parametrize("tells", ["none", "calls", "all"])
def test_the_house_chooses_what_walls_tell_of_alerts(tmp_path: Path, tells: str) -> None:
    file = written(tmp_path, f'[screen]\nalerts = "{tells}"')
    assert load_room_config(file, {}).screen.alerts == tells


def test_the_history_has_a_login_of_its_own_where_there_is_a_password_for_it(
    tmp_path: Path,
) -> None:
    lent = {"CREDENTIALS_DIRECTORY": str(tmp_path)}
    assert load_room_config(None, lent).history_login is None
    (tmp_path / ARCHIVE_CREDENTIAL).write_text("secret\n")
    assert load_room_config(None, lent).history_login == BrokerLogin(
        "archive", tmp_path / ARCHIVE_CREDENTIAL
    )
    second = written(tmp_path, '[history]\nuser = "archive-2"\n')
    assert load_room_config(second, lent).history_login == BrokerLogin(
        "archive-2", tmp_path / ARCHIVE_CREDENTIAL
    )
    assert load_room_config(second, {}).history_login == BrokerLogin("archive-2", None)
