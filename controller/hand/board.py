"""The board: which street a card belongs to, or that it came too soon."""

from __future__ import annotations

from controller.hand.burns import Burns
from controller.hand.middle import Middle, Parts
from controller.rules.disturbed import PILES
from controller.rules.four_card_flop import SAME_MOTION
from controller.rules.hand import BoardCard, BurnCard, EarlyCard, Returned
from controller.rules.procedure import (
    SIZE,
    Back,
    Burn,
    PickBurn,
    Reorder,
    Round,
    Street,
    Turn,
    later_streets,
)


class Board(Middle):
    """Gives each tag on the board its role in the hand."""

    def __init__(self, parts: Parts, burns: Burns) -> None:
        """`burns` says whether a street's burn was made."""
        super().__init__(parts)
        self._burns = burns

    def came(self, tag: str, zone: str) -> None:
        """A tag is newly on the board."""
        hand = self._hand
        role = hand.roles.get(tag)
        if isinstance(role, BurnCard) and self._burns.was_dealt(tag, role.street):
            role = None
        if isinstance(role, BurnCard) and self._judge.moves_burns(role.street):
            self._judge.begin_remedy(role.street)
        head = hand.head
        if isinstance(head, Reorder) and hand.put_in_order(tag, "board", head, self._walk.t):
            return
        if isinstance(role, BoardCard) and isinstance(head, Reorder):
            self._judge.forget_remedy(role.street)
        if self._dealing.is_astray(tag) or not isinstance(role, Returned | None):
            return
        if isinstance(head, Reorder) and tag in head.back:
            self._laid_back(tag, head)
            return
        if isinstance(head, Back | PickBurn):
            if tag in head.tags:
                hand.turn_up(tag, head.street, self._walk.t)
                if head.tags == set(hand.board[head.street]):
                    self._judge.forget_remedy(head.street)
                return
            if self._is_left_undone(head):
                self._judge.leave_undone(head)
        unread = self._lay_unread(zone)
        if unread is not None:
            self._turned_up(tag, unread)
            return
        self._acts.card_comes()
        if isinstance(hand.head, Back | PickBurn):
            return
        self._dealing.end(None)
        street = self._street_of_card()
        if street is not None:
            self._turned_up(tag, street)
        elif isinstance(hand.head, Round):
            if hand.head.name != "river":
                self._early.holds(tag, zone)
            elif hand.is_complete("river") and hand.deal_was_read:
                self._turned_up(tag, "river")

    def _laid_back(self, tag: str, step: Reorder) -> None:
        """A card that the remedy takes away is on the board again: perhaps nothing has begun."""
        for finding in self._hand.findings:
            if finding.street is not None and any(s is step for s in finding.inserted):
                out = [s for s in later_streets(finding.street) if self._hand.burns[s]]
                self._hand.turn_up(tag, (finding.street, *out)[-1], self._walk.t)
                self._judge.forget_remedy(finding.street)
                return

    def _is_left_undone(self, step: Back | PickBurn) -> bool:
        """Whether all that was to go back has gone but for a burn, or stays beside the new card."""
        if isinstance(step, PickBurn):
            return False
        piles = [pile for tag in step.tags for pile in PILES if self._places.is_present(tag, pile)]
        return step.aside or set(piles) == {"burn"}

    def _turned_up(self, tag: str, street: Street) -> None:
        hand = self._hand
        if not hand.board[street] and self._setup.has("burn"):
            self._burns.check(street)
        hand.turn_up(tag, street, self._walk.t)
        hand.lain_since[tag] = self._walk.t
        self._scraps.look_at(tag)
        self._judge.rule_anew(self._walk.t)
        if street == "flop":
            self._dealing.replacing.flop_comes()
            self._flop.changed()
        if len(hand.board[street]) > SIZE[street]:
            self._streets.one_more(street)
        self._scraps.settle()

    def _street_of_card(self) -> Street | None:
        """Which street a card belongs to that comes to the board now; None if it is too soon."""
        hand = self._hand
        if isinstance(hand.head, Turn) and hand.awaits_replacement(hand.head.street):
            return hand.head.street
        out = hand.last_street()
        if out == "flop" and not hand.is_complete(out) and self._flop.awaits_card():
            return out
        if out is not None and self._streets.takes_more(out):
            return out
        if out is not None and out not in hand.acted_streets and not hand.burned_since(out):
            window = SAME_MOTION if hand.betting.betting_possible else self._setup.timing.settle
            same_motion = self._walk.t - hand.last_card[out] < window
            if same_motion and (not hand.is_complete(out) or self._adds_to(out)):
                return out
            if not hand.is_complete(out):
                if self._judge.waiting():
                    return out
                self._walk.skip_unread()
        head = hand.head
        if isinstance(head, Round) and head.name != "preflop" and not hand.board[head.name]:
            return head.name  # there was action on a street of which nothing was read
        self._walk.close_round_without_buttons()
        head = hand.head
        return head.street if isinstance(head, Burn | Turn) else None

    def _adds_to(self, street: Street) -> bool:
        """Whether another card in the same motion is one too many for its street: while one of
        them is being put right, not while it is only asked about, it may be the new card."""
        found = self._judge.disputing(street)
        return street == "flop" or found is None or not (found.certain or found.under_way)

    def left(self, tag: str, role: BoardCard | EarlyCard) -> bool:
        """A card has left the board for good. Only a remedy takes cards off it. True if it was
        never turned up: it is a card of wherever it lies now."""
        if isinstance(role, BoardCard):
            if self._brushed(tag, role.street):
                return True
            self._streets.has_lain(role.street)
        self._judge.begin_remedy(role.street)
        if isinstance(self._hand.head, PickBurn):
            self._hand.last_card[role.street] = self._walk.t
        if self._piles.is_misplaced(tag):
            self._piles.went(tag, "board", role.street)
        elif self._hand.is_taken(tag) or isinstance(role, EarlyCard):
            self._hand.take_off_board(tag, role.street)
            self._piles.settle()
        else:
            self._piles.went(tag, "board", role.street)
        return False

    def _brushed(self, tag: str, street: Street) -> bool:
        """A card lay on the board for less than a flicker: it was never turned up. What is too
        many without it is forgotten."""
        hand, timing = self._hand, self._setup.timing
        lay = self._walk.t - timing.flicker - hand.lain_since.get(tag, 0.0)
        if lay >= timing.flicker or any(f.under_way for f in hand.findings):
            return False
        self._take_off(tag, street)
        return True
