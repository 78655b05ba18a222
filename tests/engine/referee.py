"""Holds what an engine says against the contract, knowing nothing of how it works."""

from __future__ import annotations

import json
from typing import Any

from controller.contract.events import OUTCOMES, Action, Event, Phase, Prompt, encode_event
from controller.contract.observations import (
    Award,
    Close,
    DealerMisdeal,
    Dismiss,
    FloorDismiss,
    FloorMisdeal,
    FloorRuling,
    Gap,
    HandTabled,
    Observation,
    Open,
    Press,
    Riffle,
    SeatChange,
    Table,
    Undo,
    Unwatched,
)

LAST_WORDS = {"result", "prompt", "ruling", "closed"}
"""What may still be said of a hand that is over: the last two where the floor rules once more."""


def plain(event: Event) -> dict[str, Any]:
    """An event as those see it who read JSON."""
    read: dict[str, Any] = json.loads(encode_event(event))
    return read


class Referee:
    """Follows a log and the events beside it; a breach is an `AssertionError`."""

    def __init__(self) -> None:
        """Before the first observation."""
        self._t = 0.0
        self._hands = 0
        self._hand: int | None = None
        self._phase = ""
        self._findings = 0
        self._open: dict[int, dict[str, Any]] = {}
        self._decided: set[int] = set()
        self._shown: set[int] = set()  # the seats whose hands lie face up, the dealer says
        self._results: set[int] = set()
        self._stakes: int | None = None
        self._are_others = False  # others play than those with whom the hand began
        self._is_played_again = False
        self._is_told_anew = False
        self._watches = True
        self._in_play = True
        self._began_shut = False
        self._under_way = False
        self._zones: list[str] | None = None

    def take(self, observation: Observation, events: list[Event]) -> None:
        """Judges what followed from one observation."""
        if isinstance(observation, Open):
            self._in_play = True
            self._watches |= self._began_shut
        now = observation.t
        self._are_others |= isinstance(observation, SeatChange)
        if isinstance(observation, HandTabled):
            self._shown.add(observation.seat)
        self._is_played_again = _is_played_again(observation, events)
        # So is what was told of a time in which nobody watched.
        self._is_told_anew = self._is_played_again or isinstance(observation, Gap)
        if self._is_played_again:
            self._goes_on(events)
        for event in events:
            told = plain(event)
            assert now is None or told["t"] <= now, "nothing is told of the future"
            if not told.get("implied"):  # whose time is that of its first card
                assert told["t"] >= self._t, "time does not run backwards"
            self._t = told["t"]
            self._are_others |= told.get("text_id") == "taken-over"
            self._take(told, observation)
        match observation:
            case Table():
                self._hand, self._open, self._under_way = None, {}, observation.under_way
                self._zones = None if observation.zones is None else [*observation.zones]
            case Close():
                self._in_play = self._watches = False
            case Unwatched():
                self._watches = self._began_shut = False
            case Award() | Riffle() | DealerMisdeal() | FloorMisdeal():
                self._under_way = False
            case Undo():
                self._watches = self._in_play
            case _:
                pass

    def _goes_on(self, events: list[Event]) -> None:
        """What ended the last hand was taken back, if it is in another phase now, or something
        happened in it after that; perhaps it has come to its end by itself."""
        if self._hand is None and any(map(_is_of_running, events)):
            self._hand = self._hands
            self._results.discard(self._hands)

    def _take(self, told: dict[str, Any], observation: Observation) -> None:
        kind = told["kind"]
        if kind == "start":
            self._start(told)
            return
        if kind in ("floor-called", "floor-coming"):
            running = self._hand if self._hand is not None else self._hands + 1
            assert told["hand"] == running, "it belongs to this hand or the coming one"
            return
        if self._hand is None and kind in ("finding", "ruling", "closed", "prompt"):
            assert told["hand"] in (self._hands, self._hands + 1), "it is of the coming hand"
        elif self._hand is None:
            assert told["hand"] == self._hands, "it belongs to the hand that is over"
            assert kind in LAST_WORDS, f"{kind} of a hand that is over"
        else:
            assert told["hand"] == self._hand, "it belongs to the running hand"
        match kind:
            case "phase":
                self._phase_begins(told)
            case "finding":
                self._found(told)
            case "ruling":
                if told["id"] not in self._open:
                    assert isinstance(observation, FloorRuling), "it is closed for others"
                    assert told["id"] in self._decided, "the floor rules once more on a ruling"
                    self._open[told["id"]] = told
                self._open[told["id"]] = {**self._open[told["id"]], "ruling": told["ruling"]}
                self._ruled(told["ruling"])
            case "closed":
                assert self._open.pop(told["id"], None) is not None, "closed once, once found"
                if told["how"] == "ruled":
                    self._decided.add(told["id"])
            case "tabled":
                assert told["seat"] in self._shown, "nobody tables by himself"
            case "result":
                self._result(told)
            case _:
                pass

    def _start(self, told: dict[str, Any]) -> None:
        assert self._hand is None, "one hand at a time"
        self._decided, self._shown = set(), set()
        assert told["hand"] == self._hands + 1
        for finding in self._open.values():
            assert finding["hand"] == told["hand"], "no finding outlasts its hand"
        assert len(told["seats"]) >= 2
        self._hand = self._hands = told["hand"]
        self._phase = ""
        self._watches = self._in_play
        self._began_shut = not self._in_play
        self._under_way = False
        stacks = [seat.get("stack") for seat in told["seats"]]
        self._stakes = None if None in stacks else sum(stacks)
        self._are_others = False

    def _phase_begins(self, told: dict[str, Any]) -> None:
        assert told["phase"] != "deal" or self._phase == "" or self._is_told_anew
        assert self._phase or told["phase"] == "deal"
        self._phase = told["phase"]
        if self._phase in ("complete", "misdeal"):
            # A hand that is played again may have a finding of the coming one behind it.
            its = [each for each in self._open.values() if each["hand"] <= told["hand"]]
            untils = {each["ruling"].get("until") for each in its}
            assert untils <= {"next-hand"}, "a hand that is over has no open finding"
            self._hand = None

    def _found(self, told: dict[str, Any]) -> None:
        if self._is_played_again:
            self._watches = self._in_play
        if self._is_told_anew:
            assert told["id"] not in self._open
        else:
            assert told["id"] > self._findings, "ids count on"
        is_coming = self._hand is None and self._in_play
        assert self._watches or is_coming, "nothing is a finding where nobody watches"
        assert not self._under_way, "nothing is a finding in a hand that was under way"
        assert told["basis"] == "seen" or told["priority"] > 1
        assert not (self._lacks("burn") and told["code"].startswith("burn-"))
        self._findings = max(self._findings, told["id"])
        self._open[told["id"]] = told
        self._ruled(told["ruling"])

    def _lacks(self, pile: str) -> bool:
        return self._zones is not None and pile not in self._zones

    def _ruled(self, ruling: dict[str, Any]) -> None:
        assert ruling["outcome"] in OUTCOMES
        assert ruling["cites"]
        assert ruling["steps"]
        for step in ruling["steps"]:
            assert step["id"]
            assert step["text"]
            assert "{" not in step["text"], "a step's text has no gaps"
        if "advisory" in ruling:
            self._ruled(ruling["advisory"])

    def _result(self, told: dict[str, Any]) -> None:
        assert self._phase == "complete", "a void hand has no result"
        is_first = told["hand"] not in self._results
        assert is_first or self._is_played_again, "one result a hand"
        self._results.add(told["hand"])
        awards, stacks = told.get("awards"), told.get("stacks")
        if awards is not None:
            assert sum(awards.values()) == sum(pot["amount"] for pot in told["pots"])
        if stacks is not None:
            conserved = self._are_others or sum(stacks.values()) == self._stakes
            assert conserved, "chips are conserved"
            assert min(stacks.values()) >= 0


def _is_of_running(event: Event) -> bool:
    """Whether this is said of a hand that is not over."""
    is_over = isinstance(event, Phase) and event.phase in ("complete", "misdeal")
    return isinstance(event, Action | Phase) and not is_over


def _is_played_again(observation: Observation, events: list[Event]) -> bool:
    """Whether the hand was played again: an entry was taken back, a seat that was taken to be out
    pressed, or the dealer said that somebody plays there."""
    if isinstance(observation, Press | Dismiss | FloorDismiss):
        return any(isinstance(e, Prompt) and e.text_id == "taken-over" for e in events)
    return isinstance(observation, Undo)
