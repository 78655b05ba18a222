"""Amounts that are entered and can't be: a bet, raise or call that is too small, or a raise that is
not open to the player. What it amounts to the book says (`wager`); the dealer is told, and what was
entered counts until it is entered again (UK-38B, UK-42A, UK-43, TDA09-31, TDA24-51B1, RR7-NL-10,
RR7-NL-13, NL10-BET-08). Nor can it be what the smallest chip in play does not make (RR7-BET-7)."""

from __future__ import annotations

from controller.rules.asked import faced
from controller.rules.betting import Betting
from controller.rules.betting_rules import BettingRules
from controller.rules.facing import Facing, Wager
from controller.rules.out_of_turn import Act
from controller.rules.wager import judge
from controller.rules.watcher import Step


def amiss(rules: BettingRules, betting: Betting, act: Act) -> Step | None:
    """What the dealer is told of what a seat is about to put in in its turn, if that can't be so
    much; None too where what it faces is not known."""
    if act.button in ("check", "fold") or betting.next_to_act() != act.seat:
        return None
    facing = faced(betting, act.seat)
    if facing is None:
        return None
    if act.button == "call":
        return _short_call(rules, facing, act)
    if act.button == "all-in":
        to = facing.most if act.amount is None else act.amount
        if to is None or to <= facing.bet:
            return None
    if not facing.may_raise:
        return "raise-not-open", {"seat": act.seat}
    if act.amount is None or act.button == "all-in":
        return None
    is_all = facing.most is not None and act.amount >= facing.most
    if act.amount % betting.chip and not is_all:
        return "raise-chips", {"seat": act.seat, "to": act.amount, "chip": betting.chip}
    judged = judge(rules, facing, Wager(word="raise", amount=act.amount))
    if judged.to is None:
        return "raise-short", {"seat": act.seat, "least": facing.least}
    if judged.to > act.amount:
        return "raise-made-up", {"seat": act.seat, "to": judged.to}
    return None


def _short_call(rules: BettingRules, facing: Facing, act: Act) -> Step | None:
    """A call of less than the bet, by who has more."""
    if act.amount is None or facing.most is None:
        return None
    if not facing.own < act.amount < min(facing.bet, facing.most):
        return None
    judged = judge(rules, facing, Wager(amount=act.amount))
    text_id = "call-short" if judged.to is None else "call-made-up"
    return text_id, {"seat": act.seat, "to": facing.bet if judged.to is None else judged.to}
