"""Doubt: something expected has not been seen, and it is too early to say why.

One form for all of it: what is missing (the deviation), and until when it may still be read.
What would explain it takes the doubt away; the deadline or the next step of the hand makes it
a finding.
"""

from __future__ import annotations

from dataclasses import dataclass

from controller.rules.irregularity import Deviation


@dataclass(frozen=True, slots=True)
class Doubt:
    """`until` in seconds on the scale of `t`."""

    deviation: Deviation
    until: float
