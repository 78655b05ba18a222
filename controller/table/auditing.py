"""What a table seals for its house's auditor."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.events import Start
from controller.contract.observations import Close, Observation
from controller.engine.engine import Engine
from controller.engine.state import EngineState
from controller.storage.sealing import Sealer
from controller.table.anew import with_button
from controller.table.decks import Decks


class Auditing:
    """Seals what is observed, and what each hand begins with, so that it can be read alone."""

    def __init__(self, key: bytes, engine: Engine, decks: Decks) -> None:
        """`key` is the auditor's public one."""
        self._sealer = Sealer(key)
        self._engine = engine
        self._decks = decks

    def observation(self, observation: Observation, line: bytes) -> bytes:
        """The box for what was observed, of which the journal's line is this."""
        return self._sealer.observation(observation, line)

    def beginning(
        self, state: EngineState, deck: str, first: Sequence[Observation], repeated: int
    ) -> bytes:
        """The box for what a hand begins with, from this state, with the deck of this name in play
        and the observations `first`. The journal repeats so many lines there."""
        return self._sealer.beginning([*self._set_up(state, deck), *first], repeated)

    def _set_up(self, state: EngineState, deck: str) -> list[Observation]:
        """What sets up an engine that knows nothing of before."""
        decks, now = self._decks, self._decks.in_play
        decks.put_in_play(deck)
        button = self._button() or state.table.button
        told = with_button(state, button, deck=decks.deck, lying=(), t=state.t)
        told += decks.told(state.t)
        if not state.is_open:
            told.append(Close(t=state.t))
        decks.put_in_play(now)
        return told

    def _button(self) -> int | None:
        """Where it belongs in the hand that begins next, or in the one that has begun already."""
        if self._engine.hand is None:
            return self._engine.sight().next_button
        starts = (event for event in self._engine.told if isinstance(event, Start))
        return next((start.button for start in starts), None)
