"""`cutcard` without a process of its own, which takes longer to start than most of what it does."""

from __future__ import annotations

import sys
from contextlib import chdir, redirect_stderr, redirect_stdout
from io import StringIO
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

from controller.__main__ import main


class Ran(NamedTuple):
    """How it ended, and what it wrote."""

    status: int
    out: str
    err: str


def cutcard(*arguments: str, cwd: Path, answers: str = "") -> Ran:
    """Run it there without a terminal, and with `answers` on its standard input."""
    out, err = StringIO(), StringIO()
    with (
        chdir(cwd),
        patch.object(sys, "stdin", StringIO(answers)),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            status = main(arguments)
        except SystemExit as ended:
            status = int(ended.code or 0)
    return Ran(status, out.getvalue(), err.getvalue())
