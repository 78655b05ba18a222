"""The MQTT 5 client of the table and the room, and the only file that knows paho.

It lives on the asyncio loop: paho's sockets are read and written there, so that no
callback runs in a foreign thread; only the blocking connect happens in one. Each
connection is a new paho client with a clean session: what has not been acknowledged is
in our outbox and is sent again from there, in order. A broker that is away never stops
the caller.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import socket
import ssl
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from msgspec import Struct
from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion, MQTTProtocolVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from controller.broker.receipts import Receipts
from controller.contract.messages import MAX_PAYLOAD, Message
from controller.storage.outbox import MemoryOutbox, Outbox

if TYPE_CHECKING:
    from paho.mqtt.client import SocketLike

_WINDOW = 100
PASSWORD_VARIABLE = "CUTCARD_MQTT_PASSWORD"  # noqa: S105 (the name of a variable)
"""Where a program finds its password at the broker, unless it is told a file."""
SILENT = "does not answer; carrying on without it"
"""How the line ends that tells of a broker that takes a connection and then says nothing."""
_HANDSHAKE_S = 3.0
_STEADY_S = 5.0
"""A connection that stood for less is a failure too. Of two clients that log in under one name each
ends the other's connection: they should not do so many times a second."""
_AT_ONCE = 50
"""So many packets are read before others get their turn."""
_RECEIPTS = 65_536


class Endpoint(Struct, frozen=True):
    """Where a broker is and who we are to it; `ca_file` turns TLS on."""

    host: str
    port: int
    user: str | None = None
    password: str | None = None
    ca_file: str | None = None

    def __repr__(self) -> str:
        return f"Endpoint({self.user or 'anonymous'}@{self.host}:{self.port})"


class Incoming(Struct, frozen=True):
    """A message that came in. `retain`: it was kept by the broker and may be old. `receipt` is
    for `MqttClient.acknowledge`; 0: there is nothing to acknowledge."""

    topic: str
    payload: bytes
    retain: bool
    response_topic: str | None = None
    correlation: bytes | None = None
    receipt: int = 0
    qos: int = 1


class Backoff(Struct, frozen=True):
    """Seconds between attempts: doubling from `first` to `most`, each times 0.5 … 1 by chance."""

    first: float = 0.25
    most: float = 5.0

    def delay(self, failures: int, chance: float) -> float:
        """The wait after so many failures in a row; `chance` is in [0, 1)."""
        full: float = min(self.most, self.first * 2 ** min(failures - 1, 16))
        return full * (0.5 + chance / 2)


def to_stderr(line: str) -> None:
    """Say one line on standard error."""
    sys.stderr.write(f"cutcard: {line}\n")
    sys.stderr.flush()


