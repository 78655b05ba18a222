"""Tells systemd that the service is up and moves on (sd_notify(3), without its library)."""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping


class Notifier:
    """Speaks to whoever started the service; says nothing where nobody asked to be told.

    `environment` is the process's: NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID are read.
    """

    def __init__(self, environment: Mapping[str, str]) -> None:
        address = environment.get("NOTIFY_SOCKET", "")
        # A leading @ stands for the zero byte of an abstract address.
        self._address = "\0" + address[1:] if address.startswith("@") else address
        self.keepalive_s = _keepalive(environment)
        """Seconds between two `alive`, half of what the watchdog allows; None without one."""

    def ready(self) -> bool:
        """The service is up."""
        return self.say("READY=1")

    def alive(self) -> bool:
        """The main loop makes progress. Only the main loop may say so."""
        return self.say("WATCHDOG=1")

    def stopping(self) -> bool:
        """The service is about to end."""
        return self.say("STOPPING=1")

    def status(self, text: str) -> bool:
        """One line for `systemctl status`; more than that is cut off."""
        return self.say(f"STATUS={text.splitlines()[0][:200] if text else ''}")

    def say(self, line: str) -> bool:
        """Sends `line` without waiting; returns whether it was taken.

        A supervisor that does not listen never stops the table, so nothing is raised.
        """
        if not self._address:
            return False
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as sender:
                sender.setblocking(False)
                sender.connect(self._address)
                sender.send(line.encode())
        except OSError:
            return False
        return True


def _keepalive(environment: Mapping[str, str]) -> float | None:
    """Half the watchdog's time, if it is meant for this process."""
    span = environment.get("WATCHDOG_USEC", "")
    meant = environment.get("WATCHDOG_PID", "") in ("", str(os.getpid()))
    return int(span) / 2e6 if meant and span.isdecimal() and int(span) else None
