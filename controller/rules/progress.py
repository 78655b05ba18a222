"""Whether a step of a hand's script is done: the procedure's predicates, all in one place."""

from __future__ import annotations

from controller.rules.hand import Hand
from controller.rules.procedure import (
    HOLE_CARDS,
    Back,
    Burn,
    Deal,
    PickBurn,
    Reorder,
    Round,
    ScriptStep,
    Settle,
    Showdown,
    Shuffle,
    Turn,
)
from controller.rules.remedies import burned_for, burns_wanted, lent_burns


def is_done(step: ScriptStep, hand: Hand) -> bool:
    """Whether the hand fulfils the step.

    A burn is over, made or not, once its street's first card is out; of a shuffle the cards tell
    nothing.
    """
    match step:
        case Deal():
            return hand.dealt_out or len(hand.dealt) >= HOLE_CARDS * len(hand.betting.players)
        case Round(name):
            return name in hand.closed_rounds or hand.betting.next_to_act() is None
        case Burn(street, count):
            _, most = burns_wanted(hand, street)
            burned = len(hand.burns[street]) + len(lent_burns(hand, street))
            return burned >= max(most, count) or bool(hand.board[street])
        case Turn(street):
            return hand.is_complete(street)
        case Back(street, tags):
            out = (*hand.board[street], *hand.early[street], *hand.burns[street])
            return not any(tag in out for tag in tags)
        case PickBurn(street, tags) as pick:
            picked = [tag for tag in tags if tag in hand.burns[burned_for(hand, pick)]]
            left = len(hand.board[street])
            return left == len(tags) - 1 and (len(picked) == 1 or not hand.reads_burns)
        case Reorder(places, back):
            piles = {"burn": hand.burns, "board": hand.board}
            in_place = all(tag in piles[pile][street] for tag, pile, street in places)
            return in_place and not any(hand.is_out(tag) for tag in back)
        case Settle():
            return True
        case Showdown() | Shuffle():
            return False
