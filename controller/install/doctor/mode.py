"""Whether SDL can draw on the display: a child process sets a mode, and what it said is judged.

The child is `display.drawing.trial`, which opens the display as the dealer's screen does. It is a
process of its own because it takes the display, and may hang over it.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from controller.install.doctor.check import Check, fail, ok, warn
from controller.install.doctor.system import Holder, Said, System

SMALLEST = (800, 480)
TRIAL_S = 12.0
"""For Python, pygame and one mode. A Pi takes one or two seconds for the first two."""

MOST_CARDS = 2
"""Cards that are tried one by one, so that all trials end within the time of a check."""

DESKTOPS = ("Xorg", "labwc", "wayfire", "weston", "sway", "gnome-shell", "kwin_wayland")
_FOR_DESKTOPS = ("systemd-logind",)
"""It opens cards for a desktop, and keeps them open."""

DEALER_ENV = "/etc/cutcard/dealer.env"
INDEX = "SDL_KMSDRM_DEVICE_INDEX"
_OWN = ("DISPLAY", "WAYLAND_DISPLAY", "SDL_VIDEODRIVER")
_TRIAL = (sys.executable, "-P", "-m", "display.drawing.trial")
_DESKTOP_OFF = "sudo systemctl set-default multi-user.target && sudo reboot"
_MESA = "sudo apt-get install -y libegl1 libgles2 libgl1-mesa-dri"


class Told(Struct, frozen=True, forbid_unknown_fields=True):
    """The trial's one line: `error` with the `step` that failed, or what draws.

    `renderer` is SDL's, `gpu` what OpenGL runs on; both are empty where no mode was set.
    """

    driver: str = ""
    size: tuple[int, int] = (0, 0)
    renderer: str = ""
    gpu: str = ""
    step: str = ""
    error: str = ""


class Trial(Struct, frozen=True):
    """One attempt: with which SDL_KMSDRM_DEVICE_INDEX, what the child told and what SDL logged.

    `told` is None where the child told nothing, which `hung` explains, or `signal` (the number of
    the one that ended it), or `log`.
    """

    index: str = ""
    told: Told | None = None
    log: str = ""
    hung: bool = False
    signal: int = 0

    @property
    def draws(self) -> bool:
        """Whether something could be shown."""
        return self.told is not None and not self.told.error


class Cards(Struct, frozen=True):
    """The graphics cards: their numbers, at which displays are plugged in (`card1-DSI-1`), and
    which programs have one open."""

    numbers: tuple[str, ...] = ()
    plugged: tuple[str, ...] = ()
    holders: tuple[Holder, ...] = ()

    @property
    def with_display(self) -> tuple[str, ...]:
        """The numbers of those that a display is plugged in at."""
        found = (name.partition("-")[0].removeprefix("card") for name in self.plugged)
        return tuple(dict.fromkeys(found))


def cards(system: System) -> Cards:
    """The graphics cards as the kernel has them."""
    nodes = system.names("/dev/dri/card*")
    plugged = [
        name.split("/")[-2]
        for name in system.names("/sys/class/drm/card*-*/status")
        if system.text(name) == "connected"
    ]
    holders = {one.pid: one for node in nodes for one in system.holders(system.real(node))}
    return Cards(
        tuple(node.removeprefix("/dev/dri/card") for node in nodes),
        tuple(plugged),
        tuple(holders[pid] for pid in sorted(holders)),
    )


def trials(system: System, seen: Cards) -> list[Trial]:
    """Lets SDL draw as the dealer's screen would; if it can't, on each card with a display."""
    given = environment(os.environ, system.text(DEALER_ENV) or "")
    index = given.get(INDEX, "")
    made = [attempt(system, given)]
    if given.get("SDL_VIDEODRIVER") != "kmsdrm" or seen.holders or made[0].hung:
        return made
    for other in [one for one in seen.with_display if one != index][:MOST_CARDS]:
        if made[-1].draws:
            break
        made.append(attempt(system, {**given, INDEX: other}))
    return made


def environment(own: Mapping[str, str], of_dealer: str) -> dict[str, str]:
    """What the trial gets on top: SDL's variables from the dealer's file, and KMSDRM where no
    window system is given."""
    lines = (line.strip().partition("=") for line in of_dealer.splitlines())
    given = {name: value.strip("\"'") for name, _, value in lines if name.startswith("SDL_")}
    given |= {name: value for name, value in own.items() if name.startswith("SDL_")}
    if not any(map(own.get, _OWN)):
        given["SDL_VIDEODRIVER"] = "kmsdrm"
    return {**given, "SDL_LOGGING": "video=debug"}


def attempt(system: System, given: Mapping[str, str]) -> Trial:
    """One trial in a process of its own."""
    settings = [f"{name}={value}" for name, value in given.items()]
    return read(system.said("env", *settings, *_TRIAL, seconds=TRIAL_S), given.get(INDEX, ""))


def read(said: Said | None, index: str = "") -> Trial:
    """What a child said; None where it did not end in time."""
    if said is None:
        return Trial(index, hung=True)
    for line in said.out.splitlines():
        if line.startswith("{"):
            try:
                return Trial(index, msgspec.json.decode(line, type=Told), said.err)
            except msgspec.DecodeError:
                continue
    return Trial(index, log=said.err, signal=max(-said.status, 0))


def judge(made: Sequence[Trial], seen: Cards, *, dealer_runs: bool) -> Check:
    """What SDL draws with; where it can't, why, and what to do."""
    if dealer_runs:
        return ok("SDL", "the dealer's screen has the display right now: it was not tried")
    first, last = made[0], made[-1]
    if last.told is None or last.told.error:
        return _why_not(first, seen)
    if last is first:
        return _drawn(last.told)
    how = f"with {INDEX}={first.index}" if first.index else "on its own"
    return warn(
        "SDL",
        f"{how} it can't draw; on card{last.index} it does: {_found(last.told)}",
        f"echo {INDEX}={last.index} | sudo tee -a {DEALER_ENV}; after a restart the number may "
        "be another: check again then",
    )


