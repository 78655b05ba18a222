"""The screen as a value: what stands where, in words and style names. No pixels, no pygame.

Everything names the region it lies in; `layout.arrange` says where the regions are.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from display.dealer.fitting import Parts
from display.dealer.layout import Frame
from display.dealer.theme import StyleName

Role = Literal["prompt", "step", "title", "button", "strong", "entry", "text", "detail"]


class Panel(Struct, frozen=True):
    """A filled area with a border."""

    region: str
    style: StyleName


class Label(Struct, frozen=True):
    """The first of `others` that fits is shown where `text` does not at its role's floor size; the
    last where none does. One that `flows` is broken into lines before it is made smaller."""

    region: str
    text: str
    style: StyleName
    role: Role
    centred: bool = False
    framed: bool = False
    others: tuple[str | Parts, ...] = ()
    flows: bool = False


class Button(Struct, frozen=True):
    """`id` is its region too. With a `priority` its shape stands before the label. `centred` and
    `others` as of a `Label`."""

    id: str
    label: str
    style: StyleName = "button"
    enabled: bool = True
    role: Role = "button"
    priority: int = 0
    centred: bool = True
    others: tuple[str, ...] = ()


class Asked(Struct, frozen=True):
    """A dialog: `main` is what is read first, `text` the rest of it, `rows` its buttons, the last
    `keys` of which are a keyboard's or lead on. Without words for `cancel` it is called off; a text
    that `flows` as of a `Label`."""

    title: str
    rows: tuple[tuple[Button, ...], ...] = ()
    main: str = ""
    text: str = ""
    flows: bool = False
    keys: int = 0
    cancel: str = ""


class Face(Struct, frozen=True):
    """A card, face up; without a rank it is an empty place, or with `hidden` a card that is not
    named. `suit` is `s` `h` `d` `c`; one that is `odd` is too many or came too soon."""

    region: str
    rank: str = ""
    suit: str = ""
    letter: str = ""
    hidden: bool = False
    odd: bool = False


class Plate(Struct, frozen=True):
    """A seat. `word` says its state or its last action; on its turn it says that, and `time` since
    when. `short` is written for a word where there is no room for it; one that is `vital` comes
    before its cards. A `quiet` word is only worth knowing. `puck`, `coming` and `blind` are what
    lies before it: the button, or the one that is to come, and `backs` so many cards face down. One
    that a finding is about is `marked`."""

    region: str
    number: int
    style: StyleName
    name: str = ""
    word: str = ""
    short: str = ""
    vital: bool = False
    bet: str = ""
    stack: str = ""
    puck: str = ""
    coming: str = ""
    blind: str = ""
    time: str = ""
    turn: bool = False
    quiet: bool = False
    backs: int = 0
    marked: bool = False
    faces: tuple[Face, ...] = ()


class Badge(Struct, frozen=True):
    """The shape of a priority: octagon, triangle, circle."""

    region: str
    priority: int


class Progress(Struct, frozen=True):
    """How many of so many steps are done."""

    region: str
    done: int
    total: int


class Screen(Struct, frozen=True):
    """All that is shown. `hatched` regions hold values past their deadline, `outlined` ones are
    what a finding is about."""

    frame: Frame
    panels: tuple[Panel, ...] = ()
    labels: tuple[Label, ...] = ()
    buttons: tuple[Button, ...] = ()
    faces: tuple[Face, ...] = ()
    plates: tuple[Plate, ...] = ()
    badges: tuple[Badge, ...] = ()
    progress: Progress | None = None
    hatched: tuple[str, ...] = ()
    outlined: tuple[str, ...] = ()
