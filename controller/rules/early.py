"""Cards that come before the round is complete: held until that is certain, then early.

An early card does not play until it is certain that the round was over, or there is action.
"""

from __future__ import annotations

from collections.abc import Callable

from controller.rules.burn_premature import CODE as BURN_CODE
from controller.rules.disturbed import has_disturbance
from controller.rules.doubt import Arrival, Doubt
from controller.rules.four_card_flop import SAME_MOTION
from controller.rules.hand import OpenFinding, Returned
from controller.rules.irregularity import Amiss
from controller.rules.odds import EARLY_STREET, is_certain
from controller.rules.out_of_turn import Act
from controller.rules.premature import CODES
from controller.rules.procedure import SIZE, STREETS, Round, Street, clockwise
from controller.rules.too_many import SURPLUS_CODES
from controller.rules.watcher import Lookout, Watcher

SEEN = 2.0
"""Seconds in which a dealer sees what is asked."""


class Early(Watcher):
    """Holds the cards that came too soon."""

    code = BURN_CODE

    def __init__(
        self, lookout: Lookout, *, take: Callable[[str, str], None], infer: Callable[[], None]
    ) -> None:
        """`take` gets tag and zone of a card that turns out to have come in its time; `infer` has
        those act who must have done so without pressing."""
        super().__init__(lookout)
        self._take = take
        self._infer = infer
        self._came: dict[str, Arrival] = {}
        self._open_to_both: set[int] = set()

    def holds(self, tag: str, zone: str) -> None:
        """A card came before the round was complete: it is held until that is certain."""
        t = self._now.t
        arrival = Arrival(t, tag, zone)
        street = self._hand.early_street()
        if self._hand.open_finding(CODES[street]) is not None:
            self._establish([arrival])
            return
        if self._goes_on(street):
            self._take(tag, zone)
            return
        until = t + self._table.timing.settle
        doubt = self._early_doubt()
        if doubt is None:
            doubt = self._doubts.add(self._burned(street, self._judge.waiting()), until)
        doubt.held.append(arrival)
        doubt.until = until
        self._came[tag] = arrival

    def _goes_on(self, street: Street) -> bool:
        """Whether this street comes because nobody waits for those of whom it was asked, street
        by street, whether they had acted, and who still have not; nor does anybody where no one has
        acted since the last street, of which it was asked."""
        hand = self._hand
        early = self._early_finding()
        if (
            early is not None
            and early.code != BURN_CODE
            and not early.certain
            and early.acts == hand.acts
            and self._now.t - early.t >= SEEN
        ):
            self._now.pass_by(self._judge.waiting())
        for finding in hand.findings:
            if finding.code not in CODES.values() or finding.certain or finding.street == street:
                continue
            played = finding.street is not None and bool(hand.board[finding.street])
            players = hand.betting.players
            self._now.pass_by(s for s in finding.seats if played or not players[s].has_acted)
        if self._judge.waiting() or not hand.betting.away:
            return False
        self.play()
        return True

    def _early_doubt(self) -> Doubt | None:
        return next((d for d in self._doubts if d.held), None)

    def _early_finding(self) -> OpenFinding | None:
        """The last of them: of a street that has been played nothing more is to come."""
        if not self._hand.findings:
            return None
        codes = (*CODES.values(), BURN_CODE)
        open_ones = (f for f in reversed(self._hand.findings) if f.code in codes)
        return next((f for f in open_ones if not f.under_way), None)

    def brushed(self, tag: str, zone: str) -> bool:
        """A card that was held left again: it only brushed by."""
        doubt = self._early_doubt()
        if doubt is None or all((a.tag, a.zone) != (tag, zone) for a in doubt.held):
            return False
        doubt.held = [a for a in doubt.held if (a.tag, a.zone) != (tag, zone)]
        if not doubt.held:
            self._doubts.remove(doubt)
        return True

    def prove(self, doubt: Doubt) -> None:
        """What was held back, and still lies there, did come too soon."""
        if self._takes_a_place(doubt):
            doubt.until = self._now.t + self._table.timing.again
            self._doubts.append(doubt)
            return
        held = [a for a in doubt.held if self._lying.is_present(a.tag, a.pile)]
        if not held:
            return
        self._infer()
        waiting = self._judge.waiting()
        if self._hand.gap_round == self._hand.betting.round:
            waiting = ()  # who has acted in it nobody saw
        if waiting and self._is_worth_asking(EARLY_STREET, self._table.rates.unpressed(waiting)):
            self._establish(held)
        else:
            self._take_all(held)

    def _take_all(self, held: list[Arrival]) -> None:
        """The round is over: they came in their time."""
        self._now.close_round()
        for arrival in held:
            self._take(arrival.tag, arrival.zone)

    def _takes_a_place(self, doubt: Doubt) -> bool:
        """Whether what is held was laid in the place of a card that is missing from the board."""
        burned = any(arrival.pile == "burn" for arrival in doubt.held)
        return not burned and has_disturbance(self._hand, self._doubts, "board")

    def _establish(self, held: list[Arrival]) -> None:
        if not self._judge.claims:
            self._take_all(held)  # nothing is claimed
            return
        hand, t, seats = self._hand, self._now.t, self._judge.waiting()
        came: dict[Street, Amiss] = {}
        for arrival in held:
            if not isinstance(hand.roles.get(arrival.tag), Returned | None):
                continue  # another antenna read it as well, and there it is something already
            street = self._one_too_many(arrival) or hand.early_street()
            if arrival.pile == "burn":
                hand.burn(arrival.tag, street)
                came.setdefault(street, self._burned(street, seats))
            else:
                hand.turn_up_early(arrival.tag, street)
                came[street] = Amiss(t, CODES[street], seats, read=False, street=street)
        for street, amiss in came.items():
            if hand.open_finding(CODES[street]) is None:
                self._gives_way(amiss)
                self._judge.establish(amiss, t)
            self._count(street)

    def _one_too_many(self, arrival: Arrival) -> Street | None:
        """The street that is out already, where this card came in the same motion as its last
        one: too early or not, it has one too many."""
        hand = self._hand
        out = next((s for s in reversed(STREETS) if hand.early[s]), None)
        if out is None or arrival.pile == "burn" or len(hand.early[out]) < SIZE[out]:
            return None
        last = self._came.get(hand.early[out][-1])
        later = hand.burns[hand.early_street()] if out != "river" else ()
        if last is None or later or arrival.t - last.t >= SAME_MOTION:
            return None
        return out

    def _count(self, street: Street) -> None:
        tags, code = tuple(self._hand.early[street]), SURPLUS_CODES[street]
        if len(tags) <= SIZE[street]:
            return
        known = self._hand.open_finding(code)
        if known is None:
            self._judge.establish(Amiss(self._now.t, code, street=street, tags=tags), self._now.t)
        else:
            self._judge.widen(known, (), tags, self._now.t)

    def _burned(self, street: Street, seats: tuple[int, ...]) -> Amiss:
        return Amiss(self._now.t, BURN_CODE, seats, read=False, street=street)

    def _gives_way(self, amiss: Amiss) -> None:
        """A burn that came too soon is part of the street that does."""
        burn = self._hand.open_finding(BURN_CODE, amiss.street)
        if burn is not None and amiss.code != BURN_CODE:
            self._judge.close(burn, "expired", self._now.t)

    def street_comes(self, street: Street) -> None:
        """The street comes in its time: was its early burn the only one?"""
        finding = self._hand.open_finding(BURN_CODE, street)
        if finding is None:
            return
        if len(self._hand.burns[street]) < 2:
            self._judge.put_right(finding, self._now.t)
        else:
            self._judge.close(finding, "expired", self._now.t)

    def release(self) -> bool:
        """Gives back what was held once the round is complete; True if there was anything."""
        doubt = self._early_doubt()
        if doubt is None or isinstance(self._hand.head, Round):
            return False
        self._doubts.remove(doubt)
        if not self._takes_a_place(doubt):
            for arrival in doubt.held:
                self._take(arrival.tag, arrival.zone)
        return True

    def before_action(self, act: Act) -> None:
        """A seat is about to act. If it still had to, an early street did come too soon; if
        not, the round was over and there is action on that street. Of who is also the first to act
        on it that is not known."""
        seat, betting = act.seat, self._hand.betting
        finding = self._early_finding()
        if finding is None or finding.street is None or self._hand.board[finding.street]:
            return
        answers = act.button not in ("check", "bet") or not betting.faces_bet(seat)
        if not betting.awaits(seat) or not answers:
            self.play()
        elif self._is_just_out(finding.street):
            self._hold_again(finding)
        elif seat == betting.opener:
            self._open_to_both.add(finding.id)
        elif self._may_be_later(finding, act):
            pass  # he has acted before, and who opens this street has not pressed either
        elif finding.id not in self._open_to_both:
            self._judge.make_certain(finding, self._now.t, confirmed=False)

    def _may_be_later(self, finding: OpenFinding, act: Act) -> bool:
        """Whether he may act on the street that is out, and it was his press before that did not
        come, nor those of the others who are asked about and of the players who are to act before
        him."""
        betting, street = self._hand.betting, finding.street
        if street is None or (self._hand.reads_board and not self._hand.early[street]):
            return False
        able = clockwise((player.seat for player in betting.can_bet), betting.button)
        before = able[: able.index(act.seat)] if act.seat in able else able
        silent = (*finding.seats, *before)
        return not is_certain(EARLY_STREET, self._table.rates.unheard(silent))

    def acted_upon(self) -> None:
        """Somebody presses. Where the round is complete by now, and it is only asked whether the
        street came before that, it is on this street."""
        finding = self._early_finding()
        if finding is None or finding.certain or isinstance(self._hand.head, Round):
            return
        if finding.street is not None and self._hand.early[finding.street]:
            self.play()

    def burned_upon(self) -> None:
        """A card is burned while a street lies there of which it is only asked whether it came too
        early, and its first player has acted: the betting since then was on this street."""
        finding = self._early_finding()
        street = None if finding is None else finding.street
        if finding is None or street is None or finding.id not in self._open_to_both:
            return
        hand = self._hand
        if not finding.certain and len(hand.early[street]) >= SIZE[street]:
            self.play()
            hand.closed_rounds.add(street)
            hand.betting.lose_track()

    def _is_just_out(self, street: Street) -> bool:
        """Whether its first card has come so short a time ago that a press may belong before it."""
        tags = (*self._hand.burns[street], *self._hand.early[street])
        came = [self._came[tag].t for tag in tags if tag in self._came]
        return bool(came) and self._now.t - min(came) < self._table.timing.press_window

    def _hold_again(self, finding: OpenFinding) -> None:
        """Who had to act has, and only pressed late: if the round is complete now, the street has
        come in its time."""
        hand, t, street = self._hand, self._now.t, finding.street
        if street is None:
            return
        early = hand.early[street]
        held = [self._came[tag] for tag in early if tag in self._came]
        if finding.certain or len(held) < len(early):
            return
        hand.early[street] = []
        for arrival in held:
            hand.roles.pop(arrival.tag, None)
        self._judge.close(finding, "remedied", t)
        if held:
            doubt = self._doubts.add(
                self._burned(street, self._judge.waiting()), t + self._table.timing.settle
            )
            doubt.held += held

    def play(self) -> None:
        """Early cards are taken as their street's: the round was over, or there is action."""
        for street in SIZE:
            if self._hand.early[street]:
                self._hand.play_early(street, self._now.t)
        self._now.close_round()
        burn = None if self._hand.reads_board else self._early_finding()
        if burn is not None and not burn.certain:
            self._judge.close(burn, "expired", self._now.t)  # no card will show that it has come
        self._judge.rule_anew(self._now.t)
