"""Cards that come and go: each arrival is held against the hand's script.

It is offered, in this order, to the remedy under way, to the open doubt and to the head of the
script. What is none of these and not harmless is a deviation.
"""

from __future__ import annotations

from controller.engine.dealing import Dealing
from controller.engine.doubt import Arrival, Doubt
from controller.engine.judge import Judge
from controller.engine.piles import Piles
from controller.engine.places import Places
from controller.engine.setup import Setup
from controller.engine.turns import Turns
from controller.engine.walk import Walk
from controller.rules.four_card_flop import SAME_MOTION
from controller.rules.hand import (
    BoardCard,
    BurnCard,
    Discarded,
    EarlyCard,
    HoleCard,
    OpenFinding,
    Returned,
)
from controller.rules.irregularity import Deviation, Disturbed, DoubleBurn, EarlyBurn, EarlyStreet
from controller.rules.out_of_turn import Act
from controller.rules.premature import CODES
from controller.rules.procedure import (
    SIZE,
    Back,
    Burn,
    PickBurn,
    Reorder,
    Round,
    Settle,
    Showdown,
    Street,
    Turn,
    later_streets,
)
from controller.rules.remedies import (
    SECOND_BURN,
    burns_again,
    burns_wanted,
    lend_burns,
    next_burned,
    owing_burn,
)
from controller.zones import seat_of


