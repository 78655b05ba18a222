"""Who wins how much in a hand, by chance: nobody thinks, but the chips go as the rules have it."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

from controller.rules.betting import Betting, Player
from controller.rules.pots import awards, pots, uncalled

TIES = 0.06
"""So often two hands are as good as each other, among the few that get to a showdown."""
SHORT = 12
"""Who has so many big blinds or fewer mostly goes all-in."""


def play(betting: Betting, away: Collection[int], random: Random) -> dict[int, int]:
    """The stacks after a hand whose blinds are posted, in which the hands of those who are `away`
    are dead (RR7-T-12, UK-28)."""
    _enter(betting, away, random)
    _bet(betting, random)
    players = list(betting.players.values())
    won = awards(
        pots(players), _strengths(players, random), list(betting.players), chip=betting.chip
    )
    back = uncalled(players)
    if back is not None:
        won[back[0]] = won.get(back[0], 0) + back[1]
    return {p.seat: (p.stack or 0) - p.paid + won.get(p.seat, 0) for p in players}


def _enter(betting: Betting, away: Collection[int], random: Random) -> None:
    """Who folds before the flop. One hand stays, and who is all-in by the blinds."""
    order = betting.turn
    share = min(0.9, 2.2 / len(order))
    for seat in order:
        player = betting.players[seat]
        stays = seat not in away and (player.all_in or random.random() < share)
        if not stays and len(betting.live) > 1:
            player.folded = True


def _bet(betting: Betting, random: Random) -> None:
    """Those who play put in as much as each other, or all that they have."""
    live, big = betting.live, betting.big
    if len(live) < 2:
        live[0].put_in(max(0, big - live[0].bet))
        return
    depth = sorted((p.stack or 0) // big for p in live)[-2]
    is_all_in = random.random() < (0.6 if depth <= SHORT else 0.07)
    most = max(p.stack or 0 for p in live)
    total = most if is_all_in else big * max(1, int(random.paretovariate(1.1)))
    for player in live:
        goes_on = player is live[0] or random.random() < 0.75 or len(betting.live) < 3
        player.put_in(max(0, (total if goes_on else min(total, big)) - player.bet))
        if not goes_on and not player.all_in:
            player.folded = True


def _strengths(players: list[Player], random: Random) -> dict[int, int]:
    """By seat, the lower the better."""
    strength = {p.seat: random.randrange(1_000_000) for p in players}
    live = [p.seat for p in players if not p.folded]
    if len(live) > 1 and random.random() < TIES:
        strength[live[0]] = strength[live[1]]
    return strength