class MqttClient:
    """A connection that comes back by itself.

    `name` says who we are in what is reported. Our id at the broker is that with something that
    nobody else knows, since whoever comes under the same id takes our place. `will` is published
    by the broker when we are lost, and by `close`. `report` gets one line for each kind of trouble.

    Messages of QoS 1 wait in the outbox until the broker has acknowledged them; those of
    QoS 0 are gone when there is no connection. Whatever was last published retained is
    published again on each connection, in the order of first publication, since a broker
    may have forgotten it or may have sent our will in between.

    With `holds` the broker is told that a message has come only by `acknowledge`, and sends no
    more than `holds` before that. Messages may be acknowledged in any order: the broker is told
    in the order of receipt, so one that is never acknowledged holds up those behind it.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        name: str,
        *,
        will: Message | None = None,
        outbox: Outbox | None = None,
        backoff: Backoff | None = None,
        keepalive_s: int = 5,
        holds: int | None = None,
        report: Callable[[str], None] = to_stderr,
        now_s: Callable[[], float] = time.monotonic,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._endpoint = endpoint
        self._tls = _trusting(endpoint.ca_file) if endpoint.ca_file else None
        self._name = name
        self._client_id = f"{name}-{secrets.token_hex(8)}"
        self._will = will
        self._on_message: Callable[[Incoming], None] | None = None
        self._on_link: Callable[[bool], None] | None = None
        self._backoff = backoff or Backoff()
        self._keepalive_s = keepalive_s
        self._holds = holds
        self._connections = 0
        self._receipts = Receipts()
        self._report = report
        self._now_s = now_s
        self._chance = chance
        self.outbox: Outbox = MemoryOutbox() if outbox is None else outbox
        self.connected = False
        self.callback_errors = 0
        self.refused = 0
        self.expired = 0
        self._retained: dict[str, Message] = {}
        self._refresh: deque[Message] = deque()
        self._filters: dict[str, SubscribeOptions] = {}
        self._client: Client | None = None
        self._window = _WINDOW
        self._in_flight: dict[int, tuple[int, str]] = {}
        self._trouble = ""
        self._stood = False
        self._closing = False
        self._lost = asyncio.Event()
        self._moved = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    # what the caller does

    def start(
        self,
        on_message: Callable[[Incoming], None] | None = None,
        on_link: Callable[[bool], None] | None = None,
    ) -> None:
        """Begin to connect, and keep at it. Needs a running loop; returns at once.

        `on_message` and `on_link` (True when connected, False when lost) are called on the
        loop. What they raise is counted in `callback_errors` and shown once, and the
        connection goes on.
        """
        self._on_message, self._on_link = on_message, on_link
        self._task = asyncio.get_running_loop().create_task(self._run(), name=self._name)

    def publish(self, message: Message) -> None:
        """Send when possible. Never blocks and raises nothing about the network."""
        if message.retain:
            if message.payload:
                self._retained[message.topic] = message
            else:
                self._retained.pop(message.topic, None)
            self._refresh = deque(each for each in self._refresh if each.topic != message.topic)
        if message.qos == 0:
            if self.connected and self._client is not None:
                _send(self._client, message, message.expiry_s)
            return
        lost_none = self.outbox.dropped == 0
        self.outbox.put(message, self._now_s())
        if lost_none and self.outbox.dropped:
            self._report(
                f"too many messages wait for the broker at {self._where()}; dropping the oldest"
            )
        self._pump()

    def acknowledge(self, receipt: int) -> None:
        """The message is where it belongs. One of an earlier connection is past that."""
        connection, mid = divmod(receipt, _RECEIPTS)
        if self._client is not None and self.connected and connection == self._connections and mid:
            for each in self._receipts.settle(mid):
                self._client.ack(each, 1)

    def subscribe(self, topic_filter: str, qos: int = 1, *, as_published: bool = False) -> None:
        """Subscribe now and again on each connection. With `as_published` a message that comes at
        once says too whether it was published retained, and not only one that was kept."""
        options = SubscribeOptions(qos, retainAsPublished=as_published)
        self._filters[topic_filter] = options
        if self.connected and self._client is not None:
            self._subscribe(self._client, {topic_filter: options}.items())

    async def settled(self, timeout_s: float) -> None:
        """Wait until the broker has acknowledged all that was published, is away, or for so
        long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(timeout_s):
                while self.connected and len(self.outbox):
                    self._moved.clear()
                    await self._moved.wait()

    async def close(self, timeout_s: float = 1.0, *, instead: Message | None = None) -> None:
        """Say good-bye with the will's words, or `instead` of them, let the outbox run dry for a
        while, disconnect."""
        last = instead or self._will
        if last is not None:
            self.publish(last)
        await self.settled(timeout_s)
        self._closing = True
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task

    # the connection

    async def _run(self) -> None:
        failures = 0
        while True:
            try:
                client = await self._open()
            except TimeoutError:
                self._say_silent()
            except OSError as error:
                reason = error.strerror or str(error) or type(error).__name__
                self._say(
                    "away", f"no broker at {self._where()} ({reason}); carrying on without it"
                )
            else:
                stood_s = await self._serve(client)
                failures = 0 if stood_s >= _STEADY_S else failures
            failures += 1
            await asyncio.sleep(self._backoff.delay(failures, self._chance()))

    async def _open(self) -> Client:
        """Connect in a daemon thread: neither a slow network nor a name server holds us up."""
        client = self._make()
        loop = asyncio.get_running_loop()
        opened: asyncio.Future[None] = loop.create_future()

        def settle(error: OSError | None) -> None:
            if opened.done():
                _drop(client)
            elif error is None:
                opened.set_result(None)
            else:
                opened.set_exception(error)

        def connect() -> None:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
            properties.MaximumPacketSize = 2 * MAX_PAYLOAD
            if self._holds is not None:
                properties.ReceiveMaximum = self._holds
            error: OSError | None = None
            try:
                client.connect(
                    self._endpoint.host,
                    self._endpoint.port,
                    self._keepalive_s,
                    clean_start=True,
                    properties=properties,
                )
            except (OSError, ValueError) as caught:
                error = caught if isinstance(caught, OSError) else OSError(str(caught))
            with suppress(RuntimeError):  # the loop may be gone by now
                loop.call_soon_threadsafe(settle, error)

        threading.Thread(target=connect, name=f"{self._name}-connect", daemon=True).start()
        await opened
        return client

    def _make(self) -> Client:
        client = Client(
            CallbackAPIVersion.VERSION2,
            self._client_id,
            protocol=MQTTProtocolVersion.MQTTv5,
            manual_ack=self._holds is not None,
        )
        client.connect_timeout = _HANDSHAKE_S
        client.max_inflight_messages_set(0)
        if self._endpoint.user is not None:
            client.username_pw_set(self._endpoint.user, self._endpoint.password)
        if self._tls is not None:
            client.tls_set_context(self._tls)
        if self._will is not None:
            client.will_set(self._will.topic, self._will.payload, self._will.qos, retain=True)
        client.on_socket_open = _no_delay
        client.on_connect = self._guarded(self._connected)
        client.on_disconnect = self._guarded(self._disconnected)
        client.on_publish = self._guarded(self._published)
        client.on_subscribe = self._guarded(self._subscribed)
        client.on_message = self._guarded(self._received)
        return client

    async def _serve(self, client: Client) -> float:
        """Read and write until the connection is lost; tells for how many seconds it stood."""
        loop = asyncio.get_running_loop()
        sock = client.socket()
        if sock is None:
            return 0.0

        def want_write(*_: object) -> None:
            loop.add_writer(sock, _write, client, sock)

        def no_write(*_: object) -> None:
            loop.remove_writer(sock)

        def no_read(*_: object) -> None:
            loop.remove_reader(sock)

        client.on_socket_register_write = want_write
        client.on_socket_unregister_write = no_write
        client.on_socket_close = no_read
        self._client = client
        self._connections += 1
        self._receipts = Receipts()
        self._stood = False
        self._lost.clear()
        loop.add_reader(sock, self._read, client)
        began = loop.time()
        try:
            while not self._lost.is_set():
                with suppress(TimeoutError):  # wait_for in 3.11 may swallow close's cancellation
                    async with asyncio.timeout(1.0):
                        await self._lost.wait()
                client.loop_misc()
                if not self._stood and loop.time() - began > _HANDSHAKE_S:
                    self._say_silent()
                    break
        finally:
            self._client = None
            self._link(up=False)
            if self._closing:
                client.disconnect()
                client.loop_write()
            _drop(client)
        return loop.time() - began if self._stood else 0.0

    def _read(self, client: Client) -> None:
        try:
            for _ in range(_AT_ONCE):
                client.loop_read()
                if not _has_more(client.socket()):
                    return
            while isinstance(sock := client.socket(), ssl.SSLSocket) and sock.pending():
                client.loop_read()
        except Exception as error:  # what a broker sends must not end us
            self._count(error)
            self._lost.set()

    def _link(self, *, up: bool) -> None:
        if self.connected != up:
            self.connected = up
            self._moved.set()
            if self._on_link is not None:
                self._guarded(self._on_link)(up)

    # what paho tells

    def _connected(
        self, client: Client, _data: object, _flags: object, code: ReasonCode, given: Properties
    ) -> None:
        if code.is_failure:
            user = self._endpoint.user or "(none)"
            self._say(
                "refused",
                f"the broker at {self._where()} refuses user {user} ({code}); "
                "carrying on without it",
            )
            self._lost.set()
            return
        if self._trouble:
            self._report(f"{self._name}: the broker at {self._where()} is back")
        self._trouble = ""
        self._stood = True
        self._window = min(_WINDOW, getattr(given, "ReceiveMaximum", _WINDOW))
        self._in_flight.clear()
        self.outbox.rewind()
        self._subscribe(client, self._filters.items())
        self._refresh = deque(
            message for topic, message in self._retained.items() if not self.outbox.holds(topic)
        )
        self._link(up=True)
        self._pump()

    def _disconnected(
        self, client: Client, _data: object, _flags: object, code: ReasonCode, _p: object
    ) -> None:
        if self._client is client:
            if self.connected:
                self._say(
                    "away",
                    f"{self._name}: lost the broker at {self._where()} ({code});"
                    " carrying on without it",
                )
            self._link(up=False)
            self._lost.set()

    def _published(
        self, _client: Client, _data: object, mid: int, code: ReasonCode, _p: object
    ) -> None:
        key, topic = self._in_flight.pop(mid, (None, ""))
        if key is None:
            return
        if code.is_failure:
            self.refused += 1
            if self.refused == 1:
                self._report(f"the broker at {self._where()} refuses {topic}: {code}")
        if key:
            self.outbox.done(key)
        self._moved.set()
        self._pump()

    def _subscribed(
        self, _client: Client, _data: object, _mid: int, codes: list[ReasonCode], _p: object
    ) -> None:
        for code in codes:
            if code.is_failure:
                self._report(f"the broker at {self._where()} refuses a subscription: {code}")

    def _received(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        receipt = self._receipt(message)
        try:
            if self._on_message is None:
                self.acknowledge(receipt)
                return
            self._on_message(
                Incoming(
                    message.topic,
                    bytes(message.payload),
                    bool(message.retain),
                    getattr(message.properties, "ResponseTopic", None),
                    getattr(message.properties, "CorrelationData", None),
                    receipt,
                    message.qos,
                )
            )
        except Exception:
            self.acknowledge(receipt)  # whoever failed on it will not: those behind it must leave
            raise

    def _receipt(self, message: MQTTMessage) -> int:
        if self._holds is None or message.qos != 1:
            return 0
        self._receipts.came(message.mid)
        return self._connections * _RECEIPTS + message.mid

    # sending

    def _pump(self) -> None:
        client = self._client
        if client is None or not self.connected:
            return
        while self._refresh and len(self._in_flight) < self._window:
            message = self._refresh.popleft()
            self._in_flight[_send(client, message, message.expiry_s)] = (0, message.topic)
        for pending in self.outbox.take(self._window - len(self._in_flight)):
            message, left_s = pending.message, pending.message.expiry_s
            if left_s is not None:
                left_s -= int(self._now_s() - pending.at_s)
                if left_s <= 0:
                    self.outbox.done(pending.key)
                    self.expired += 1
                    continue
            self._in_flight[_send(client, message, left_s)] = (pending.key, message.topic)

    def _subscribe(self, client: Client, filters: Iterable[tuple[str, SubscribeOptions]]) -> None:
        """In one packet: who hears that a table is there misses nothing that it says then."""
        if all_ := list(filters):
            client.subscribe(all_)

    # saying and counting

    def _where(self) -> str:
        return f"{self._endpoint.host}:{self._endpoint.port}"

    def _say_silent(self) -> None:
        self._say("away", f"the broker at {self._where()} {SILENT}")

    def _say(self, trouble: str, line: str) -> None:
        """One line for each kind of trouble, until the broker is there again."""
        if trouble != self._trouble:
            self._trouble = trouble
            self._report(line)

    def _guarded(self, function: Callable[..., None]) -> Callable[..., None]:
        def guarded(*args: object) -> None:
            try:
                function(*args)
            except Exception as error:  # a bug of ours: loud, but the connection goes on
                self._count(error)

        return guarded

    def _count(self, error: Exception) -> None:
        """The text of the exception is not shown: it may hold what was received."""
        self.callback_errors += 1
        if self.callback_errors == 1:
            frame = traceback.extract_tb(error.__traceback__)[-1]
            name = type(error).__name__
            self._report(f"BUG: {name} in {frame.filename}:{frame.lineno}; more are only counted")


def _send(client: Client, message: Message, expiry_s: int | None) -> int:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]
    if expiry_s is not None:
        properties.MessageExpiryInterval = expiry_s
    if message.response_topic is not None:
        properties.ResponseTopic = message.response_topic
    if message.correlation is not None:
        properties.CorrelationData = message.correlation
    return client.publish(
        message.topic, message.payload, message.qos, message.retain, properties
    ).mid


