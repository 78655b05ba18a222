"""Judging the deal as a whole: did every card go where it belongs?

It finds what `card_count`, `sequence` and `first_card_wrong_seat` tell the books of: of several
explanations of the same cards one is found. It is judged when it pauses or ends; a card out of turn
or too many is looked at sooner.
"""

from __future__ import annotations

from controller.contract.texts import TAKEN_OVER
from controller.rules.belief import last_of_deal, shows, who_plays
from controller.rules.button_misplaced import CODE as BUTTON_MISPLACED
from controller.rules.button_misplaced import begins_at_puck
from controller.rules.card_count import DEALT_OUT, TOO_FEW
from controller.rules.deal import Pitch, Reading, read_deal
from controller.rules.doubt import Doubt
from controller.rules.first_card_wrong_seat import CODE as FIRST_CARD
from controller.rules.first_card_wrong_seat import PAUSE, judge_first_card
from controller.rules.hand import HoleCard
from controller.rules.irregularity import Amiss
from controller.rules.odds import WRONG_DEAL, is_certain
from controller.rules.procedure import HOLE_CARDS, clockwise
from controller.rules.replacing import Replacing
from controller.rules.rhythm import Read
from controller.rules.sequence import EMPTY_DEALT, OUT_OF_SEQUENCE
from controller.rules.watcher import Lookout, Watcher

UNCERTAIN = "uncertain-deal"
"""The code of a doubt that is about all of the deal: what it comes to is judged at the end."""
_ORDER_CODES = (FIRST_CARD, OUT_OF_SEQUENCE, EMPTY_DEALT)
_COUNT_CODES = (TOO_FEW, DEALT_OUT)
_PILES = ("board", "burn", "muck", "stub")


