"""What dpkg says of our packages, and programs that are not ended midway."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from controller.install.updating.machine import Machine

SAYS = """#!/bin/sh
cat "$(dirname "$0")/packages"
exit 1
"""


@pytest.mark.parametrize(
    ("packages", "installed", "whole"),
    [
        ("", {}, ""),
        ("cutcard not-installed \ncutcard-wall config-files 0.8\n", {}, ""),
        (
            "cutcard installed 0.9\ncutcard-table installed 0.9\ncutcard-room not-installed \n",
            {"cutcard": "0.9", "cutcard-table": "0.9"},
            "0.9",
        ),
        (
            "cutcard installed 0.9\ncutcard-table unpacked 0.9\n",
            {"cutcard": "0.9", "cutcard-table": "0.9"},
            "",
        ),
        (
            "cutcard half-installed \ncutcard-table installed 0.8\n",
            {"cutcard": "", "cutcard-table": "0.8"},
            "",
        ),
        (
            "cutcard installed 0.9\ncutcard-table installed 0.8\n",
            {"cutcard": "0.9", "cutcard-table": "0.8"},
            "",
        ),
    ],
)
def test_packages_that_are_there_be_it_half(
    packages: str,
    installed: dict[str, str],
    whole: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "packages").write_text(packages)
    (tmp_path / "dpkg-query").write_text(SAYS)
    (tmp_path / "dpkg-query").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)
    machine = Machine(tmp_path / "log", "")
    assert machine.installed() == installed
    assert machine.whole() == whole


ENDED = """
import os, sys
from pathlib import Path
from controller.install.updating.machine import Machine
Machine(Path(sys.argv[1]) / "log", "").put_back([Path(str(os.getpid()))])
"""
DPKG = """#!/bin/sh
for last; do :; done
kill -INT "$last"
sleep 1
echo done > "$(dirname "$0")/done"
"""


def test_dpkg_is_not_ended_midway(tmp_path: Path) -> None:
    (tmp_path / "dpkg").write_text(DPKG)
    (tmp_path / "dpkg").chmod(0o755)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-c", ENDED, str(tmp_path)],
        env=os.environ | {"PATH": path},
        capture_output=True,
        check=False,
    )
    assert done.returncode == -signal.SIGINT
    assert b"KeyboardInterrupt" in done.stderr
    assert (tmp_path / "done").read_text() == "done\n"
