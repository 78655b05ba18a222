"""Pots by contribution layers, and who gets them.

Sources: RR7-T-20, HPT-POT-06, NL10-ALLIN-03 (a player contests what he has matched);
RR7-TIES-3, TDA09-12, UK-18, NL10-HR-09 (odd chips, one each, from left of the button);
TDA24-RP11A (the big blind's ante for all is matched by nobody).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.contract.events import Pot
from controller.rules.betting import Player


def uncalled(players: Sequence[Player]) -> tuple[int, int] | None:
    """The seat that gets a bet back which nobody matched, and how much; None if there is none."""
    matched = sorted(((p.paid - p.dead, p.seat) for p in players), reverse=True)
    if len(matched) < 2 or matched[0][0] == matched[1][0]:
        return None
    return matched[0][1], matched[0][0] - matched[1][0]


def pots(players: Sequence[Player]) -> tuple[Pot, ...]:
    """Main pot first, which has the dead chips. A hand that was folded, or mucked untabled at
    showdown, contests none."""
    paid = {p.seat: p.paid - p.dead for p in players}
    back = uncalled(players)
    if back:
        paid[back[0]] -= back[1]
    live = [p for p in players if not p.folded]
    # Where all were mucked untabled the winner was not seen, but there was one.
    contesting = [p for p in live if not p.mucked] or live
    layers: list[tuple[int, tuple[int, ...]]] = []
    below, dead = 0, sum(p.dead for p in players)
    levels = sorted({amount for amount in paid.values() if amount})
    # Where nothing was matched, as nobody had the small blind, there may still be an ante.
    for level in levels or ([0] if dead else []):
        amount = sum(min(chips, level) - min(chips, below) for chips in paid.values()) + dead
        seats = tuple(sorted(p.seat for p in contesting if paid[p.seat] >= level))
        if layers and (not seats or layers[-1][1] == seats):
            layers[-1] = (layers[-1][0] + amount, layers[-1][1])
        else:
            layers.append((amount, seats))
        below, dead = level, 0
    return tuple(Pot(amount, seats) for amount, seats in layers)


def awards(
    pots_: Sequence[Pot], strength: Mapping[int, int], from_button: Sequence[int], chip: int = 1
) -> dict[int, int]:
    """Chips per seat. `strength` is lower for a better hand, for every contesting seat of a
    contested pot; `from_button` is the order in which odd chips go, each worth the smallest `chip`
    in play (RR7-TIES-3). What no such chip makes goes with the first."""
    won: dict[int, int] = {}
    for pot in pots_:
        if len(pot.seats) == 1:
            winners = list(pot.seats)
        else:
            best = min(strength[seat] for seat in pot.seats)
            winners = [s for s in from_button if s in pot.seats and strength[s] == best]
        chips, rest = divmod(pot.amount, chip)
        share, odd = divmod(chips, len(winners))
        for place, seat in enumerate(winners):
            won[seat] = won.get(seat, 0) + (share + (place < odd)) * chip + rest * (place == 0)
    return won
