"""What a process keeps to itself: its memory, on no disk and in nobody else's hands."""

from __future__ import annotations

import ctypes
import mmap
import resource
import sys
from contextlib import suppress
from pathlib import Path

_PR_SET_DUMPABLE = 4
_CAP_IPC_LOCK = 14
_MCL_CURRENT, _MCL_FUTURE, _MCL_ONFAULT = 1, 2, 4
"""mlockall(2). With the last one only what is used is kept there, so that nothing grows by it."""


def keep_memory_private() -> None:
    """No core file is ever written of this process, no other one may read its memory, and, where
    it may lock so much, nothing of it goes to swap."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform.startswith("linux"):
        libc = ctypes.CDLL(None, use_errno=True)
        libc.prctl(_PR_SET_DUMPABLE, 0)
        if _may_lock_all():
            libc.mlockall(_MCL_CURRENT | _MCL_FUTURE | _MCL_ONFAULT)


def _may_lock_all() -> bool:
    """Whether there is no limit: at one, memory would run out where there is plenty."""
    try:
        resource.setrlimit(resource.RLIMIT_MEMLOCK, (resource.RLIM_INFINITY,) * 2)
    except (OSError, ValueError):
        return _may_ignore_the_limit()
    return True


def _may_ignore_the_limit() -> bool:
    with suppress(OSError):
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("CapEff:"):
                return bool(int(line.split()[1], 16) >> _CAP_IPC_LOCK & 1)
    return False


def held_in_memory(file: Path) -> mmap.mmap | None:
    """A file of a tmpfs, which is not swapped for as long as what is returned is kept; None where
    that can't be had."""
    try:
        with file.open("r+b") as opened:
            held = mmap.mmap(opened.fileno(), 0)
    except (OSError, ValueError):
        return None
    if sys.platform.startswith("linux"):
        place = ctypes.c_char.from_buffer(held)
        ctypes.CDLL(None, use_errno=True).mlock(ctypes.byref(place), ctypes.c_size_t(len(held)))
    return held


def give_memory_back() -> None:
    """What was needed for the start alone goes back to the system, where the C library can
    (malloc_trim(3): glibc)."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:
        trim(0)
