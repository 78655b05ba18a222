"""The time: is it the right one, does it outlive a power cut, and what does the room say?"""

from __future__ import annotations

import time
from datetime import UTC, datetime

from msgspec import Struct

from controller.install.doctor.check import Check, Probe, fail, ok, skipped, warn
from controller.install.doctor.system import System

BUILT = 1_700_000_000.0
"""This program is younger than that (2023), in seconds since 1970."""
FAR_S = 2.0


class Clock(Struct, frozen=True):
    """`synchronised` is None where nobody knows; `now` counts seconds since 1970."""

    now: float
    synchronised: bool | None
    has_rtc: bool


def probes(system: System) -> list[Probe]:
    """What there is to check without the room."""
    return [Probe("clock", lambda: judge(clock(system)))]


def clock(system: System) -> Clock:
    """How this machine keeps time."""
    said = system.output("timedatectl", "show", "-p", "NTPSynchronized", "--value")
    synchronised = {"yes": True, "no": False}.get(said or "")
    if synchronised is None and system.node("/run/systemd/timesync/synchronized") is not None:
        synchronised = True
    return Clock(time.time(), synchronised, bool(system.names("/sys/class/rtc/rtc*")))


def judge(seen: Clock) -> list[Check]:
    """This machine's clock."""
    today = datetime.fromtimestamp(seen.now, UTC).strftime("%Y-%m-%d %H:%M UTC")
    if seen.now < BUILT:
        return [
            fail(
                "clock",
                f"it says {today}, and certificates will not be valid",
                "Set it: sudo date -u -s 'YYYY-MM-DD HH:MM'",
            )
        ]
    checks = []
    if seen.synchronised:
        checks.append(ok("clock", f"{today}, kept by NTP"))
    elif seen.synchronised is None:
        checks.append(skipped("clock", f"{today}; it is not known whether NTP keeps it"))
    else:
        checks.append(
            warn(
                "clock",
                f"{today}, but nothing keeps it right",
                "sudo timedatectl set-ntp true, or an RTC",
            )
        )
    if seen.has_rtc:
        checks.append(ok("RTC", "the time survives a power cut"))
    else:
        checks.append(
            warn(
                "RTC",
                "none: after a power cut the time is wrong until NTP answers",
                "Fit one (on a Pi 5, its battery), or make sure that NTP answers: timedatectl",
            )
        )
    return checks


def judge_room(off_s: float | None) -> Check:
    """How far this clock is ahead of the room's; None where the room tells no time."""
    if off_s is None:
        return skipped(
            "room's time", "the room is not sending one", "sudo systemctl start cutcard-room"
        )
    words = f"{abs(off_s):.1f} s {'ahead of' if off_s > 0 else 'behind'} the room's"
    if abs(off_s) > FAR_S:
        return warn(
            "room's time",
            f"this clock is {words}",
            "Have both use the same NTP server: timedatectl",
        )
    return ok("room's time", f"this clock is {words}")
