"""What players buy after they have entered: another entry, a rebuy, an add-on. Pure.

A re-entry gives a new seat and a full stack to who was out (UK-07, TDA24-08A1); a rebuy gives chips
to who has none or few and keeps his seat (HPT-BUY-02, UK-25, TDA09-19); an add-on gives chips to
anybody. How long and how often each may be had is the house's to say (HPT-BUY-02 to -04).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any

from msgspec import Meta, Struct
from msgspec.structs import replace

from controller.room.acts import Act, ActError
from controller.room.register import Offer, Player, PlayerId, Purchase, Register, with_players

Level = Annotated[int, Meta(ge=0, le=1000)]
Times = Annotated[int, Meta(ge=1, le=100)]
Stack = Annotated[int, Meta(ge=0, le=1_000_000_000)]
_WORDS: Mapping[Purchase, str] = {
    "re-entry": "re-entries",
    "rebuy": "rebuys",
    "add-on": "add-ons",
}


class Offers(Act, frozen=True, kw_only=True):
    """`offer`: `what` may be had by the end of the level `until`, `most` times each, by who has no
    more than `at_most` chips; it brings `chips` (else the starting stack). `ends`: not any more."""

    what: Purchase
    until: Level | None = None
    most: Times | None = None
    at_most: Stack | None = None
    chips: Stack | None = None
    ends: bool = False


class Buys(Act, frozen=True, kw_only=True):
    """`buy`: a player buys it. Unless it is `paid` he has announced it: he plays these chips behind
    and has to pay (RR7-T-33, UK-25, TDA09-19). `unbuy`: he has not bought it."""

    player: PlayerId
    what: Purchase
    paid: bool = True


class Pays(Act, frozen=True, kw_only=True):
    """`pay`: a player has paid all that he owes."""

    player: PlayerId


class Owes(Act, frozen=True, kw_only=True):
    """`owe`: a player has not paid his `entry`, or of what he has bought this."""

    player: PlayerId
    entry: bool = False
    what: Annotated[tuple[Purchase, ...], Meta(max_length=100)] = ()


class Till(Struct, frozen=True):
    """The level, a starting stack, and what the players have, by their entries, as far as it is
    known."""

    level: int = 0
    playing: bool = False
    stack: int | None = None
    chips: Mapping[str, int] = {}


def perform(register: Register, name: str, act: Act, till: Till) -> Register:
    """The register after the act `name`. Raises ActError where that can't be, with the reason."""
    return BUYING_ACTS[name][1](register, act, till)


def bought(register: Register) -> tuple[int, int]:
    """What came into play by rebuys and add-ons: so many starting stacks, and so many chips."""
    return _brought(register, (what for player in register.players for what in player.bought))


def chips_of(register: Register, what: Iterable[Purchase], each: int | None) -> int | None:
    """The chips that these bring to a table, where a stack is `each`; None where that is not
    known."""
    stacks, chips = _brought(register, what)
    if stacks and each is None:
        return None
    return stacks * (each or 0) + chips


def _brought(register: Register, purchases: Iterable[Purchase]) -> tuple[int, int]:
    stacks = chips = 0
    for what in purchases:
        if what == "re-entry":  # its stack is that of an entry, and comes with the seat
            continue
        offer = register.offers.get(what)
        if offer is None or offer.chips is None:
            stacks += 1
        else:
            chips += offer.chips
    return stacks, chips


def _offer(register: Register, act: Offers, _till: Till) -> Register:
    others = {what: offer for what, offer in register.offers.items() if what != act.what}
    before = register.offers.get(act.what)
    had = sum(act.what in player.bought for player in register.players)
    if act.ends:
        kept = {act.what: replace(before, over=True)} if had and before is not None else {}
        return replace(register, offers={**others, **kept})
    if act.what != "re-entry" and had and before is not None and before.chips != act.chips:
        each = "a starting stack" if before.chips is None else f"{before.chips:,} chips"
        raise ActError(f"some have had {each} for it: it can't bring anything else now")
    offer = Offer(act.until, act.most, act.at_most, act.chips)
    return replace(register, offers={**others, act.what: offer})


