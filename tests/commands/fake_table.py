"""A table that handles commands as the real one must, over a real broker, without an engine."""

from __future__ import annotations

from msgspec.structs import replace

from controller.broker.client import Backoff, Endpoint, Incoming, MqttClient
from controller.contract.events import Basis, Priority, RulingText, Step
from controller.contract.messages import (
    TABLE_ALERT,
    TABLE_COMMAND,
    TABLE_HAND,
    TABLE_STATE,
    Alert,
    Dismissed,
    Hand,
    Message,
    Presence,
    State,
)
from controller.contract.observations import (
    Coming,
    FloorDismiss,
    FloorMisdeal,
    FloorRuling,
    Observation,
)
from controller.contract.view import FindingView, TableView
from controller.table.commands import Accepted, Refused, answer, judge
from tests.mqtt.schema import check

SITE = "hall"
CODE = "burn-premature"
"""Of every finding."""
FLOP = RulingText(
    "homepokertourney",
    "redeal-flop",
    ("RR7-HE-4", "HPT-PREC-01"),
    (
        Step("stop", "Stop. Leave every card where it is."),
        Step("flop-back", "Put all the flop cards back into the stub."),
        Step("shuffle", "Shuffle the stub."),
        Step("new-flop", "Deal a new flop."),
    ),
    until="action",
)
SILENT = RulingText(
    "uk-tda", "floor", ("UK-01",), (Step("stop", "Stop."),), advisory=replace(FLOP, until=None)
)


class FakeTable:
    """Publishes alerts by hand, judges commands, and notes what it was told."""

    def __init__(self, endpoint: Endpoint, table: str, *, hand: int = 12) -> None:
        self.id = table
        self.session = f"s-{table}"
        self.view = TableView(table=table, rulebook="homepokertourney", hand=hand, phase="flop")
        self.alerts: dict[int, Alert] = {}
        self.taken: list[Observation] = []
        self.verdicts: list[Accepted | Refused] = []
        self.ids: set[str] = set()
        self.silent = False
        self.client = MqttClient(
            endpoint, f"table-{table}", will=self._state("lost"), backoff=Backoff(0.05, 0.1)
        )

    def start(self) -> None:
        self.client.subscribe(TABLE_COMMAND.name(SITE, self.id, "x")[:-1] + "+")
        self.client.start(self._received)
        self.ready()
        self.show()

    def says(self, message: Message) -> None:
        check(SITE, message.topic, message.payload)
        self.client.publish(message)

    def show(self, **fields: object) -> None:
        self.view = replace(self.view, **fields)
        hand = Hand(self.session, 1, 1, self.view)
        self.says(TABLE_HAND.message(SITE, self.id, payload=hand))

    def alert(
        self,
        number: int,
        title: str,
        *,
        at: int,
        priority: Priority = 1,
        basis: Basis = "seen",
        seats: tuple[int, ...] = (),
        ruling: RulingText = FLOP,
        dismissed: Dismissed | None = None,
    ) -> None:
        finding = FindingView(number, CODE, title, priority, basis, seats, (), ruling, 1.0)
        self._say_alert(number, Alert(self.session, at, finding, dismissed))

    def ready(self) -> None:
        self.says(self._state("ready"))

    def lost(self) -> None:
        self.says(self._state("lost"))

    def closes(self, number: int) -> None:
        del self.alerts[number]
        self.says(TABLE_ALERT.deletion(SITE, self.id, str(number)))

    def _state(self, word: Presence) -> Message:
        return TABLE_STATE.message(SITE, self.id, payload=State(word, self.session, "0"))

    def _say_alert(self, number: int, alert: Alert) -> None:
        self.alerts[number] = alert
        self.says(TABLE_ALERT.message(SITE, self.id, str(number), payload=alert))

    def _put_button(self, seat: int) -> None:
        """The room says where it is to be in the next hand."""

    def _received(self, incoming: Incoming) -> None:
        names = TABLE_COMMAND.names(SITE, incoming.topic)
        if names is None or self.silent:
            return
        verdict = judge(
            names[1],
            incoming.payload,
            retained=incoming.retain,
            session=self.session,
            hand=self.view.hand,
            open_findings=self.alerts,
            had=self.ids.__contains__,
            t=7.0,
        )
        self.verdicts.append(verdict)
        if isinstance(verdict, Accepted):
            check(SITE, incoming.topic, incoming.payload)
            self.ids.add(verdict.id)
            for observation in verdict.observations:
                self._take(observation)
            if verdict.button is not None:
                self._put_button(verdict.button)
        told = answer(
            verdict,
            SITE,
            response_topic=incoming.response_topic,
            correlation=incoming.correlation,
        )
        if told is not None:
            self.says(told)

    def _take(self, observation: Observation) -> None:
        self.taken.append(observation)
        match observation:
            case Coming():
                self.show(floor="coming")
            case FloorDismiss():
                self.closes(observation.finding)
            case FloorMisdeal():
                for number in list(self.alerts):
                    self.closes(number)
            case FloorRuling():
                alert = self.alerts[observation.finding]
                ruling = replace(alert.finding.ruling, outcome=observation.outcome)
                finding = replace(alert.finding, ruling=ruling)
                self._say_alert(observation.finding, replace(alert, finding=finding))
            case _:
                pass
