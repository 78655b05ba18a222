"""What a process takes of the machine, read from /proc."""

from __future__ import annotations

import os
import time
from pathlib import Path

from msgspec import Struct

_TICK_S = 1 / os.sysconf("SC_CLK_TCK")
_MIB = 1024 * 1024


class Usage(Struct, frozen=True):
    """CPU seconds over `seconds`, the mean and the highest share of one core, the highest over
    about a second, and the resident size: now and at most."""

    cpu_s: float = 0.0
    seconds: float = 0.0
    share: float = 0.0
    most_share: float = 0.0
    rss_mib: float = 0.0
    most_rss_mib: float = 0.0


class Watched:
    """Processes that count as one; `begin` is when counting begins."""

    def __init__(self, *pids: int) -> None:
        self._pids = pids
        self._first = self._last = (time.monotonic(), self._cpu_s())
        self._most_share = self._most_rss = 0.0
        self._rss = 0.0
        self.lately = 0.0

    def begin(self) -> None:
        """Counts from now on."""
        self._first = self._last = (time.monotonic(), self._cpu_s())
        self._most_share = 0.0

    def look(self) -> None:
        """To be called about once a second."""
        now, cpu = time.monotonic(), self._cpu_s()
        if now > self._last[0] and cpu >= self._last[1]:
            self.lately = (cpu - self._last[1]) / (now - self._last[0])
            self._most_share = max(self._most_share, self.lately)
            self._last = (now, cpu)
        self._rss = sum(_rss_mib(pid) for pid in self._pids) or self._rss
        self._most_rss = max(self._most_rss, self._rss)

    @property
    def usage(self) -> Usage:
        """What was seen until the last look."""
        seconds, cpu_s = (self._last[at] - self._first[at] for at in (0, 1))
        share = cpu_s / seconds if seconds > 0 else 0.0
        return Usage(cpu_s, seconds, share, self._most_share, self._rss, self._most_rss)

    def _cpu_s(self) -> float:
        return sum(_cpu_s(pid) for pid in self._pids)


def load() -> float:
    """The machine's load of the last minute."""
    return os.getloadavg()[0]


def _cpu_s(pid: int) -> float:
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) * _TICK_S


def _rss_mib(pid: int) -> float:
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGESIZE") / _MIB