class WholeDeal(Watcher):
    """Holds the pitches of one hand against the order of the deal."""

    code = UNCERTAIN

    def __init__(self, lookout: Lookout, replacing: Replacing) -> None:
        """`also` are neighbours whose antennas read a card as well; `in_line` says whether the
        pitches are those of a clean deal so far. `replacing` hears of a card that goes back."""
        super().__init__(lookout)
        self._replacing = replacing
        self.in_line = True
        self._judged_end = False
        self._began_right = False
        self.also: dict[str, int] = {}
        self._told: set[str] = set()
        self._strays: dict[str, Read] = {}

    @property
    def _order(self) -> list[int]:
        """The seats in the order in which they are dealt to: from left of the button, or of the
        puck where that is misplaced and the deal began there. Who is only believed to play is due
        a card once one has come."""
        order = self._believed_order() if self._hand.believed else list(self._hand.betting.players)
        if not self._judge.told:
            return order
        at = next((seat for code, seat in self._judge.told if code == BUTTON_MISPLACED), None)
        if at is None or not begins_at_puck(self._hand, at):
            return order
        first = order.index(self._hand.dealt[0][1])
        return [*order[first:], *order[:first]]

    def _believed_order(self) -> list[int]:
        hand = self._hand
        got = {seat for _, seat, _ in hand.dealt}
        seats = [s for s in hand.betting.players if s in got or s not in hand.believed]
        place = self._table.place_with(seats, None)
        if place is None or len(seats) == len(hand.betting.players):
            return list(hand.betting.players)
        return clockwise(seats, place.button)

    def stray(self, tag: str, seat: int) -> None:
        """A card came to a seat to which nobody is entitled."""
        self._strays[tag] = (self._now.t, seat)
        believed = seat in self._hand.believed
        self._doubt_until(self._now.t + (PAUSE if believed else self._table.timing.settle))

    @property
    def _pause(self) -> float:
        """When the deal will have paused, if no card comes before."""
        times = [self._hand.dealt[-1][0], *(at for at, _ in self._strays.values())]
        return max(times) + PAUSE

    def has_strays(self, seat: int) -> bool:
        """Whether a card came to a seat to which nobody is entitled, as far as it is believed."""
        return any(at == seat for _, at in self._strays.values())

    @property
    def seems_over(self) -> bool:
        """Whether every seat that got a card has got its two, and only believed ones got none."""
        hand = self._hand
        got = {seat for _, seat, _ in hand.dealt}
        is_last = last_of_deal(got, [(t, seat) for t, seat, _ in hand.dealt]) is not None
        return is_last and hand.believed.issuperset(hand.betting.players.keys() - got)

    def is_surplus(self, tag: str) -> bool:
        """Whether no card was due to the seat when this one came, and no finding says so."""
        hand = self._hand
        if any(tag in finding.tags for finding in hand.findings):
            return False
        seat = next((at for _, at, of in hand.dealt if of == tag), None)
        if seat is None or len(hand.tags_of(seat)) <= HOLE_CARDS:
            return False
        return tag in {self._hand.dealt[i][2] for i in self._read().surplus}

    def is_out_of_line(self, tag: str) -> bool:
        """Whether the deal goes past nobody without this card, and does with it."""
        return self._read(without=tag).is_in_line and not self._read().is_in_line

    def _read(self, without: str | None = None) -> Reading:
        hand, order = self._hand, self._order
        blind = [
            seat
            for seat in order
            if not self._table.has(f"seat/{seat}")
            or self._table.was_lost(f"seat/{seat}", since=hand.t)
        ]
        dealt = hand.dealt if without is None else [d for d in hand.dealt if d[2] != without]
        pitches = [Pitch(t, seat, self.also.get(tag)) for t, seat, tag in dealt]
        return read_deal(
            order,
            pitches,
            window=self._table.timing.order_window,
            two_to_button=self._table.book.two_to_button,
            blind=blind,
        )

    def watch(self, seat: int) -> None:
        """A card was pitched to a seat."""
        hand, order = self._hand, self._order
        if hand.findings:
            self._judge.rule_anew(self._now.t)
            self._complete_counts(seat)
        last, slots = len(hand.dealt) - 1, len(order) * HOLE_CARDS
        if self.in_line and last < slots and order[last % len(order)] == seat:
            if last == slots - 1 and hand.believed:
                self._doubt_until(self._pause)  # it ends here, unless another is dealt in
            return
        self.in_line = False
        if not self._judge.watching or hand.played:
            return
        reading = self._read()
        soon = bool(reading.late or reading.afterwards or reading.surplus)
        if soon or reading.passed or hand.dealt[0][1] != self._order[0]:
            self._forget_doubt(keep=soon)
            self._doubt_until(self._now.t + (self._table.timing.settle if soon else PAUSE))

    def _doubt_until(self, until: float) -> None:
        doubt = self._doubts.of(UNCERTAIN)
        if doubt is None:
            self._doubts.add(Amiss(self._now.t, UNCERTAIN, read=False), until)
        else:
            doubt.until = min(doubt.until, until)

    def _forget_doubt(self, *, keep: bool = False) -> None:
        """`keep` leaves a doubt that is due sooner than a pause."""
        doubt = self._doubts.of(UNCERTAIN)
        near = self._now.t + self._table.timing.settle
        if doubt is not None and not (keep and doubt.until <= near):
            self._doubts.remove(doubt)

    def _complete_counts(self, seat: int) -> None:
        """A seat that was short has its cards: they were read late, or given where that puts it
        right."""
        for finding in list(self._hand.findings):
            if finding.code not in _COUNT_CODES or seat not in finding.seats:
                continue
            counts = [len(self._hand.tags_of(at)) for at in finding.seats]
            given = not finding.certain or finding.advises("give-next-card")
            if given and all(count == HOLE_CARDS for count in counts):
                self._judge.put_right(finding, self._now.t)

    def over(self) -> None:
        """Judges the deal once it is over."""
        if self._hand.dealt_out and self._doubts.has(UNCERTAIN):
            played = self._hand.played
            if played or not self._read().surplus:
                self.judge(ended=played)

    def end(self, actor: int | None) -> None:
        """Something happened that ends the deal; `actor` is the seat that acted, if one did."""
        if not self._judged_end:
            self._judged_end = True
            self._now.finish_deal()
            self.judge(ended=True, actor=actor)
        elif actor is not None:
            self._acts(actor)

    def took_in(self, tag: str) -> None:
        """A card has left a seat or come to the muck: perhaps the last of those that nobody is
        entitled to, which are dead where the hand is played."""
        finding = self._hand.open_finding(EMPTY_DEALT) if tag in self._strays else None
        if finding is not None and finding.advises("empty-seat-in") and self._strays_are_in():
            self._judge.close(finding, "remedied", self._now.t)

    def _strays_are_in(self) -> bool:
        if any(self._lying.seat(tag) == seat for tag, (_, seat) in self._strays.items()):
            return False
        mucked = [self._lying.is_present(tag, "muck") for tag in self._strays]
        return all(mucked) or not self._table.has("muck")

    def nobody_at(self, seat: int) -> None:
        """Nobody plays there, it is told. If he was dealt no card, the deal was right."""
        hand = self._hand
        players = hand.betting.players
        if hand.awaits_first_card and seat in players and len(players) > 2:
            self._now.follow(players.keys() - {seat}, None)
            return
        finding = hand.open_finding(DEALT_OUT)
        if finding is None or seat not in finding.seats or hand.tags_of(seat):
            return
        if hand.betting.acted_on:
            hand.betting.kill(seat)
        else:
            self._now.follow(hand.betting.players.keys() - {seat}, None)
        if not hand.betting.players.keys() & set(finding.seats) - {seat}:
            self._judge.close(finding, "remedied", self._now.t)

    def _acts(self, seat: int) -> None:
        """Who acts on cards that were never seen has some."""
        finding = self._hand.open_finding(DEALT_OUT)
        if finding is not None and not finding.certain and seat in finding.seats:
            self._judge.close(finding, "remedied", self._now.t)

    def prove(self, _: Doubt) -> None:
        """It has paused."""
        self.judge(ended=self._hand.played)

    def judge(self, *, ended: bool, actor: int | None = None) -> None:
        """The deal has paused or ended: did every card go where it belongs? A pause after the
        button's second card is the end, and one where all have two cards or none."""
        hand = self._hand
        self._forget_doubt()
        if not hand.dealt or not self._judge.watching or hand.deal_unseen:
            return
        paused = ended or self._now.t >= self._pause
        order = self._order
        seats = [seat for _, seat, _ in hand.dealt]
        counts = {seats.count(seat) for seat in order}
        has_gone_round = counts <= {0, HOLE_CARDS} or (
            seats[-1] == order[-1] and seats.count(seats[-1]) >= HOLE_CARDS
        )
        ended = ended or (paused and has_gone_round)
        if ended and self._takes_over(actor):
            seats = [seat for _, seat, _ in hand.dealt]
        if self._judge_strays(ended=ended or paused) or self._judge_first(ended=ended):
            return
        is_clean = seats == self._order * HOLE_CARDS
        hand.shown_by_deal = ended and is_clean
        if is_clean:
            return
        if any(f.code in _ORDER_CODES for f in hand.findings):
            self._look_again()
            return
        reading = self._read()
        regular = reading.is_full and not (reading.late or reading.afterwards or reading.surplus)
        hand.shown_by_deal = ended and regular
        hand.unread = tuple(reading.unread)
        if reading.late:
            self._claim(OUT_OF_SEQUENCE, reading.late, read=self._is_certain(reading))
        elif reading.afterwards:
            self._claim(OUT_OF_SEQUENCE, reading.afterwards, read=False)
        elif reading.surplus:
            self._judge_surplus(reading, paused=paused)
        elif ended:
            self._judge_missing(reading, actor)
        elif reading.passed:
            if paused:
                self._claim(OUT_OF_SEQUENCE, reading.passed, read=False)
            else:
                self._doubt_until(self._pause)

    def _look_again(self) -> None:
        """More has been read since it was asked whether a card came out of sequence."""
        known = self._hand.open_finding(OUT_OF_SEQUENCE)
        if known is None or known.certain:
            return
        reading = self._read()
        if reading.late and self._is_certain(reading):
            self._judge.make_certain(known, self._now.t, confirmed=False)

    def _takes_over(self, actor: int | None) -> bool:
        """Whether the deal shows that others play, or that the button is elsewhere, where that was
        only believed: then it is so. Who acts plays, whatever was read."""
        hand = self._hand
        if not (hand.believed or hand.believes_button) or hand.betting.acted_on:
            return False
        strays = {
            tag: (at, seat)
            for tag, (at, seat) in self._strays.items()
            if tag not in hand.roles and seat in hand.believed
        }
        seats = [seat for _, seat in strays.values()]
        strays = {t: read for t, read in strays.items() if seats.count(read[1]) == HOLE_CARDS}
        ours = list(hand.betting.players)
        own = [(at, seat) for at, seat, _ in hand.dealt]
        dealt = sorted([*own, *strays.values()])
        believed = hand.believed.difference({actor}.intersection(ours))
        play, out, into = who_plays(ours, dealt, believed)
        place = self._table.place_with(play, None)
        if place is None:
            return False
        theirs, button = clockwise(play, place.button), None
        if hand.believes_button and (last := last_of_deal(play, dealt)) not in (None, theirs[-1]):
            theirs, button = clockwise(play, last or 0), last
        if not (out or into or button) or not shows(theirs, dealt, ours, own):
            return False
        before = hand.positions.button
        self._now.follow(play, button)
        for tag, (at, seat) in strays.items():
            del self._strays[tag]
            hand.roles[tag] = HoleCard(seat)
            hand.dealt.append((at, seat, tag))
        hand.dealt.sort(key=lambda pitch: pitch[0])
        hand.taken_over = (*out, *into)
        asked = hand.open_finding(EMPTY_DEALT)
        if asked is not None and not set(asked.seats).difference(into):
            self._judge.close(asked, "remedied", self._now.t)
        self._now.on()  # the next step is said first, for this stands beside it
        now = hand.positions.button
        args = {"out": list(out), "in": list(into), "button": None if now == before else now}
        self._now.tell.remind(TAKEN_OVER, self._now.t, **args)
        return True

    def _judge_strays(self, *, ended: bool) -> bool:
        """Cards that lie at a seat to which nobody is entitled, as far as that is known."""
        if self._hand.open_finding(EMPTY_DEALT) is not None:
            self._hand.strays.update(self._strays)
            return True
        lying = [
            seat
            for tag, (_, seat) in self._strays.items()
            if tag not in self._hand.roles and self._lying.seat(tag) == seat
        ]
        told = self._hand.was_told(lying)
        believed = self._hand.believed.intersection(lying) or not told
        if believed and not ended:
            self._doubt_until(self._now.t + PAUSE)
            return not told
        asked = self._judge.told.issuperset((EMPTY_DEALT, seat) for seat in lying)
        if not asked and not any(f.code in _ORDER_CODES for f in self._hand.findings):
            self._hand.strays.update(self._strays)
            self._claim(EMPTY_DEALT, lying, read=not believed)
        return bool(lying)

    def _judge_first(self, *, ended: bool) -> bool:
        """Did it begin with the right seat? True if not."""
        hand, t = self._hand, self._now.t
        if self._began_right:
            return False
        order = self._order
        if hand.believes_button and not ended:
            return False
        dealt = [(at, seat) for at, seat, _ in hand.dealt]
        window = self._table.timing.order_window
        at_once = {seat for at, seat in dealt if at - dealt[0][0] < window}
        verdict = judge_first_card(order, dealt, ended=ended)
        finding = hand.open_finding(FIRST_CARD)
        if verdict == "right" or order[0] in at_once:
            if finding is not None and not finding.certain:
                self._judge.close(finding, "remedied", t)
            self._began_right = ended and verdict == "right"
            return False
        if finding is None:
            read = verdict == "wrong" and hand.knows_button
            known = any(f.code in _ORDER_CODES for f in hand.findings)
            slip = self._table.rates.unread(order[:1])
            if not known and (read or self._is_worth_asking(WRONG_DEAL, slip)):
                self._judge.establish(Amiss(t, FIRST_CARD, (dealt[0][1],), read), t)
        elif verdict == "wrong" and hand.knows_button:
            self._judge.make_certain(finding, t, confirmed=False)
        return True

    def _is_certain(self, reading: Reading) -> bool:
        """Whether a card came late, rather than that those before it were not read."""
        hidden = reading.hidden
        return hidden is None or is_certain(WRONG_DEAL, self._table.rates.unread(hidden))

    def _judge_surplus(self, reading: Reading, *, paused: bool) -> None:
        hand = self._hand
        lying = [i for i in reading.surplus if self._lies_at_a_seat(hand.dealt[i][2])]
        seats = [hand.dealt[i][1] for i in lying]
        tags = tuple(hand.dealt[i][2] for i in lying)
        if self._told.issuperset(tags):
            return
        if not reading.is_full:
            if paused:
                self._claim(OUT_OF_SEQUENCE, seats, read=False)
            else:
                self._doubt_until(self._pause)
            return
        known = hand.open_finding("extra-cards")
        if known is not None:
            self._judge.widen(known, seats, tags, self._now.t)
            self._told.update(tags)
        elif len(lying) == 1:
            if hand.open_finding("extra-card") is None:
                when = "dealt-last" if lying[0] > reading.last_due else "dealt-between"
                self._claim("extra-card", seats, when, tags=tags)
                self._replacing.owe_burn(tags)
                self._told.update(tags)
        else:
            self._give_way("extra-card")
            self._claim("extra-cards", seats, tags=tags)
            self._told.update(tags)

    def _lies_at_a_seat(self, tag: str) -> bool:
        """A card that is read on a pile as well is a ghost at the seat."""
        on_a_pile = any(self._lying.is_present(tag, pile) for pile in _PILES)
        return self._lying.seat(tag) is not None and not on_a_pile

    def _judge_missing(self, reading: Reading, actor: int | None) -> None:
        """The deal is finished: who has too few cards that no gap in the rhythm explains?"""
        if any(f.code in _COUNT_CODES for f in self._hand.findings):
            return
        missing = [*reading.passed, *reading.short]
        without = [seat for seat in missing if missing.count(seat) == HOLE_CARDS and seat != actor]
        if without:
            place = self._hand.positions
            # At a tournament cards are dealt to who is not there (RR7-T-6, HPT-LEAVE-01).
            away = self._table.mode == "cash" and all(
                self._table.has_left_unposted(seat, place) for seat in without
            )
            facts = ["not-there"] if away else []
            self._claim(DEALT_OUT, without, *facts, read=False)
            return
        few = [seat for seat in missing if missing.count(seat) < HOLE_CARDS]
        if few and not self._is_worth_asking(WRONG_DEAL, self._table.rates.unread(few)):
            self._hand.unread += tuple(few)
        elif few:
            facts = ["passed-over" if any(s in reading.passed for s in few) else "in-sequence"]
            if few == [self._order[-1]]:
                facts.append("button")
            self._claim(TOO_FEW, few, *facts, read=False)