def _buy(register: Register, act: Buys, till: Till) -> Register:
    player = register.player(act.player)
    offer, words = register.offers.get(act.what), _WORDS[act.what]
    if offer is None or offer.over:
        raise ActError(f"this tournament has no {words}")
    if offer.until is not None and till.playing and till.level > offer.until:
        raise ActError(f"{words} ended with level {offer.until}")
    if offer.most is not None and player.bought.count(act.what) >= offer.most:
        raise ActError(f"{player.name} has had {offer.most} of {offer.most} {words}")
    owes = player.owes if act.paid else (*player.owes, act.what)
    if act.what == "re-entry":
        return with_players(register, [replace(_again(player), owes=owes)])
    if player.at is None:
        why = "is out: a re-entry is what he needs" if player.status == "out" else "has no seat"
        raise ActError(f"{player.name} {why}")
    stack = till.chips.get(player.entry)
    if offer.at_most is not None and stack is not None and stack > offer.at_most:
        raise ActError(f"{player.name} has {stack:,} chips, and more than {offer.at_most:,}")
    bought = (*player.bought, act.what)
    return with_players(register, [replace(player, bought=bought, owes=owes)])


def _again(player: Player) -> Player:
    if player.status != "out" or player.finish is None:
        raise ActError(f"{player.name} is in")
    return replace(
        player,
        status="entered",
        played=False,
        finish=None,
        earlier=(*player.earlier, player.finish),
        bought=(*player.bought, "re-entry"),
        came=None,
        coming=False,
        brings=None,
    )


def _unbuy(register: Register, act: Buys, till: Till) -> Register:
    player = register.player(act.player)
    if act.what not in player.bought:
        raise ActError(f"{player.name} has had no {_WORDS[act.what]}")
    if act.what in player.owes and act.what in player.delivered:
        raise ActError(
            f"{player.name} has announced it and plays these chips: it has to be paid "
            "(RR7-T-33, UK-25, TDA09-19, TDA24-27)"
        )
    brought = chips_of(register, [act.what] if act.what in player.delivered else (), till.stack)
    stack = till.chips.get(player.entry)
    if brought and stack is not None and stack < brought:
        raise ActError(f"{player.name} has {stack:,} chips left of the {brought:,} that it brought")
    at = len(player.bought) - 1 - player.bought[::-1].index(act.what)
    without = replace(
        player,
        bought=(*player.bought[:at], *player.bought[at + 1 :]),
        owes=_less(player.owes, act.what),
    )
    if act.what == "re-entry":
        if player.status == "out":
            raise ActError(f"{player.name} is out again")
        *earlier, finish = player.earlier
        without = replace(
            without, status="out", at=None, finish=finish, earlier=tuple(earlier), last=player.last
        )
    return with_players(register, [without])


def _less(owes: tuple[Purchase, ...], what: Purchase) -> tuple[Purchase, ...]:
    if what not in owes:
        return owes
    at = owes.index(what)
    return (*owes[:at], *owes[at + 1 :])


def _pay(register: Register, act: Pays, _till: Till) -> Register:
    player = register.player(act.player)
    if player.paid and not player.owes:
        raise ActError(f"{player.name} owes nothing")
    return with_players(register, [replace(player, paid=True, owes=())])


def _owe(register: Register, act: Owes, _till: Till) -> Register:
    player = register.player(act.player)
    owes = (*player.owes, *act.what)
    for what in act.what:
        if owes.count(what) > player.bought.count(what):
            raise ActError(f"{player.name} has not had so many {_WORDS[what]}")
    paid = player.paid and not act.entry
    return with_players(register, [replace(player, paid=paid, owes=owes)])


Performed = Callable[[Register, Any, Till], Register]

BUYING_ACTS: Mapping[str, tuple[type[Act], Performed]] = {
    "offer": (Offers, _offer),
    "buy": (Buys, _buy),
    "unbuy": (Buys, _unbuy),
    "pay": (Pays, _pay),
    "owe": (Owes, _owe),
}
"""Every act: its name → what it carries and what it does."""
