"""What a picture of the table is told of each observation."""

from __future__ import annotations

from collections.abc import Sequence

from controller.contract.events import Event
from controller.contract.observations import Done, FloorRuling, Observation, Undo
from controller.contract.picture import Happening
from controller.engine.engine import Engine


def account(
    engine: Engine, observation: Observation, events: Sequence[Event]
) -> Sequence[Happening]:
    """What a picture is told of an observation: the events that followed from it and, where it
    is one, the tick or the ruling itself; the whole hand anew when something of it was taken
    back."""
    if isinstance(observation, Undo) and len(events) > 1:
        return engine.told
    return [*events, observation] if isinstance(observation, Done | FloorRuling) else events
