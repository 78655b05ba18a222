"""Watching one hand: what is read and pressed is held against the hand's script.

An arrival is offered, in this order, to the remedy under way, to the open doubt and to the
head of the script. What is none of these and not harmless is a deviation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from controller.engine.announcer import Announcer
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.events import Action, Event, Prompt, Result, Tabled
from controller.rules.four_card_flop import SAME_MOTION
from controller.rules.hand import BoardCard, Discarded, Hand, HoleCard, Returned
from controller.rules.irregularity import NoBurn, SurplusCard
from controller.rules.outcome import settle_pots
from controller.rules.procedure import (
    SIZE,
    STREETS,
    Back,
    Burn,
    Deal,
    PickBurn,
    Reorder,
    Round,
    ScriptStep,
    Settle,
    Showdown,
    Street,
    Turn,
)
from controller.rules.progress import is_done
from controller.rules.remedies import burns_wanted, next_burned, owing_burn


class Watch:
    """The hand that is being dealt."""

    def __init__(
        self,
        hand: Hand,
        setup: Setup,
        *,
        resolver: Resolver,
        places: Places,
        emit: Callable[[Event], None],
        next_finding: Callable[[], int],
    ) -> None:
        """Begins with a hand whose script has just been written; `emit` takes the events."""
        self.hand = hand
        self.judge = Judge(hand, setup, emit, next_finding)
        self.stacks_after: dict[str, int] | None = None
        self._setup = setup
        self._resolver = resolver
        self._places = places
        self._emit = emit
        self._tell = Announcer(hand, resolver, setup.timing.settle, emit)
        self._t = hand.t
        self._tell.phase("deal", hand.t)
        self._walk()

    # --- time -----------------------------------------------------------------------------

    @property
    def next_deadline(self) -> float | None:
        """When something becomes certain by itself, if nothing happens before."""
        rest = self._tell.next_rest(self._t)
        doubt = self.judge.next_deadline
        return min((at for at in (rest, doubt) if at is not None), default=None)

    def expire(self, t: float) -> None:
        """Makes certain what has stayed as it is until `t`."""
        self._t = t
        self.judge.expire(t)
        self._walk()

    # --- cards ----------------------------------------------------------------------------

    def arrived(self, tag: str, zone: str, t: float) -> None:
        """A tag is newly in a zone's field."""
        self._t = t
        pile, _, number = zone.partition("/")
        if pile == "seat":
            self._at_seat(tag, int(number))
        elif pile == "board" and self._setup.has("board"):
            self._on_board(tag)
        elif pile == "burn" and self._setup.has("burn"):
            self._on_burn(tag)
        elif pile == "muck":
            self._in_muck(tag)
        self._walk()

    def left(self, tag: str, zone: str, t: float) -> None:
        """A tag has left a zone's field for good. Only a remedy takes cards off the board;
        anywhere else cards are lifted, brushed and collected."""
        self._t = t
        role = self.hand.roles.get(tag)
        if not isinstance(role, BoardCard) or not zone.startswith("board"):
            return
        if self._places.is_present(tag, "board"):
            return
        self.judge.begin_remedy(role.street)
        head = self.hand.head
        if isinstance(head, Back | PickBurn) and tag in head.tags:
            self.hand.take_off_board(tag, role.street)
        self._walk()

    def _at_seat(self, tag: str, seat: int) -> None:
        hand = self.hand
        if tag not in hand.roles and seat in hand.betting.players:
            hand.roles[tag] = HoleCard(seat)
            hand.dealt.append((self._t, seat, tag))

    def _in_muck(self, tag: str) -> None:
        role = self.hand.roles.get(tag)
        if role is None:
            self.hand.roles[tag] = Discarded()
        elif isinstance(role, HoleCard):
            player = self.hand.betting.players[role.seat]
            if isinstance(self.hand.head, Showdown):
                player.mucked = not player.tabled
            elif not (player.folded or player.all_in):
                self._fold(role.seat, "muck")

    def _on_burn(self, tag: str) -> None:
        hand = self.hand
        role = hand.roles.get(tag)
        if isinstance(role, BoardCard):
            self.judge.begin_remedy(role.street)
        head = hand.head
        if isinstance(head, PickBurn) and tag in head.tags:
            if isinstance(role, BoardCard):
                hand.take_off_board(tag, head.street)
            hand.burn(tag, next_burned(hand, head.street))
        elif isinstance(head, Reorder):
            hand.put_in_order(tag, "burn", head, self._t)
        elif role is None or isinstance(role, Returned):
            self._burned(tag)

    def _burned(self, tag: str) -> None:
        late_for = self.judge.burn_awaited_for()
        if late_for is not None:
            self.hand.burn(tag, late_for)
            self.judge.explain_burn(late_for, self._t)
            return
        self._finish_deal()
        self._close_round_without_buttons()
        head = self.hand.head
        if isinstance(head, Burn | Turn):
            self.hand.burn(tag, head.street)
        elif isinstance(head, Round) and head.name != "river":
            self.hand.burn(tag, self.hand.next_street())

    def _on_board(self, tag: str) -> None:
        hand = self.hand
        role = hand.roles.get(tag)
        head = hand.head
        if isinstance(head, Reorder) and hand.put_in_order(tag, "board", head, self._t):
            return
        if role is not None and not isinstance(role, Returned):
            return
        if isinstance(head, Back | PickBurn):
            if tag in head.tags:
                hand.turn_up(tag, head.street, self._t)
            return
        if isinstance(role, Returned) and not isinstance(head, Turn):
            return
        self._finish_deal()
        street = self._street_of_card()
        if street is None:
            return
        if not hand.board[street] and self._setup.has("burn"):
            self._check_burns(street)
        hand.turn_up(tag, street, self._t)
        self.judge.rule_anew(self._t)
        if len(hand.board[street]) > SIZE[street]:
            self.judge.deviates(SurplusCard(self._t, street))

    def _street_of_card(self) -> Street | None:
        """Which street a card belongs to that comes to the board now, if any."""
        hand = self.hand
        out = hand.last_street()
        if out is not None and out not in hand.acted_streets and not hand.burned_since(out):
            window = SAME_MOTION if hand.betting.betting_possible else self._setup.timing.settle
            same_motion = self._t - hand.last_card[out] < window
            if not hand.is_complete(out) or (out == "flop" and same_motion):
                return out
        self._close_round_without_buttons()
        head = hand.head
        if isinstance(head, Burn | Turn):
            return head.street
        if isinstance(head, Round) and head.name != "river":
            return hand.next_street()
        return None

    def _check_burns(self, street: Street) -> None:
        """The street's first card comes: were its burns made?"""
        fewest, _ = burns_wanted(self.hand, street)
        head = self.hand.head
        if isinstance(head, Burn):
            fewest = max(fewest, head.count)
        elif any(f.under_way for f in self.hand.findings):
            fewest = 0  # what burns a remedy wants are steps of its own
        burned = len(self.hand.burns[street])
        owing = owing_burn(self.hand, street)
        if burned < fewest:
            self.judge.deviates(NoBurn(self._t, street))
        elif owing is not None:
            self.judge.close(owing, "remedied" if burned > 1 else "expired", self._t)

    # --- acts -----------------------------------------------------------------------------

    def press(self, seat: int, button: str, amount: int | None, by: str, t: float) -> None:
        """A seat acted, by its buttons or by the dealer's entry."""
        self._t = t
        player = self.hand.betting.players.get(seat)
        if button == "time" or player is None or player.folded or player.all_in:
            return
        self._finish_deal()
        self.judge.next_step_proves(t)
        head = self.hand.head
        if isinstance(head, Turn) and self.hand.board[head.street]:
            # The street was dealt: what is missing of it was not read.
            self.hand.script.pop(0)
            self._tell.phase(head.street, t)
            self._walk()
        if not isinstance(self.hand.head, Round):
            return
        who: Literal["press", "dealer"] = "dealer" if by == "dealer" else "press"
        if button == "fold":
            self._fold(seat, who)
        else:
            self._note_unseen(seat)
            bet = self.hand.betting.act(seat, button, amount)
            self._emit(Action(t, self.hand.number, seat, button, who, bet))
            self._acted()
        self._walk()

    def _fold(self, seat: int, by: Literal["press", "dealer", "muck"]) -> None:
        self._finish_deal()
        self._note_unseen(seat)
        self.hand.betting.fold(seat)
        self._emit(Action(self._t, self.hand.number, seat, "fold", by))
        self._acted()

    def _note_unseen(self, seat: int) -> None:
        """A seat without buttons that was to act before this one may have put chips in."""
        due = self.hand.betting.next_to_act()
        if due not in (None, seat) and not self._setup.has_buttons(due):
            self.hand.betting.known = False

    def _acted(self) -> None:
        head = self.hand.head
        if isinstance(head, Round):
            self.hand.acted_streets.add(head.name)
        self.judge.rule_anew(self._t)

    def _finish_deal(self) -> None:
        if not self.hand.dealt_out:
            self.hand.dealt_out = True
            self._walk()

    def round_closed(self, t: float) -> None:
        """The dealer says that the betting round is complete."""
        self._t = t
        self._finish_deal()
        self.judge.next_step_proves(t)
        head = self.hand.head
        if isinstance(head, Round):
            self._close_round(head)

    def _close_round_without_buttons(self) -> None:
        """The next street's burn or card closes a round where those who have not acted have
        no buttons to act with."""
        head = self.hand.head
        waiting = self.hand.betting.must_act()
        if isinstance(head, Round) and not any(self._setup.has_buttons(p.seat) for p in waiting):
            self._close_round(head)

    def _close_round(self, head: Round) -> None:
        if self.hand.betting.must_act():
            self.hand.betting.known = False
        self.hand.closed_rounds.add(head.name)
        self._walk()

    def tabled(self, seat: int, t: float) -> None:
        """A hand lies face up. While there is betting that is refused with a prompt."""
        self._t = t
        hand = self.hand
        player = hand.betting.players.get(seat)
        if player is None or player.folded or player.tabled:
            return
        self._finish_deal()
        if isinstance(hand.head, Round) or hand.betting.must_act():
            self._emit(Prompt(t, hand.number, "betting-open", {"seat": seat}))
            return
        player.tabled = True
        cards = self._resolver.name_public(tag for _, at, tag in hand.dealt if at == seat)
        self._emit(Tabled(t, hand.number, seat, cards))
        self._walk()

    # --- dealer and floor -----------------------------------------------------------------

    def confirm(self, finding_id: int, t: float) -> None:
        """The dealer's yes to a finding's question."""
        self._t = t
        finding = self.hand.finding(finding_id)
        if finding is not None:
            self.judge.confirm(finding, t)
            self._walk()

    def dismiss(self, finding_id: int, t: float) -> None:
        """A finding is answered with no, by the dealer or the floor."""
        self._t = t
        finding = self.hand.finding(finding_id)
        if finding is not None:
            self.judge.dismiss(finding, t)
            self._walk()

    def rule(self, finding_id: int, outcome: str, t: float) -> None:
        """The floor decides a finding."""
        self._t = t
        finding = self.hand.finding(finding_id)
        if finding is not None:
            self.judge.rule(finding, outcome, t)
            self._walk()

    @property
    def awaits_shuffle(self) -> bool:
        """Whether a remedy is under way that has the stub shuffled."""
        return any(f.under_way and f.asks_for("shuffle") for f in self.hand.findings)

    # --- the end --------------------------------------------------------------------------

    def complete(self, t: float) -> None:
        """The hand is over: one player is left, the pot was awarded, or the next one began."""
        hand = self.hand
        self._tell.streets(t, self.judge.disputed(), final=True)
        hand.over = True
        self.judge.close_all("expired", t)
        self._tell.phase("complete", t)
        outcome = settle_pots(hand, self._tabled_cards(), self._board_cards())
        self._emit(Result(t, hand.number, outcome.pots, outcome.awards, outcome.stacks))
        self.stacks_after = outcome.stacks
        self._tell.say("new-hand", t)

    def misdeal(self, t: float) -> None:
        """A misdeal was called: the hand is void and the next one is its redeal."""
        self.judge.close_all("ruled", t)
        self.hand.over = self.hand.misdealt = True
        self._tell.phase("misdeal", t)
        self._tell.say("collect", t)

    def _tabled_cards(self) -> dict[int, list[str]]:
        cards: dict[int, list[str]] = {}
        for _, seat, tag in self.hand.dealt:
            if self.hand.betting.players[seat].tabled:
                cards.setdefault(seat, []).extend(self._resolver.name_public([tag]))
        return cards

    def _board_cards(self) -> list[str]:
        return list(self._resolver.name_public(t for s in STREETS for t in self.hand.board[s]))

    # --- the script -----------------------------------------------------------------------

    def _walk(self) -> None:
        """Takes off the script what is done, and says what comes next."""
        hand = self.hand
        burns_are_read = self._setup.has("burn")
        while not hand.over and hand.script:
            head = hand.script[0]
            if isinstance(head, Round):
                self._enter_round(head)
            elif isinstance(head, Showdown):
                self._tell.phase("showdown", self._t)
            if not is_done(head, hand, burns_are_read=burns_are_read):
                break
            hand.script.pop(0)
            self._step_done(head)
        if not hand.over:
            self._tell.streets(self._t, self.judge.disputed())
            self._tell.next_step(self._t)

    def _enter_round(self, step: Round) -> None:
        betting = self.hand.betting
        if betting.round != step.name:
            betting.open_round(step.name)
            self._tell.phase(step.name, self._t)
            if betting.betting_possible:
                self.hand.bet_streets.add(step.name)

    def _step_done(self, step: ScriptStep) -> None:
        match step:
            case Deal():
                self.hand.dealt_out = True
                self._tell.phase("preflop", self._t)
            case Round(name):
                if name in self.hand.bet_streets:
                    self.hand.acted_streets.add(name)
                if len(self.hand.betting.live) < 2:
                    self.complete(self._t)
            case Turn(street):
                self._tell.phase(street, self._t)
            case Settle(finding_id):
                finding = self.hand.finding(finding_id)
                if finding is not None:
                    self.judge.close(finding, "remedied", self._t, keep_remedy=True)
            case _:
                pass
