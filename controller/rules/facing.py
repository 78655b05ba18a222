"""What a player faces, and what was done: all that `wager` judges by. Pure."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from controller.contract.wagered import First, Word


class Facing(Struct, frozen=True, kw_only=True):
    """What a player faces. `bet` is to be matched on this round, 0 where nobody has bet;
    `increment` the last full bet or raise, the big blind before there is one, and `last` by how
    much the last wager raised, where that is less. `own` lies in front of the player on this round,
    and `behind` is what is left, None if unknown. `is_opening`: the bet is the round's first, the
    big blind among them; `heads_up`: two are left. `may_raise`: the betting is open to the
    player. `pot` is all that is in, bets in front included; `cash`: it is no tournament."""

    big: int
    bet: int = 0
    increment: int = 0
    last: int | None = None
    own: int = 0
    behind: int | None = None
    is_opening: bool = False
    heads_up: bool = False
    may_raise: bool = True
    pot: int | None = None
    cash: bool = False

    @property
    def full(self) -> int:
        """The last full bet or raise."""
        return self.increment or self.big

    @property
    def need(self) -> int:
        """What a call costs."""
        return max(0, self.bet - self.own)

    @property
    def least(self) -> int:
        """The least bet or raise, all that the player then has in."""
        return self.bet + self.full if self.bet else self.big

    @property
    def most(self) -> int | None:
        """All that the player could have in on this round."""
        return None if self.behind is None else self.own + self.behind


class Wager(Struct, frozen=True, kw_only=True):
    """What was done. `word` and `amount` were said, `motions` are the chips of each by their
    values; `first` came first. `unclear`: the amount may be meant in hundreds or thousands.
    `meant` is what the player meant, where that was asked; `mistaken`: chips are short since the
    player was wrong about the bet, `unaware` of a raise before anybody acted behind.
    `running`: chips are short again right after another under-call. `pulled_back`: chips of an
    earlier bet were; `lying` are those that lie there still, empty where that is what was bet."""

    word: Word = ""
    amount: int | None = None
    unclear: bool = False
    motions: tuple[tuple[int, ...], ...] = ()
    first: First = "words"
    meant: Literal["", "call", "raise"] = ""
    mistaken: bool = False
    unaware: bool = False
    running: bool = False
    pulled_back: bool = False
    lying: tuple[int, ...] = ()

    @property
    def pushed(self) -> int:
        """All chips of all motions."""
        return sum(map(sum, self.motions))
