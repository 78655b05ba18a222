"""A dealer who does at each moment what the screen says, and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Literal

from controller.contract.events import Board, Closed, Event, Finding, RulingText
from controller.contract.observations import Done, decode
from controller.contract.picture import Picture
from controller.contract.view import FindingView, position
from controller.contract.zones import ZONES
from controller.library.books import Library
from display.dealer.looking import in_order, is_question
from tests.rules.table_talk import Talk

Way = Literal["ticks", "waits", "turns"]
MOST = 80
"""So many times the screen is looked at in one hand."""
BOARD_SIZE = {"flop": 3, "turn": 4, "river": 5}
SILENT = (
    *("stop", "do-not-play", "burn-stays", "first-burn-stays", "cut", "burn-holds", "no-burn-next"),
    *("card-stands", "offer-set-aside", "second-burn-next", "two-burns-next"),
)
"""The steps at which no card moves now."""
UNSEEN = (*SILENT, "scramble", "aside-back")
"""The steps that nothing but a tick can show to be done."""
ON_THE_CARD = ("put-right", "pick-burn", "true-order")
"""The prompts of which the card says more."""


class ByTheScreen:
    """Reads the card of the worst finding, step by step, and the prompt where there is none.

    One that `ticks` ticks each step once it is done, one that `waits` only what no antenna can
    see; one that `turns` back to the table reads the prompt, and the card only to put something
    right.
    With `rules` the floor that is called decides as the book's advice has it, else it only comes.
    """

    def __init__(
        self,
        library: Library,
        book: str,
        log: str,
        *,
        way: Way,
        rules: bool,
        zones: Sequence[str] = ZONES,
    ) -> None:
        """`log` is the hand until the error."""
        self._zones = zones
        self.talk = Talk(library, book, zones=list(zones))
        self.talk.tell(log)
        self.done: list[tuple[str, ...]] = []
        self.shown_again: list[str] = []
        self._picture = Picture("T1", book, library.texts)
        self._heard = 0
        self._way = way
        self._rules = rules
        self._scrambled: list[str] = []
        self._ruled: FindingView | None = None

    @property
    def events(self) -> list[Event]:
        return self.talk.events

    @property
    def codes(self) -> list[str]:
        return [e.code for e in self.events if isinstance(e, Finding)]

    def play(self) -> None:
        """To the award."""
        for _ in range(MOST):
            if self._look() == "complete":
                return
            finding, prompt = self._card(), self._picture.view.prompt_id
            reads = self._way != "turns" or prompt in ON_THE_CARD
            if finding is not None and (reads or is_question(finding, position(finding))):
                self._step(finding)
            else:
                self._prompt(prompt)
        raise AssertionError(f"it does not end: {self.done[-8:]}")

    def _look(self) -> str:
        self._picture.take(self.events[self._heard :])
        self._heard = len(self.events)
        self._picture.with_sight(self.talk.sight)
        return str(self._picture.view.phase)

    def _card(self) -> FindingView | None:
        """The finding of which a step is shown."""
        for finding in in_order(self._picture.view):
            if finding.priority < 3 and position(finding) < len(finding.ruling.steps):
                return finding
        return None

    def _step(self, finding: FindingView) -> None:
        at = position(finding)
        step = finding.ruling.steps[at].id
        if is_question(finding, at):
            self.talk.tell("confirm")
            return
        if (str(finding.id), step) in self.done and step not in SILENT:
            self.shown_again.append(step)
        self.done.append((str(finding.id), step))
        self._do(step, finding)
        self._look()
        after = next((f for f in in_order(self._picture.view) if f.id == finding.id), None)
        if after is not None and (self._way == "ticks" or self._is_to_tick(after, step)):
            self._look()
            self.talk.say(kind="dealer", input="done", finding=finding.id, step=step)
            ticked = decode(self.talk.log[-1])
            assert isinstance(ticked, Done)
            self._picture.take([ticked])
        if after is not None and step == "call-floor" and finding.ruling.outcome == "floor":
            self._advised(finding.ruling.advisory, after)

    def _is_to_tick(self, finding: FindingView, step: str) -> bool:
        """Whether a step is shown still that no antenna sees."""
        at, steps = position(finding), finding.ruling.steps
        unseen = step in UNSEEN or (step == "burn-one" and "burn" not in self._zones)
        return unseen and at < len(steps) and steps[at].id == step

    def _advised(self, advice: RulingText | None, finding: FindingView) -> None:
        """The floor has the advice followed."""
        for step in advice.steps if advice is not None else ():
            if step.id not in SILENT:
                self._do(step.id, finding)
                self._look()

    def _do(self, step: str, finding: FindingView) -> None:
        if step in SILENT:
            return
        if step == "call-floor":
            self._call_floor(finding)
            return
        acts: dict[str, Callable[[], None]] = {
            "finish-round": lambda: self._finish_round(finding),
            "flop-back": lambda: self._lift(self._on("board")),
            "card-back": lambda: self._lift(self._on("board")[-1:]),
            "set-aside": lambda: self._lift(self._on("board")[-1:]),
            "cards-aside": lambda: self._lift(self._on("board")[-2:]),
            "cards-back-in": lambda: self._lift(self._on("board")[-2:]),
            "second-burn-back": lambda: self._to_stub(self._on("burn")[-1]),
            "flop-and-burn-back": lambda: self._lift([*self._on("board"), self._on("burn")[-1]]),
            "offer-first-card": self._first_stays,
            "card-is-burn": lambda: self._move(self._on("board")[-1], "burn"),
            "second-burn-is-card": lambda: self._move(self._on("burn")[-1], "board"),
            "card-on-stub": lambda: self._to_stub(self._exposed()),
            "scramble": self._scramble,
            "pick-burn": self._pick,
            "three-are-flop": self._lay_scrambled,
            "stub-completes": self._complete_flop,
            "aside-back": self._play_round,
            "shuffle": lambda: self.talk.tell("" if self._way == "ticks" else "reshuffled"),
            "burn-one": lambda: self.talk.tell("burn"),
            "deal-street": lambda: self._prompt("deal-street"),
            "new-flop": lambda: self.talk.tell("board 3; wait 2"),
            "new-flop-no-burn": lambda: self.talk.tell("board 3; wait 2"),
            "restore-board": lambda: self._put_back("board"),
            "restore-burn": lambda: self._put_back("burn"),
        }
        acts.get(step, lambda: self.talk.tell("board; wait 2"))()

    # --- the floor ---

    def _call_floor(self, finding: FindingView) -> None:
        self.talk.tell("floor")
        advice = finding.ruling.advisory
        if finding.ruling.outcome != "floor" or _offers(finding.ruling):
            return
        if advice is None or (advice.outcome == "floor" and not _offers(advice)):
            self.talk.tell("rules stands")
        elif self._rules or advice.outcome in ("stands", "hold-burn"):
            self._ruled = finding
            outcome = advice.outcome if advice.outcome != "floor" else "stands"
            self.talk.tell(f"rules {outcome}")

    def _as_ruled(self) -> None:
        """The floor says where the cards belong."""
        assert self._ruled is not None
        advice = self._ruled.ruling.advisory
        for step in advice.steps if advice is not None else ():
            if step.id in ("card-is-burn", "second-burn-is-card", "card-on-stub"):
                self._do(step.id, self._ruled)

    def _scramble(self) -> None:
        self._scrambled = self._on("board")
        self._lift(self._scrambled)

    def _pick(self) -> None:
        self.talk.tell("pick")
        cards = self._scrambled or self._on("board")
        if not self._scrambled:
            self._lift(cards[:1])
        self._lay(cards[0], "burn")
        self._scrambled = self._scrambled[1:]

    def _lay_scrambled(self) -> None:
        for card in self._scrambled:
            self._lay(card, "board")
        self._scrambled = []
        self.talk.tell("wait 2")

    def _complete_flop(self) -> None:
        self._lay_scrambled()
        self.talk.tell("board; wait 2")

    # --- the hand ---

    def _finish_round(self, finding: FindingView) -> None:
        for seat in finding.seats:
            self.talk.tell(f"{seat} {self._checks_or_calls(seat)}")
        self._play_round()

    def _play_round(self) -> None:
        while self._look() != "complete" and self._picture.view.to_act is not None:
            self._prompt("act")

    def _prompt(self, prompt: str) -> None:
        view = self._picture.view
        match prompt:
            case "act":
                self.talk.tell(f"{view.to_act} {self._checks_or_calls(view.to_act)}")
            case "burn-and-deal" if "burn" not in self._zones:
                self.talk.tell("burn")
                self._prompt("deal-street")
            case "burn-and-deal" | "burn-more":
                self.talk.tell("burn")
            case "deal-street" | "finish-street":
                street = str(view.prompt_args.get("street", "flop"))
                missing = BOARD_SIZE[street] - len(self._on("board"))
                self.talk.tell(f"board {max(1, missing)}; wait 2")
            case "cards-back" | "card-aside":
                street = str(view.prompt_args["street"])
                size = BOARD_SIZE[street] - (3 if street == "flop" else 1)
                self._lift(self._on("board")[size:])
            case "burn-back":
                self._to_stub(self._on("burn")[-1])
            case "cards-and-burn-back":
                self._lift([*self._on("board"), self._on("burn")[-1]])
            case "true-order":
                self._as_ruled()
            case "shuffle-stub" | "shuffle-and-cut":
                self.talk.tell("reshuffled")
            case "show-first" | "show-next":
                self.talk.tell(f"tabled {view.prompt_args['seat']}")
            case "showdown":
                for seat in view.seats:
                    if seat.state != "folded":
                        self.talk.tell(f"tabled {seat.seat}")
            case "award" | "award-to" | "award-last" | "award-pots" | "kill-losers":
                self.talk.tell("award")
            case _:
                self.talk.tell("wait 1")

    def _checks_or_calls(self, seat: int | None) -> str:
        view = self._picture.view
        return "call" if view.phase == "preflop" and seat != view.big else "check"

    # --- cards ---

    def _on(self, pile: str) -> list[str]:
        """The cards that lie there, in the order in which they came off the stub."""
        return self.talk.lying(pile)

    def _exposed(self) -> str:
        """The card that was turned up where the second burn belongs: the last off the stub."""
        return max(self._on("board"), key=lambda card: int(card[1:]))

    def _lift(self, cards: Iterable[str]) -> None:
        for card in list(cards):
            self.talk.tell(f"lift {card}")
        self.talk.tell("wait 1")

    def _lay(self, card: str, zone: str) -> None:
        self.talk.tell(f"lay {card} {zone}")

    def _move(self, card: str, zone: str) -> None:
        self._lift([card])
        self._lay(card, zone)
        self.talk.tell("wait 2")

    def _to_stub(self, card: str) -> None:
        self._lift([card])
        self.talk.tell(f"top {card}")

    def _first_stays(self) -> None:
        cards = self._on("board")
        if len(cards) > BOARD_SIZE["river"]:
            self._lift(cards[-1:])
        else:
            self._move(cards[-1], "burn")

    def _put_back(self, pile: str) -> None:
        for card in self.talk.lifted():
            self._lay(card, pile)
        self.talk.tell("wait 2")

    @property
    def closed(self) -> list[str]:
        return [e.how for e in self.events if isinstance(e, Closed)]

    @property
    def boards(self) -> list[tuple[str, ...]]:
        return [e.cards for e in self.events if isinstance(e, Board)]


def _offers(ruling: RulingText) -> bool:
    return any(step.id.startswith("offer-") for step in ruling.steps)
