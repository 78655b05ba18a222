"""How a purse is parted: in whole coins, and all of it is paid. Pure.

Where no book and nobody says how, the places of `usual_places` are paid like this: each place has
the least prize, and of what is left the k-th place has a part in proportion to 1/k. With three
places that is near 50, 30 and 20 percent; of 5,000 players the first one gets an eighth. All is
rounded down to the house's unit, and what that leaves over is the first place's (HPT-PAY-01: all
that was paid in is paid out).
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm

WHOLE = 10_000
"""All of the purse in hundredths of a percent."""
_ONE_IN = 8
_FEW = 3
_SCALE = lcm(*range(1, 101))
"""So that parts of few places are exact."""


def usual_places(entries: int) -> int:
    """How many places are paid: one in eight, but three where six have entered, and of fewer the
    better half."""
    return max(-(-entries // _ONE_IN), min(_FEW, entries // 2), min(1, entries))


def by_shares(purse: int, hundredths: Sequence[int], unit: int) -> tuple[int, ...]:
    """A purse by hundredths of a percent for each place, which are all of it."""
    return _rounded(purse, [purse * each // WHOLE for each in hundredths], unit)


def computed(purse: int, places: int, unit: int, least: int) -> tuple[int, ...]:
    """A purse for so many places. Each has at least `least`, where the purse has that much."""
    least = -(-least // unit) * unit
    if places * least > purse:
        least = 0
    weights = [_SCALE // place for place in range(1, places + 1)]
    rest, all_ = purse - places * least, sum(weights)
    return _rounded(purse, [least + rest * each // all_ for each in weights], unit)


def _rounded(purse: int, wanted: Sequence[int], unit: int) -> tuple[int, ...]:
    """Without what is less than the unit, which goes to the first place. Who would get nothing has
    no prize."""
    lower = [each // unit * unit for each in wanted[1:]]
    prizes = (purse - sum(lower), *(each for each in lower if each))
    return prizes if wanted and purse else ()
