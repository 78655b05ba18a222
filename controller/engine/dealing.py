"""The deal: which card is whose, and when the deal as a whole is judged.

It is judged when it pauses or ends; a card out of turn or too many is looked at sooner. What the
cards themselves are (a joker, a foreign card, a twin) is looked at as they come.
"""

from __future__ import annotations

from controller.engine.doubt import Doubt
from controller.engine.judge import Judge
from controller.engine.places import Places
from controller.engine.resolver import Resolver
from controller.engine.setup import Setup
from controller.engine.walk import Walk
from controller.rules.deal import Pitch, Reading, read_deal
from controller.rules.first_card_wrong_seat import PAUSE, judge_first_card
from controller.rules.hand import BoardCard, Discarded, HoleCard, OpenFinding, Returned
from controller.rules.irregularity import Amiss, UncertainDeal, WrongFirstSeat
from controller.rules.procedure import HOLE_CARDS, Street

_ORDER_CODES = ("first-card-wrong-seat", "out-of-sequence", "empty-seat-dealt")
_COUNT_CODES = ("too-few-cards", "seat-dealt-out")
_REPLACED = ("exposed-card", "boxed-card", "boxed-cards", "joker")
"""The codes whose usual remedy gives a seat another card."""


class Dealing:
    """Watches the deal of one hand."""

    def __init__(
        self, walk: Walk, setup: Setup, judge: Judge, places: Places, resolver: Resolver
    ) -> None:
        """`places` knows where each tag is, `resolver` what kind of thing it is."""
        self._walk = walk
        self._hand = walk.hand
        self._setup = setup
        self._judge = judge
        self._places = places
        self._resolver = resolver
        self._order = list(self._hand.betting.players)
        self._slots = self._order * HOLE_CARDS
        self._in_line = True
        self._judged_end = False
        self._began_right = False
        self._also: dict[str, int] = {}
        self._strays: dict[str, int] = {}
        self._mucked: set[str] = set()
        self._burns_owed: set[str] = set()
        self._replacing: dict[int, str] = {}
        self._exposed: list[tuple[int, int]] = []
        self._boxed: list[str] = []

    # --- cards at seats ---

    def at_seat(self, tag: str, seat: int) -> None:
        """A hole card belongs to the seat where it is first seen during the deal. After it, a
        card that was not read may still come up where one is missing."""
        hand = self._hand
        role = hand.roles.get(tag)
        if role is not None:
            self._seen_again(tag, seat)
            return
        player = hand.betting.players.get(seat)
        if player is None:
            if not hand.played and self._judge.watching:
                self._strays[tag] = seat
                self._doubt(self._walk.t + self._setup.timing.settle)
            return
        if self._is_replacement(tag, seat):
            return
        if hand.dealt_out:
            held = sum(at == seat for _, at, _ in hand.dealt)
            if player.folded or (held >= HOLE_CARDS and hand.played):
                return
        hand.roles[tag] = HoleCard(seat)
        hand.dealt.append((self._walk.t, seat, tag))
        self.look_at(tag)
        self._watch_pitch(seat)

    def left_seat(self, tag: str, role: HoleCard, now: int | None) -> None:
        """A hole card has left its seat, and lies at the seat `now` if at any. During the deal it
        belongs where it comes to rest: a neighbour's antenna may have read it first."""
        hand = self._hand
        self._also.pop(tag, None)
        if now is not None and now != role.seat:
            if now in hand.betting.players and not hand.betting.acted_on:
                hand.roles[tag] = HoleCard(now)
                hand.dealt = [(t, now if of == tag else at, of) for t, at, of in hand.dealt]
                self._in_line = False
            return
        if self._begins_to_put_right(tag):
            return
        if hand.played:
            return
        if sum(at == role.seat for _, at, _ in hand.dealt) > HOLE_CARDS and self._is_surplus(tag):
            self._forget(tag)  # it only brushed by

    def _seen_again(self, tag: str, seat: int) -> None:
        role = self._hand.roles[tag]
        if tag in self._mucked and isinstance(role, HoleCard | Discarded):
            self._came_back(tag, seat)
            return
        elsewhere = isinstance(role, HoleCard) and role.seat != seat
        if elsewhere and seat in self._hand.betting.players and not self._hand.played:
            self._also[tag] = seat

    # --- back from the muck ---

    def mucked(self, tag: str) -> None:
        """A card lies in the muck."""
        self._mucked.add(tag)

    def _came_back(self, tag: str, seat: int) -> None:
        hand = self._hand
        if hand.open_finding("muck-retrieved") is None and self._judge.watching:
            amiss = Amiss(self._walk.t, "muck-retrieved", (seat,), tags=(tag,))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + self._setup.timing.settle))

    def left(self, tag: str) -> None:
        """A card has left a seat: it had not come back from the muck after all."""
        self._judge.doubts = [
            d
            for d in self._judge.doubts
            if not (isinstance(d.deviation, Amiss) and tag in d.deviation.tags)
        ]

    def prove(self, amiss: Amiss) -> None:
        """It has stayed so: a card that is in the muck as well is a neighbour's ghost."""
        retrieved = amiss.code == "muck-retrieved"
        ghost = retrieved and any(self._places.is_present(tag, "muck") for tag in amiss.tags)
        if not ghost and self._hand.open_finding(amiss.code) is None:
            self._judge.establish(amiss, self._walk.t)

    def _forget(self, tag: str) -> None:
        hand = self._hand
        hand.roles.pop(tag, None)
        hand.dealt = [pitch for pitch in hand.dealt if pitch[2] != tag]

    def _is_surplus(self, tag: str) -> bool:
        if any(tag in finding.tags for finding in self._hand.findings):
            return False
        return tag in {self._hand.dealt[i][2] for i in self._read().surplus}

    # --- looking at the deal ---

    def _read(self) -> Reading:
        hand = self._hand
        blind = [
            seat
            for seat in self._order
            if not self._setup.has(f"seat/{seat}")
            or self._setup.was_lost(f"seat/{seat}", since=hand.t)
        ]
        pitches = [Pitch(t, seat, self._also.get(tag)) for t, seat, tag in hand.dealt]
        return read_deal(
            self._order,
            pitches,
            window=self._setup.timing.order_window,
            two_to_button=self._setup.book.two_to_button,
            blind=blind,
        )

    def _watch_pitch(self, seat: int) -> None:
        hand = self._hand
        if len(hand.dealt) == 1:
            self._judge.rule_anew(self._walk.t)
        self._complete_counts(seat)
        due = self._slots[len(hand.dealt) - 1 : len(hand.dealt)]
        if self._in_line and due == [seat]:
            return
        self._in_line = False
        if not self._judge.watching or hand.played:
            return
        reading = self._read()
        soon = bool(reading.late or reading.afterwards or reading.surplus)
        if soon or reading.passed or hand.dealt[0][1] != self._order[0]:
            self._forget_doubt(keep=soon)
            self._doubt(self._walk.t + (self._setup.timing.settle if soon else PAUSE))

    def _doubt(self, until: float) -> None:
        known = self._doubts()
        if known:
            known[0].until = min(known[0].until, until)
        else:
            self._judge.doubts.append(Doubt(UncertainDeal(self._walk.t), until))

    def _doubts(self) -> list[Doubt]:
        return [d for d in self._judge.doubts if isinstance(d.deviation, UncertainDeal)]

    def _forget_doubt(self, *, keep: bool = False) -> None:
        """`keep` leaves a doubt that is due sooner than a pause."""
        near = self._walk.t + self._setup.timing.settle
        self._judge.doubts = [
            d
            for d in self._judge.doubts
            if not isinstance(d.deviation, UncertainDeal) or (keep and d.until <= near)
        ]

    def _complete_counts(self, seat: int) -> None:
        """A seat that was short has its cards: they were given, or read late."""
        for finding in list(self._hand.findings):
            if finding.code not in _COUNT_CODES or seat not in finding.seats:
                continue
            counts = [sum(at == s for _, at, _ in self._hand.dealt) for s in finding.seats]
            if all(count == HOLE_CARDS for count in counts):
                self._judge.close(finding, "remedied", self._walk.t)

    # --- judging it ---

    def settle(self) -> None:
        """Judges the deal once it is over."""
        if self._hand.dealt_out and self._doubts():
            played = self._hand.played
            if played or not self._read().surplus:
                self.judge(ended=played)

    def end(self, actor: int | None) -> None:
        """Something happened that ends the deal; `actor` is the seat that acted, if one did."""
        if not self._judged_end:
            self._judged_end = True
            self._walk.finish_deal()
            self.judge(ended=True, actor=actor)
        elif actor is not None:
            self._acts(actor)

    def _acts(self, seat: int) -> None:
        """Who acts on cards that were never seen has some."""
        finding = self._hand.open_finding("seat-dealt-out")
        if finding is not None and not finding.certain and seat in finding.seats:
            self._judge.close(finding, "remedied", self._walk.t)

    def judge(self, *, ended: bool, actor: int | None = None) -> None:
        """The deal has paused or ended: did every card go where it belongs? A pause after the
        button's second card is the end."""
        hand = self._hand
        self._forget_doubt()
        if not hand.dealt or not self._judge.watching:
            return
        paused = ended or self._walk.t >= hand.dealt[-1][0] + PAUSE
        seats = [seat for _, seat, _ in hand.dealt]
        has_gone_round = seats[-1] == self._order[-1] and seats.count(seats[-1]) >= HOLE_CARDS
        ended = ended or (paused and has_gone_round)
        if self._judge_strays() or self._judge_first(ended=ended):
            return
        if self._in_line and len(hand.dealt) == len(self._slots):
            return
        if any(f.code in _ORDER_CODES for f in hand.findings):
            return
        reading = self._read()
        if reading.late:
            self._establish("out-of-sequence", reading.late)
        elif reading.afterwards:
            self._establish("out-of-sequence", reading.afterwards, read=False)
        elif reading.surplus:
            self._judge_surplus(reading, paused=paused)
        elif ended:
            self._judge_missing(reading, actor)
        elif reading.passed:
            if paused:
                self._establish("out-of-sequence", reading.passed, read=False)
            else:
                self._doubt(hand.dealt[-1][0] + PAUSE)

    def _establish(
        self,
        code: str,
        seats: list[int],
        *facts: str,
        read: bool = True,
        tags: tuple[str, ...] = (),
    ) -> None:
        named = tuple(dict.fromkeys(seats))
        amiss = Amiss(self._walk.t, code, named, read, frozenset(facts), tags)
        self._judge.establish(amiss, self._walk.t)

    def _give_way(self, code: str) -> None:
        """A worse finding of its kind takes the place of this one."""
        milder = self._hand.open_finding(code)
        if milder is not None:
            self._judge.close(milder, "expired", self._walk.t)

    def _judge_strays(self) -> bool:
        """Cards that lie at a seat to which nobody is entitled."""
        if self._hand.open_finding("empty-seat-dealt") is not None:
            return True
        lying = [
            seat
            for tag, seat in self._strays.items()
            if tag not in self._hand.roles and self._places.seat(tag) == seat
        ]
        if lying and not any(f.code in _ORDER_CODES for f in self._hand.findings):
            self._establish("empty-seat-dealt", lying)
        return bool(lying)

    def _judge_first(self, *, ended: bool) -> bool:
        """Did it begin with the right seat? True if not. What comes after a deal that ended on
        the button was read late."""
        hand, t = self._hand, self._walk.t
        if self._began_right:
            return False
        seats = [seat for _, seat, _ in hand.dealt]
        window = self._setup.timing.order_window
        at_once = {seat for at, seat, _ in hand.dealt if at - hand.dealt[0][0] < window}
        last = seats[-1]
        ended = ended or (last == self._order[-1] and seats.count(last) >= HOLE_CARDS)
        verdict = judge_first_card(self._order, seats, ended=ended)
        finding = hand.open_finding("first-card-wrong-seat")
        if verdict == "right" or self._order[0] in at_once:
            if finding is not None and not finding.certain:
                self._judge.close(finding, "remedied", t)
            self._began_right = ended and verdict == "right"
            return False
        if finding is None:
            if not any(f.code in _ORDER_CODES for f in hand.findings):
                wrong = WrongFirstSeat(t, (seats[0],), read=verdict == "wrong")
                self._judge.establish(wrong, t)
        elif verdict == "wrong":
            self._judge.make_certain(finding, t, confirmed=False)
        return True

    def _judge_surplus(self, reading: Reading, *, paused: bool) -> None:
        hand = self._hand
        lying = [i for i in reading.surplus if self._places.seat(hand.dealt[i][2]) is not None]
        seats = [hand.dealt[i][1] for i in lying]
        tags = tuple(hand.dealt[i][2] for i in lying)
        if not lying:
            return
        if not reading.is_full:
            if paused:
                self._establish("out-of-sequence", seats, read=False)
            else:
                self._doubt(hand.dealt[-1][0] + PAUSE)
            return
        if len(lying) == 1:
            if hand.open_finding("extra-card") is None and hand.open_finding("extra-cards") is None:
                when = "dealt-last" if lying[0] > reading.last_due else "dealt-between"
                self._establish("extra-card", seats, when, tags=tags)
                self._burns_owed.update(tags)
        elif hand.open_finding("extra-cards") is None:
            self._give_way("extra-card")
            self._establish("extra-cards", seats, tags=tags)

    def _judge_missing(self, reading: Reading, actor: int | None) -> None:
        """The deal is finished: who has too few cards that no gap in the rhythm explains?"""
        if any(f.code in _COUNT_CODES for f in self._hand.findings):
            return
        missing = [*reading.passed, *reading.short]
        without = [seat for seat in missing if missing.count(seat) == HOLE_CARDS and seat != actor]
        if without:
            self._establish("seat-dealt-out", without, read=False)
            return
        few = [seat for seat in missing if missing.count(seat) < HOLE_CARDS]
        if few:
            facts = ["passed-over" if any(s in reading.passed for s in few) else "in-sequence"]
            if few == [self._order[-1]]:
                facts.append("button")
            self._establish("too-few-cards", few, *facts, read=False)

    # --- what the cards are ---

    def look_at(self, tag: str) -> None:
        """A card has come into play: does it belong there?"""
        if not self._judge.watching:
            return
        hand = self._hand
        role = hand.roles.get(tag)
        seats = [role.seat] if isinstance(role, HoleCard) else []
        kind = self._resolver.classify(tag)
        on_board = ("on-board",) if not seats else ()
        if kind == "joker":
            self._establish("joker", seats, *on_board, tags=(tag,))
            self._owe(seats, tag)
        elif kind == "foreign":
            if hand.open_finding("foreign-card") is None:
                self._establish("foreign-card", seats, tags=(tag,))
        else:
            twins = [t for t in self._resolver.twins(tag) if t in hand.roles]
            if twins and hand.open_finding("duplicate-card") is None:
                both = [hand.roles[t] for t in (tag, *twins)]
                at = [r.seat for r in both if isinstance(r, HoleCard)]
                self._establish("duplicate-card", at, tags=(tag, *twins))

    def in_stub(self, tag: str) -> None:
        """A tag lies in the stub."""
        foreign = self._resolver.classify(tag) == "foreign"
        if foreign and self._hand.open_finding("foreign-card-in-stub") is None:
            self._establish("foreign-card-in-stub", [], tags=(tag,))

    def exposed(self, seat: int | None, nth: int | None, tag: str | None) -> None:
        """The dealer exposed a hole card: the first or second off the deck, one other, or more."""
        hand = self._hand
        seat, nth, tag = self._find(seat, nth, tag)
        place = (seat or 0, nth or 0)
        if place in self._exposed or not self._judge.watching:
            return
        self._exposed.append(place)
        seats = [s for s, _ in self._exposed if s]
        if self._is_first_off_the_deck(*place):
            self._give_way("exposed-card")
            if hand.open_finding("exposed-first-card") is None:
                self._establish("exposed-first-card", [place[0]])
            return
        if hand.open_finding("exposed-first-card") or hand.open_finding("exposed-cards"):
            return
        if len(self._exposed) == 1:
            tags = (tag,) if tag else ()
            self._establish("exposed-card", seats, tags=tags)
            self._burns_owed.update(tags)
            self._owe(seats, tag)
            return
        self._give_way("exposed-card")
        self._establish("exposed-cards", seats)

    def boxed(self, seat: int | None, nth: int | None, tag: str | None) -> None:
        """A card lay faced in the deck: it is scrap."""
        hand = self._hand
        seat, nth, tag = self._find(seat, nth, tag)
        name = tag or f"{seat}/{nth}/{len(self._boxed)}"
        if name in self._boxed or not self._judge.watching:
            return
        self._boxed.append(name)
        self._give_way("boxed-card")
        facts = ("on-board",) if tag and isinstance(hand.roles.get(tag), BoardCard) else ()
        code = "boxed-card" if len(self._boxed) == 1 else "boxed-cards"
        if hand.open_finding(code) is None:
            self._establish(code, [seat] if seat else [], *facts, tags=(tag,) if tag else ())
        self._owe([seat] if seat else [], tag)

    def _find(
        self, seat: int | None, nth: int | None, tag: str | None
    ) -> tuple[int | None, int | None, str | None]:
        """The card at a seat, by its number there or by its tag; the last one if neither is
        said."""
        for at in (seat,) if seat is not None else tuple(self._order):
            tags = [of for _, s, of in self._hand.dealt if s == at]
            if tag is not None and tag in tags:
                return at, tags.index(tag) + 1, tag
            if tag is None and at == seat:
                nth = nth or len(tags) or 1
                return seat, nth, tags[nth - 1] if nth <= len(tags) else None
        return seat, nth, tag

    def _is_first_off_the_deck(self, seat: int, nth: int) -> bool:
        if seat not in self._order or nth < 1:
            return False
        return self._order.index(seat) + (nth - 1) * len(self._order) < 2

    # --- putting it right ---

    def _owe(self, seats: list[int], tag: str | None) -> None:
        for seat in seats:
            self._replacing[seat] = tag or ""

    def _is_replacement(self, tag: str, seat: int) -> bool:
        """Whether this is the card that a seat gets for one that does not play."""
        hand = self._hand
        if seat not in self._replacing:
            return False
        dealt = len(hand.dealt)
        if dealt < len(self._slots) and self._slots[dealt] == seat and not hand.dealt_out:
            return False
        old = self._replacing.pop(seat)
        hand.roles[tag] = HoleCard(seat)
        if any((at, of) == (seat, old) for _, at, of in hand.dealt):
            hand.roles[old] = Returned()
            hand.dealt = [(t, at, tag if of == old else of) for t, at, of in hand.dealt]
        else:
            hand.dealt.append((self._walk.t, seat, tag))
            self._in_line = False
        self.look_at(tag)
        for finding in list(hand.findings):
            if finding.code in _REPLACED and seat in finding.seats:
                finding.under_way = True
                self._close_if_put_right(finding)
        return True

    def _close_if_put_right(self, finding: OpenFinding) -> None:
        replaced = not any(seat in self._replacing for seat in finding.seats)
        burned = not any(tag in self._burns_owed for tag in finding.tags)
        if replaced and (burned or not self._setup.has("burn")):
            self._judge.close(finding, "remedied", self._walk.t, keep_remedy=True)

    def _begins_to_put_right(self, tag: str) -> bool:
        """A card that does not play was taken away from its seat."""
        finding = next((f for f in self._hand.findings if tag in f.tags), None)
        if finding is None or finding.code not in (*_REPLACED, "extra-card"):
            return False
        if finding.ruling.outcome != "misdeal":
            finding.under_way = True
        return True

    def becomes_burn(self, tag: str) -> bool:
        """Whether an extra or exposed card is laid down as the flop's burn, as RR7-HE-1 and
        RR7-HE-2 want it."""
        hand = self._hand
        street: Street = "flop"
        if tag not in self._burns_owed or hand.board[street]:
            return False
        self._burns_owed.discard(tag)
        if tag not in self._replacing.values():
            hand.dealt = [pitch for pitch in hand.dealt if pitch[2] != tag]
        hand.burn(tag, street)
        for finding in list(hand.findings):
            if tag in finding.tags:
                finding.under_way = True
                self._close_if_put_right(finding)
        return True

    # --- the puck ---

    def puck(self, seat: int | None) -> None:
        """The puck lies at this seat, or at none."""
        self._judge.doubts = [
            d
            for d in self._judge.doubts
            if not (isinstance(d.deviation, Amiss) and d.deviation.code == "button-misplaced")
        ]
        finding = self._hand.open_finding("button-misplaced")
        if seat is None or not self._judge.watching:
            return
        if seat == self._hand.positions.button:
            if finding is not None and finding.ruling.outcome != "misdeal":
                self._judge.close(finding, "remedied", self._walk.t)
        elif finding is None:
            amiss = Amiss(self._walk.t, "button-misplaced", (seat,))
            self._judge.doubts.append(Doubt(amiss, self._walk.t + PAUSE))
