"""What people forget, and do late or twice: done to a night's log, nothing at the table changes.

Every habit takes the lines in the order of `t` and returns how many slips there were.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from random import Random

from tests.sweep.telling import Line

Habit = Callable[[Random, list[Line]], int]


def _drop(log: list[Line], which: Callable[[Line], bool]) -> int:
    kept = [line for line in log if not which(line)]
    slips = len(log) - len(kept)
    log[:] = kept
    return slips


def _is_press(line: Line) -> bool:
    return str(line["kind"]) == "press"


def _is_input(line: Line, name: str) -> bool:
    return bool(line["kind"] == "dealer" and line["input"] == name)


def no_press(rate: float, seats: Sequence[int] = ()) -> Habit:
    """So many presses are missing, of these seats or of all."""

    def forget(rng: Random, log: list[Line]) -> int:
        return _drop(
            log,
            lambda line: (
                _is_press(line) and (not seats or line["seat"] in seats) and rng.random() < rate
            ),
        )

    return forget


def pressed_after_the_next(rate: float, *, most: float = 1.5) -> Habit:
    """So many presses come just after the next player's of the same street."""

    def press_late(rng: Random, log: list[Line]) -> int:
        slips = 0
        for at, line in enumerate(log):
            if not _is_press(line) or rng.random() >= rate:
                continue
            for other in log[at + 1 :]:
                if other["kind"] == "dealer" or other.get("zone", "")[:4] in ("burn", "boar"):
                    break
                if _is_press(other) and other["seat"] != line["seat"]:
                    line["t"] = round(other["t"] + rng.uniform(0.2, most), 3)
                    slips += 1
                    break
        return slips

    return press_late


def thinks(mean: float) -> Habit:
    """Everybody takes so many seconds more on average before he acts, now and then much more."""

    def think(rng: Random, log: list[Line]) -> int:
        later = 0.0
        for line in log:
            if _is_press(line):
                later += rng.expovariate(1 / mean)
            if "t" in line:
                line["t"] = round(line["t"] + later, 3)
        return 0

    return think


def looks(rate: float) -> Habit:
    """So many hole cards are lifted as soon as they have come, and put back some time later."""

    def lift(rng: Random, log: list[Line]) -> int:
        more: list[Line] = []
        came: dict[tuple[str, str], float] = {}
        for line in log:
            place = (line.get("zone", ""), line.get("tag", ""))
            if line["kind"] == "seen" and place[0][:4] == "seat":
                came[place] = line["t"]
            elif line["kind"] == "gone" and place in came:
                lifted = came.pop(place) + rng.uniform(0.2, 0.6)
                back = lifted + rng.uniform(0.6, 4)
                if back < line["t"] - 0.3 and rng.random() < rate:
                    more.append({**line, "t": round(lifted, 3)})
                    more.append({**line, "t": round(back, 3), "kind": "seen"})
        log += more
        return len(more) // 2

    return lift


def pressed_twice(rate: float) -> Habit:
    """So many presses come again within a moment."""

    def again(rng: Random, log: list[Line]) -> int:
        more = [
            {**line, "t": round(line["t"] + rng.uniform(0.15, 1.2), 3)}
            for line in log
            if _is_press(line) and rng.random() < rate
        ]
        log += more
        return len(more)

    return again


def wrong_button_first(rate: float) -> Habit:
    """So many presses are put right within a moment."""

    def slip(rng: Random, log: list[Line]) -> int:
        more = []
        for line in log:
            if _is_press(line) and line["button"] in ("call", "raise") and rng.random() < rate:
                wrong = "raise" if line["button"] == "call" else "call"
                at = round(line["t"] - rng.uniform(0.4, 1.2), 3)
                more.append({"t": at, "kind": "press", "seat": line["seat"], "button": wrong})
        log += more
        return len(more)

    return slip


