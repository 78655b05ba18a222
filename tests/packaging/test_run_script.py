"""`./run` in a copy of the checkout, with stand-ins for what it would fetch from elsewhere.

The stand-in for Python makes a `.venv` as the real one does and notes each call of pip; its pip
fails while a file `broken` lies beside `run`. Its pytest ends as the next line of the file `fails`
says, with these tests failed, and well when there is none; unless a file `real` lies there, and
then it is the real one.
"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
SHELLS = [shell for shell in ("dash", "bash", "busybox") if shutil.which(shell)]
TOOLS = ["dirname", "readlink", "sed", "cat", "cksum", "rm", "mkdir", "sleep", "ln", "flock"]
TOOLS += ["chmod", "wc", "uname"]
TEST_PROGRAMS = [
    "chromium",
    "chromium-headless-shell",
    "Xvfb",
    "openssl",
    "systemd-analyze",
    "systemd-nspawn",
]
TEST_PROGRAMS += ["xdotool", "xrandr", "mosquitto", "initdb"]

PYTHON = f"""#!/bin/sh
root=${{0%/.venv/bin/python}}
case $* in
    *_base_executable*) echo "whole $0" ;;
    --version) echo Python 3.11.0 ;;
    '-m venv '*)
        mkdir -p "$3/bin"
        for name in python pip cutcard; do ln -s "$0" "$3/bin/$name"; done
        for name in ruff mypy lint-imports; do
            echo "[ ! -e '${{3%/.venv}}/unchecked' ]" >"$3/bin/$name"
            chmod +x "$3/bin/$name"
        done
        ;;
    '-m pip '*)
        echo "$*" >>"$root/calls"
        sleep 0.05
        [ ! -e "$root/broken" ]
        ;;
    '-m pytest --collect-only'*) ;;
    '-m pytest'*)
        echo "$*" >>"$root/tested"
        [ ! -e "$root/real" ] || exec {sys.executable} "$@"
        [ -s "$root/fails" ] || exit 0
        read -r status failed <"$root/fails"
        sed -i 1d "$root/fails"
        mkdir -p "$root/.pytest_cache/v/cache"
        echo "$failed" >"$root/.pytest_cache/v/cache/lastfailed"
        exit "$status"
        ;;
    '-c '*) exec {sys.executable} "$@" ;;
    *) echo "ran $*, home $HOME" ;;
esac
"""


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a checkout in a folder with a space in its name, and tools beside it."""
    folder = tmp_path / "a checkout"
    folder.mkdir()
    for name in ("run", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, folder)
    tools = tmp_path / "tools"
    tools.mkdir()
    for name in TOOLS:
        if where := shutil.which(name):
            (tools / name).symlink_to(where)
    program(tools / "python3", PYTHON)
    program(tools / "id", "#!/bin/sh\necho 1000\n")
    return folder


def program(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)


