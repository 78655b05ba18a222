"""What systemd is asked and told, of this machine or of the files of one that does not run."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from controller.install.setup.steps import Order, Unit

_ENABLED = ("enabled", "enabled-runtime", "static", "alias")
_OFFLINE = ("enable", "disable")
"""What can be done to a machine that does not run."""


class ServicesError(Exception):
    """systemd could not do it; one line says why."""


class Systemd:
    """The units below a root. Those of another root than `/` are only enabled and disabled."""

    def __init__(self, root: Path) -> None:
        self.is_live = root.absolute() == Path("/")
        self._root = () if self.is_live else (f"--root={root.absolute()}",)

    def unit(self, name: str) -> Unit:
        """What is known of a unit. Raises ServicesError."""
        if not self.is_live:
            said = self._ask("is-enabled", name)
            return Unit(bool(said) and said != "not-found", said in _ENABLED)
        asked = ("LoadState", "UnitFileState", "ActiveState", "ActiveEnterTimestampMonotonic")
        said = self._ask("show", "--property", ",".join(asked), name)
        shown = dict(line.split("=", 1) for line in said.splitlines() if "=" in line)
        load, enabled, active, since = (shown.get(each, "") for each in asked)
        ago_s = time.monotonic() - int(since or 0) / 1e6
        return Unit(
            load == "loaded",
            enabled in _ENABLED,
            active in ("active", "activating", "reloading"),
            time.time() - ago_s,
        )

    def obey(self, order: Order) -> None:
        """Does it, where the machine runs or need not. Raises ServicesError."""
        if not self.is_live and order.verb not in _OFFLINE:
            return
        done = self._run(order.verb, *order.units)
        if done.returncode:
            why = done.stderr.strip().splitlines() or [f"status {done.returncode}"]
            raise ServicesError(f"systemctl {' '.join((order.verb, *order.units))}: {why[0]}")

    def _ask(self, *words: str) -> str:
        return self._run(*words).stdout.strip()

    def _run(self, *words: str) -> subprocess.CompletedProcess[str]:
        command: Sequence[str] = ("systemctl", "--quiet", "--no-ask-password", *self._root, *words)
        if words[0] in ("is-enabled", "show"):
            command = ("systemctl", *self._root, *words)
        try:
            return subprocess.run(command, capture_output=True, text=True, check=False)
        except OSError as error:
            raise ServicesError(f"systemctl: {error.strerror}") from None
