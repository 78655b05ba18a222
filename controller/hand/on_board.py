"""What lies on the board of a running hand, and what of it everybody has seen.

No antenna tells which way up a card lies. One that has been named as part of a street lies face
up. So does one that came straight to the board and can't be the burn: its street has that already,
or it is one of exactly three on the flop. While something is wrong with its street, a card that has
left the board may come back turned down, and what a remedy scrambles or puts in another order is
not named from its first movement on, or from when the dealer says that it is scrambled.
"""

from __future__ import annotations

from collections.abc import Collection

from msgspec import Struct

from controller.hand.resolver import Resolver
from controller.rules.defining_acts import PICK
from controller.rules.hand import Hand
from controller.rules.procedure import SIZE, STREETS, PickBurn, Reorder, Street


class OnBoard(Struct, frozen=True):
    """`cards` in the order of the streets, empty for one that is not named; `odd` are the places
    of those that are too many or came too soon."""

    cards: tuple[str, ...] = ()
    odd: tuple[int, ...] = ()


def on_board(
    hand: Hand, resolver: Resolver, named: Collection[str], t: float, settle: float
) -> OnBoard:
    """`named` are the cards that have been; after `settle` seconds a card lies at rest."""
    cards: list[str] = []
    odd: list[int] = []
    for street in STREETS:
        came, moves = hand.board[street], _is_moved(hand, street)
        is_whole = len(came) == SIZE[street]
        stands = is_whole and not any(finding.street == street for finding in hand.findings)
        are_up = street == "flop" and is_whole and hand.last_card[street] + settle <= t
        has_burn = bool(hand.burns[street]) and hand.reads_burns
        for place, tag in enumerate((*came, *hand.early[street])):
            if place >= min(SIZE[street], len(came)):
                odd.append(len(cards))
            (code,) = resolver.name_public([tag]) or ("",)
            lies = tag in hand.only_on_board
            is_no_burn = has_burn and hand.lain_since.get(tag, 0.0) + settle <= t
            is_up = lies and (code in named or is_no_burn or (are_up and tag in came))
            is_up |= stands and code in named
            cards.append(code if is_up and not moves else "")
    return OnBoard(tuple(cards), tuple(odd))


def _is_moved(hand: Hand, of: Street) -> bool:
    """Whether what comes next has these cards turned down, or moved, where they lie, and somebody
    has begun with it."""
    if of not in hand.stirred:
        return False
    match hand.head:
        case PickBurn(street):
            return street == of
        case Reorder(places):
            return any(street == of for _, _, street in places)
    return any(finding.street == of and finding.advises(PICK) for finding in hand.findings)
