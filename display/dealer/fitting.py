"""Makes a text fit a rectangle: the largest size at which it does, wrapped between words."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from msgspec import Struct

Measure = Callable[[str, int], int]

# One ladder for the whole screen: a font is held in memory for every size in use.
SIZES = (10, 12, 14, 16, 18, 20, 22, 24, 27, 30, 34, 38, 42, 46, 52, 58, 66, 74, 84)
LINE = 1.17  # line height over size of the bundled font
_CLOSING = re.compile(r" (?=[:;?!»])")  # French has a space there, at which no line ends


class Fitted(Struct, frozen=True):
    """`lines` at `size` take the height `height`, in pixels."""

    size: int
    lines: tuple[str, ...]
    height: int


class Parts(Struct, frozen=True):
    """A text that is read one part after the other, now the one at `now`; it fits where all do."""

    texts: tuple[str, ...]
    now: int


def line_height(size: int) -> int:
    """Return the height in pixels of a line set at `size`."""
    return round(size * LINE)


def fit(
    text: str,
    room: tuple[int, int],
    sizes: tuple[int, int],
    measure: Measure,
    *,
    one_line: bool = False,
) -> Fitted:
    """Return `text` set as large as fits into `room`, its width and height in pixels.

    Sizes run from the first of `sizes` down to the second, the floor. Below the floor it
    goes only when the text would be cut off otherwise; within words it breaks only where
    even that is no help. With `one_line` it shrinks to the floor before it wraps.
    `measure(text, size)` is the width of a text in pixels.
    """
    (width, height), (largest, floor) = room, sizes
    ladder = sorted(
        {largest, floor, *(size for size in SIZES if size < largest)},
        reverse=True,
    )
    wanted = [size for size in ladder if size >= floor]
    below = [size for size in ladder if size < floor]
    if one_line:
        for size in wanted:
            given = tuple(text.split("\n"))
            widest = max(measure(line, size) for line in given)
            if widest <= width and len(given) * line_height(size) <= height:
                return Fitted(size, given, len(given) * line_height(size))
    for some, in_words in ((wanted, False), (wanted[-1:], True), (below, False), (below, True)):
        for size in some:
            lines = wrap(text, width, size, measure, in_words=in_words)
            if lines is not None and len(lines) * line_height(size) <= height:
                return Fitted(size, lines, len(lines) * line_height(size))
    size = ladder[-1]
    lines = wrap(text, max(width, measure("W", size)), size, measure, in_words=True) or ()
    kept = lines[: max(1, height // line_height(size))]
    return Fitted(size, kept, len(kept) * line_height(size))


@lru_cache(maxsize=1024)
def fits(text: str, room: tuple[int, int], floor: int, measure: Measure) -> bool:
    """Tell whether `text` can be set at `floor` without breaking a word."""
    lines = wrap(text, room[0], floor, measure, in_words=False)
    return lines is not None and len(lines) * line_height(floor) <= room[1]


def wrap(
    text: str, width: int, size: int, measure: Measure, *, in_words: bool
) -> tuple[str, ...] | None:
    """Return the lines of `text` no wider than `width`; None if a word is too wide for it."""
    lines: list[str] = []
    text = _CLOSING.sub("\u00a0", text)
    for paragraph in text.split("\n"):
        line = ""
        for word in filter(None, paragraph.split(" ")):
            longer = f"{line} {word}" if line else word
            if measure(longer, size) <= width:
                line = longer
                continue
            if line:
                lines.append(line)
            parts: Sequence[str] = (word,)
            if measure(word, size) > width:
                if not in_words:
                    return None
                parts = _broken(word, width, size, measure)
            lines.extend(parts[:-1])
            line = parts[-1]
        lines.append(line)
    return tuple(lines)


def in_parts(text: str, count: int, at: float) -> Parts:
    """Return `count` parts of about the same length, or fewer, which are read one after the other,
    each as long; `at` is how much of the time is over, from 0 to 1."""
    words = _CLOSING.sub("\u00a0", text).split(" ")
    breaks = itertools.combinations(range(1, len(words)), min(count, len(words)) - 1)
    parts = min((_parted(words, where) for where in breaks), key=_unevenness)
    last = len(parts) - 1
    texts = (
        f"{'… ' if number else ''}{part}{' …' if number < last else ''}"
        for number, part in enumerate(parts)
    )
    return Parts(tuple(texts), min(int(at * len(parts)), last))


def _parted(words: Sequence[str], where: Sequence[int]) -> list[str]:
    edges = (0, *where, len(words))
    return [" ".join(words[one:other]) for one, other in itertools.pairwise(edges)]


def _unevenness(parts: Sequence[str]) -> int:
    """The longest, in letters; a part is rather longer than that it ends within a clause."""
    return max(map(len, parts)) + 3 * sum(part[-1] not in ",:;?" for part in parts[:-1])


def _broken(word: str, width: int, size: int, measure: Measure) -> Sequence[str]:
    parts = [""]
    for letter in word:
        if parts[-1] and measure(parts[-1] + letter, size) > width:
            parts.append("")
        parts[-1] += letter
    return parts
