"""What the engine claims, asks and misses the worse the reading and the pressing are.

Nights with an error in every eighth hand are told with one kind of slip at a time, at several
rates. What counts as right is known, because the nights are made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from controller.library.books import Library
from tests.bench.figures import markdown
from tests.sweep.nights.antennas import cross_talk, never_read
from tests.sweep.nights.counting import play
from tests.sweep.nights.evening import Night, night
from tests.sweep.nights.people import Habit, no_press, pressed_after_the_next
from tests.sweep.nights.tables import log_of
from tests.sweep.nights.trouble import Found, Injected, judge, with_errors

HANDS = 200


class Slip(Struct, frozen=True):
    """One kind of slip, as a habit at a rate, and the rates at which it is tried."""

    title: str
    of: str
    habit: Callable[[float], Habit]
    rates: tuple[float, ...]


SLIPS = (
    Slip("Cards never read", "of the cards", never_read, (0, 0.02, 0.04, 0.08, 0.12)),
    Slip("Presses missing", "of the presses", no_press, (0, 0.02, 0.05, 0.1, 0.2)),
    Slip(
        "Pressed just after the next player",
        "of the presses",
        pressed_after_the_next,
        (0, 0.03, 0.06, 0.1, 0.2),
    ),
    Slip(
        "Read by the neighbour's antenna too", "of the hole cards", cross_talk, (0, 0.1, 0.3, 0.6)
    ),
)


class Point(Struct, frozen=True):
    """What came of one slip at one rate. `claims` are for 100 hands without an error, `asked` is
    the share of those hands with a question, `missed` that of the errors nobody was told of; both
    in per cent."""

    rate: float
    claims: float
    asked: float
    missed: float


class Curve(Struct, frozen=True):
    """One slip at all of its rates."""

    title: str
    of: str
    points: tuple[Point, ...]


def measure(
    library: Library, nights: int, hands: int = HANDS, progress: Callable[[str], object] = str
) -> list[Curve]:
    """All slips, each rate on the same nights."""
    played = [with_errors(night(number, hands, mucks=False)) for number in range(nights)]
    curves = []
    for slip in SLIPS:
        points = []
        for rate in slip.rates:
            progress(f"{slip.title}, {rate:.0%}")
            points.append(_point(rate, _judged(library, played, slip.habit(rate))))
        curves.append(Curve(slip.title, slip.of, tuple(points)))
    return curves


def lines(curves: Sequence[Curve]) -> list[str]:
    """The curves as lines of a Markdown table."""
    rows = [("slip", "rate", "false claims per 100 hands", "hands asked about", "errors missed")]
    for curve in curves:
        for at, point in enumerate(curve.points):
            title = "" if at else f"{curve.title}, {curve.of}"
            shares = (f"{point.asked:.1f} %", f"{point.missed:.1f} %")
            rows.append((title, f"{point.rate:.0%}", f"{point.claims:.2f}", *shares))
    return markdown(rows)


def _judged(
    library: Library, played: Sequence[tuple[Night, list[Injected]]], habit: Habit
) -> Found:
    total = Found()
    for evening, injected in played:
        log, _ = log_of(evening, [habit])
        total += judge(play(library, log), injected)
    return total


def _point(rate: float, found: Found) -> Point:
    errors = found.errors.total()
    return Point(
        rate=rate,
        claims=100 * found.claims / found.hands,
        asked=100 * found.asked / found.hands,
        missed=100 * (1 - found.found.total() / errors) if errors else 0.0,
    )