def _found(told: Told) -> str:
    by = f", {told.renderer}" if told.renderer else ""
    on = f" on {told.gpu}" if told.gpu else ""
    return f"{told.driver}, {told.size[0]} × {told.size[1]} pixels{by}{on}"


def _drawn(told: Told) -> Check:
    if told.driver in ("offscreen", "dummy"):
        return warn(
            "SDL",
            f"it draws where nobody sees it ({told.driver})",
            "Unset it: unset SDL_VIDEODRIVER",
        )
    if told.size[0] < SMALLEST[0] or told.size[1] < SMALLEST[1]:
        return warn(
            "SDL",
            f"{_found(told)}: the dealer's screen wants {SMALLEST[0]} × {SMALLEST[1]}",
            "Set a larger mode, in /boot/firmware/cmdline.txt: video=HDMI-A-1:1280x800",
        )
    return ok("SDL", _found(told))


def _why_not(trial: Trial, seen: Cards) -> Check:
    error = trial.told.error if trial.told else ""
    card = f"/dev/dri/card{trial.index or (seen.numbers[0] if seen.numbers else '0')}"
    if seen.holders:
        who = _names(seen.holders)
        found = f"{who} has the display: {error or 'SDL got no further'}"
        return fail("SDL", found, _end(seen.holders))
    if trial.hung:
        return fail(
            "SDL",
            f"it opened the display and hung: nothing was shown within {TRIAL_S:.0f} s",
            "See what the driver says: sudo dmesg | grep -i drm | tail -n 20",
        )
    if not seen.numbers:
        return warn("SDL", f"it finds nothing to draw on: {error}", "See the line 'display'.")
    if "errno: 13" in trial.log:
        return fail(
            "SDL",
            f"this user may not open {card}: {error}",
            "Run the doctor with sudo, or: sudo usermod -aG video,render,input $USER, and log in "
            "again",
        )
    if "EGL" in error:
        return fail("SDL", f"it opened {card} and has no OpenGL for it: {error}", _MESA)
    if trial.index and trial.index not in seen.numbers:
        there = " and ".join(f"card{number}" for number in seen.numbers)
        return fail(
            "SDL",
            f"{INDEX}={trial.index}, and there is {there}: {error}",
            f"Give it another number, or none, in {DEALER_ENV}.",
        )
    if not seen.plugged:
        return fail(
            "SDL",
            f"no display is plugged in at {_of(seen.numbers)}: {error}",
            "Plug the panel in and reboot, then: grep . /sys/class/drm/card*-*/status",
        )
    if trial.told is None:
        return fail(
            "SDL",
            f"the trial broke off: {_last_words(trial)}",
            "See the lines above, then: SDL_VIDEODRIVER=kmsdrm cutcard dealer --fullscreen",
        )
    return fail(
        "SDL",
        f"it can't draw on {' or '.join(seen.plugged)}: {error}{_counted(trial.log)}",
        "See the lines above; who has the display shows with sudo: sudo cutcard doctor --only "
        "screen",
    )


def _last_words(trial: Trial) -> str:
    if trial.signal:
        return signal.strsignal(trial.signal) or f"signal {trial.signal}"
    return (trial.log.splitlines() or ["it said nothing"])[-1][:200]


def _counted(log: str) -> str:
    """The kernel's refusals by number, as SDL logs them."""
    refused = dict.fromkeys(re.findall(r"(card\d+), errno: (\d+)", log))
    return "".join(f"; {card}: {os.strerror(int(number))}" for card, number in refused)


def _end(holders: Sequence[Holder]) -> str:
    if any(one.name in (*DESKTOPS, *_FOR_DESKTOPS) for one in holders):
        return _DESKTOP_OFF
    pids = " ".join(str(one.pid) for one in holders)
    return f"End it, and try again: sudo kill {pids}"


def _names(holders: Iterable[Holder]) -> str:
    return " and ".join(f"{one.name} (process {one.pid})" for one in holders)


def _of(numbers: Iterable[str]) -> str:
    return " or ".join(f"card{number}" for number in numbers)
