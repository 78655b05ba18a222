"""What becomes of the room's commands at a running table."""

from __future__ import annotations

from collections import deque

from controller.broker.client import Incoming
from controller.contract.observations import SeatChange
from controller.engine.engine import Engine
from controller.storage.database import DatabaseError
from controller.storage.journal import Journal
from controller.table.commands import Accepted, Refused, judge
from controller.table.publisher import Publisher
from controller.table.service import TableService
from controller.table.set_up import SetUp
from controller.table.telling import Telling
from controller.table.watching import Watching

RECENT_COMMANDS = 1_000


class CarryingOut:
    """Judges commands by the table as it stands, and carries out what is accepted."""

    def __init__(
        self,
        *,
        engine: Engine,
        service: TableService,
        publisher: Publisher,
        journal: Journal,
        telling: Telling,
        watching: Watching,
        set_up: SetUp,
    ) -> None:
        self._engine = engine
        self._service = service
        self._publisher = publisher
        self._journal = journal
        self._telling = telling
        self._watching = watching
        self._set_up = set_up
        self._recent: deque[str] = deque(maxlen=RECENT_COMMANDS)

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
            had=self._had,
            t=self._telling.t(),
        )
        if isinstance(verdict, Accepted):
            self._carry_out(verdict)
        return verdict

    def _had(self, command: str) -> bool:
        """Those of late are known even while nothing can be recorded."""
        try:
            return command in self._recent or self._journal.had_command(command)
        except DatabaseError:
            return False

    def _carry_out(self, accepted: Accepted) -> None:
        self._recent.append(accepted.id)
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
