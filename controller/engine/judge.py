"""Deviations become doubts and findings; findings are ruled, ruled anew and closed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable

from controller.engine.setup import Setup
from controller.events import (
    Basis,
    Closed,
    ClosedHow,
    Event,
    Finding,
    Prompt,
    Ruling,
    RulingText,
    priority_of,
)
from controller.rules import IRREGULARITIES, defining_acts, remedies, short_flop
from controller.rules.disturbed import DISTURBED
from controller.rules.doubt import Doubt
from controller.rules.hand import Discarded, Hand, HoleCard, OpenFinding
from controller.rules.irregularity import (
    Amiss,
    Deviation,
    Disturbed,
    DoubleBurn,
    EarlyStreet,
    NoBurn,
    Numbering,
    PassedOver,
    ShortFlop,
    SurplusCard,
    rests_on_unseen,
    seats_of,
    zones_of,
)
from controller.rules.premature import CODES
from controller.rules.procedure import SIZE, Round, ScriptStep, Street, Turn, later_streets
from controller.rules.too_many import SURPLUS_CODES
from controller.zones import ZONES

_RULES = {rule.code: rule for rule in IRREGULARITIES}
_DEALS_ANEW = frozenset({"redeal-flop", "reshuffle-street"})
_NO_RULING = RulingText("", "floor", (), ())
_OF_A_STREET = NoBurn | DoubleBurn | SurplusCard | ShortFlop
_WRONG_STREETS = frozenset({"burn-missing", "burn-double", "short-flop", *SURPLUS_CODES.values()})


class Judge:
    """Keeps the doubts and the open findings of one hand."""

    def __init__(
        self,
        hand: Hand,
        setup: Setup,
        emit: Callable[[Event], None],
        number: Numbering,
    ) -> None:
        """`number` numbers findings; `emit` takes the events. `told` is what has been found in
        this hand and not been put right, and of which seats, open or not; `floor_called` when
        the floor was called last."""
        self.doubts: list[Doubt] = []
        self.watching = True
        self.told: set[tuple[str, int]] = set()
        self._hand = hand
        self._setup = setup
        self._emit = emit
        self._number = number
        self._for_the_record: list[OpenFinding] = []
        self.is_mislaid: Callable[[OpenFinding], bool] = lambda _: False
        self.floor_called: float | None = None

    # --- deviations and doubts ---

    def stop(self) -> None:
        """Nothing is a finding from here on."""
        self.watching = False
        self.doubts.clear()

    def doubt(self, deviation: Deviation, until: float) -> None:
        """It may be so: if nothing has explained it by then, it is to be proved."""
        self.doubts.append(Doubt(deviation, until))

    def doubts_of(self, code: str) -> list[Doubt]:
        """The doubts whether this is amiss."""
        return [
            d for d in self.doubts if isinstance(d.deviation, Amiss) and d.deviation.code == code
        ]

    def is_doubted(self, code: str) -> bool:
        """Whether this is in doubt already."""
        return bool(self.doubts_of(code))

    def due(self, kind: type[Deviation]) -> float | None:
        """When a doubt of this kind is to be proved; None where there is none."""
        return next((d.until for d in self.doubts if isinstance(d.deviation, kind)), None)

    def hasten(self, kind: type[Deviation], until: float) -> None:
        """A doubt of this kind is to be proved by then at the latest."""
        for doubt in self.doubts:
            if isinstance(doubt.deviation, kind):
                doubt.until = min(doubt.until, until)
                break

    def forget_kind(self, kind: type[Deviation], *, after: float | None = None) -> None:
        """There is no doubt of this kind any more, or none that is to be proved later than that."""
        self.doubts = [
            d
            for d in self.doubts
            if not isinstance(d.deviation, kind) or (after is not None and d.until <= after)
        ]

    def is_held(self, tag: str, pile: str) -> bool:
        """Whether a card that came to a pile too soon is held back there."""
        return any(a.tag == tag and a.pile == pile for d in self.doubts for a in d.held)

    def forget_held(self) -> None:
        """What is held back did not come too soon."""
        self.doubts = [d for d in self.doubts if not d.held]

    def forget(self, code: str, tag: str | None = None) -> None:
        """There is no doubt of this kind, or about this card, any more."""
        if not self.doubts:
            return
        gone = [
            d
            for d in self.doubts_of(code)
            if tag is None or (isinstance(d.deviation, Amiss) and tag in d.deviation.tags)
        ]
        self.doubts = [d for d in self.doubts if d not in gone]

    @property
    def next_deadline(self) -> float | None:
        """When the next doubt becomes a finding."""
        return min(d.until for d in self.doubts) if self.doubts else None

    def take_due(self, t: float) -> list[Doubt]:
        """The doubts that have lasted until `t`; they are doubts no longer."""
        for doubt in self.doubts:
            # A card too many explains a missing burn: that is settled first.
            surplus = self.surplus_doubt(doubt.deviation.street)
            if isinstance(doubt.deviation, NoBurn) and surplus is not None:
                doubt.until = max(doubt.until, surplus.until)
        due = [d for d in self.doubts if d.until <= t]
        due.sort(key=lambda doubt: not isinstance(doubt.deviation, SurplusCard))
        self.doubts = [d for d in self.doubts if d.until > t]
        return due

    def no_burn(self, street: Street, t: float) -> None:
        """A street's card came without its burn: it may still be read."""
        began = self._hand.street_began(street)
        if self.watching and not self._setup.was_lost("burn", since=began):
            self.doubts.append(Doubt(NoBurn(t, street), t + self._setup.timing.settle))

    def watch_flop(self, t: float) -> None:
        """A flop card came or went: is there one missing?"""
        doubt = self._doubt(ShortFlop, "flop")
        if doubt is not None:
            self.doubts.remove(doubt)
        if self._hand.is_complete("flop"):
            finding = self._hand.open_finding("short-flop")
            if finding is not None:
                self.put_right(finding, t)
        elif self.watching and self._hand.board["flop"]:
            self.doubts.append(Doubt(ShortFlop(t), t + short_flop.WAIT))

    def awaits_flop_card(self) -> bool:
        """Whether a card that comes now is the flop's missing one: nobody has burned since, and
        the round is open or still to come, or a burn would have been seen before the turn."""
        doubt = self._doubt(ShortFlop, "flop")
        short = doubt or self._hand.open_finding("short-flop")
        if self._hand.burned_since("flop"):
            return False
        if short is None:
            return "flop" in self._hand.entrusted  # as the floor has ordered
        able = self._hand.betting.can_bet
        to_come = len(able) > 1 and any(self._setup.has_buttons(p.seat) for p in able)
        to_come &= "flop" not in self._hand.acted_streets
        return to_come or bool(self.waiting()) or self._setup.has("burn")

    def knows_short_flop(self) -> bool:
        """Whether the flop is certain to be short of a card, with no betting on it to come: what
        is burned now is burned for the flop."""
        short = self._hand.open_finding("short-flop")
        is_known = short is not None and short.certain
        return is_known and not self._hand.betting.betting_possible

    def second_burn(self, street: Street, t: float, *, read: bool) -> None:
        """Another card was burned for a street that has its burns: it may only brush by."""
        known = self._hand.open_finding("burn-double", street)
        if known is not None and not known.under_way:
            self.rule_anew(t)
        elif self.watching and self.second_burn_doubt(street) is None:
            deviation = DoubleBurn(t, street, read)
            self.doubts.append(Doubt(deviation, t + self._setup.timing.settle))

    def second_burn_doubt(self, street: Street | None) -> Doubt | None:
        """The doubt about a second burn, while it may have only brushed the pile."""
        return self._doubt(DoubleBurn, street)

    def prove_pending(self, t: float) -> None:
        """The hand has gone on: what has not been explained by now was so."""
        for street in SIZE:
            self.prove_surplus(street, t)
        pending = [
            d for d in self.doubts if isinstance(d.deviation, NoBurn | DoubleBurn | ShortFlop)
        ]
        for doubt in pending:
            self.doubts.remove(doubt)
            self.establish(doubt.deviation, t)

    def surplus(self, street: Street, t: float) -> None:
        """A card too many came to a street."""
        known = self._hand.open_finding(SURPLUS_CODES[street], street)
        if known is not None:
            known.tags = tuple(self._hand.board[street])
            self.rule_anew(t)
            return
        if self.watching and not self.surplus_doubt(street):
            self.doubts.append(Doubt(SurplusCard(t, street), t + self._setup.timing.settle))

    def takes_more(self, street: Street) -> bool:
        """Whether a card that comes now is one more of a street that is out: it is known to have
        too many, or to be dealt anew, and nothing has been done since."""
        if street in self._hand.acted_streets or self._hand.burned_since(street):
            return False
        wrong = [f for f in self._hand.findings if f.street == street and f.certain]
        return bool(self.waiting()) and any(
            f.code == SURPLUS_CODES[street] or f.ruling.outcome in _DEALS_ANEW
            for f in wrong
            if not f.under_way
        )

    def surplus_doubt(self, street: Street | None) -> Doubt | None:
        """The doubt about a card too many, while it may have only brushed the board."""
        return self._doubt(SurplusCard, street)

    def _doubt(self, kind: type[Deviation], street: Street | None) -> Doubt | None:
        return next(
            (
                d
                for d in self.doubts
                if isinstance(d.deviation, kind) and d.deviation.street == street
            ),
            None,
        )

    def prove_surplus(self, street: Street, t: float) -> None:
        """The card too many has lain there for long enough, or the hand goes on."""
        doubt = self.surplus_doubt(street)
        if doubt is not None:
            self.doubts.remove(doubt)
            self.establish(doubt.deviation, t)

    def burn_awaited_for(self) -> Street | None:
        """The street whose burn a late read on the burn pile would be, though its card is out."""
        for doubt in self.doubts:
            if isinstance(doubt.deviation, NoBurn):
                return doubt.deviation.street
        for finding in self._hand.findings:
            asked = not (finding.certain or finding.under_way)
            if (
                finding.code == "burn-missing"
                and asked
                and finding.street == self._hand.last_street()
                and isinstance(self._hand.head, Round | Turn)
                and self.waiting()
            ):
                return finding.street
        return None

    def waiting(self) -> tuple[int, ...]:
        """The seats that have to act and have buttons to act with. As long as there is one, the
        round is known to be open; of the others nothing is known, nor of those who are asked
        about already, or who seem to have no cards."""
        dealt_out = self._hand.open_finding("seat-dealt-out")
        beside = self._hand.asked.union(dealt_out.seats if dealt_out is not None else ())
        return tuple(
            sorted(
                player.seat
                for player in self._hand.betting.must_act()
                if self._setup.has_buttons(player.seat) and player.seat not in beside
            )
        )

    def explain_burn(self, street: Street, t: float) -> None:
        """The street's burn was read after all."""
        self.doubts = [d for d in self.doubts if d.deviation.street != street]
        finding = self._hand.open_finding("burn-missing", street)
        if finding is not None:
            self.close(finding, "remedied", t)

    # --- findings ---

    def establish(self, deviation: Deviation, t: float) -> None:
        """It is a finding; a worse one of its kind takes a milder one's place."""
        rule = next((r for r in IRREGULARITIES if r.explains(deviation)), None)
        if rule is None or not self.watching:
            return
        began = self._hand.street_began("flop")
        if isinstance(deviation, ShortFlop) and (
            self.was_unread("board", began) or self._hand.awaits_replacement("flop")
        ):
            return
        if isinstance(deviation, SurplusCard):
            # One cause, one finding: its remedy deals with the burn as well.
            self.doubts = [d for d in self.doubts if d.deviation.street != deviation.street]
        if isinstance(deviation, NoBurn):
            surplus = self._hand.open_finding(SURPLUS_CODES[deviation.street], deviation.street)
            if surplus is not None and not surplus.under_way:
                return
        if isinstance(deviation, EarlyStreet):
            milder = self._hand.open_finding("burn-premature", deviation.street)
            if milder is not None:
                self.close(milder, "expired", t)
        street = deviation.street
        basis: Basis = "unseen" if rests_on_unseen(deviation) else "seen"
        finding = OpenFinding(
            id=self._number(rule.code, deviation),
            code=rule.code,
            t=t,
            street=street,
            tags=self._tags(deviation),
            seats=seats_of(deviation),
            basis=basis,
            ruling=_NO_RULING,
            facts=deviation.facts if isinstance(deviation, Amiss | PassedOver) else frozenset(),
            zones=zones_of(deviation),
            due=deviation.due if isinstance(deviation, PassedOver) else (),
            early=deviation.early if isinstance(deviation, PassedOver) else (),
        )
        finding.ruling = self._ruling(finding)
        called = self.floor_called
        if called is not None and called >= deviation.t - self._setup.timing.settle:
            finding.shown.add(defining_acts.FLOOR)  # whoever called had seen it before the table
        self._hand.findings.append(finding)
        self.told |= {(rule.code, seat) for seat in finding.seats}
        priority = priority_of(finding.ruling.outcome, basis)
        if self._setup.trust.is_for_the_record(rule.code, finding.zones, self._hand.number):
            priority = 3
            self._for_the_record.append(finding)
        self._emit(
            Finding(
                t=t,
                hand=self._hand.number,
                id=finding.id,
                code=rule.code,
                priority=priority,
                basis=basis,
                seats=finding.seats,
                cards=(),
                ruling=finding.ruling,
            )
        )

    def _tags(self, deviation: Deviation) -> tuple[str, ...]:
        if isinstance(deviation, Amiss):
            return deviation.tags
        return () if deviation.street is None else tuple(self._hand.board[deviation.street])

    def was_unread(self, pile: str, since: float) -> bool:
        """Whether a reader of a pile was missing at any time since then."""
        zones = [zone for zone in ZONES if zone.partition("/")[0] == pile]
        return any(self._setup.was_lost(zone, since=since) for zone in zones)

    def _ruling(self, finding: OpenFinding) -> RulingText:
        rule = _RULES[finding.code]
        question = None if finding.certain else rule.question
        facts = rule.moment(self._hand, finding)
        return self._setup.book.ruling(rule.code, facts, question, self.words(finding))

    def words(self, finding: OpenFinding) -> tuple[tuple[str, str], ...]:
        """What fills the steps' texts."""
        street = finding.street or "flop"
        following = later_streets(street)[:1]
        return (
            ("street", street),
            ("next", following[0] if following else "showdown"),
            ("seats", ", ".join(map(str, finding.seats))),
            ("due", ", ".join(map(str, finding.due))),
            ("early", ", ".join(map(str, finding.early))),
            ("owner", ", ".join(map(str, self._owners(finding))) or "?"),
            ("uncalled", self._uncalled(finding)),
        )

    def _uncalled(self, finding: OpenFinding) -> str:
        """What nobody has called of the bet of the finding's seat."""
        betting = self._hand.betting
        bettors = [seat for seat in finding.seats if seat == betting.bettor]
        chips = betting.uncalled(bettors[0]) if bettors else 0
        return "?" if chips is None else str(chips)

    def _owners(self, finding: OpenFinding) -> list[int]:
        """The seats to which the finding's cards were dealt."""
        roles = (self._hand.roles.get(tag) for tag in finding.tags)
        return sorted({role.seat for role in roles if isinstance(role, HoleCard)})

    def rule_anew(self, t: float) -> None:
        """The moment has changed: says so where it changes a ruling."""
        for finding in self._hand.findings:
            if finding.under_way:
                continue
            ruling = self._ruling(finding)
            if ruling != finding.ruling:
                finding.ruling = ruling
                self._emit(Ruling(t, self._hand.number, finding.id, ruling))

    def widen(
        self, finding: OpenFinding, seats: Iterable[int], tags: Iterable[str], t: float
    ) -> None:
        """More of the same has come: these seats and cards are concerned as well."""
        finding.seats = tuple(dict.fromkeys((*finding.seats, *seats)))
        finding.tags = tuple(dict.fromkeys((*finding.tags, *tags)))
        self.told |= {(finding.code, seat) for seat in finding.seats}
        self.rule_anew(t)

    def make_certain(self, finding: OpenFinding, t: float, *, confirmed: bool) -> None:
        """The dealer said yes to a question, or more was read: it is a fact."""
        if finding.certain:
            return
        finding.confirmed = confirmed
        finding.basis = "seen"
        finding.ruling = self._ruling(finding)
        self._emit(Ruling(t, self._hand.number, finding.id, finding.ruling, "seen"))

    def take_for_the_record(self) -> list[OpenFinding]:
        """The new findings that ask nothing of anyone: their zone is suspect, or they are muted."""
        if not self._for_the_record:
            return []
        silent, self._for_the_record = self._for_the_record, []
        return [finding for finding in silent if finding in self._hand.findings]

    def distrust(self, finding: OpenFinding, t: float) -> None:
        """A finding was answered no: a zone that is wrong too often is suspect from then on."""
        before, number = self._setup.trust, self._hand.number
        self._setup.trust = before.dismissed(finding.code, finding.zones, number)
        for zone in self._setup.trust.suspect:
            if zone not in before.suspect:
                self._emit(Prompt(t, number, "zone-suspect", {"zone": zone}))

    def dismiss(self, finding: OpenFinding, how: ClosedHow, t: float) -> None:
        """It did not happen: what was surplus is noise, and the script goes on as before."""
        if not finding.under_way:
            self._drop_surplus(finding)
            self._play_scrap(finding)
        self.close(finding, how, t)

    def rule(self, finding: OpenFinding, outcome: str, t: float) -> None:
        """The floor has decided, and that is final: what it ordered comes next in the script."""
        if finding in self._hand.unshown:
            self._hand.unshown.remove(finding)
            self._hand.findings.append(finding)
            finding.under_way = outcome == finding.ruling.outcome  # it has been done
        if outcome != finding.ruling.outcome:
            finding.ruling = self._setup.book.decided(
                finding.code, outcome, self.words(finding), finding.ruling
            )
            self._emit(Ruling(t, self._hand.number, finding.id, finding.ruling))
            remedies.drop(self._hand, finding)
            finding.under_way = False
        if not finding.under_way:
            remedies.begin(self._hand, finding)
        if not finding.under_way:
            self._drop_surplus(finding)
            if finding.street is not None and outcome != "stands":
                self._hand.entrusted.add(finding.street)
            if outcome == "stands":
                self._play_scrap(finding)
        self.close(finding, "ruled", t, keep_remedy=True)

    def _drop_surplus(self, finding: OpenFinding) -> None:
        """What was too much is noise: the first cards are the street."""
        street = finding.street
        if street is not None and finding.code == SURPLUS_CODES[street]:
            for tag in self._hand.board[street][SIZE[street] :]:
                self._hand.roles[tag] = Discarded()
            del self._hand.board[street][SIZE[street] :]

    def _play_scrap(self, finding: OpenFinding) -> None:
        """What did not play does."""
        for tag in finding.tags:
            self._hand.play_scrap(tag)

    def close(
        self, finding: OpenFinding, how: ClosedHow, t: float, *, keep_remedy: bool = False
    ) -> None:
        """Closes a finding; what its remedy put into the script goes unless it is to stay."""
        unshown = finding in self._hand.unshown
        (self._hand.unshown if unshown else self._hand.findings).remove(finding)
        if how == "remedied":
            self.told -= {(finding.code, seat) for seat in finding.seats}
        if not keep_remedy:
            remedies.drop(self._hand, finding)
        self._emit(Closed(t, self._hand.number, finding.id, how))

    def close_all(self, how: ClosedHow, t: float) -> None:
        """The hand is over."""
        self.doubts.clear()
        for finding in [*self._hand.findings, *self._hand.unshown]:
            self.close(finding, how, t)

    # --- remedies ---

    def put_right(self, finding: OpenFinding, t: float, *, keep_remedy: bool = False) -> None:
        """A remedy's cards lie as it wants them. It is one only if its acts have been shown, and
        nothing else is wrong with its street: else it is asked about, or stays open and changes
        nothing any more. What a late read explains needs no acts."""
        if remedies.took_another_card(self._hand, finding):
            remedies.drop(self._hand, finding)
            finding.under_way = False
            self.rule_anew(t)
            return
        if not keep_remedy:
            remedies.drop(self._hand, finding)
        finding.carried_out = finding.certain or finding.under_way
        finding.under_way = False
        self._hand.findings.remove(finding)
        self._hand.unshown.append(finding)
        self._certify(finding, t)

    def settle(self, t: float) -> None:
        """What was wrong beside a remedy may have been put right."""
        for finding in [f for f in self._hand.unshown if f.waits]:
            self._certify(finding, t)

    def _certify(self, finding: OpenFinding, t: float) -> None:
        finding.waits = self._is_amiss(remedies.streets_dealt(finding))
        act = defining_acts.missing(finding) if finding.carried_out else None
        if finding.waits:
            return
        if self.is_mislaid(finding):
            self.left_out(finding, t)
        elif act is None:
            self.close(finding, "remedied", t, keep_remedy=True)
        elif act in defining_acts.QUESTIONS:
            steps = (defining_acts.QUESTIONS[act], *defining_acts.AFTER_NO)
            self._rule_so(finding, finding.ruling.outcome, steps, t)

    def _is_amiss(self, streets: Collection[Street]) -> bool:
        """Whether something is wrong, or may be, with the burn or the cards of a street that a
        remedy has dealt."""
        doubted = {d.deviation.street for d in self.doubts if isinstance(d.deviation, _OF_A_STREET)}
        found = {f.street for f in self._hand.findings if f.code in _WRONG_STREETS}
        return not (doubted | found).isdisjoint(streets)

    def _rule_so(
        self, finding: OpenFinding, outcome: str, steps: tuple[str, ...], t: float
    ) -> None:
        book, before = self._setup.book, finding.ruling
        ruling = RulingText(
            before.rulebook, outcome, before.cites, book.steps(steps, self.words(finding))
        )
        finding.ruling = ruling
        basis: Basis | None = "seen" if finding.basis == "unseen" else None  # it was carried out
        finding.basis = "seen"
        self._emit(Ruling(t, self._hand.number, finding.id, ruling, basis))

    def show(self, finding: OpenFinding, acts: Iterable[str], t: float) -> None:
        """Somebody has entered that these steps of a remedy are done."""
        finding.shown.update(acts)
        if finding in self._hand.unshown and not (finding.left_out or finding.waits):
            act = defining_acts.missing(finding)
            if act is None:
                self.close(finding, "remedied", t)
            elif act not in defining_acts.QUESTIONS and defining_acts.is_asked(finding):
                self._rule_so(finding, finding.ruling.outcome, defining_acts.AFTER_NO, t)

    def left_out(self, finding: OpenFinding, t: float) -> None:
        """An act of the remedy was left out: what becomes of the hand the floor decides."""
        finding.left_out = True
        self._rule_so(finding, "floor", defining_acts.AFTER_NO, t)

    def disputing(self, street: Street) -> OpenFinding | None:
        """The open finding that may yet take this street's cards off the board; one that has
        not begun to comes before one that is being put right."""
        for finding in sorted(self._hand.findings, key=lambda finding: finding.under_way):
            affected = finding.street is not None and street in (
                finding.street,
                *later_streets(finding.street),
            )
            if finding.code in DISTURBED.values() or not affected:
                continue
            if finding.under_way:
                is_disputed = remedies.concerns(self._hand, finding, street)
            else:
                is_disputed = finding.ruling.outcome != "stands"
            if is_disputed:
                return finding
        return None

    def disputed(self) -> set[Street]:
        """The streets whose cards may not be named yet."""
        if not self.doubts and not self._hand.findings:
            return set()
        doubted = [d.deviation for d in self.doubts if not isinstance(d.deviation, Disturbed)]
        streets = {d.street for d in doubted if d.street is not None}
        streets |= {s for s in self._disturbed_streets() if not self._has_gone_on(s)}
        for street in SIZE:
            finding = self.disputing(street)
            if finding is not None and (finding.under_way or not self._has_gone_on(street)):
                streets.add(street)
        return streets

    def board_in_question(self) -> bool:
        """Whether something is open, or may yet become a finding, that can change the board: until
        then no hand is known to win or lose (RR7-HE-5: until the pot is awarded)."""
        if not (self.doubts or self._hand.findings or self._hand.unshown):
            return False
        doubted = [d.deviation for d in self.doubts if not isinstance(d.deviation, Disturbed)]
        return (
            any(deviation.street is not None for deviation in doubted)
            or bool(self._disturbed_streets())
            or any(self.disputing(street) for street in SIZE)
            or any(finding.street is not None for finding in self._hand.unshown)
        )

    def _disturbed_streets(self) -> list[Street]:
        """The streets of which a card is missing, or may be."""
        doubts = [d.deviation for d in self.doubts if isinstance(d.deviation, Disturbed)]
        missing = [d.street for d in doubts if d.pile == "board"]
        finding = self._hand.open_finding(DISTURBED["board"])
        return missing if finding is None or finding.street is None else [*missing, finding.street]

    def _has_gone_on(self, street: Street) -> bool:
        """Whether the hand has gone on upon a street: then its cards stand for everyone."""
        hand = self._hand
        later = any(hand.board[s] for s in later_streets(street))
        return later or hand.burned_since(street) or street in hand.acted_streets

    def forget_remedy(self, street: Street) -> None:
        """Its first movement was none: everything lies as before."""
        finding = next((f for f in self._hand.findings if f.under_way and f.street == street), None)
        if finding is not None:
            remedies.drop(self._hand, finding)
            finding.under_way = False
            finding.shown.discard(defining_acts.SHUFFLE)

    def leave_undone(self, step: ScriptStep) -> None:
        """The hand goes on without a step of a remedy: the finding stays open, and what the
        books make of it changes again."""
        for finding in self._hand.findings:
            if any(own is step for own in finding.inserted):
                remedies.leave_out(self._hand, finding, step)
                finding.under_way = False

    def moves_burns(self, street: Street) -> bool:
        """Whether a remedy takes a burn of this street away."""
        finding = self.disputing(street)
        return finding is not None and remedies.moves_burns(finding.ruling)

    def begin_remedy(self, street: Street) -> None:
        """A card of this street has moved: perhaps that is a remedy's first movement."""
        early = self._hand.open_finding(CODES[street], street) if self._hand.early[street] else None
        finding = early or self.disputing(street)
        if finding is not None and not finding.under_way:
            remedies.begin(self._hand, finding)