class Cards:
    """Gives each tag its role in the hand."""

    def __init__(
        self,
        walk: Walk,
        setup: Setup,
        judge: Judge,
        places: Places,
        *,
        dealing: Dealing,
        turns: Turns,
    ) -> None:
        """`places` knows where each tag is, `dealing` whose card it is, `turns` whose turn."""
        self._dealing = dealing
        self._turns = turns
        self._piles = Piles(walk, setup, judge, places)
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places

    def arrived(self, tag: str, zone: str) -> None:
        """A tag is newly in a zone's field."""
        self._arrived(tag, zone)
        self._piles.came(tag, zone)

    def _arrived(self, tag: str, zone: str) -> None:
        pile = zone.partition("/")[0]
        seat = seat_of(zone)
        if seat is not None:
            self._dealing.at_seat(tag, seat)
        elif pile == "board" and self._setup.has("board"):
            self._on_board(tag, zone)
        elif pile == "burn" and self._setup.has("burn"):
            self._on_burn(tag)
        elif pile == "muck":
            self._in_muck(tag)
        elif pile == "stub":
            self._dealing.in_stub(tag)

    def left(self, tag: str, zone: str) -> None:
        """A tag has left a zone's field for good. Only a remedy takes cards off the board;
        anywhere else cards are lifted, brushed and collected."""
        if self._forget_held(tag, zone):
            return
        role = self._hand.roles.get(tag)
        if seat_of(zone) is not None:
            self._dealing.left(tag)
        if isinstance(role, HoleCard):
            if seat_of(zone) == role.seat:
                self._dealing.left_seat(tag, role, self._places.seat(tag))
            return
        if isinstance(role, BurnCard) and zone == "burn":
            self._burn_left(tag, role.street)
            return
        if not isinstance(role, BoardCard | EarlyCard) or not zone.startswith("board"):
            return
        if self._places.is_present(tag, "board"):
            return
        if isinstance(role, BoardCard):
            if self._brushed(tag, role.street):
                return
            self._judge.prove_surplus(role.street, self._walk.t)
        self._judge.begin_remedy(role.street)
        if self._is_taken(tag) or isinstance(role, EarlyCard):
            self._hand.take_off_board(tag, role.street)
            self._piles.settle()
        else:
            self._piles.went("board", role.street)

    # --- seats and muck ---

    def _in_muck(self, tag: str) -> None:
        self._dealing.mucked(tag)
        role = self._hand.roles.get(tag)
        if role is None:
            self._hand.roles[tag] = Discarded()
            self._dealing.look_at(tag)
        elif isinstance(role, HoleCard):
            player = self._hand.betting.players[role.seat]
            if isinstance(self._hand.head, Showdown):
                player.mucked = not player.tabled
            elif not (player.folded or player.all_in):
                self._turns.act(Act(role.seat, "fold", None, "muck"))

    def _end_deal(self) -> None:
        self._dealing.end(None)

    # --- burns ---

    def _on_burn(self, tag: str) -> None:
        hand = self._hand
        role = hand.roles.get(tag)
        if self._dealing.becomes_burn(tag):
            return
        if isinstance(role, BoardCard):
            self._judge.begin_remedy(role.street)
        head = hand.head
        if isinstance(head, PickBurn) and tag in head.tags:
            if isinstance(role, BoardCard):
                hand.take_off_board(tag, head.street)
            hand.burn(tag, next_burned(hand, head.street))
        elif isinstance(head, Reorder):
            hand.put_in_order(tag, "burn", head, self._walk.t)
        elif role is None or isinstance(role, Returned):
            self._burned(tag)

    def _burned(self, tag: str) -> None:
        late_for = self._judge.burn_awaited_for()
        if late_for is not None:
            self._hand.burn(tag, late_for)
            self._judge.explain_burn(late_for, self._walk.t)
            return
        self._end_deal()
        if isinstance(self._hand.head, Turn) and not self._burned_late():
            self._walk.skip_unread()
        self.close_round_without_buttons()
        head = self._hand.head
        self._hand.lain_since[tag] = self._walk.t
        if isinstance(head, Burn):
            self._hand.burn(tag, head.street)
        elif isinstance(head, Turn):
            self._burn_more(tag, head.street)
        elif isinstance(head, Round) and head.name != "river":
            late_for = self._burned_late()
            if late_for is not None:
                self._burn_more(tag, late_for)
            else:
                self._too_soon(tag, "burn")

    def _burn_more(self, tag: str, street: Street) -> None:
        """A card is burned for a street though the script waits for no burn."""
        hand, t = self._hand, self._walk.t
        lend_burns(hand, street)
        last = max((hand.lain_since.get(b, 0.0) for b in hand.burns[street]), default=t)
        hand.burn(tag, street)
        if len(hand.burns[street]) > 1 and not burns_again(hand, street):
            known = hand.betting.betting_possible and all(
                self._setup.has_buttons(p.seat) for p in hand.betting.live
            )
            self._judge.second_burn(street, t, read=known or t - last < SAME_MOTION)

    def _burned_late(self) -> Street | None:
        """The street whose first card came less than `settle` ago: a burn that is read now is
        its burn."""
        street = self._hand.last_street()
        if street is None or not self._hand.burns[street]:
            return None
        came = self._hand.lain_since.get(self._hand.board[street][0], 0.0)
        return street if self._walk.t - came < self._setup.timing.settle else None

    def _burn_left(self, tag: str, street: Street) -> None:
        """A burn has left its pile: it brushed by, or a remedy takes it back."""
        hand, judge, t = self._hand, self._judge, self._walk.t
        lay = t - self._setup.timing.flicker - hand.lain_since.get(tag, 0.0)
        doubt = judge.second_burn_doubt(street)
        at_once = doubt is not None and not hand.board[street]
        if lay < self._setup.timing.flicker or at_once:
            self._unburn(tag, street)
            return
        if doubt is not None:
            judge.doubts.remove(doubt)
            judge.establish(doubt.deviation, t)
        finding = hand.open_finding("burn-double", street)
        if finding is not None and finding.asks_for(SECOND_BURN):
            if len(hand.burns[street]) > 1:
                hand.take_off_board(tag, street)
            return
        if judge.moves_burns(street):
            judge.begin_remedy(street)
        if self._is_taken(tag):
            hand.take_off_board(tag, street)
            self._piles.settle()
        else:
            self._piles.went("burn", street)

    def _unburn(self, tag: str, street: Street) -> None:
        """A card lay on the burns for a moment and was not burned."""
        hand, judge = self._hand, self._judge
        hand.burns[street].remove(tag)
        del hand.roles[tag]
        doubt = judge.second_burn_doubt(street)
        if doubt is not None and len(hand.burns[street]) < 2:
            judge.doubts.remove(doubt)
        if hand.board[street] and not hand.burns[street]:
            judge.no_burn(street, self._walk.t)
        if self._places.is_present(tag, "board"):
            self._on_board(tag, "board")
        elif self._places.is_present(tag, "muck"):
            self._in_muck(tag)

    def _is_leaving(self, street: Street) -> bool:
        """Whether the second burn is not read just now, and may be on its way back."""
        read = [tag for tag in self._hand.burns[street] if self._places.is_present(tag, "burn")]
        return len(read) < min(2, len(self._hand.burns[street]))

    def _is_taken(self, tag: str) -> bool:
        """Whether the remedy's next step takes this card away."""
        match self._hand.head:
            case Back(tags=tags) | PickBurn(tags=tags) | Reorder(back=tags):
                return tag in tags
            case _:
                return False

    # --- the board ---

    def _on_board(self, tag: str, zone: str) -> None:
        hand = self._hand
        role = hand.roles.get(tag)
        if isinstance(role, BurnCard) and self._judge.moves_burns(role.street):
            self._judge.begin_remedy(role.street)
        head = hand.head
        if isinstance(head, Reorder) and hand.put_in_order(tag, "board", head, self._walk.t):
            return
        if isinstance(role, BoardCard) and isinstance(head, Reorder):
            self._judge.forget_remedy(role.street)
        if role is not None and not isinstance(role, Returned):
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
        if isinstance(role, Returned) and not isinstance(head, Turn):
            return
        self._end_deal()
        street = self._street_of_card()
        if street is not None:
            self._turned_up(tag, street)
        elif isinstance(hand.head, Round) and hand.head.name != "river":
            self._too_soon(tag, zone)

    def _laid_back(self, tag: str, step: Reorder) -> None:
        """A card that the remedy takes away is on the board again: perhaps nothing has begun."""
        for finding in self._hand.findings:
            if finding.street is not None and any(s is step for s in finding.inserted):
                out = [s for s in later_streets(finding.street) if self._hand.burns[s]]
                self._hand.turn_up(tag, (finding.street, *out)[-1], self._walk.t)
                self._judge.forget_remedy(finding.street)
                return

    def _turned_up(self, tag: str, street: Street) -> None:
        hand = self._hand
        if not hand.board[street] and self._setup.has("burn"):
            self._check_burns(street)
        hand.turn_up(tag, street, self._walk.t)
        hand.lain_since[tag] = self._walk.t
        self._dealing.look_at(tag)
        self._judge.rule_anew(self._walk.t)
        if street == "flop":
            self._judge.watch_flop(self._walk.t)
        if len(hand.board[street]) > SIZE[street]:
            self._judge.surplus(street, self._walk.t)

    def _street_of_card(self) -> Street | None:
        """Which street a card belongs to that comes to the board now; None if it is too soon."""
        hand = self._hand
        out = hand.last_street()
        if out == "flop" and not hand.is_complete(out) and self._judge.awaits_flop_card():
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
        self.close_round_without_buttons()
        head = hand.head
        return head.street if isinstance(head, Burn | Turn) else None

    def _adds_to(self, street: Street) -> bool:
        """Whether another card in the same motion is one too many for its street: while one of
        them is being put right it may be the new card."""
        return street == "flop" or self._judge.disputing(street) is None

    def _check_burns(self, street: Street) -> None:
        """The street's first card comes: were its burns made?"""
        hand, t = self._hand, self._walk.t
        lender = owing_burn(hand, street, SECOND_BURN)
        lend_burns(hand, street)
        fewest, _ = burns_wanted(hand, street)
        if isinstance(hand.head, Burn):
            fewest = max(fewest, hand.head.count)
        elif any(f.under_way for f in hand.findings) or any(
            isinstance(step, Settle) for step in hand.script
        ):
            fewest = 0  # what burns a remedy wants are steps of its own
        burned = len(hand.burns[street])
        owing = owing_burn(hand, street)
        if lender is not None:
            self._judge.close(lender, "remedied" if burned else "expired", t)
        early = hand.open_finding("burn-premature", street)
        if early is not None:
            self._judge.close(early, "remedied", t)
        if burned < fewest:
            self._judge.no_burn(street, t)
        elif owing is not None:
            self._judge.close(owing, "remedied" if burned > 1 else "expired", t)

    def close_round_without_buttons(self) -> None:
        """The next street's burn or card closes a round where those who have not acted have
        no buttons to act with."""
        if isinstance(self._hand.head, Round) and not self._judge.waiting():
            self._walk.close_round()

    def _brushed(self, tag: str, street: Street) -> bool:
        """A card lay on the board for less than a flicker: it was never turned up. What is too
        many without it is forgotten, and on the burn pile it is a burn."""
        hand, timing = self._hand, self._setup.timing
        lay = self._walk.t - timing.flicker - hand.lain_since.get(tag, 0.0)
        if lay >= timing.flicker or any(f.under_way for f in hand.findings):
            return False
        hand.board[street].remove(tag)
        del hand.roles[tag]
        if street == "flop":
            self._judge.watch_flop(self._walk.t)
        doubt = self._judge.surplus_doubt(street)
        if doubt is not None and len(hand.board[street]) <= SIZE[street]:
            self._judge.doubts.remove(doubt)
        if self._places.is_present(tag, "burn"):
            self._on_burn(tag)
        elif self._places.is_present(tag, "muck"):
            self._in_muck(tag)
        return True

    # --- too soon ---

    def _too_soon(self, tag: str, zone: str) -> None:
        """A card came before the round was complete: it is held until that is certain."""
        t = self._walk.t
        arrival = Arrival(t, tag, zone)
        street = self._hand.early_street()
        if self._hand.open_finding(CODES[street]) is not None:
            self._take_early([arrival])
            return
        until = t + self._setup.timing.settle
        doubt = self._early_doubt()
        if doubt is None:
            doubt = Doubt(EarlyBurn(t, street, self._judge.waiting()), until)
            self._judge.doubts.append(doubt)
        doubt.held.append(arrival)
        doubt.until = until

    def _early_doubt(self) -> Doubt | None:
        return next((d for d in self._judge.doubts if d.held), None)

    def _early_finding(self) -> OpenFinding | None:
        codes = (*CODES.values(), "burn-premature")
        return next((f for f in self._hand.findings if f.code in codes and not f.under_way), None)

    def _forget_held(self, tag: str, zone: str) -> bool:
        """A card that was held left again: it only brushed by."""
        doubt = self._early_doubt()
        if doubt is None or all((a.tag, a.zone) != (tag, zone) for a in doubt.held):
            return False
        doubt.held = [a for a in doubt.held if (a.tag, a.zone) != (tag, zone)]
        if not doubt.held:
            self._judge.doubts.remove(doubt)
        return True

    def prove(self, doubt: Doubt) -> None:
        """A doubt has lasted: what was held back, and still lies there, did come too soon."""
        if doubt.held:
            self._take_early([a for a in doubt.held if self._places.is_present(a.tag, a.pile)])
        elif isinstance(doubt.deviation, Disturbed):
            self._piles.prove(doubt.deviation)
        elif isinstance(doubt.deviation, DoubleBurn) and self._is_leaving(doubt.deviation.street):
            doubt.until = self._walk.t + self._setup.timing.flicker
            self._judge.doubts.append(doubt)
        else:
            self._judge.establish(doubt.deviation, self._walk.t)

    def _take_early(self, held: list[Arrival]) -> None:
        if not self._judge.watching:
            # Nothing is claimed: the street is taken as it comes.
            self._walk.close_round()
            for arrival in held:
                self.arrived(arrival.tag, arrival.zone)
            return
        hand, t, seats = self._hand, self._walk.t, self._judge.waiting()
        came: dict[Street, Deviation] = {}
        for arrival in held:
            if hand.is_out(arrival.tag):
                continue  # two antennas read it: it lies where it was first
            street = hand.early_street()
            if arrival.pile == "burn":
                hand.burn(arrival.tag, street)
                came.setdefault(street, EarlyBurn(t, street, seats))
            else:
                hand.turn_up_early(arrival.tag, street)
                came[street] = EarlyStreet(t, street, seats)
        for street, deviation in came.items():
            if hand.open_finding(CODES[street]) is None:
                self._judge.establish(deviation, t)

    def release_held(self) -> bool:
        """Gives back what was held once the round is complete; True if there was anything."""
        doubt = self._early_doubt()
        if doubt is None or isinstance(self._hand.head, Round):
            return False
        self._judge.doubts.remove(doubt)
        for arrival in doubt.held:
            self.arrived(arrival.tag, arrival.zone)
        return True

    def before_action(self, seat: int) -> None:
        """A seat is about to act. If it still had to, an early street did come too soon; if
        not, the round was over and there is action on that street."""
        finding = self._early_finding()
        if finding is None or finding.street is None:
            return
        if seat in {p.seat for p in self._hand.betting.must_act()}:
            self._judge.make_certain(finding, self._walk.t, confirmed=False)
        else:
            self.play_early()

    def play_early(self) -> None:
        """Early cards are taken as their street's: the round was over, or there is action."""
        for street in SIZE:
            if self._hand.early[street]:
                self._hand.play_early(street, self._walk.t)
        self._walk.close_round()
        self._judge.rule_anew(self._walk.t)
