"""What a start needed is given back to the system."""

from __future__ import annotations

import subprocess
import sys

import pytest

_SHARE = """
import os
from pathlib import Path
from controller.process.memory import give_memory_back
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
kept = [bytes(1000) for _ in range(40_000)]
last = kept[-1]
del kept
before = resident()
give_memory_back()
print(before - resident())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="it looks into /proc")
def test_free_memory_below_what_is_in_use_goes_back() -> None:
    done = subprocess.run([sys.executable, "-c", _SHARE], capture_output=True, check=True)
    assert int(done.stdout) > 20_000_000
