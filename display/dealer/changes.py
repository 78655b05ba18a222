"""Which rectangles of a picture differ from those of the picture before. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from display.dealer.screen import Badge, Face, Label, Plate, Screen
from display.drawing.rect import Rect


class Picture(Struct, frozen=True):
    """What is drawn: the screen, where its parts are, and which button is shown as tapped."""

    screen: Screen
    regions: Mapping[str, Rect]
    pressed: str = ""


def changes(before: Picture, after: Picture) -> tuple[Rect, ...] | None:
    """Return the rectangles in which the two may differ; None if that may be anywhere."""
    old, new = before.screen, after.screen
    if (old.frame, old.panels, old.hatched) != (new.frame, new.panels, new.hatched):
        return None
    if old.outlined != new.outlined:
        return None
    if before.regions != after.regions:
        return None
    was, now = dict(_parts(before)), dict(_parts(after))
    names = {name for name in was.keys() | now.keys() if was.get(name) != now.get(name)}
    alike = {*new.frame.large, "call-floor"}
    if any(_label(old, name) != _label(new, name) for name in names & alike):
        names |= alike  # the longest gives all of them their size
    return tuple(after.regions[name] for name in sorted(names) if name in after.regions)


def _parts(picture: Picture) -> Iterator[tuple[str, object]]:
    """Every part with its region; parts of one region together."""
    screen, parts = picture.screen, dict[str, list[object]]()
    drawn: tuple[Face | Plate | Label | Badge, ...] = (*screen.faces, *screen.plates)
    progress = () if screen.progress is None else (screen.progress,)
    for one in (*drawn, *screen.labels, *screen.badges, *progress):
        parts.setdefault(one.region, []).append(one)
    for button in screen.buttons:
        if button.label:
            parts.setdefault(button.id, []).append((button, button.id == picture.pressed))
    yield from parts.items()


def _label(screen: Screen, name: str) -> str:
    return next((button.label for button in screen.buttons if button.id == name), "")
