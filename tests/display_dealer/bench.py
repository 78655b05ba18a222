"""A dealer's window without a screen, and the table's end of its socket."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pygame

from controller.contract.view import TableView
from controller.files.settings import config_dir
from display.dealer.drawn.window import BOUNCE, Window
from display.dealer.link import Link
from display.dealer.texts import Texts
from display.drawing.video import open_display
from tests.waiting import PATIENCE_S


class Table:
    """The table's end of the socket."""

    made: ClassVar[list[Table]] = []

    def __init__(self, path: Path) -> None:
        self.path = path
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(path))
        self._server.listen()
        self._server.settimeout(PATIENCE_S)
        self._peer: socket.socket | None = None
        self._received = b""
        self.made.append(self)

    @property
    def peer(self) -> socket.socket:
        if self._peer is None:
            self._peer, _ = self._server.accept()
            self._peer.settimeout(0.02)
        return self._peer

    def show(self, view: TableView) -> None:
        self.write(msgspec.json.encode({"kind": "view", "view": view}) + b"\n")

    def write(self, data: bytes) -> None:
        self.peer.settimeout(PATIENCE_S)
        self.peer.sendall(data)
        self.peer.settimeout(0.02)

    def lines(self) -> list[dict[str, Any]]:
        """All lines that came since the last call."""
        try:
            while chunk := self.peer.recv(65536):
                self._received += chunk
        except TimeoutError:
            pass
        *whole, self._received = self._received.split(b"\n")
        return [json.loads(line) for line in whole]

    def close(self) -> None:
        if self._peer is not None:
            self._peer.close()
        self._server.close()


class Bench:
    """A window on a dummy display, a real socket to a table, and a clock turned by hand."""

    def __init__(self, path: Path, texts: Texts, size: tuple[int, int]) -> None:
        self.now = 100.0
        self.path = path
        self.surface = open_display(size, fullscreen=False)
        self.link = Link(path, self.now)
        self.window = Window(self.surface, self.link, texts, config_dir(), lambda: self.now)
        self.table = Table(path)
        pygame.event.clear()
        self.step()

    def step(self, seconds: float = 0.0) -> None:
        self.now += seconds
        self.window.step(0)

    def show(self, view: TableView) -> None:
        self.table.show(view)
        self.step()

    def tap(self, button: str, *, finger: bool = False, wait: float = 2 * BOUNCE) -> None:
        rect = self.window.regions[button]
        x, y = rect.x + rect.w // 2, rect.y + rect.h // 2
        width, height = self.surface.get_size()
        if finger:
            event = pygame.event.Event(
                pygame.FINGERDOWN, touch_id=7, finger_id=0, x=x / width, y=y / height
            )
        else:
            event = pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(x, y), button=1, touch=False)
        pygame.event.post(event)
        self.step()
        self.step(wait)

    def text(self, region: str) -> str:
        labels = self.window.screen.labels
        return next((label.text for label in labels if label.region == region), "")


def dealer(name: str, **fields: object) -> dict[str, Any]:
    return {"kind": "dealer", "input": name, **fields}
