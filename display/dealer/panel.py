"""How large the panel really is: as given, as it reports itself, or guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from math import hypot
from pathlib import Path

from msgspec import Struct

from display.dealer.geometry import SMALL, guess, metrics, workable

INCH = 25.4  # mm
DRM = Path("/sys/class/drm")

_LEAST = 10.0  # mm: a target smaller than that is missed
_EXACT = 0.01  # of a density: the same sizes in pixels
_ASPECT = 1.15  # the most that a pixel may be longer than it is wide
_DENSITIES = (2.0, 20.0)  # px/mm of any panel that there is
_AREA = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?) ?mm")
_DIAGONAL = re.compile(r'(\d+(?:\.\d+)?) ?(?:in|")')
_EDID_HEAD = b"\x00\xff\xff\xff\xff\xff\xff\x00"


class PanelError(Exception):
    """Nothing can be drawn on this panel so that a hand finds it; the message says on which."""


class Panel(Struct, frozen=True):
    """The size of a panel in millimetres, or of its diagonal alone."""

    width: float = 0.0
    height: float = 0.0
    diagonal: float = 0.0

    def density(self, width: int, height: int) -> float:
        """Return its pixels per millimetre, where there are more, with so many pixels."""
        if self.diagonal:
            return hypot(width, height) / self.diagonal
        return max(width / self.width, height / self.height)

    def may_have(self, width: int, height: int) -> bool:
        """Tell whether a panel of this size can have so many pixels."""
        low, high = _DENSITIES
        if not low <= self.density(width, height) <= high:
            return False
        if self.diagonal:
            return True
        stretch = (width / self.width) / (height / self.height)
        return 1 / _ASPECT <= stretch <= _ASPECT


def read_panel(text: str) -> Panel:
    """Return the panel of `217x136mm` or `10.1in`. Raises ValueError."""
    if area := _AREA.fullmatch(text):
        width, height = map(float, area.groups())
        if min(width, height) >= 10 and max(width, height) <= 3000:
            return Panel(width, height)
    elif (given := _DIAGONAL.fullmatch(text)) and 1 <= float(given[1]) <= 150:
        return Panel(diagonal=float(given[1]) * INCH)
    raise ValueError(text)


def reported(edids: Iterable[bytes]) -> Panel | None:
    """Return the size that the one connected panel gives; None with none, several or none given.

    EDID 1.4, 3.10.2: the first detailed timing has the image's size in millimetres.
    """
    known = [one for one in edids if len(one) >= 128 and one.startswith(_EDID_HEAD)]
    if len(known) != 1:
        return None
    timing = known[0][54:72]
    if not timing[0] and not timing[1]:  # no timing, but a text
        return None
    width = timing[12] | (timing[14] & 0xF0) << 4
    height = timing[13] | (timing[14] & 0x0F) << 8
    return Panel(width, height) if width and height else None


def edids(drm: Path = DRM) -> list[bytes]:
    """Return what the connected panels say of themselves. One on a ribbon cable says nothing."""
    found = []
    for status in sorted(drm.glob("card*-*/status")):
        try:
            if status.read_text().strip() == "connected":
                found.append(status.with_name("edid").read_bytes())
        except OSError:
            continue
    return found


def fit(size: tuple[int, int], given: Panel | None, seen: Panel | None) -> tuple[float, str]:
    """Return the density to draw for, on a panel of so many pixels, and what is to be said of it.

    `given` goes before `seen`, which is not believed where its pixels would be no squares; with
    neither it is guessed. Raises PanelError for one that is given and too small.
    """
    if given is not None and not given.may_have(*size):
        raise PanelError(f"--panel: no panel of {_size(given)} has {size[0]}x{size[1]} pixels")
    panel = given or (seen if seen is not None and seen.may_have(*size) else None)
    density = guess(*size) if panel is None else panel.density(*size)
    drawn = workable(*size, density)
    if panel is None or drawn > density * (1 - _EXACT):
        return density, ""
    m = metrics(*size, density)
    wide, high = (round(mm + 0.5) for mm in SMALL.room)
    what = f"the panel of {_size(panel)} is too small: its buttons are {m.main / density:.0f} mm"
    if given is not None and m.least / density < _LEAST:
        raise PanelError(
            f"the panel of {_size(panel)} is too small: there would be targets under "
            f"{_LEAST:.0f} mm. One of {wide} x {high} mm (7 inches) is large enough"
        )
    return density, f"{what} where 20 are good; {wide} x {high} mm (7 inches) is large enough"


def _size(panel: Panel) -> str:
    if panel.diagonal:
        return f"{panel.diagonal / INCH:.4g} inches"
    return f"{panel.width:.4g} x {panel.height:.4g} mm"