def _has_more(sock: SocketLike | None) -> bool:
    """Whether something has come in that was not read yet."""
    if isinstance(sock, ssl.SSLSocket):
        return sock.pending() > 0
    if not isinstance(sock, socket.socket):
        return False
    try:
        return bool(sock.recv(1, socket.MSG_PEEK))
    except OSError:  # nothing is there; or what else it is, the next reading says
        return False


def _write(client: Client, sock: SocketLike) -> None:
    """All that waits in as few segments as there can be: paho writes each packet by itself, and
    every acknowledgement would wake the broker."""
    cork = getattr(socket, "TCP_CORK", None)  # Linux has it
    if cork is None or not isinstance(sock, socket.socket):
        client.loop_write()
        return
    sock.setsockopt(socket.IPPROTO_TCP, cork, 1)
    client.loop_write()
    with suppress(OSError):  # it may have been closed in writing
        sock.setsockopt(socket.IPPROTO_TCP, cork, 0)


def _drop(client: Client) -> None:
    """Close the socket without a word; unless we said good-bye the broker publishes the will."""
    # When it is collected, paho would tell of a socket that is long closed.
    client.on_socket_close = client.on_socket_unregister_write = None
    sock = client.socket()
    if sock is not None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(sock)
        loop.remove_writer(sock)
        sock.close()


class _HandshakeSocket(ssl.SSLSocket):
    """Closes itself when the handshake fails, which paho leaves to the garbage collector."""

    def do_handshake(self, block: bool = False) -> None:
        try:
            super().do_handshake(block)
        except OSError:
            self.close()
            raise


def _trusting(ca_file: str) -> ssl.SSLContext:
    context = ssl.create_default_context(cafile=ca_file)
    context.sslsocket_class = _HandshakeSocket
    return context


def _no_delay(_client: Client, _data: object, sock: SocketLike) -> None:
    """Without it a burst of QoS 1 waits 40 ms for the peer's delayed acknowledgement."""
    if isinstance(sock, socket.socket):
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