def start(
    checkout: Path, *arguments: str, shell: str = "dash", path: str = ""
) -> subprocess.Popen[str]:
    found = shutil.which(shell) or "/bin/sh"
    return subprocess.Popen(
        [found, *(["sh"] if shell == "busybox" else []), checkout / "run", *arguments],
        cwd=checkout.parent,
        env={"PATH": path or str(checkout.parent / "tools"), "HOME": str(checkout.parent)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(
    checkout: Path, *arguments: str, shell: str = "dash", path: str = ""
) -> tuple[int, str, str]:
    with start(checkout, *arguments, shell=shell, path=path) as process:
        out, err = process.communicate(timeout=PATIENCE_S)
    return process.returncode, out, err


def installs(checkout: Path) -> list[str]:
    """Return the last argument of each call of pip: what it installed."""
    calls = checkout / "calls"
    lines = calls.read_text().splitlines() if calls.exists() else []
    return [line.replace(str(checkout), ".").split()[-1] for line in lines]


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("arguments", [[], ["dmeo"], ["--demo"]])
def test_no_or_an_unknown_command_is_answered_with_the_usage(
    checkout: Path, shell: str, arguments: list[str]
) -> None:
    status, out, err = run(checkout, *arguments, shell=shell)
    assert (status, out, err[:12]) == (2, "", "usage: ./run")
    assert not (checkout / ".venv").exists()


def test_help_is_no_mistake(checkout: Path) -> None:
    status, out, err = run(checkout, "--help")
    assert (status, out[:12], err) == (0, "usage: ./run", "")


@pytest.mark.parametrize("shell", SHELLS)
def test_sets_up_once_and_is_silent_then(checkout: Path, shell: str) -> None:
    status, out, err = run(checkout, "cutcard", "replay", "my log", shell=shell)
    assert (status, out) == (0, f"ran replay my log, home {checkout.parent}\n")
    assert "requirements.lock" in err
    assert installs(checkout) == ["./requirements.lock", "."]
    assert run(checkout, "demo", shell=shell)[2] == ""
    assert len(installs(checkout)) == 2


def test_the_tools_come_on_top_of_the_rest(checkout: Path) -> None:
    run(checkout, "demo")
    run(checkout, "shots")
    run(checkout, "check")
    run(checkout, "demo")
    assert installs(checkout) == ["./requirements.lock", ".", "./requirements-dev.lock"]


@pytest.mark.parametrize("name", ["requirements.lock", "pyproject.toml"])
def test_is_made_anew_when_its_sources_change(checkout: Path, name: str) -> None:
    run(checkout, "demo")
    leftover = checkout / ".venv" / "leftover"
    leftover.touch()
    changed = checkout / name
    changed.write_text("# changed\n" + changed.read_text())
    assert run(checkout, "demo")[0] == 0
    assert len(installs(checkout)) == 4
    assert not leftover.exists()


def test_a_change_of_lint_settings_costs_nothing(checkout: Path) -> None:
    run(checkout, "demo")
    with (checkout / "pyproject.toml").open("a") as project:
        project.write("\n[tool.other]\n")
    run(checkout, "demo")
    assert len(installs(checkout)) == 2


@pytest.mark.parametrize("command", ["demo", "check"])
def test_a_set_up_that_failed_is_done_afresh(checkout: Path, command: str) -> None:
    run(checkout, "demo")
    if command == "demo":
        shutil.rmtree(checkout / ".venv")
    (checkout / "broken").touch()
    status, out, err = run(checkout, command)
    assert (status, out) == (2, "")
    assert "run: pip failed" in err
    (checkout / "broken").unlink()
    (checkout / "calls").unlink()
    (checkout / ".venv" / "leftover").touch()
    assert run(checkout, "demo")[0] == 0
    assert installs(checkout) == ["./requirements.lock", "."]
    assert not (checkout / ".venv" / "leftover").exists()


@pytest.mark.skipif(not shutil.which("flock"), reason="no flock, no lock")
def test_two_at_once_set_up_once(checkout: Path) -> None:
    with start(checkout, "demo") as one, start(checkout, "demo") as other:
        assert (one.wait(PATIENCE_S), other.wait(PATIENCE_S)) == (0, 0)
    assert installs(checkout) == ["./requirements.lock", "."]


def test_a_home_is_found_for_who_has_none(checkout: Path) -> None:
    home = checkout / ".venv" / "home"
    tools = checkout.parent / "tools"
    done = subprocess.run(
        ["/bin/sh", checkout / "run", "demo"],
        env={"PATH": str(tools), "PYTHONPATH": str(tools)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"ran demo, home {home}\n"
    assert home.is_dir()


@pytest.mark.parametrize("shell", SHELLS)
def test_the_systems_python_comes_before_one_from_elsewhere(checkout: Path, shell: str) -> None:
    tools = checkout.parent / "tools"
    (tools / "rm").unlink()
    program(tools / "rm", "#!/bin/sh\nexit 7\n")  # ends it before anything is made
    status, _, err = run(checkout, "demo", shell=shell, path=f"{tools}:/usr/bin")
    assert (status, err.split(", ")[-1]) == (7, "/usr/bin/python3\n")
    assert run(checkout, "demo", shell=shell)[2] == (
        f"run: making .venv with Python 3.11.0, {tools / 'python3'}\n"
    )


def test_an_old_python_is_refused(checkout: Path) -> None:
    program(checkout.parent / "tools" / "python3", "#!/bin/sh\n[ $1 != -I ] && echo Python 3.9.2\n")
    status, _, err = run(checkout, "demo")
    assert status == 2
    assert err == "run: needs Python 3.11 or newer; python3 here is Python 3.9.2\n"


@pytest.mark.parametrize(
    ("tools", "line"),
    [
        (["apt-get"], "su -c 'apt-get update && apt-get install -y --no-install-recommends "),
        (["apt-get", "sudo"], "sudo sh -c 'apt-get update && apt-get install -y --no-"),
        ([], "run: please install with this system's package manager: "),
    ],
)
def test_names_the_packages_that_it_cannot_install(
    checkout: Path, tools: list[str], line: str
) -> None:
    for name in tools:
        program(checkout.parent / "tools" / name, "#!/bin/sh\nexit 1\n")
    status, out, err = run(checkout, "test")
    assert (status, out) == (2, "")
    assert err.splitlines()[-1].startswith(line)
    assert "chromium" in err
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["package"], "Debian packages are made on Debian"),
        (["bundle"], "which key? ./run bundle FILE signs with the one in this file"),
        (["test-appliance"], "the tests start machines of their own, which needs root"),
    ],
)
def test_what_packages_need_is_said_before_anything_is_made(
    checkout: Path, shell: str, command: list[str], said: str
) -> None:
    assert run(checkout, *command, shell=shell) == (2, "", f"run: {said}\n")
    assert not (checkout / ".venv").exists()


def test_what_builds_packages_is_asked_for(checkout: Path) -> None:
    for name in ("dpkg", "apt-get"):
        program(checkout.parent / "tools" / name, "#!/bin/sh\n")
    status, _, err = run(checkout, "bundle", "a key")
    assert (status, "missing Debian packages: debhelper dpkg-dev make." in err) == (2, True)


@pytest.fixture
def tested(checkout: Path) -> Path:
    """Return a checkout that has all programs of the tests, and is set up."""
    for name in TEST_PROGRAMS:
        program(checkout.parent / "tools" / name, "#!/bin/sh\n")
    assert run(checkout, "check")[0] == 0
    return checkout


def fails(checkout: Path, *runs: str) -> None:
    """Let one run of pytest after the other end with a status and a list of tests that failed."""
    (checkout / "fails").write_text("".join(f"{each}\n" for each in runs))


def calls(checkout: Path) -> list[str]:
    """Return the arguments of each call of pytest."""
    noted = checkout / "tested"
    return [line.split("pytest", 1)[1].strip() for line in noted.read_text().splitlines()]


ALL = "--numprocesses 7 --dist worksteal --durations 20 -rs"
AGAIN = "--numprocesses 0 --last-failed --last-failed-no-failures none"
ONE, OTHER = "tests/test_a.py::test_b[c - d]", "tests/test_e.py::test_f"


@pytest.mark.parametrize("shell", SHELLS)
def test_tests_come_after_the_checks_and_have_no_second_try(tested: Path, shell: str) -> None:
    fails(tested, f'1 {{"{ONE}": true}}')
    assert run(tested, "test", shell=shell)[0] == 1
    assert calls(tested) == [ALL]
    (tested / "unchecked").touch()
    status, _, err = run(tested, "test", shell=shell)
    assert (status, err.splitlines()[-1]) == (1, "run: checks failed; the tests were not run")
    assert calls(tested) == [ALL]


@pytest.mark.parametrize("status", [0, 1, 2, 5])
def test_arguments_are_pytests(tested: Path, status: int) -> None:
    (tested / "unchecked").touch()
    fails(tested, f"{status} {{}}")
    assert run(tested, "test", "tests/rules", "-k", "burn")[0] == status
    assert calls(tested) == ["tests/rules -k burn"]


@pytest.mark.parametrize("shell", SHELLS)
def test_two_that_failed_are_tried_once_more_alone_and_named(tested: Path, shell: str) -> None:
    fails(tested, f'1 {{"{ONE}": true, "{OTHER}": true}}')
    status, _, err = run(tested, "test", "--retry-failed", shell=shell)
    assert status == 0
    assert calls(tested) == [f"--cache-clear {ALL}", f"{ALL} {AGAIN}"]
    assert err.splitlines()[-2:] == [f"run: RETRIED: {ONE}", f"run: RETRIED: {OTHER}"]


def test_continuous_integration_tries_them_again_from_any_folder(tested: Path) -> None:
    (tested / ".ci").mkdir()
    shutil.copy(ROOT / ".ci" / "run", tested / ".ci")
    fails(tested, f'1 {{"{ONE}": true}}')
    done = subprocess.run(
        ["/bin/sh", tested / ".ci" / "run"],
        cwd="/",
        env={"PATH": str(tested.parent / "tools"), "HOME": str(tested.parent)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.splitlines()[-1] == f"run: RETRIED: {ONE}"
    assert calls(tested) == [f"--cache-clear {ALL}", f"{ALL} {AGAIN}"]


def test_what_fails_again_has_failed(tested: Path) -> None:
    fails(tested, f'1 {{"{ONE}": true}}', f'1 {{"{ONE}": true}}')
    status, _, err = run(tested, "test", "--retry-failed")
    assert status == 1
    assert len(calls(tested)) == 2
    assert err.splitlines()[-2:] == [f"run: RETRIED: {ONE}", "run: failed again"]


def test_of_more_than_two_none_is_tried_again(tested: Path) -> None:
    fails(tested, f'1 {{"{ONE}": true, "{OTHER}": true, "tests/test_g.py": true}}')
    status, _, err = run(tested, "test", "--retry-failed", "-x")
    assert status == 1
    assert calls(tested) == ["--cache-clear -x"]
    assert err == "run: 3 tests failed, more than 2: none is tried again\n"


@pytest.mark.parametrize("status", [0, 2, 3, 4, 5])
def test_only_failed_tests_are_tried_again(tested: Path, status: int) -> None:
    fails(tested, f'{status} {{"{ONE}": true}}')
    assert run(tested, "test", "--retry-failed", "-x")[0] == status
    assert calls(tested) == ["--cache-clear -x"]


def test_pytest_itself_is_told_what_to_try_again(tested: Path) -> None:
    """Of three tests one fails, and not again; what failed long ago is not meant."""
    (tested / "real").touch()
    (tested / "tests").mkdir()
    (tested / "tests" / "test_some.py").write_text(
        """
import pathlib, pytest

@pytest.mark.parametrize("name", ["a", "b - c", "d"])
def test_it(name):
    times = pathlib.Path("times")
    with times.open("a") as noted:
        noted.write(name + "\\n")
    assert name != "b - c" or times.read_text().count(name) > 1
"""
    )
    old = tested / ".pytest_cache" / "v" / "cache" / "lastfailed"
    old.parent.mkdir(parents=True)
    old.write_text('{"tests/test_some.py::test_it[a]": true, "tests/test_gone.py::test_x": true}')
    status, out, err = run(tested, "test", "--retry-failed", "--numprocesses", "2")
    assert status == 0, out
    assert err == (
        "run: once more, alone: what failed\nrun: RETRIED: tests/test_some.py::test_it[b - c]\n"
    )
    assert sorted((tested / "times").read_text().splitlines()) == ["a", "b - c", "b - c", "d"]
    assert re.findall("= (.+) in ", out) == ["1 failed, 2 passed", "1 passed"]