def pressed_for_nothing(rate: float) -> Habit:
    """Somebody presses while a street is awaited and nobody is to act."""

    def press(rng: Random, log: list[Line]) -> int:
        more: list[Line] = []
        for before, card in pairwise(log):
            if card.get("zone", "")[:4] != "burn" or not _is_press(before):
                continue
            room = card["t"] - before["t"]
            if room > 1.2 and rng.random() < rate:
                at = round(rng.uniform(before["t"] + 0.6, card["t"] - 0.1), 3)
                button = rng.choice(["check", "check", "call", "raise"])
                seat = rng.choice([line["seat"] for line in log[:50] if _is_press(line)])
                more.append({"t": at, "kind": "press", "seat": seat, "button": button})
        log += more
        return len(more)

    return press


def amounts_untold(rate: float) -> Habit:
    """So many amounts are not entered."""

    def forget(rng: Random, log: list[Line]) -> int:
        slips = 0
        for line in log:
            if "amount" in line and rng.random() < rate:
                del line["amount"]
                slips += 1
        return slips

    return forget


def no_chips(_: Random, log: list[Line]) -> int:
    """Neither stacks nor amounts are told."""
    for line in log:
        line.pop("amount", None)
        line.pop("stack", None)
        for seat in line.get("seats", ()):
            seat.pop("stack", None)
    return 0


def stacks_mistyped(rate: float) -> Habit:
    """So many of the stacks that are told are wrong."""

    def mistype(rng: Random, log: list[Line]) -> int:
        slips = 0
        for line in log:
            for told in (line, *line.get("seats", ())):
                if "stack" in told and rng.random() < rate:
                    told["stack"] = int(told["stack"] * rng.choice([0.1, 0.5, 1.5, 10]))
                    slips += 1
        return slips

    return mistype


def seats_untold(why: str, rate: float = 1.0) -> Habit:
    """Of the seats that are `bust`, `left` or `came` so many are not told."""

    def forget(rng: Random, log: list[Line]) -> int:
        return _drop(log, lambda line: line.get("why") == why and rng.random() < rate)

    return forget


def seats_told_late(why: str, least: float, most: float) -> Habit:
    """The seats that are `bust`, `left` or `came` are told so many seconds later, perhaps amid the
    next hand."""

    def delay(rng: Random, log: list[Line]) -> int:
        late = [line for line in log if line.get("why") == why and line["kind"] == "seat"]
        for line in late:
            line["t"] = round(line["t"] + rng.uniform(least, most), 3)
        return len(late)

    return delay


def no_buttons(_: Random, log: list[Line]) -> int:
    """The seats have none; nothing is entered instead."""
    log[0]["buttons"] = []
    _drop(log, _is_press)
    return 0


def riffles_unseen(_: Random, log: list[Line]) -> int:
    """A table that is not told of the shuffle, which is no slip of anybody's."""
    _drop(log, lambda line: line["kind"] == "riffle")
    return 0


def entered_late(name: str, rate: float, least: float, most: float) -> Habit:
    """So many entries of the dealer of that name, or so many riffles, come seconds later."""

    def delay(rng: Random, log: list[Line]) -> int:
        late = [line for line in log if _is_entry(line, name) and rng.random() < rate]
        for line in late:
            line["t"] = round(line["t"] + rng.uniform(least, most), 3)
        return len(late)

    return delay


def entered_twice(name: str, rate: float, least: float, most: float) -> Habit:
    """So many of them come once more, seconds later."""

    def repeat(rng: Random, log: list[Line]) -> int:
        again = [
            {**line, "t": round(line["t"] + rng.uniform(least, most), 3)}
            for line in log
            if _is_entry(line, name) and rng.random() < rate
        ]
        log += again
        return len(again)

    return repeat


def _is_entry(line: Line, name: str) -> bool:
    return str(line["kind"]) == name or _is_input(line, name)


def input_forgotten(name: str, rate: float) -> Habit:
    """So many of the dealer's entries of that name are missing."""

    def forget(rng: Random, log: list[Line]) -> int:
        return _drop(log, lambda line: _is_input(line, name) and rng.random() < rate)

    return forget
