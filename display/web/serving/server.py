"""One listening socket's web server: plain or with TLS, and no patience with half requests."""

from __future__ import annotations

import asyncio
import socket
import ssl
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from controller.room.settings import Certificate
from display.web.serving.listener import Listener

HEAD_S = 10.0
"""The head of a request is here by then, and a connection that asks for nothing more ends."""
LOOK_S = 30.0
"""How often it is looked whether the certificate has been renewed."""


class Server(uvicorn.Server):
    """Leaves the process's signals to its caller, and tells when it answers. A certificate that
    is renewed counts from the next connection on."""

    def __init__(
        self, app: ASGIApp, listener: Listener, certificate: Certificate | None = None
    ) -> None:
        files: dict[str, Any] = {}
        if certificate is not None:
            files = {
                "ssl_certfile": str(certificate.certificate),
                "ssl_keyfile": str(certificate.key),
            }
        super().__init__(
            uvicorn.Config(
                app,
                access_log=False,
                log_config=None,
                server_header=False,
                proxy_headers=False,  # who asks is the other end of the connection
                lifespan="off",
                http=cast(type[_Protocol], partial(_Protocol, listener)),
                ws="none",
                timeout_graceful_shutdown=1,
                **files,
            )
        )
        self._listener = listener
        self._certificate = certificate
        self.up: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    async def answer(self) -> None:
        """Serve until `should_exit`."""
        looking = asyncio.create_task(self._look(), name="certificate")
        try:
            await self.serve([self._listener])
        finally:
            looking.cancel()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to answer."""
        await super().startup(sockets)
        self.up.set_result(None)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends what is asked in a second at most, and leaves no connection open."""
        await super().shutdown(sockets)
        for connection in list(self.server_state.connections):
            cast(_Protocol, connection).transport.abort()
        await asyncio.sleep(0)  # in which they notice

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Leaves them alone."""
        yield

    async def _look(self) -> None:
        if self._certificate is None:
            return
        known = _age(self._certificate.certificate)
        while True:
            await asyncio.sleep(LOOK_S)
            now, context = _age(self._certificate.certificate), self.config.ssl
            if now != known and context is not None:
                with suppress(OSError, ssl.SSLError):
                    context.load_cert_chain(self._certificate.certificate, self._certificate.key)
                    known = now


class _Protocol(H11Protocol):
    """Ends a connection that sends half a request, or none."""

    def __init__(self, listener: Listener, *given: Any, **named: Any) -> None:  # noqa: ANN401
        super().__init__(*given, **named)
        self._listener = listener

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._peer = transport.get_extra_info("peername")
        self._waiting = self.loop.call_later(HEAD_S, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        self._waiting.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        self._listener.spoke(self._peer)
        super().data_received(data)
        if not self._waits:
            self._listener.asked(self._peer)

    def on_response_complete(self) -> None:
        self._listener.answered(self._peer)
        super().on_response_complete()
        if not self._waits:  # the next request was here already
            self._listener.asked(self._peer)
        self._waiting.cancel()
        if not self.transport.is_closing():
            self._waiting = self.loop.call_later(HEAD_S, self._too_slow)

    @property
    def _waits(self) -> bool:
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is None or cycle.response_complete

    def _too_slow(self) -> None:
        if self._waits:
            self.transport.close()


def _age(file: Path) -> int:
    with suppress(OSError):
        return file.stat().st_mtime_ns
    return 0
