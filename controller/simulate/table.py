"""One table of a simulation: the real publisher and the real client, and hands dealt before."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable, Iterator

from controller.broker.client import Endpoint, MqttClient
from controller.contract.messages import TABLE_HAND, TABLE_STATE, Message
from controller.simulate.hands import Dealt, Evening, Step, at_table
from controller.simulate.told import kind_of
from controller.storage.outbox import MemoryOutbox, Pending
from controller.table.publisher import Publisher

OnAlert = Callable[[str, str, bool], None]
"""Told of a table's finding, just before it is published: opened, or, if not, deleted."""


class CountingOutbox(MemoryOutbox):
    """Counts what leaves it. `sent` by kind, for the first time; `again` once more."""

    def __init__(self) -> None:
        super().__init__()
        self.published = self.acked = self.again = 0
        self.sent: Counter[str] = Counter()
        self._sent_keys: set[int] = set()

    def put(self, message: Message, at_s: float) -> None:
        """See `Outbox`."""
        self.published += 1
        super().put(message, at_s)

    def take(self, most: int) -> list[Pending]:
        """See `Outbox`; what is taken is sent."""
        pending = super().take(most)
        for each in pending:
            if each.key in self._sent_keys:
                self.again += 1
            else:
                self._sent_keys.add(each.key)
                self.sent[kind_of(each.message.topic) or ""] += 1
        return pending

    def done(self, key: int) -> None:
        """See `Outbox`."""
        self.acked += 1
        super().done(key)

    @property
    def superseded(self) -> int:
        """Those whose place a newer one took before they had left."""
        unsent = len(self) - len(self._sent_keys)
        return self.published - self.sent.total() - unsent - self.dropped

    def _forget(self, key: int) -> None:
        self._sent_keys.discard(key)
        super()._forget(key)


class SimulatedTable:
    """A table that deals the hands of an evening, in an order of its own."""

    def __init__(
        self,
        site: str,
        table: str,
        endpoint: Endpoint,
        evening: Evening,
        rng: random.Random,
        *,
        run: str,
        errors: float,
        on_alert: OnAlert,
        report: Callable[[str], None],
    ) -> None:
        """`errors` hands of a thousand have one."""
        self.id = table
        self._site = site
        self.hands = 0
        self.reconnects = 0
        self._findings = 0
        self._evening = evening
        self._rng = rng
        self._errors = errors
        self._on_alert = on_alert
        self._open: set[str] = set()
        self._publisher = Publisher(
            site, table, session=f"{run}-{table}", version="simulate", now_ms=_wall_ms
        )
        self.outbox = CountingOutbox()
        self.client = MqttClient(
            endpoint,
            f"cutcard-{run}-{table}",
            will=self._publisher.state("lost"),
            outbox=self.outbox,
            keepalive_s=30,
            report=report,
        )
        self._steps = self._deal()

    def start(self) -> None:
        """Connects, and says that the table is there."""
        self.client.start(on_link=self._link)

    def _link(self, up: bool) -> None:
        if not up:
            self.reconnects += 1
        elif self.outbox.published == 0:
            self.client.publish(self._publisher.state("init"))
            self.client.publish(self._publisher.state("ready"))

    def go_on(self) -> int:
        """Tells what comes next; returns how many messages that were."""
        step = next(self._steps)
        messages = self._publisher.events(step.observation, step.events, step.before, step.view)
        if step.shown:
            messages.append(self._publisher.picture(step.view))
        for message in messages:
            self._publish(message)
        return len(messages)

    async def tidy(self) -> None:
        """Takes away what the table left at the broker, and disconnects."""
        for topic in sorted(self._open):
            self.client.publish(Message(topic, b"", 1, True))
        self.client.publish(TABLE_HAND.deletion(self._site, self.id))
        await self.client.close(instead=TABLE_STATE.deletion(self._site, self.id))

    def _publish(self, message: Message) -> None:
        if kind_of(message.topic) == "alerts":
            finding = message.topic.rpartition("/")[2]
            if not message.payload:
                self._open.discard(message.topic)
                self._on_alert(self.id, finding, False)
            elif message.topic not in self._open:
                self._open.add(message.topic)
                self._on_alert(self.id, finding, True)
        self.client.publish(message)

    def _deal(self) -> Iterator[Step]:
        """Begins in the middle of a hand, as of tables that were not all started at once."""
        hand = self._next_hand()
        calm = [at for at, step in enumerate(hand.steps) if not step.before.findings]
        steps = hand.steps[self._rng.choice(calm) :]
        while True:
            for step in steps:
                yield at_table(step, self.id, self.hands, self._findings)
            self.hands += hand.hands
            self._findings += hand.findings
            hand = self._next_hand()
            steps = hand.steps

    def _next_hand(self) -> Dealt:
        is_wrong = self._rng.random() * 1_000 < self._errors
        return self._rng.choice(self._evening.wrong if is_wrong else self._evening.clean)


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000
