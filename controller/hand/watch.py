"""Watching one hand: all that can happen to it, from the cards to the floor."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import inf

from controller.contract.events import ClosedHow, Event
from controller.contract.observations import Gone, Press, Seen, TableBlinds
from controller.hand.acts import Acts
from controller.hand.cards import Cards
from controller.hand.dead_hands import DeadHands
from controller.hand.judge import Judge
from controller.hand.on_board import OnBoard, on_board
from controller.hand.places import Places
from controller.hand.presses import Presses
from controller.hand.reminders import Reminders
from controller.hand.resolver import Resolver
from controller.hand.setup import Setup
from controller.hand.tabling import Tabling
from controller.hand.unseen import Unseen
from controller.hand.walk import Walk
from controller.rules import WATCHERS
from controller.rules.absent import is_heard
from controller.rules.away import Away
from controller.rules.burn_premature import CODE as BURN_PREMATURE
from controller.rules.button_misplaced import Puck
from controller.rules.called_clock import CalledClock
from controller.rules.dealing import Dealing
from controller.rules.decisions import Decisions
from controller.rules.defining_acts import is_asked
from controller.rules.disputes import Disputed
from controller.rules.first_card_wrong_seat import PAUSE
from controller.rules.hand import Hand, OpenFinding
from controller.rules.irregularity import Numbering
from controller.rules.missing_card import Missing
from controller.rules.muck_retrieved import Muck
from controller.rules.out_of_turn import Act
from controller.rules.premature import CODES as PREMATURE_CODES
from controller.rules.procedure import HOLE_CARDS, Burn, Deal, Round, Showdown, Turn
from controller.rules.routine import RoutineOfHand
from controller.rules.showing import Showing
from controller.rules.stub_fouled import Stub
from controller.rules.turns import Turns
from controller.rules.watcher import Lookout, Watcher, those_that

PREMATURE = frozenset(PREMATURE_CODES.values())
ENDLESS = 100
"""So often nothing is due at one time."""


class Watch:
    """The hand that is being dealt. Every method takes the time `t` of what happened."""

    def __init__(
        self,
        hand: Hand,
        setup: Setup,
        *,
        resolver: Resolver,
        places: Places,
        emit: Callable[[Event], None],
        number: Numbering,
    ) -> None:
        """Begins with a hand whose script has just been written; `emit` takes the events and
        `number` numbers findings."""
        self.hand = hand
        self.judge = Judge(hand, setup, emit, number)
        self._setup = setup
        self._resolver = resolver
        self._places = places
        self._rest_s = setup.timing.settle
        self._expired = -inf
        self._again = 0
        self._walk = Walk(hand, setup, self.judge, resolver, emit)
        lookout = Lookout(self._walk, setup, places, resolver, self.judge.doubts, self.judge)
        self._puck = Puck(lookout)
        self._turns = Turns(lookout, self._walk, self._puck)
        self._presses = Presses(self._walk, self.judge, self._turns.bans)
        self.decisions = Decisions(lookout, self._walk, self._turns, emit)
        self.clock = CalledClock(lookout, emit)
        self._missing = Missing(lookout)
        muck = Muck(lookout, self._turns.hand_back)
        self._dealing = Dealing(lookout, muck)
        self._stub = Stub(lookout)
        showing = Showing(lookout, muck)
        self._routine = RoutineOfHand(lookout)
        told: tuple[Watcher, ...] = (
            self._stub,
            *(watcher(lookout) for watcher in WATCHERS),
            showing,
            self._routine,
            Away(lookout, lambda: self._turns.passed_over),
        )
        self._of_coming = those_that(told, "came")
        self._of_leaving = those_that(told, "left")
        self._of_acting = those_that(told, "acted")
        self._of_time = those_that(told, "next_deadline")
        self._settling = those_that(told, "settle")
        self._acts = Acts(self._walk, self.judge, places)
        self._cards = Cards(
            self._walk,
            setup,
            self.judge,
            places,
            lookout=lookout,
            dealing=self._dealing,
            turns=self._turns,
            acts=self._acts,
        )
        watchers = (
            *told,
            self._puck,
            self._turns,
            muck,
            *self._dealing.watchers,
            *self._cards.watchers,
        )
        self.judge.asks(watchers)
        self._reminders = Reminders(
            self._walk, lookout, bans=self._turns.bans, showing=showing, amounts=setup.book.betting
        )
        self._dead = DeadHands(self._walk, self.judge, places, self.decisions, self._reminders)
        self._tabling = Tabling(
            self._walk,
            setup,
            self.judge,
            resolver,
            dealing=self._dealing,
            turns=self._turns,
            emit=emit,
        )
        self._unseen = Unseen(self, self._walk, self.judge, self._turns, setup.timing)
        self.settle()

    def on_board(self) -> OnBoard:
        """What lies on the board."""
        walk = self._walk
        return on_board(self.hand, self._resolver, walk.tell.named, walk.t, self._rest_s)

    def least_raise(self, seat: int) -> int | None:
        """The least that the seat to act may bet or raise to; None where it may not, or where it
        is not known."""
        return self._walk.tell.least_raise(seat)

    @property
    def disputed(self) -> tuple[Disputed, ...]:
        """What outlives the hand."""
        return self._walk.disputed

    @property
    def stacks_after(self) -> dict[str, int] | None:
        """The stacks of the result, once the hand is complete and where they are known."""
        return self._walk.stacks_after

    def settle(self) -> None:
        """Goes on along the script, and gives back what was held once it may play."""
        if self.hand.findings:
            self._dead.bury()
        if self.judge.doubts:
            self._dealing.deal.over()
        if self.hand.findings:
            for finding in self.judge.take_for_the_record():
                self._set_aside(finding, "expired")
        self._walk.on()
        while self.judge.doubts and self._cards.early.release():
            self._walk.on()
        if self.hand.unshown:
            self.judge.settle(self._walk.t)
        self._turns.settle()
        self.clock.settle()
        if self.hand.dealt_out:
            self._reminders.settle()
        if not self.hand.over:
            for watcher in self._settling:
                watcher.settle()

    # --- time -----------------------------------------------------------------------------

    @property
    def next_deadline(self) -> float | None:
        """When something becomes certain by itself, if nothing happens before."""
        quiet = self.judge.quiet_until
        passing = None if self.hand.over else self._cards.passing.due
        if not self.hand.dealt_out and not self.judge.doubts and quiet is None:
            again = self._walk.tell.next_repeat(self._walk.t)
            is_first = passing is None or (again is not None and again <= passing)
            return again if is_first else passing
        due = self._reminders.next_deadline
        if self.hand.over:
            return due
        if quiet is not None and (due is None or quiet < due):
            due = quiet
        rest = self._walk.tell.next_rest(self._walk.t)
        acts = self._acts.next_deadline
        thrown_in = self._cards.thrown_in.due
        doubts = self.judge.doubts.next_deadline
        for t in (rest, acts, doubts, self.clock.due, passing, thrown_in):
            if t is not None and (due is None or t < due):
                due = t
        for watcher in self._of_time:
            t = watcher.next_deadline(self._walk.t)
            if t is not None and (due is None or t < due):
                due = t
        return due

    def expire(self, t: float) -> None:
        """Makes certain what has stayed as it is until `t`. What is due then again and again would
        hold up the table for ever: that is a `RuntimeError`."""
        self._again = self._again + 1 if t == self._expired else 0
        self._expired = self._walk.t = t
        if self._again == ENDLESS:
            raise RuntimeError(f"what is due at {t} s is never done")
        if self.hand.over:
            self._reminders.settle()
            return
        self.clock.expire()
        self._cards.passing.settle()
        self._cards.thrown_in.settle()
        self.judge.prove_due(t)
        self.settle()
        self._unseen.end_quiet(t)

    # --- gaps -----------------------------------------------------------------------------

    def nobody_watched(
        self,
        t: float,
        left: Iterable[Gone],
        came: Sequence[Seen],
        presses: Sequence[Press],
    ) -> None:
        """Until `t` nobody has watched, and this has `left` and `came` meanwhile."""
        self._unseen.happened(t, left, came, presses)

    # --- cards ----------------------------------------------------------------------------

    def arrived(self, tag: str, zone: str, t: float) -> None:
        """A tag is newly in a zone's field."""
        self._walk.t = t
        if zone.startswith(("board", "burn")):
            self._presses.card_came()
            self._tabling.forget()
            self._turns.goes_on()
            if zone == "burn" and self.hand.findings:
                self._cards.early.burned_upon()
        self._cards.arrived(tag, zone)
        if not self.hand.dealt_out and self._deal_goes_on():
            return
        if zone == "muck":
            self._dead.kill_in_muck(tag)
        for watcher in self._of_coming:
            watcher.came(tag, zone)
        self.settle()

    def _deal_goes_on(self) -> bool:
        """Whether the deal has not ended and nothing is amiss: then nothing follows from a card."""
        hand = self.hand
        return (
            not (hand.findings or self.judge.doubts)
            and len(hand.dealt) < HOLE_CARDS * len(hand.betting.players)
            and isinstance(hand.head, Deal)
        )

    def left(self, tag: str, zone: str, t: float) -> None:
        """A tag has left a zone's field for good."""
        self._walk.t = t
        if not self._stub.takes_in(tag, zone):
            self._cards.left(tag, zone)
        for watcher in self._of_leaving:
            watcher.left(tag, zone)
        self.settle()

    def arrived_after(self, tag: str, zone: str, t: float) -> None:
        """A tag is newly in a zone's field, and the hand is over."""
        self._walk.t = t
        self._reminders.came_after(tag, zone)

    # --- the deal -------------------------------------------------------------------------

    def seems_out(self, seat: int) -> bool:
        """Whether a seat is not in the hand that was taken out of it, or was dealt cards."""
        if seat in self.hand.betting.players:
            return False
        return seat in self.hand.taken_over or self._dealing.deal.has_strays(seat)

    def nobody_at(self, seat: int, t: float) -> None:
        """Nobody plays at a seat, it is told."""
        self._walk.t = t
        self._dealing.deal.nobody_at(seat)
        self.settle()

    def exposed(self, seat: int | None, nth: int | None, tag: str | None, t: float) -> None:
        """The dealer exposed a hole card."""
        self._walk.t = t
        self._dealing.faces.exposed(seat, nth, tag)
        self.settle()

    def boxed(self, seat: int | None, nth: int | None, tag: str | None, t: float) -> None:
        """A card lay face up in the deck."""
        self._walk.t = t
        self._dealing.faces.boxed(seat, nth, tag)
        self._cards.scraps.entered()
        self.settle()

    def puck(self, seats: Sequence[int], t: float) -> None:
        """The puck is read at these seats, at the first of them for the longest."""
        self._walk.t = t
        self._puck.lies_at(seats)

    def deck_checked(self, *, is_short: bool, t: float) -> None:
        """The deck was checked once more before the deal."""
        self._walk.t = t
        self._missing.checked(is_short=is_short)

    def other_deck(self, t: float) -> None:
        """The check before the deal found a deck that is unknown here."""
        self._walk.t = t
        self._dealing.strangers.is_other_deck()

    def deck_changed(self, t: float) -> None:
        """Another deck came into play before the first card was dealt."""
        self._walk.t = t
        self._dealing.strangers.deck_changed()

    def reshuffled(self, t: float) -> None:
        """What a remedy wanted shuffled has been shuffled: the dealer says so, or a riffle."""
        self._walk.t = t
        self._acts.shuffled()
        self._stub.look_whole()
        self.settle()

    def done(self, finding_id: int, step: str, t: float) -> None:
        """The dealer has ticked a step of a remedy."""
        self._walk.t = t
        self._acts.done(finding_id, step)
        self._stub.look_whole()
        self.settle()

    def floor_called(self, t: float) -> None:
        """The floor was called, or comes."""
        self._walk.t = t
        self._turns.waits_for()
        self._acts.floor_called()
        self._stub.look_whole()
        self.settle()

    # --- acts -----------------------------------------------------------------------------

    def press(self, seat: int, button: str, amount: int | None, by: str, t: float) -> None:
        """A seat acted, by its buttons or by the dealer's entry."""
        self._walk.t = t
        player = self.hand.betting.players.get(seat)
        is_absent = seat in self.absent
        if player is None or not is_heard(by, is_absent=is_absent):
            return
        if button == "time":
            if self._turns.speak_up(seat):
                self.settle()
            else:
                self.clock.asked_by(seat)
        elif button == "fold":
            self._turns.says_fold(seat)
        if button == "time":
            return
        if (player.folded or player.all_in) and not is_absent:
            self.hand.needless[seat] += 1
            return
        act = Act(seat, button, amount, "dealer" if by == "dealer" else "press")
        if not is_absent and self._presses.is_needless(act):
            self.hand.needless[seat] += 1
            return
        self._cards.passing.end()
        self._cards.thrown_in.pressed(button)
        if self.hand.over:
            return
        self._dealing.end(seat)
        self._tabling.forget()
        if is_absent:
            self._dealer_says(seat, button)
            if player.folded:
                self.settle()
                return
        if amount is not None and self._is_brought_up(act):
            self._walk.bring_up(act, amount)
            self.settle()
            return
        self._cards.early.acted_upon()
        if self._presses.have_no_place():
            self._walk.act_out_of_place(act)
            if not isinstance(self.hand.head, Round):
                self.hand.needless[seat] += 1
                return
        self._cards.early.before_action(act)
        self.judge.prove_streets()
        self._acts.goes_on()
        self._walk.skip_unread()
        if isinstance(self.hand.head, Round):
            self.clock.acted(seat)
            self.hand.pressed[seat] += by == "seat"
            self._reminders.before(act)
            self._turns.act(act)
            if button != "fold":
                for watcher in self._of_acting:
                    watcher.acted(seat)
        self.settle()

    def _is_brought_up(self, act: Act) -> bool:
        if act.by != "dealer" or self.hand.findings or not self._may_be_brought_up(act.button):
            return False
        return self.hand.betting.is_brought_up(act.seat, act.button, act.amount)

    def _may_be_brought_up(self, button: str) -> bool:
        """A bet until the round is over, or by the book until the next card or the first hand is
        shown or mucked (TDA24-52A); a call until then under every one."""
        head, says = self.hand.head, self._setup.book.betting.brought_up
        if isinstance(head, Round):
            return True
        if button != "call" and (says is None or says.way == "round"):
            return False
        if isinstance(head, Burn | Turn):
            return not (self.hand.burns[head.street] or self.hand.board[head.street])
        shown = any(p.tabled or p.mucked for p in self.hand.betting.live)
        return isinstance(head, Showdown) and not shown

    @property
    def absent(self) -> set[int]:
        """The seats whose players are not there for this hand."""
        hand = self.hand
        return hand.absent if hand.dealt_out else self._setup.absent() | hand.were_absent

    def _dealer_says(self, seat: int, button: str) -> None:
        """An absent player's hand has been taken in, or by another action he is there after all."""
        player = self.hand.betting.players[seat]
        if button != "fold" or player.folded:
            self.hand.absent.discard(seat)
        if button != "fold" and player.folded:
            self.hand.betting.revive(seat)

    def call_clock(self, seat: int, t: float, seconds: float | None = None) -> None:
        """The dealer or the floor calls the clock on a seat, for so long or the book's time."""
        self._walk.t = t
        self._turns.waits_for(seat)
        self.clock.call(seat, seconds)

    def stop_clock(self, t: float) -> None:
        """The floor stops the clock."""
        self._walk.t = t
        self.clock.stop()

    def round_closed(self, t: float) -> None:
        """The dealer says that the betting round is complete; amid the deal it is one of the hand
        before, entered late."""
        self._walk.t = t
        if self._is_being_dealt(t):
            return
        self._tabling.forget()
        self._cards.passing.end()
        self._dealing.end(None)
        self.judge.prove_streets()
        self._acts.goes_on()
        self._walk.close_unread()
        self._walk.close_round()
        self.settle()

    def tabled(self, seat: int, t: float) -> None:
        """A hand lies face up."""
        self._walk.t = t
        if self._tabling.table(seat, is_being_dealt=self._is_being_dealt(t)):
            self.settle()

    def _is_being_dealt(self, t: float) -> bool:
        hand = self.hand
        is_whole = len(hand.dealt) >= HOLE_CARDS * len(hand.betting.players)
        return not is_whole and self.has_just_begun(t, PAUSE)

    def has_just_begun(self, t: float, within: float) -> bool:
        """Whether the deal goes on or has not begun, and the last of it, or the riffle, was less
        than so many seconds ago: where nothing of it is read a hand may be over in the deal."""
        hand = self.hand
        last = hand.dealt[-1][0] if hand.dealt else hand.t
        return isinstance(hand.head, Deal) and t - last < within

    # --- dealer and floor -----------------------------------------------------------------

    def confirm(self, finding_id: int, t: float) -> None:
        """The dealer's yes to a finding's question."""
        self._walk.t = t
        finding = self.hand.finding(finding_id)
        if finding is not None and finding in self.hand.unshown and is_asked(finding):
            self._acts.answered(finding)
        elif finding is not None:
            self.judge.make_certain(finding, t, confirmed=True)
        self.settle()

    def dismiss(self, finding_id: int, t: float, *, by_floor: bool = False) -> None:
        """A finding is answered with no, by the dealer or the floor. No act of a remedy, says the
        dealer: then the floor decides what becomes of it."""
        self._walk.t = t
        finding = self.hand.finding(finding_id)
        if finding is None:
            return
        is_unshown = finding in self.hand.unshown
        if is_unshown and is_asked(finding) and not by_floor:
            self.judge.left_out(finding, t)
        elif is_unshown:
            self.judge.close(finding, "dismissed", t)
        else:
            self._set_aside(finding, "dismissed")
            self.judge.distrust(finding, t)
        self.settle()

    def _set_aside(self, finding: OpenFinding, how: ClosedHow) -> None:
        """The hand goes on as if it had not happened."""
        self.judge.dismiss(finding, how, self._walk.t)
        self._turns.forget(finding)
        if how == "dismissed":
            self._dealing.faces.forget(finding)
        if finding.code in PREMATURE and finding.street is not None:
            self._cards.came_in_time(finding.street)
        elif finding.code == BURN_PREMATURE:
            self._walk.close_round()  # it was burned in time

    def rule(self, finding_id: int, outcome: str, t: float) -> bool:
        """The floor decides a finding, or decides it otherwise; False if there is none."""
        self._walk.t = t
        finding = self.hand.finding(finding_id)
        is_known = self.decisions.rule(finding_id, outcome)
        if finding is not None and outcome == "dead-hand":
            self._reminders.dead(finding.seats, finding.code)
        if not self.hand.over:
            self.settle()
        return is_known

    def pick(self, tag: str | None, t: float) -> None:
        """The floor picks a card; `tag` where it is known which."""
        self._walk.t = t
        self._acts.picked()
        if tag is not None:
            self._cards.picked(tag)
        self.settle()

    @property
    def awaits_shuffle(self) -> bool:
        """Whether a remedy has the stub shuffled while cards of the hand lie on the table."""
        hands = any(self._places.seat(tag) is not None for _, _, tag in self.hand.dealt)
        rest = (("burn", self.hand.burns), ("board", self.hand.board))
        lie = hands or any(
            self._places.is_present(tag, pile)
            for pile, by_street in rest
            for tags in by_street.values()
            for tag in tags
        )
        return lie and self._acts.awaits_shuffle

    @property
    def awaits_misdeal(self) -> bool:
        """Whether a finding is open whose ruling is a misdeal, or the floor has decided so. What
        was only asked about, and played on after, is no misdeal."""
        acts = self.hand.acts
        rulings = [f.ruling for f in self.hand.findings if f.certain or f.acts == acts]
        rulings += [decided.ruling for decided in self.decisions.made]
        return any(ruling.outcome == "misdeal" for ruling in rulings)

    def level(self, text_id: str, blinds: TableBlinds, t: float) -> None:
        """Says the blinds of a new level: `new-level` or, too late for this deal, `level-waits`."""
        self._walk.t = t
        self._reminders.level(text_id, blinds)

    def award(self, t: float) -> None:
        """The dealer says that the pot was awarded."""
        self._walk.t = t
        self._reminders.award()
        for text_id, args in self._routine.over(self._walk.stacks_after or {}):
            self._walk.tell.beside(text_id, t, **args)

    def complete(self, t: float) -> None:
        """The next hand began."""
        self._walk.t = t
        self._walk.complete()

    def misdeal(self, t: float) -> None:
        """A misdeal was called."""
        self._walk.t = t
        self._walk.misdeal()
