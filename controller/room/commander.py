"""What the room has asked of its tables, and what became of it.

The fold over answers and time is pure; `Commander` around it sends, and keeps the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import (
    COMMANDS,
    ROOM_ANSWER,
    Answer,
    Command,
    Message,
    RulingCommand,
)
from controller.contract.misfit import misfit
from controller.contract.observations import nearest

ANSWER_MS = 5_000
KEEP_MS = 30_000
MAX_ORDERS = 500

OrderStatus = Literal["sent", "confirmed", "refused", "unanswered"]


class OrderError(ValueError):
    """A command that can't be sent; the text is one line for whoever gave it."""


class Order(Struct, frozen=True):
    """A command that was sent to a table. `at` is when `status` began, in the room's time.

    `words` say why it was refused or what else is to be known.
    """

    table: str
    name: str
    command: Command
    at: int
    status: OrderStatus = "sent"
    words: str = ""


Orders = Mapping[str, Order]
"""By the id of the command."""


def on_answer(orders: Orders, answer: Answer, now_ms: int) -> Orders:
    """A table has answered. An answer to nothing, or a second one, changes nothing.

    What a table has had before it has accepted before: the first answer was lost on the way.
    """
    order = orders.get(answer.id)
    if order is None or order.status in ("confirmed", "refused"):
        return orders
    done = answer.ok or answer.reason == "repeated"
    status: OrderStatus = "confirmed" if done else "refused"
    words = "" if done else answer.words or answer.reason or "no reason given"
    return {**orders, answer.id: replace(order, status=status, at=now_ms, words=words)}


def on_time(orders: Orders, now_ms: int, keep_ms: int = KEEP_MS) -> Orders:
    """Stop waiting for what is not answered in time, and forget what was settled long ago."""
    late = {
        id_: replace(
            order, status="unanswered", at=now_ms, words=f"no answer from table {order.table}"
        )
        for id_, order in orders.items()
        if order.status == "sent" and now_ms - order.at >= ANSWER_MS
    }
    old = {
        id_
        for id_, order in orders.items()
        if order.status != "sent" and now_ms - order.at >= keep_ms
    }
    if not late and not old:
        return orders
    return {id_: each for id_, each in {**orders, **late}.items() if id_ not in old}


def command_of(name: str, fields: Mapping[str, object], *, id_: str, role: str) -> Command:
    """The payload of the command `name` from its own fields, `actor` and `session` among them.

    Raises OrderError for an unknown name or field and for a value that does not fit.
    """
    if name not in COMMANDS:
        raise OrderError(f"there is no command '{name[:40]}'{nearest(name[:40], COMMANDS)}")
    payload: type[Command] = COMMANDS[name].payload
    ours = {"id", "role", "v"}
    known = [each for each in payload.__struct_fields__ if each not in ours]
    for field in fields:
        if field not in known:
            raise OrderError(f"'{name}' has no field '{field[:40]}'{nearest(field[:40], known)}")
    try:
        return msgspec.convert({**fields, "id": id_, "role": role}, payload)
    except msgspec.ValidationError as error:
        raise OrderError(f"'{name}': {misfit(error, payload).words[:200]}") from None


class Decision(Struct, frozen=True):
    """Who decided what a table has confirmed, in which of its sessions and hands.

    `outcome` is that of a ruling, else empty.
    """

    actor: str
    session: str
    hand: int | None
    outcome: str = ""


class Commander:
    """Sends commands to tables and keeps what becomes of them.

    `session` is the room's: answers come on `room/answers/<session>`. `new_id` makes an id
    that nobody can guess, since who knows it could answer in the table's place. `changed`
    is called at each change of `orders`, where settled ones stay for `keep_ms`, and `settled` when
    one is confirmed, refused or not answered in time. `coming` holds
    by table who said to be on the way and `ruled` by table and finding who ruled on it.
    """

    def __init__(
        self,
        site: str,
        session: str,
        *,
        publish: Callable[[Message], None],
        now_ms: Callable[[], int],
        new_id: Callable[[], str],
        changed: Callable[[], None] = lambda: None,
        settled: Callable[[Order], None] = lambda _order: None,
        keep_ms: int = KEEP_MS,
    ) -> None:
        self._site = site
        self._publish = publish
        self._now_ms = now_ms
        self._new_id = new_id
        self._changed = changed
        self._settled = settled
        self._keep_ms = keep_ms
        self.answers = ROOM_ANSWER.name(site, session)
        self.orders: Orders = {}
        self.coming: Mapping[str, Decision] = {}
        self.ruled: Mapping[tuple[str, str], Decision] = {}

    def give(self, table: str, name: str, fields: Mapping[str, object], *, role: str) -> Order:
        """Send the command `name`; its `fields` are those of its payload but `id`, `role`, `v`.

        Raises OrderError.
        """
        if len(self.orders) >= MAX_ORDERS:
            raise OrderError("too many commands at once; try again")
        command = command_of(name, fields, id_=self._new_id(), role=role)
        try:
            return self._send(Order(table, name, command, self._now_ms()))
        except ValueError:
            raise OrderError(f"there is no table '{table[:40]}'") from None

    def try_give(self, table: str, name: str, fields: Mapping[str, object]) -> Order | None:
        """As `give`, in the director's name; None where none can be sent now."""
        try:
            return self.give(table, name, fields, role="director")
        except OrderError:
            return None

    def repeat(self, order: Order) -> None:
        """Send what was not answered once more, as it was: a table that has taken it says so, and
        does not take it twice."""
        self._send(replace(order, status="sent", at=self._now_ms(), words=""))

    def _send(self, order: Order) -> Order:
        """Raises ValueError for what is no table's name."""
        message = COMMANDS[order.name].message(self._site, order.table, payload=order.command)
        id_ = order.command.id
        self._publish(replace(message, response_topic=self.answers, correlation=id_.encode()))
        self._set({**self.orders, id_: order})
        return order

    def answered(self, answer: Answer, correlation: bytes | None) -> None:
        """An answer came in. Unless it carries what the command was sent with it is no answer."""
        if correlation == answer.id.encode():
            before = self.orders.get(answer.id)
            self._set(on_answer(self.orders, answer, self._now_ms()))
            order = self.orders.get(answer.id)
            if order is not None and order is not before:
                if order.status == "confirmed":
                    self._confirmed(order)
                self._settled(order)

    def closed(self, table: str, finding: str) -> None:
        """The finding is closed: nobody asks any more who ruled on it."""
        if (table, finding) in self.ruled:
            self.ruled = {key: each for key, each in self.ruled.items() if key != (table, finding)}

    def tick(self) -> None:
        """Time passed."""
        before = self.orders
        self._set(on_time(before, self._now_ms(), self._keep_ms))
        for id_, order in self.orders.items():
            if order is not before.get(id_):
                self._settled(order)

    def _confirmed(self, order: Order) -> None:
        said = order.command
        decision = Decision(said.actor, said.session, said.hand)
        if order.name == "coming":
            self.coming = {**self.coming, order.table: decision}
        elif isinstance(said, RulingCommand):
            kept = list(self.ruled.items())[1 - MAX_ORDERS :]
            ruled = replace(decision, outcome=said.outcome)
            self.ruled = {**dict(kept), (order.table, str(said.finding)): ruled}

    def _set(self, after: Orders) -> None:
        if after is not self.orders:
            self.orders = after
            self._changed()
