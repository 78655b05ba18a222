"""A writer that is killed in mid-stream."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path


def written_until_killed(writer: Path, *arguments: str, after: int) -> list[int]:
    """What a writer said was committed before it was killed, once it had said so much."""
    process = subprocess.Popen(
        [sys.executable, str(writer), *arguments],
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parent.parent.parent,
    )
    assert process.stdout is not None
    said = [process.stdout.readline() for _ in range(after)]
    time.sleep(random.random() * 0.005)
    process.kill()
    said += process.stdout.readlines()
    process.stdout.close()
    process.wait()
    assert said or not after
    assert all(each.endswith(b"\n") for each in said)
    return [int(each) for each in said]
