"""The `cutcard` dispatcher: what it says, and the exit status it leaves."""

import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pytest

from controller.__main__ import COMMANDS, main
from tests.waiting import PATIENCE_S

ROOT = Path(__file__).parents[2]
Start = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def start(tmp_path: Path) -> Start:
    """Return a function that starts `cutcard probe` with the body of `probe`'s main given."""

    def start(body: str) -> subprocess.Popen[str]:
        source = "import os, socket, sys, time\ndef main(argv):\n" + textwrap.indent(body, "    ")
        (tmp_path / "probe.py").write_text(source)
        script = (
            "import signal, sys, controller.__main__ as c\n"
            # Whoever runs the tests in the background ignores Ctrl-C, and its children with it.
            "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
            f"sys.path += [{str(tmp_path)!r}]\n"
            "c.COMMANDS['probe'] = c.Command('probe', 'help')\n"
            "sys.exit(c.main(['probe', 'a', 'b']))"
        )
        return subprocess.Popen(
            [sys.executable, "-c", script],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    return start


@pytest.mark.parametrize("option", ["-h", "--help"])
def test_help_lists_every_command(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([option]) == 0
    out, err = capsys.readouterr()
    assert all(f"  {name} " in out and command.help in out for name, command in COMMANDS.items())
    assert err == ""


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"cutcard {version('cutcard')}\n"


def test_no_command_is_a_mistake(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    out, err = capsys.readouterr()
    assert (out, err[:6]) == ("", "usage:")


@pytest.mark.parametrize(
    ("name", "hint"), [("rply", "did you mean 'replay'?"), ("x", "there are replay, ")]
)
def test_an_unknown_command_gets_one_line(
    name: str, hint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([name]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith(f"cutcard: no command {name!r}; {hint}")
    assert err.count("\n") == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_is_there(name: str) -> None:
    assert find_spec(COMMANDS[name].module)


def test_help_loads_nothing_heavy() -> None:
    script = (
        "import sys; from controller.__main__ import main; main(['--help']);"
        "print({'msgspec', 'paho', 'pygame', 'argparse', 'asyncio'} & {*sys.modules})"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.splitlines()[-1] == "set()"


def test_a_command_gets_its_arguments_and_gives_the_status(start: Start) -> None:
    with start("print(argv); return 7") as run:
        assert run.communicate(timeout=PATIENCE_S) == ("['a', 'b']\n", "")
        assert run.returncode == 7


def test_ctrl_c_leaves_no_traceback(start: Start) -> None:
    # One that comes just before a sleep is told only after it.
    with start("print('on', flush=True); [time.sleep(0.05) for _ in range(2_000)]") as run:
        assert run.stdout
        run.stdout.readline()
        run.send_signal(signal.SIGINT)
        assert run.communicate(timeout=PATIENCE_S) == ("", "")
        assert run.returncode == 130


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("body", ["while True: print('line')", "print('held back'); return 0"])
def test_a_reader_that_leaves_is_no_fault(
    start: Start, monkeypatch: pytest.MonkeyPatch, body: str, unbuffered: str
) -> None:
    monkeypatch.setenv("PYTHONUNBUFFERED", unbuffered)
    with start(body) as run:
        assert run.stdout
        assert run.stderr
        run.stdout.close()
        assert run.stderr.read() == ""
        assert run.wait(PATIENCE_S) == 141


def test_another_broken_pipe_is_loud(start: Start) -> None:
    with start("a, b = socket.socketpair(); b.close(); a.send(b'x')") as run:
        _, err = run.communicate(timeout=PATIENCE_S)
        assert "BrokenPipeError" in err
        assert run.returncode == 1


@pytest.mark.parametrize("name", COMMANDS)
def test_a_mistake_in_the_arguments_is_one_line(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([name, "--no-such-thing", "--nor\nthis"])
    out, err = capsys.readouterr()
    assert (ended.value.code, out) == (2, "")
    assert err.startswith(f"cutcard {name}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&-", ">&- 2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize(("arguments", "status"), [("--help", 0), ("replay -", 2), ("x", 2)])
def test_standard_files_that_are_closed_are_no_bug(
    closed: str, arguments: str, status: int
) -> None:
    ran = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m controller {arguments} {closed}'],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == status
    assert ran.stderr.count("\n") <= 1
    assert "Traceback" not in ran.stderr
