"""The colours of the blinds screen: the wall's themes as a style sheet. Pure but for the files."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from controller.files.settings import themes
from display.drawing.colour import Colour
from display.wall import theme
from display.wall.theme import Mood, Patch, Theme

_MOODS: Mapping[str, tuple[str, ...]] = {
    "pause": ("break", "holding"),
    "halt": ("paused", "question", "ended"),
}
"""The part of a theme for each state of the clock; all others are the level's."""


def css(config: Path) -> str:
    """Every theme under a `config` folder as custom properties, below `[data-theme]` of the page.

    Raises ConfigError.
    """
    return "\n".join(_theme(name, theme.load(name, config)) for name in themes(config))


def _theme(name: str, colours: Theme) -> str:
    patches = {part: getattr(colours, part) for part in ("word", "notice", "trouble")}
    page = f':root[data-theme="{name}"]'
    rules = [_rule(page, {**_mood(colours.level), **_patches(patches)})]
    for part, states in _MOODS.items():
        chosen = ", ".join(f'{page} [data-state="{state}"]' for state in states)
        rules.append(_rule(chosen, _mood(getattr(colours, part))))
    return "\n".join(rules)


def _mood(mood: Mood) -> dict[str, Colour]:
    return {name: getattr(mood, name) for name in mood.__struct_fields__}


def _patches(patches: Mapping[str, Patch]) -> dict[str, Colour]:
    return {
        f"{part}-{name}": getattr(patch, name)
        for part, patch in patches.items()
        for name in patch.__struct_fields__
    }


def _rule(selector: str, colours: Mapping[str, Colour]) -> str:
    lines = "".join(
        f"  --{name}: #{red:02x}{green:02x}{blue:02x};\n"
        for name, (red, green, blue) in colours.items()
    )
    return f"{selector} {{\n{lines}}}"
