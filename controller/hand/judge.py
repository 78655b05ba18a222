"""Doubts become findings; findings are ruled, ruled anew and closed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

from msgspec.structs import replace

from controller.contract.events import (
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
from controller.contract.zones import ZONES
from controller.hand.setup import Setup
from controller.rules import IRREGULARITIES, defining_acts, remedies
from controller.rules.card_count import dealt_out
from controller.rules.decisions import Decided
from controller.rules.disputes import outlives
from controller.rules.doubt import Doubt, Doubts
from controller.rules.hand import Hand, HoleCard, OpenFinding
from controller.rules.irregularity import Amiss, Numbering
from controller.rules.premature import early_finding
from controller.rules.procedure import SIZE, ScriptStep, Street, later_streets
from controller.rules.watcher import Watcher, those_that

_RULES = {rule.code: rule for rule in IRREGULARITIES}
_NO_RULING = RulingText("", "floor", (), ())


def _order(doubt: Doubt) -> bool:
    rule = _RULES.get(doubt.amiss.code)
    return rule is None or not rule.comes_first


def _is_of_street(doubt: Doubt) -> bool:
    rule = _RULES.get(doubt.amiss.code)
    return rule is not None and rule.of_street


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
        the floor was called last; until `quiet_until`, if that is set, nothing is a finding."""
        self.doubts = Doubts()
        self._watchers: Mapping[str, Watcher] = {}
        self._unsure_of: Sequence[Watcher] = ()
        self.watching = True
        self.quiet_until: float | None = None
        self.told: set[tuple[str, int]] = set()
        self._hand = hand
        self._setup = setup
        self._emit = emit
        self._number = number
        self._for_the_record: list[OpenFinding] = []
        self.is_mislaid: Callable[[OpenFinding], bool] = lambda _: False
        self.floor_called: float | None = None

    def asks(self, watchers: Sequence[Watcher]) -> None:
        """Those who prove what they have doubted."""
        codes = ((code, each) for each in watchers for code in each.codes or (each.code,))
        self._watchers = {code: each for code, each in codes if code}
        self._unsure_of = those_that(watchers, "unsure")

    # --- doubts ---

    def stop(self) -> None:
        """Nothing is a finding from here on."""
        self.watching = False
        self.doubts.clear()

    @property
    def claims(self) -> bool:
        """Whether anything may be a finding at this moment: it is watched, and not just after a
        gap."""
        return self.watching and self.quiet_until is None

    def let_pass(self) -> bool:
        """What was held back is proved: while nothing is a finding, nothing follows from it but
        that the hand has gone on. False where there was nothing."""
        held = [doubt for doubt in self.doubts if doubt.held]
        for doubt in held:
            self._prove(doubt)
        return bool(held)

    def prove_due(self, t: float) -> None:
        """Proves what has not been explained until `t`. What is due then again and again would hold
        up the table for ever: that is a `RuntimeError`."""
        while due := [doubt for doubt in self.doubts if doubt.until <= t]:
            doubt = min(due, key=_order)
            later = self._watcher(doubt).later(doubt.amiss)
            if later is None:
                self._prove(doubt)
            else:
                doubt.until = later
            if doubt.until <= t and doubt in self.doubts:
                raise RuntimeError(f"{doubt.amiss.code} is never proved, due at {doubt.until} s")

    def prove_streets(self) -> None:
        """The hand has gone on: what of the streets has not been explained by now was so."""
        while wrong := [doubt for doubt in self.doubts if _is_of_street(doubt)]:
            self._prove(min(wrong, key=_order))

    def _prove(self, doubt: Doubt) -> None:
        self.doubts.remove(doubt)
        self._watcher(doubt).prove(doubt)

    def _watcher(self, doubt: Doubt) -> Watcher:
        return self._watchers[doubt.amiss.code]

    # --- findings ---

    def waiting(self) -> tuple[int, ...]:
        """The seats that have to act and have buttons to act with. As long as there is one, the
        round is known to be open; of the others nothing is known, nor of those who are asked
        about already, or who seem to have no cards; and those behind whom others have acted have
        not pressed."""
        beside = self._hand.asked.union(dealt_out(self._hand), self._hand.passed_over)
        return tuple(
            sorted(
                player.seat
                for player in self._hand.betting.must_act()
                if self._setup.has_buttons(player.seat)
                and not (player.unsure or player.seat in beside)
            )
        )

    def establish(self, amiss: Amiss, t: float) -> None:
        """It is a finding."""
        if not self.claims:
            return
        rule = _RULES[amiss.code]
        basis: Basis = "seen" if amiss.read else "unseen"
        street = amiss.street
        finding = OpenFinding(
            id=self._number(amiss),
            code=rule.code,
            t=t,
            street=street,
            tags=amiss.tags or (() if street is None else tuple(self._hand.board[street])),
            seats=amiss.seats,
            basis=basis,
            ruling=_NO_RULING,
            facts=amiss.facts,
            zones=rule.zones(amiss),
            due=amiss.due,
            early=amiss.early,
            acts=self._hand.acts,
        )
        finding.ruling = self._ruling(finding)
        called = self.floor_called
        if called is not None and called >= amiss.t - self._setup.timing.settle:
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
        if confirmed:
            self.call_attention(finding)
        if finding.certain:
            return
        finding.confirmed = confirmed
        finding.basis = "seen"
        if finding in self._hand.unshown:  # its cards have moved by the ruling that it had
            finding.ruling = replace(finding.ruling, steps=finding.ruling.steps[1:])
        else:
            finding.ruling = self._ruling(finding)
        self._emit(Ruling(t, self._hand.number, finding.id, finding.ruling, "seen"))

    def call_attention(self, finding: OpenFinding) -> None:
        """The dealer has said yes, or calls the floor: what a book makes of it is ruled by how far
        the hand has gone now."""
        if finding.called is None:
            finding.called = tuple(self._hand.betting.actions)

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
            self._let_be(finding, "stands")
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
        elif finding.ruling.steps[0].id == _RULES[finding.code].question:  # it is decided
            finding.ruling = replace(finding.ruling, steps=finding.ruling.steps[1:])
            self._emit(Ruling(t, self._hand.number, finding.id, finding.ruling))
        if not finding.under_way:
            remedies.begin(self._hand, finding)
        if not finding.under_way:
            if finding.street is not None and outcome != "stands":
                self._hand.entrusted.add(finding.street)
            self._let_be(finding, outcome)
        self.close(finding, "ruled", t, keep_remedy=True)

    def _let_be(self, finding: OpenFinding, outcome: str) -> None:
        watcher = self._watchers.get(finding.code)
        if watcher is not None:
            watcher.let_be(finding, outcome)

    def close(
        self, finding: OpenFinding, how: ClosedHow, t: float, *, keep_remedy: bool = False
    ) -> None:
        """Closes a finding; what its remedy put into the script goes unless it is to stay."""
        unshown = finding in self._hand.unshown
        (self._hand.unshown if unshown else self._hand.findings).remove(finding)
        if how == "expired" and not finding.confirmed:
            self._hand.left_open |= {(finding.code, seat) for seat in finding.seats}
            if finding.street is not None:
                self._hand.left_streets.add((finding.code, finding.street))
        if how == "remedied":
            self.told -= {(finding.code, seat) for seat in finding.seats}
        if not keep_remedy:
            remedies.drop(self._hand, finding)
        self._emit(Closed(t, self._hand.number, finding.id, how))

    def close_all(self, how: ClosedHow, t: float) -> None:
        """The hand is over, and nothing of it counts."""
        self.doubts.clear()
        for finding in [*self._hand.findings, *self._hand.unshown]:
            self.close(finding, how, t)

    def hand_over(self, t: float) -> tuple[Decided, ...]:
        """The hand is over; returns what may be disputed until the next one begins, which is no
        finding of this one any more."""
        hand = self._hand
        lasting = [finding for finding in hand.findings if outlives(finding.ruling.until)]
        hand.findings = [finding for finding in hand.findings if finding not in lasting]
        self.close_all("expired", t)
        return tuple(Decided(f.id, f.code, f.ruling, self.words(f)) for f in lasting)

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
        doubted = {d.amiss.street for d in self.doubts if _is_of_street(d)}
        found = {f.street for f in self._hand.findings if _RULES[f.code].of_street}
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
            if not (affected and _RULES[finding.code].disputes):
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
        streets = self._doubted_streets()
        streets |= {s for s in self._unsure() if not self._has_gone_on(s)}
        for street in SIZE:
            finding = self.disputing(street)
            if finding is not None and (finding.under_way or not self._has_gone_on(street)):
                streets.add(street)
        return streets

    def board_in_question(self) -> bool:
        """Whether something is open, or may yet become a finding, that can change the board: until
        then no hand is known to win or lose."""
        if not (self.doubts or self._hand.findings or self._hand.unshown):
            return False
        return (
            bool(self._doubted_streets())
            or bool(self._unsure())
            or any(self.disputing(street) for street in SIZE)
            or any(finding.street is not None for finding in self._hand.unshown)
        )

    def _doubted_streets(self) -> set[Street]:
        """The streets that may be dealt anew."""
        doubted = [d.amiss for d in self.doubts if d.amiss.street is not None]
        streets = {amiss.street for amiss in doubted if _RULES[amiss.code].disputes}
        return {street for street in streets if street is not None}

    def _unsure(self) -> set[Street]:
        """The streets of which a card may have gone."""
        return {street for watcher in self._unsure_of for street in watcher.unsure()}

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
        self._hand.stirred.add(street)
        finding = early_finding(self._hand, street) or self.disputing(street)
        if finding is not None and not finding.under_way:
            remedies.begin(self._hand, finding)
