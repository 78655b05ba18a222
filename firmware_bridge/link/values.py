"""What a session of the microcontroller link tells its owner."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from firmware_bridge.link.messages import Command, Hello, Tally


class Up(Struct, frozen=True):
    """The device said who it is; its reports follow. `rebooted`: it began anew since we knew it."""

    t: float
    hello: Hello
    rebooted: bool


class Lost(Struct, frozen=True, gc=False):
    """The link is lost; `reason` is in plain words."""

    t: float
    reason: str


class Stranger(Struct, frozen=True):
    """Another device answered than the one that is wanted; nothing of it is used."""

    t: float
    hello: Hello


class VersionMismatch(Struct, frozen=True, gc=False):
    """The device speaks another version of the protocol; `text` is in plain words."""

    t: float
    version: int
    text: str


class ZoneScan(Struct, frozen=True):
    """The full set of tags one scan of a zone read, at time `t`, and what the device has counted
    of it until then, if it does so.

    If not `complete`, more tags lie in the field than could be told apart: the absence of
    one proves nothing. If `failed`, the reader did not answer and the set says nothing.
    """

    t: float
    zone: int
    tags: tuple[str, ...]
    complete: bool = True
    failed: bool = False
    tally: Tally | None = None

    def __repr__(self) -> str:
        return (
            f"ZoneScan(t={self.t}, zone={self.zone}, tags={len(self.tags)}, "
            f"complete={self.complete}, failed={self.failed})"
        )


class ButtonEdge(Struct, frozen=True, gc=False):
    """A button was pressed or released at time `t`; every edge comes once, in order. The device
    tells it again, also to another process, until it is said to be kept (`Session.keep`); `number`
    is its own since the device has booted."""

    t: float
    button: int
    pressed: bool
    number: int


class EdgesLost(Struct, frozen=True, gc=False):
    """So many edges of buttons can't be had any more."""

    t: float
    count: int


class Done(Struct, frozen=True):
    """A command came to its end; `text` says why it was refused or not answered."""

    t: float
    command: Command
    outcome: Literal["ok", "refused", "unanswered"]
    text: str = ""


Value = Up | Lost | Stranger | VersionMismatch | ZoneScan | ButtonEdge | EdgesLost | Done


class SessionCounters(Struct, frozen=True, gc=False):
    """What a session did not use, by cause, and what it had to repeat."""

    gaps: int = 0
    unknown: int = 0
    malformed: int = 0
    unexpected: int = 0
    early: int = 0
    implausible: int = 0
    parts_lost: int = 0
    edges_repeated: int = 0
    edges_early: int = 0
    edges_lost: int = 0
    retries: int = 0
    reboots: int = 0
    losses: int = 0
