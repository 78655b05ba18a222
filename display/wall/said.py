"""What is to be read on the wall's strip, and how it is cut into pages. Pure.

A page begins with the label of what it goes on with: whoever looks up in the middle has to know
what the rest belongs to.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

Wrap = Callable[[str], list[str]]
"""The lines that a text takes."""
HERE = "{}"
_LABEL_END = ": "
_LONGEST_LABEL = 0.5
"""Of a page: what is longer would be most of it."""


class Said(Struct, frozen=True):
    """Something to be read; `parts`, which are of one kind, go where `text` has its `{}`.

    With `more` a single page has as many of them as it takes, and `more` tells how many others of
    all `count` there are: `{}` in it are those that are named, `{n}` is the number of the others.
    Without it there are as many pages as they take.
    """

    text: str
    parts: tuple[str, ...] = ()
    joint: str = ", "
    count: int = 0
    more: str = ""


def pages(said: Said, wrap: Wrap, most: int) -> list[list[str]]:
    """The pages of what is said, each of `most` lines."""
    if not said.parts:
        return _text_pages(said.text, wrap, most)
    if said.more:
        return _shortened(said, wrap, most)
    found: list[list[str]] = []
    left = said.parts
    while left:
        number = 1
        while number < len(left) and len(wrap(_filled(said, left[: number + 1]))) <= most:
            number += 1
        found += _text_pages(_filled(said, left[:number]), wrap, most)
        left = left[number:]
    return found


def _filled(said: Said, parts: Sequence[str], others: int = 0) -> str:
    listed = said.joint.join(parts)
    if others:
        listed = said.more.replace("{n}", str(others)).replace(HERE, listed)
    return said.text.replace(HERE, listed, 1)


def _shortened(said: Said, wrap: Wrap, most: int) -> list[list[str]]:
    text = ""
    for number in range(len(said.parts), 0, -1):
        text = _filled(said, said.parts[:number], said.count - number)
        if len(wrap(text)) <= most:
            break
    return _text_pages(text, wrap, most)


def _text_pages(text: str, wrap: Wrap, most: int) -> list[list[str]]:
    lines = wrap(text)
    if len(lines) <= most:
        return [lines]
    label, found = _label(text, wrap), list[list[str]]()
    page: list[str] = []
    for word in text[len(label) :].split():
        longer = wrap(" ".join((label, *page, word)).strip())
        if page and len(longer) > most:
            found.append(wrap(" ".join((label, *page)).strip()))
            page = []
        page.append(word)
    found.append(wrap(" ".join((label, *page)).strip()))
    if any(len(each) > most for each in found):  # a word that is wider than a page
        return [lines[at : at + most] for at in range(0, len(lines), most)]
    return found


def _label(text: str, wrap: Wrap) -> str:
    """What a text begins with up to its colon, if that is short enough to be said again."""
    head, colon, rest = text.partition(_LABEL_END)
    label = head + colon.rstrip()
    is_short = len(wrap(label)) == 1 and len(label) <= _LONGEST_LABEL * max(map(len, wrap(text)))
    return label if rest and is_short else ""
