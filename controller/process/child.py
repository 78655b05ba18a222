"""Child processes that do not outlive their parent, and what a process may have."""

from __future__ import annotations

import ctypes
import os
import resource
import signal
import sys
from collections.abc import Callable

JOIN_CODE_VARIABLE = "CUTCARD_JOIN_CODE"
"""By this variable of its environment a demo tells its room the code that lets its user in."""
_PR_SET_PDEATHSIG = 1


def die_with(parent: int) -> Callable[[], None] | None:
    """What a child runs before its program so that it ends with its parent, however that ends;
    None where the system has no such thing (it is Linux's)."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)

    def in_child() -> None:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:
            os._exit(1)

    return in_child


def allow_files(count: int) -> None:
    """So many open files and sockets for us and our children, or as many as the system lets us
    have; usual are 1024."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = count if hard == resource.RLIM_INFINITY else min(count, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
