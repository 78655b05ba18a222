"""Events told in poker's own words: the readable form of `cutcard replay`."""

from __future__ import annotations

from controller.events import (
    Action,
    Board,
    Clock,
    Closed,
    Event,
    Finding,
    FloorCalled,
    FloorComing,
    Phase,
    Prompt,
    Result,
    Ruling,
    RulingText,
    Start,
    SubstantialAction,
    Tabled,
)
from controller.texts import Texts

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
_ENDINGS = {
    "remedied": "put right",
    "ruled": "ruled",
    "dismissed": "dismissed",
    "expired": "lapsed",
}
_PRIORITIES = {1: "STOP", 2: "Put right", 3: "For the record"}


class Account:
    """Tells events as lines of text. Prompts are the dealer's and are left out."""

    def __init__(self, texts: Texts) -> None:
        """`texts` names the findings."""
        self._texts = texts
        self._codes: dict[int, str] = {}

    def tell(self, event: Event) -> list[str]:
        """The lines for one event, none for one that only matters to a screen."""
        match event:
            case Start():
                return ["", self._start(event)]
            case Phase(phase="deal" | "preflop" | "complete"):
                return []
            case Phase(phase="showdown"):
                return [_at(event.t, "Showdown.")]
            case Phase(phase="misdeal"):
                return [_at(event.t, "Misdeal. All cards back, shuffle, deal again.")]
            case Phase():
                return [_at(event.t, f"{event.phase.capitalize()}.")]
            case Board():
                return [_at(event.t, f"The board: {_cards(event.cards)}.")]
            case Tabled():
                return [_at(event.t, f"Seat {event.seat} tables {_cards(event.cards)}.")]
            case Action():
                return [_at(event.t, _action(event))]
            case Clock():
                return [_at(event.t, f"Clock on seat {event.seat}, until {event.until:.1f}.")]
            case FloorCalled():
                return [_at(event.t, "The floor is called.")]
            case FloorComing():
                return [_at(event.t, f"{event.by or 'A floorperson'} is coming.")]
            case Finding():
                return self._finding(event)
            case Ruling():
                head = f"{self._name(event.id)} is ruled anew: {_ruling(event.ruling)}"
                return [_at(event.t, head), *_steps(event.ruling)]
            case Closed():
                return [_at(event.t, f"{self._name(event.id)}: {_ENDINGS[event.how]}.")]
            case SubstantialAction():
                return [_at(event.t, "From here on a misdeal can't be called.")]
            case Result():
                return _result(event)
            case Prompt():
                return []

    def _start(self, event: Start) -> str:
        seats = ", ".join(
            f"{s.seat}" if s.stack is None else f"{s.seat} ({s.stack})" for s in event.seats
        )
        blinds = f"{event.blinds.small}-{event.blinds.big}"
        if event.blinds.ante:
            blinds += f", ante {event.blinds.ante}"
        redeal = f", the redeal of hand {event.redeal_of}" if event.redeal_of else ""
        unseen = " (its shuffle was not seen)" if event.implied else ""
        return (
            f"Hand {event.hand}{redeal} begins at {event.t:.1f}{unseen}. "
            f"Button {event.button}, blinds {blinds}. Seats {seats}."
        )

    def _finding(self, event: Finding) -> list[str]:
        self._codes[event.id] = event.code
        where = f" at seat {', '.join(map(str, event.seats))}" if event.seats else ""
        doubt = " (not certain: something was not seen)" if event.basis == "unseen" else ""
        head = f"*** {_PRIORITIES[event.priority]}: {self._name(event.id)}{where}{doubt}."
        return [_at(event.t, head), f"{'':9}{_ruling(event.ruling)}", *_steps(event.ruling)]

    def _name(self, finding: int) -> str:
        code = self._codes.get(finding, "")
        return f"{self._texts.findings.get(code, code)} (finding {finding})"


def _at(t: float, text: str) -> str:
    return f"{t:7.1f}  {text}"


def _cards(cards: tuple[str, ...]) -> str:
    return " ".join(c[0] + _SUITS.get(c[1], c[1]) for c in cards)


def _action(event: Action) -> str:
    how = {"press": "", "muck": " (cards in the muck)", "dealer": " (entered by the dealer)"}
    verb = {
        "check": "checks",
        "call": "calls",
        "bet": "bets",
        "raise": "raises to",
        "fold": "folds",
        "all-in": "is all-in",
    }[event.action]
    amount = "" if event.amount is None or event.action in ("check", "fold") else f" {event.amount}"
    if event.action == "all-in" and amount:
        amount = " for" + amount
    return f"Seat {event.seat} {verb}{amount}{how[event.by]}."


def _ruling(ruling: RulingText) -> str:
    until = f", until {ruling.until}" if ruling.until else ""
    return f"{ruling.outcome} by {ruling.rulebook} [{', '.join(ruling.cites)}]{until}"


def _steps(ruling: RulingText) -> list[str]:
    lines = [f"{'':11}{n}. {step.text}" for n, step in enumerate(ruling.steps, 1)]
    if ruling.advisory is not None:
        lines.append(f"{'':9}The book is silent. For advice: {_ruling(ruling.advisory)}")
        lines += _steps(ruling.advisory)
    return lines


def _result(event: Result) -> list[str]:
    lines = [_at(event.t, "The hand is over.")]
    for number, pot in enumerate(event.pots):
        name = "Main pot" if number == 0 else f"Side pot {number}"
        seats = ", ".join(map(str, pot.seats))
        lines.append(f"{'':9}{name} {pot.amount}, contested by seat {seats}.")
    for seat, chips in (event.awards or {}).items():
        lines.append(f"{'':9}Seat {seat} wins {chips}.")
    return lines
