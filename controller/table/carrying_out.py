"""What becomes of the room's commands at a running table."""

from __future__ import annotations

from collections.abc import Iterable

from controller.broker.client import Incoming
from controller.contract.observations import SeatChange
from controller.engine.engine import Engine
from controller.storage.journal import KEEP_ORIGINS
from controller.table.commands import Accepted, Refused, judge
from controller.table.publisher import Publisher
from controller.table.service import TableService
from controller.table.set_up import SetUp
from controller.table.telling import Telling
from controller.table.watching import Watching


class CarryingOut:
    """Judges commands by the table as it stands, and carries out what is accepted."""

    def __init__(
        self,
        *,
        engine: Engine,
        service: TableService,
        publisher: Publisher,
        commands: Iterable[str],
        telling: Telling,
        watching: Watching,
        set_up: SetUp,
    ) -> None:
        """`commands` are the ids of those that were carried out before the start."""
        self._engine = engine
        self._service = service
        self._publisher = publisher
        self._telling = telling
        self._watching = watching
        self._set_up = set_up
        self._had = dict.fromkeys(commands)

    def take(self, name: str, incoming: Incoming) -> Accepted | Refused:
        """What was made of the command `name`."""
        view = self._service.view
        verdict = judge(
            name,
            incoming.payload,
            retained=incoming.retain,
            session=self._publisher.session,
            hand=view.hand,
            open_findings=self._publisher.open_findings(view),
            ruled_findings=self._engine.ruled,
            had=self._had.__contains__,
            t=self._telling.t(),
        )
        if isinstance(verdict, Accepted):
            self._carry_out(verdict)
        return verdict

    def _carry_out(self, accepted: Accepted) -> None:
        self._had[accepted.id] = None
        if len(self._had) > KEEP_ORIGINS:
            del self._had[next(iter(self._had))]
        for observation in accepted.observations:
            self._watching.entered(observation, accepted.id)
        seats = all(isinstance(each, SeatChange) for each in accepted.observations)
        if accepted.button is not None and seats:
            self._move_button(accepted.button)

    def _move_button(self, button: int) -> None:
        """The room sets the button: the table is set up anew, with the seats as they are."""
        if told := self._set_up.with_button(button):
            for each in told:
                self._watching.entered(each)
            self._set_up.tell_decks()
