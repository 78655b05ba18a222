"""The burn pile: which street a card is burned for, and whether its burn was made."""

from __future__ import annotations

from math import inf

from controller.hand.middle import Middle
from controller.rules.four_card_flop import SAME_MOTION
from controller.rules.hand import BoardCard, OpenFinding, Returned, Scrap
from controller.rules.procedure import (
    Back,
    Burn,
    PickBurn,
    Reorder,
    Round,
    ScriptStep,
    Settle,
    Street,
    Turn,
)
from controller.rules.remedies import (
    SECOND_BURN,
    TWO_BURNS,
    burned_for,
    burns_again,
    burns_stand_in,
    burns_wanted,
    lend_burns,
    lent_burns,
    owing_burn,
)

AT_ONCE = 3.0
"""Seconds after a burn within which the street follows it in one motion, whatever is said of it."""


class Burns(Middle):
    """Gives each tag on the burn pile its role in the hand."""

    def came(self, tag: str) -> None:
        """A tag is newly on the burn pile."""
        hand = self._hand
        role = hand.roles.get(tag)
        if self._dealing.becomes_burn(tag):
            return
        if isinstance(role, BoardCard) and self._is_of_both(tag, role.street):
            self._take_off(tag, role.street)
            self._burned(tag)
            return
        if isinstance(role, BoardCard):
            self._judge.begin_remedy(role.street)
        head = hand.head
        if isinstance(head, PickBurn) and tag in head.tags and hand.picked not in (None, tag):
            self._carried_wrongly(tag, head.street)
        elif isinstance(head, PickBurn) and tag in head.tags:
            if isinstance(role, BoardCard):
                hand.take_off_board(tag, head.street)
            hand.burn(tag, burned_for(hand, head))
        elif isinstance(head, Reorder) and hand.put_in_order(tag, "burn", head, self._walk.t):
            return
        elif role is None or isinstance(role, Returned):
            self._burned(tag)

    def _is_of_both(self, tag: str, street: Street) -> bool:
        """Whether a card has just been read on the board, as the first of a street, that is this
        street's burn: both antennas read it."""
        hand = self._hand
        is_first = hand.board[street][:1] == [tag] and not hand.burns[street]
        just_now = self._walk.t - hand.lain_since.get(tag, -inf) < self._setup.timing.settle
        return is_first and just_now and not hand.findings

    def was_dealt(self, tag: str, street: Street) -> bool:
        """Whether the last of several burns is read on the board at once, and was none: both
        antennas read it. It is forgotten."""
        hand = self._hand
        is_last = len(hand.burns[street]) > 1 and hand.burns[street][-1] == tag
        just_now = self._walk.t - hand.lain_since.get(tag, -inf) < self._setup.timing.flicker
        if not (is_last and just_now) or hand.findings:
            return False
        self._unburn(tag, street)
        return True

    def pick(self, tag: str) -> None:
        """The floor has named the card of the flop that is the next burn."""
        hand = self._hand
        head = hand.head
        hand.picked = tag
        if isinstance(head, PickBurn):
            street = burned_for(hand, head)
            for other in head.tags & set(hand.burns[street]) - {tag}:
                hand.take_off_board(other, street)
                self._carried_wrongly(other, head.street)

    def _carried_wrongly(self, tag: str, street: Street) -> None:
        """Another card than the picked one lies with the burns: it belongs on the board."""
        if tag not in self._hand.board[street]:
            self._hand.turn_up(tag, street, self._walk.t)
        self._piles.disturbed("board", street)

    def _burned(self, tag: str) -> None:
        late_for = self._unburned.awaited_for() or self._lay_unread("burn")
        if late_for is not None:
            self._hand.burn(tag, late_for)
            self._unburned.was_read(late_for)
            return
        self._dealing.end(None)
        head = self._hand.head
        if isinstance(head, Back) and tag in head.tags:
            return
        self._acts.card_comes()
        head = self._hand.head
        if isinstance(head, Turn) and self._hand.awaits_replacement(head.street):
            if self._scraps.is_played_on(head.street):
                self._hand.script.pop(0)
                self._walk.on()
        elif isinstance(head, Turn) and not (self._burned_late() or self._flop.is_short()):
            self._walk.place_presses()
            self._walk.skip_unread()
        self._walk.close_round_without_buttons()
        head = self._dealt_next()
        self._hand.lain_since[tag] = self._walk.t
        if isinstance(head, Burn):
            self._hand.burn(tag, head.street)
            self._scraps.look_at(tag)
            self._scraps.settle()
        elif isinstance(head, Turn):
            self._burn_more(tag, head.street)
        elif isinstance(head, Round) and head.name != "river":
            late_for = self._burned_late()
            if late_for is not None:
                self._burn_more(tag, late_for)
            else:
                self._early.holds(tag, "burn")

    def _dealt_next(self) -> ScriptStep | None:
        """What is burned or dealt next: the cards that a remedy takes back may be gone already."""
        head = self._hand.head
        if isinstance(head, Back):
            is_gone = not any(self._places.lies(tag) for tag in head.tags)
            return self._hand.dealt_next if is_gone or head.aside else head
        return head

    def _burn_more(self, tag: str, street: Street) -> None:
        """A card is burned for a street though the script waits for no burn."""
        hand, t = self._hand, self._walk.t
        if lent_burns(hand, street):
            hand.burn(tag, street)  # the second burn before was to be this one, and is not
            self._scraps.look_at(tag)
            return
        if not hand.burns[street]:
            burns_stand_in(hand, street)
        last = max((hand.lain_since.get(b, 0.0) for b in hand.burns[street]), default=t)
        hand.burn(tag, street)
        if self._scraps.look_at(tag):
            return
        if len(hand.burns[street]) > 1 and not burns_again(hand, street):
            known = hand.betting.betting_possible and all(
                self._setup.has_buttons(p.seat) for p in hand.betting.live
            )
            known = known and not self._walk.has_unplaced  # else the street may not have been read
            self._twice.another(street, read=known or t - last < SAME_MOTION)

    def _burned_late(self) -> Street | None:
        """The street whose first card came less than `settle` ago: a burn that is read now is
        its burn."""
        street = self._hand.last_street()
        if street is None or not self._hand.burns[street]:
            return None
        came = self._hand.lain_since.get(self._hand.board[street][0], 0.0)
        return street if self._walk.t - came < self._setup.timing.settle else None

    def left(self, tag: str, street: Street) -> bool:
        """A burn has left its pile: it brushed by, or a remedy takes it back. True if it was
        never burned: it is a card of wherever it lies now."""
        hand, judge, t = self._hand, self._judge, self._walk.t
        lay = t - self._setup.timing.flicker - hand.lain_since.get(tag, 0.0)
        doubt = self._twice.doubted(street)
        is_needless = owing_burn(hand, street, SECOND_BURN) is not None
        at_once = (doubt is not None or is_needless) and not hand.board[street]
        if lay < self._setup.timing.flicker or at_once:
            self._unburn(tag, street)
            return True
        if doubt is not None:
            judge.doubts.remove(doubt)
            self._twice.prove(doubt)
        if self._twice.serves_next(street):
            if len(hand.burns[street]) > 1:
                hand.take_off_board(tag, street)
            return False
        if judge.moves_burns(street):
            judge.begin_remedy(street)
        if hand.is_taken(tag):
            hand.take_off_board(tag, street)
            self._piles.settle()
        else:
            self._piles.went(tag, "burn", street)
        return False

    def _unburn(self, tag: str, street: Street) -> None:
        """A card lay on the burns for a moment and was not burned."""
        hand, judge = self._hand, self._judge
        hand.burns[street].remove(tag)
        del hand.roles[tag]
        doubt = self._twice.doubted(street)
        if doubt is not None and len(hand.burns[street]) < 2:
            judge.doubts.remove(doubt)
        if hand.board[street] and not hand.burns[street]:
            self._unburned.came_without(street)

    def check(self, street: Street) -> None:
        """The street's first card comes: were its burns made?"""
        hand = self._hand
        lender = owing_burn(hand, street, SECOND_BURN)
        lend_burns(hand, street)
        if lender is not None and lender.street and len(hand.burns[lender.street]) > 1:
            lender = None  # it lies where it lay: this street has a burn of its own
        fewest, _ = burns_wanted(hand, street)
        if isinstance(hand.head, Burn):
            fewest = max(fewest, hand.head.count)
        elif any(f.under_way for f in hand.findings) or any(
            isinstance(step, Settle) for step in hand.script
        ):
            fewest = 0  # what burns a remedy wants are steps of its own
        burned = len(hand.burns[street])
        owing = owing_burn(hand, street, advised=True)
        if not burned:
            lender = lender or owing_burn(hand, street, SECOND_BURN, advised=True)
            lend_burns(hand, street, advised=True)
            burned = len(hand.burns[street])
        if lender is not None:
            self._close(lender, put_right=bool(burned))
        self._early.street_comes(street)
        if burned < fewest and not self._was_scrap(street):
            self._unburned.came_without(street)
        elif owing is not None and (burned > 1 or owing.asks_for(TWO_BURNS)):
            self._close(owing, put_right=burned > 1)

    def _close(self, finding: OpenFinding, *, put_right: bool) -> None:
        if put_right:
            self._judge.put_right(finding, self._walk.t)
        else:
            self._judge.close(finding, "expired", self._walk.t)

    def _was_scrap(self, street: Street) -> bool:
        """Whether the street's burn does not play, and came too late to burn another one."""
        hand, since = self._hand, self._walk.t - AT_ONCE
        scraps = [tag for tag, role in hand.roles.items() if role == Scrap(street, "burn")]
        return any(hand.lain_since.get(tag, 0.0) > since for tag in scraps)
