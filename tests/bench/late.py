"""Why some presses come late: what the processes on their way did meanwhile, as the kernel counts
it (/proc/PID/task/TID/schedstat: nanoseconds on a processor, and ready but without one)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from statistics import median

from msgspec import Struct

from tests.bench.figures import Figure

WORST = 10


class Account(Struct, frozen=True):
    """Seconds that processes have worked and waited for a processor until now, all threads."""

    worked: float
    waited: float


class Press(Struct, frozen=True):
    """What a press took, in seconds; of those the processes worked and waited for a processor so
    much. What is left is the disk's, and the way from one to another."""

    took: float
    worked: float
    waited: float

    @property
    def rest(self) -> float:
        """What nobody computed in, or could have."""
        return max(0.0, self.took - self.worked - self.waited)


def account(pids: Sequence[int]) -> Account:
    """Theirs, until now."""
    worked = waited = 0
    for pid in pids:
        for task in Path(f"/proc/{pid}/task").iterdir():
            with suppress(OSError):  # a thread that ends meanwhile
                on, ready, _ = (task / "schedstat").read_text().split()
                worked, waited = worked + int(on), waited + int(ready)
    return Account(worked / 1e9, waited / 1e9)


def press(took: float, before: Account, after: Account) -> Press:
    """One between two accounts."""
    return Press(took, after.worked - before.worked, after.waited - before.waited)


def worst(presses: Sequence[Press]) -> list[Figure]:
    """The latest, each with what it has most more of than the others."""
    latest = sorted(presses, key=lambda one: one.took, reverse=True)[:WORST]
    return [
        Figure(f"… {place}. worst: {_cause(one, presses)}", one.took * 1e6, "µs")
        for place, one in enumerate(latest, 1)
    ]


def _cause(one: Press, all_: Sequence[Press]) -> str:
    more = {
        "no processor was free": one.waited - median(each.waited for each in all_),
        "more to compute": one.worked - median(each.worked for each in all_),
        "disk, or the way between processes": one.rest - median(each.rest for each in all_),
    }
    cause = max(more, key=more.__getitem__)
    return f"{cause}, {more[cause] * 1e6:.0f} µs more than usual"
