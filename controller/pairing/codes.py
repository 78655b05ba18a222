"""The codes that let tables in: each for one table, once, and not for long."""

from __future__ import annotations

from collections.abc import Callable
from hmac import compare_digest

from msgspec import Struct, structs

from controller.pairing.proof import proof

ALPHABET = "23456789ACDEFGHJKMNPQRTUVWXY"
"""Nobody takes one of these for another: no 0 and O, 1 and I and L, B, S and Z."""
LENGTH = 8
CODE_S = 600.0
TRIES = 5
"""So many wrong codes end all that are open."""


class Offer(Struct, frozen=True):
    """A code that is open: `key` is made of it, `until_s` is when it ends. `replaces` is the name
    that the table had before, empty where it had none."""

    table: str
    code: str
    key: bytes
    until_s: float
    replaces: str = ""

    def __repr__(self) -> str:
        return f"Offer({self.table!r})"


class Pairing(Struct, frozen=True):
    """All that is open. `spoilt`: wrong codes ended what was."""

    offers: tuple[Offer, ...] = ()
    wrong: int = 0
    spoilt: bool = False

    def at(self, now_s: float) -> Pairing:
        """The same without what has ended by now."""
        offers = tuple(each for each in self.offers if each.until_s > now_s)
        return structs.replace(self, offers=offers, wrong=self.wrong if offers else 0)

    def offering(self, offer: Offer) -> Pairing:
        """With one more, in the place of any other for the same table."""
        others = self.without(offer.table)
        return structs.replace(others, offers=(*others.offers, offer), spoilt=False)

    def without(self, table: str) -> Pairing:
        """Without the one for this table."""
        offers = tuple(each for each in self.offers if each.table != table)
        return structs.replace(self, offers=offers, wrong=self.wrong if offers else 0)

    def tried(self, proved: str, now_s: float) -> tuple[Pairing, Offer | None]:
        """What is open after somebody has shown a proof, and the offer that is his now."""
        now = self.at(now_s)
        found = [each for each in now.offers if compare_digest(proof(each.key, "table"), proved)]
        if found:
            return now.without(found[0].table), found[0]
        if not now.offers:
            return now, None
        if now.wrong + 1 >= TRIES:
            return Pairing(spoilt=True), None
        return structs.replace(now, wrong=now.wrong + 1), None


def new_code(choose: Callable[[str], str]) -> str:
    """A code of letters that `choose` takes by chance."""
    return "".join(choose(ALPHABET) for _ in range(LENGTH))


def typed(text: str) -> str | None:
    """The code that somebody has typed, in whatever case and groups; None if it can be none."""
    code = "".join(text.upper().replace("-", " ").split())
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def in_groups(code: str) -> str:
    """A code as it is shown: two groups of four."""
    return f"{code[:4]} {code[4:]}"
