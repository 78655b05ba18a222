"""What comes in from the room: its own word, commands, requests and alerts of a session before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial

from controller.broker.client import Incoming
from controller.contract.messages import TABLE_ALERT, TABLE_COMMAND, Message
from controller.table.carrying_out import CarryingOut
from controller.table.clock import TableClock
from controller.table.commands import Refused, answer, reply_with
from controller.table.publisher import Publisher
from controller.table.resend import NAME as RESEND
from controller.table.resend import Resender
from controller.table.room_heard import RoomHeard
from controller.table.room_link import RoomLink
from controller.table.service import TableService


class FromRoom:
    """Takes the room's messages to one table, and answers them. What is refused is counted."""

    def __init__(
        self,
        site: str,
        *,
        link: RoomLink,
        heard: RoomHeard,
        resender: Resender,
        carrying_out: CarryingOut,
        publisher: Publisher,
        service: TableService,
        after: Callable[[Callable[[], None]], None],
        clock: TableClock,
    ) -> None:
        """`after` calls what it is given once all that was entered is kept."""
        self._site = site
        self._link = link
        self._heard = heard
        self._resender = resender
        self._carrying_out = carrying_out
        self._publisher = publisher
        self._service = service
        self._after = after
        self._clock = clock
        self.refused: Counter[str] = Counter()
        self.refused_payloads = 0
        self.unknown_fields = 0

    def received(self, incoming: Incoming) -> None:
        """Takes a message in."""
        if self._heard.received(incoming, self._clock.now()):
            return
        if alert := TABLE_ALERT.names(self._site, incoming.topic):
            self._check_alert(alert[1], incoming)
        elif command := TABLE_COMMAND.names(self._site, incoming.topic):
            if command[1] == RESEND:
                self._tell_again(incoming)
            else:
                self._take(command[1], incoming)
        else:
            self.refused_payloads += 1

    def _take(self, name: str, incoming: Incoming) -> None:
        verdict = self._carrying_out.take(name, incoming)
        if isinstance(verdict, Refused):
            self.refused[verdict.reason] += 1
        else:
            self.unknown_fields += verdict.unknown_fields
        said = answer(
            verdict,
            self._site,
            response_topic=incoming.response_topic,
            correlation=incoming.correlation,
        )
        self._after(partial(self._reply, said))

    def _tell_again(self, incoming: Incoming) -> None:
        """Somebody missed events, and asks."""
        said, messages = self._resender.asked(incoming.payload, retained=incoming.retain)
        if not said.ok:
            self.refused[said.reason] += 1
        for message in messages:
            self._link.publish(message)
        self._reply(
            reply_with(
                said,
                self._site,
                response_topic=incoming.response_topic,
                correlation=incoming.correlation,
            )
        )

    def _reply(self, message: Message | None) -> None:
        if message is not None:
            self._link.publish(message)

    def _check_alert(self, finding: str, incoming: Incoming) -> None:
        """An alert of an earlier session that is neither open nor held is deleted."""
        stale = finding not in map(str, self._publisher.open_findings(self._service.view))
        if incoming.retain and incoming.payload and stale:
            self._link.publish(self._publisher.no_alert(finding))
