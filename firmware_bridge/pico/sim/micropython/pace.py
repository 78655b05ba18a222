"""Simulated time, if CUTCARD_SIM_PACE says so: see firmware_bridge/pico/sim/pace.py."""

import os

_costs = (os.getenv("CUTCARD_SIM_PACE") or "").split()
is_simulated = bool(_costs)
CALL_US, LOOK_US = [int(cost) for cost in _costs] or (0, 0)
_us = [0]


def spend(us):
    """Let so much time pass; return how much has since boot."""
    _us[0] += us
    return _us[0]
