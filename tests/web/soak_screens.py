"""Hours on screens, one after the other, each with its mishaps in another order:
`python -m tests.web.soak_screens 20` for twenty, each in a minute or less. With a second number
only that hour, to see again what has failed.
"""

from __future__ import annotations

import asyncio
import random
import sys
import tempfile
from pathlib import Path

from tests.web.test_an_hour_on_screens import an_hour

if __name__ == "__main__":
    hours = range(int(sys.argv[1])) if len(sys.argv) == 2 else [int(sys.argv[2])]
    for hour in hours:
        sys.stdout.write(f"hour {hour}\n")
        sys.stdout.flush()
        with tempfile.TemporaryDirectory() as folder:
            asyncio.run(an_hour(Path(folder), random.Random(hour), shuffled=True))
