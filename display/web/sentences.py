"""What people have done, as sentences: `did` and `tried` of `languages/<language>.toml`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

import msgspec
from msgspec import Struct

from controller.contract.events import Blinds
from controller.room.prize_board import Marks
from controller.room.structure import Entry
from display.wall.times import time_text
from display.web.words import marks, page_words

MINUTE_MS = 60_000
_RAW = re.compile(r'[{}"`$]|[a-z]_[a-z]')
"""Of a reason that was written for programs."""


class Sentences(Struct, frozen=True):
    """The words of one language. What was done has the key of its kind in `did`, where more
    detailed sentences stand beside it, and what was only tried the same key in `tried`."""

    did: Mapping[str, str]
    tried: Mapping[str, str]
    desk: Mapping[str, str]
    people: Mapping[str, str]
    floor: Mapping[str, str]
    marks: Marks

    def __call__(self, key: str, **values: object) -> str:
        """The words of `did` for a key, filled in."""
        return self.did[key].format(**values)

    def knows(self, kind: str) -> bool:
        """Whether there is a sentence for what was done."""
        return kind in self.tried

    def general(self, who: str, kind: str) -> str:
        """What somebody did, without its details."""
        return self(kind if self.knows(kind) else "unknown", who=who)

    def attempt(self, who: str, kind: str, more: str = "") -> str:
        """What somebody did not succeed in."""
        what = self.tried[kind if self.knows(kind) else "unknown"]
        return self.more(self("tried", who=who, what=what), [more])

    def more(self, what: str, parts: Iterable[str]) -> str:
        """A sentence with those of the parts that say something."""
        said = ", ".join(filter(None, parts))
        return self("more", what=what, more=said) if said else what

    def words(self, what: str, text: str) -> str:
        """A sentence with what somebody has written, if anything."""
        return self("words", what=what, words=text) if text else what

    def refusal(self, reason: str) -> str:
        """A reason as people may read it."""
        return self("why-other") if _RAW.search(reason) else reason

    def role(self, role: str) -> str:
        """A role's name."""
        return self.people.get(f"role-{role}", role)

    def outcome(self, outcome: str) -> str:
        """A ruling's outcome; nothing where there are no words for it."""
        return self.floor.get(f"outcome-{outcome}", "")

    def number(self, amount: int) -> str:
        """12,500, as it is written in that language."""
        return f"{amount:,}".replace(",", self.desk["thousands"])

    def amount(self, cents: int, currency: str) -> str:
        """An amount of money, as it is written in that language."""
        return self.marks.text(cents, currency)

    def minutes(self, ms: float) -> str:
        """A length of time in minutes."""
        count = f"{ms / MINUTE_MS:.2f}".rstrip("0").rstrip(".")
        return self.desk["minutes"].format(count=count.replace(".", self.desk["decimal"]))

    def time(self, ms: float) -> str:
        """A length of time as clocks show it."""
        return time_text(ms)

    def entry(self, entry: Entry) -> str:
        """A level's blinds and length, or a break's length."""
        return ", ".join(
            filter(None, (self._blinds(entry.blinds), self.minutes(entry.duration_ms)))
        )

    def place(self, table: str, seat: int | None) -> str:
        """Where somebody sits."""
        return (
            self("at-table", table=table)
            if seat is None
            else self("at-seat", table=table, seat=seat)
        )

    def _blinds(self, blinds: Blinds | None) -> str:
        if blinds is None:
            return ""
        both = f"{self.number(blinds.small)} / {self.number(blinds.big)}"
        if not blinds.ante:
            return both
        return f"{both} · {self.desk['ante-of'].format(ante=self.number(blinds.ante))}"


@cache
def sentences(language: str) -> Sentences:
    """Those of a language. Raises ConfigError where it is not there."""
    return Sentences(
        did=page_words("did", language),
        tried=page_words("tried", language),
        desk=page_words("desk", language),
        people=page_words("people", language),
        floor=page_words("floor", language),
        marks=marks(language),
    )


def fields_of(text: str) -> dict[str, object]:
    """What an act carried; nothing where it was not kept whole."""
    try:
        return msgspec.json.decode(text, type=dict[str, object])
    except msgspec.MsgspecError:
        return {}
