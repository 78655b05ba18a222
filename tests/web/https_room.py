"""The room's own process with HTTPS, and an authority of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from controller.room.commands.certificate import main
from tests.web.hall import JOIN


def certify(folder: Path) -> None:
    """An authority in this folder, and what it vouches for."""
    assert main(["--folder", str(folder), "--name", "room.local", "--name", "127.0.0.1"]) == 0


@contextmanager
def a_safe_room(folder: Path) -> Iterator[dict[str, Any]]:
    """What the process has said, with the certificate in this folder."""
    config = folder / "room.toml"
    config.write_text(
        '[broker]\nport = 1\n[room]\nstore = "room.sqlite"\n[web]\nport = 0\nhttps_port = 0\n'
        'certificate = "room.crt"\nkey = "room.key"\n'
    )
    command = [sys.executable, "-m", "display.web.command", "--json", "--config", str(config)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
        env=os.environ | JOIN,
    ) as process:  # fmt: skip
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.kill()
