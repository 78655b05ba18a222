"""What the firmware's tests need: MicroPython's unix port."""

from __future__ import annotations

import pytest

from firmware_bridge.pico.sim.pico import interpreter


@pytest.fixture(scope="session")
def micropython() -> str:
    """The path of the interpreter; without it, the test can't be run."""
    found = interpreter()
    if found is None:
        pytest.skip("MicroPython's unix port is not installed (there is one for x86-64 only)")
    return found
