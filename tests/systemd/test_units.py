"""The unit files: systemd understands them, they are tight, and what they start is there."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS
from controller.install.broker import OWN_LOGINS
from controller.install.pair.joining import Places
from controller.install.updating.update_command import _parser
from controller.room.settings import ARCHIVE_CREDENTIAL, PAIRING_CERTIFICATE, PAIRING_KEY
from controller.table.config import PASSWORD_CREDENTIAL, load_table_config
from controller.table.decks import DECK_CREDENTIAL
from controller.table.floor import FLOOR_CREDENTIAL
from display.web.pairing import PASSWORD_CREDENTIAL as STEWARD_CREDENTIAL
from tests.campaign.lineup import RESTART_S
from tests.waiting import PATIENCE_S

UNITS = Path(__file__).parents[2] / "systemd"
PROGRAM = "/opt/cutcard/bin/cutcard"
NAMES = ("cutcard-table", "cutcard-dealer", "cutcard-room", "cutcard-archive", "cutcard-wall")
MOSQUITTO = Path("/lib/systemd/system/mosquitto.service")
BACKUP = "cutcard-backup"
KIOSK = "cutcard-screen"
"""A browser, which is not ours."""
BROKER = "cutcard-broker"
"""mosquitto, which is not ours either."""
FOLLOW = "cutcard-follow"
RENEWAL = "cutcard-renewal"
"""Runs once a month and ends."""
PAIR = "cutcard-pair"
"""Runs once, where there is a file for it."""
analyze = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed"
)


def unit(name: str) -> dict[str, list[str]]:
    """Return each setting of a unit with all its values."""
    found: dict[str, list[str]] = {}
    for line in (UNITS / f"{name}.service").read_text(encoding="utf-8").splitlines():
        if setting := re.match(r"(\w+)=(.*)", line):
            found.setdefault(setting[1], []).append(setting[2])
    return found


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S)


@pytest.fixture
def installed(tmp_path: Path) -> Callable[[str], Path]:
    """Return a function that copies a unit, with a program that is there in place of ours."""

    def copy(name: str) -> Path:
        text = (UNITS / f"{name}.service").read_text(encoding="utf-8")
        path = tmp_path / f"{name}.service"
        path.write_text(text.replace(PROGRAM, "/bin/true"), encoding="utf-8")
        return path

    return copy


def test_all_units_are_here() -> None:
    once = {BACKUP, RENEWAL, FOLLOW, PAIR}
    assert {path.stem for path in UNITS.glob("*.service")} == {*NAMES, KIOSK, BROKER, *once}


@analyze
def test_systemd_understands_them(installed: Callable[[str], Path]) -> None:
    done = run("systemd-analyze", "verify", *map(installed, NAMES))
    assert (done.returncode, done.stderr) == (0, "")


@analyze
@pytest.mark.skipif(not MOSQUITTO.exists(), reason="mosquitto is not installed")
def test_systemd_understands_what_is_added_to_the_brokers(tmp_path: Path) -> None:
    broker = tmp_path / MOSQUITTO.name
    broker.write_text(MOSQUITTO.read_text(encoding="utf-8"), encoding="utf-8")
    added = tmp_path / f"{MOSQUITTO.name}.d" / "cutcard.conf"
    added.parent.mkdir()
    added.write_text((UNITS / "mosquitto-cutcard.conf").read_text(encoding="utf-8"))
    done = run("systemd-analyze", "verify", "--man=no", broker)
    assert (done.returncode, done.stderr) == (0, "")
    added.write_text("[Service]\nMemoryMost=1G\n")
    assert "MemoryMost" in run("systemd-analyze", "verify", "--man=no", broker).stderr


@analyze
@pytest.mark.parametrize("name", [*NAMES, KIOSK, BROKER])
def test_exposure_is_two_at_most(name: str) -> None:
    done = run(
        "systemd-analyze",
        "security",
        "--offline=yes",
        "--threshold=20",
        "--no-pager",
        UNITS / f"{name}.service",
    )
    assert done.returncode == 0, done.stdout[-200:]


@pytest.mark.skipif(shutil.which("systemd-sysusers") is None, reason="no systemd-sysusers")
def test_the_user_can_be_made(tmp_path: Path) -> None:
    (tmp_path / "etc").mkdir()
    done = run("systemd-sysusers", "--dry-run", f"--root={tmp_path}", UNITS / "cutcard.sysusers")
    assert done.returncode == 0, done.stderr
    assert "Creating user 'cutcard'" in done.stderr


@pytest.mark.parametrize("name", NAMES)
def test_what_is_started(name: str) -> None:
    (line,) = unit(name)["ExecStart"]
    program, command, *arguments = shlex.split(line.replace("$ROOM_OPTIONS", ""))
    assert program == PROGRAM
    assert command == name.removeprefix("cutcard-")
    options_in = {"dealer": "display.dealer.options"}
    module = import_module(options_in.get(command, COMMANDS[command].module))
    options = [each for each in arguments if not each.startswith("$")]
    make = getattr(module, "parser", None) or module._parser
    make().parse_args(options)


@pytest.mark.parametrize("name", [*NAMES, KIOSK, BROKER])
def test_it_comes_back_and_leaves_no_core(name: str) -> None:
    settings = unit(name)
    assert settings["Restart"] == ["always"]
    assert settings["StartLimitIntervalSec"] == ["0"]
    assert settings["LimitCORE"] == ["0"]
    assert settings["ProtectSystem"] == ["strict"]
    assert settings["DevicePolicy"] == ["closed"]


@analyze
def test_a_table_looks_for_its_rooms_version(
    installed: Callable[[str], Path], tmp_path: Path
) -> None:
    timer = tmp_path / f"{FOLLOW}.timer"
    timer.write_text((UNITS / timer.name).read_text(encoding="utf-8"), encoding="utf-8")
    done = run("systemd-analyze", "verify", installed(FOLLOW), timer)
    assert (done.returncode, done.stderr) == (0, "")
    (line,) = unit(FOLLOW)["ExecStart"]
    program, command, *options = shlex.split(line)
    assert (program, command) == (PROGRAM, "update")
    assert _parser().parse_args(options).follow


@analyze
def test_a_backup_is_made_every_morning(installed: Callable[[str], Path], tmp_path: Path) -> None:
    timer = tmp_path / f"{BACKUP}.timer"
    timer.write_text((UNITS / timer.name).read_text(encoding="utf-8"), encoding="utf-8")
    done = run("systemd-analyze", "verify", installed(BACKUP), timer)
    assert (done.returncode, done.stderr) == (0, "")
    given = unit(BACKUP)
    assert given["ExecStart"] == [f"{PROGRAM} backup $BACKUP_OPTIONS"]
    assert given["EnvironmentFile"] == given["ConditionPathExists"]
    assert "cutcard-table.service" not in " ".join(given["After"])  # it waits for nobody


@pytest.mark.parametrize("name", [*NAMES, KIOSK, BROKER])
def test_without_its_settings_it_is_passed_over(name: str) -> None:
    settings = unit(name)
    (needed,) = settings["ConditionPathExists"]
    files = settings.get("EnvironmentFile", [])
    (started,) = settings["ExecStart"]
    # The dealer's own file may be missing; without the table's there is nothing to show.
    wanted = [each for each in files if not each.startswith("-")] or [
        word for word in started.split() if word.startswith("/etc/")
    ]
    assert wanted in ([needed], [])
    assert wanted or name == "cutcard-dealer"


@analyze
@pytest.mark.skipif(not MOSQUITTO.exists(), reason="mosquitto is not installed")
def test_systemd_understands_the_broker_and_its_renewal(installed: Callable[[str], Path]) -> None:
    timer = installed(RENEWAL).with_suffix(".timer")
    timer.write_text((UNITS / timer.name).read_text(encoding="utf-8"), encoding="utf-8")
    done = run("systemd-analyze", "verify", "--man=no", installed(BROKER), timer)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_broker_is_held_as_debians_is() -> None:
    """By what `mosquitto-cutcard.conf` adds to that."""
    added = (UNITS / "mosquitto-cutcard.conf").read_text(encoding="utf-8")
    ours = unit(BROKER)
    for name, value in re.findall(r"^(\w+)=(.*)$", added, re.MULTILINE):
        assert ours[name] == [value]


def test_the_broker_keeps_its_logins_where_they_are_made() -> None:
    assert unit(BROKER)["StateDirectory"] == [OWN_LOGINS.parent.name]
    assert unit(BROKER)["StateDirectoryMode"] == ["0700"]
    assert f"-{OWN_LOGINS.parent}" in unit(RENEWAL)["ReadWritePaths"][0].split()


@analyze
def test_a_table_joins_its_room_by_a_file(installed: Callable[[str], Path]) -> None:
    done = run("systemd-analyze", "verify", "--man=no", installed(PAIR))
    assert (done.returncode, done.stderr) == (0, "")
    given = unit(PAIR)
    (line,) = given["ExecStart"]
    program, command, *words = shlex.split(line)
    assert (program, command) == (PROGRAM, "pair")
    file = import_module(COMMANDS["pair"].module)._parser().parse_args(words).file
    assert {str(file), "/etc/cutcard/table.toml"} == set(given["ConditionPathExists"])
    written = [Path(each) for each in given["ReadWritePaths"][0].split()]
    places = Places(Path("/"))
    for each in (file, places.settings, places.authority, places.password):
        assert each.parent in written
    assert given["RestartPreventExitStatus"] == ["2"]


def test_the_table() -> None:
    table = unit("cutcard-table")
    assert (table["Type"], table["WatchdogSec"]) == (["notify"], ["10"])
    assert table["RuntimeDirectory"][0].split()[0] == "cutcard"
    assert table["RuntimeDirectoryPreserve"] == ["restart"]
    assert table["LoadCredential"] == [DECK_CREDENTIAL, FLOOR_CREDENTIAL, PASSWORD_CREDENTIAL]
    assert "PrivateDevices" not in table
    assert (table["LimitMEMLOCK"], table["MemorySwapMax"]) == (["infinity"], ["0"])


def test_the_room() -> None:
    room = unit("cutcard-room")
    assert (room["Type"], room["WatchdogSec"]) == (["notify"], ["10"])
    assert room["StateDirectory"] == ["cutcard-room"]
    assert "ProcSubset" not in room  # it hides which run of the machine this is


def test_the_archive_is_as_tight_as_the_room_and_keeps_nothing_here() -> None:
    archive, room = unit("cutcard-archive"), unit("cutcard-room")
    assert (archive["Type"], archive["WatchdogSec"]) == (["notify"], ["10"])
    assert "StateDirectory" not in archive
    # Each has a login of its own at the broker, where a user has one connection.
    assert archive["LoadCredential"] == [ARCHIVE_CREDENTIAL, "cutcard.pgpass"]
    pairing = [STEWARD_CREDENTIAL, PAIRING_CERTIFICATE, PAIRING_KEY]
    assert room["LoadCredential"] == ["cutcard.room-password", ARCHIVE_CREDENTIAL, *pairing]
    assert archive["Environment"] == ["PGPASSFILE=%d/cutcard.pgpass"]
    for name in ("SystemCallFilter", "RestrictAddressFamilies", "DynamicUser", "PrivateUsers"):
        assert archive[name] == room[name]


def test_the_dealers_screen_is_the_tables_user_without_its_secrets() -> None:
    table, dealer = unit("cutcard-table"), unit("cutcard-dealer")
    assert dealer["User"] == table["User"] == ["cutcard"]
    (hidden,) = dealer["InaccessiblePaths"]
    runtime, *folders = table["RuntimeDirectory"][0].split()
    for folder in folders:
        assert f"-/run/{folder}" in hidden.split()
    config = load_table_config(
        UNITS.parent / "config/table.toml", {"RUNTIME_DIRECTORY": f"/run/{runtime}"}
    )
    for secret in (config.bench, config.keys, config.journal):
        assert any(secret.is_relative_to(each.lstrip("-")) for each in hidden.split()), secret
    assert not any(config.socket.is_relative_to(each.lstrip("-")) for each in hidden.split())
    assert any(config.bench.parent == Path("/run") / each for each in folders)
    assert f"-/var/lib/{table['StateDirectory'][0]}" in hidden.split()
    assert "LoadCredential" not in dealer
    assert "cutcard-table.service" in dealer["After"][0].split()


def test_a_screen_waits_for_its_display_and_starts_no_table_meanwhile() -> None:
    for name in ("cutcard-dealer", "cutcard-wall"):
        screen = unit(name)
        assert "--wait-for-display" in screen["ExecStart"][0].split()
        for drags in ("Wants", "Requires", "BindsTo"):
            assert "cutcard-table.service" not in screen.get(drags, [])


@analyze
def test_systemd_understands_the_kiosk(tmp_path: Path) -> None:
    text = (UNITS / f"{KIOSK}.service").read_text(encoding="utf-8")
    path = tmp_path / f"{KIOSK}.service"
    path.write_text(re.sub(r"/usr/bin/(cage|curl)", "/bin/true", text), encoding="utf-8")
    done = run("systemd-analyze", "verify", path)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_kiosk_comes_back_within_seconds_and_asks_nothing() -> None:
    text = (UNITS / f"{KIOSK}.service").read_text(encoding="utf-8")
    given = unit(KIOSK)
    assert (given["Restart"], given["StartLimitIntervalSec"]) == (["always"], ["0"])
    assert int(given["RestartSec"][0]) + int(given["TimeoutStopSec"][0]) < 15
    for flag in (
        "--kiosk",
        "--autoplay-policy=no-user-gesture-required",
        "--noerrdialogs",
        "--hide-crash-restore-bubble",
        "--disable-features=Translate",
    ):
        assert flag in text


def test_the_kiosk_lets_chromium_make_its_sandbox_and_nothing_else() -> None:
    given = unit(KIOSK)
    assert given["RestrictNamespaces"] == ["user pid net"]
    allowed, denied, again = given["SystemCallFilter"]
    assert (allowed, denied) == ("@system-service", "~@privileged @resources @debug")
    assert again.split() == ["chroot", "capset"]
    assert "--no-sandbox" not in (UNITS / f"{KIOSK}.service").read_text(encoding="utf-8")
    # In a session of its own it would not be in the control group that these two hold for.
    assert "PAMName" not in given
    assert given["IPAddressDeny"] == ["any"]


@pytest.mark.parametrize("name", ["cutcard-table", "cutcard-room"])
def test_table_and_room_are_started_again_at_once(name: str) -> None:
    """They are back within two seconds (docs/campaign.md), of which a Pi takes most to start."""
    given = unit(name)
    assert given["RestartSec"] == [f"{RESTART_S * 1000:g}ms"]
    assert given["RestartPreventExitStatus"] == ["2"]
