"""The way to a newer version and back, step by step. Nothing is changed before all is checked, and
what has been changed goes back where the machine is not as well as before."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from msgspec.structs import replace

from controller.install.backup.manifest import BackupError
from controller.install.backup.places import under
from controller.install.backup.placing import unfinished
from controller.install.backup.restoring import ASIDE, restore
from controller.install.backup.saving import save
from controller.install.updating.bundle import PACKAGES, Bundle, BundleError, unpack
from controller.install.updating.busy import why_busy
from controller.install.updating.kept import Kept, Last
from controller.install.updating.machine import STOPPED, UNITS, Machine, MachineError
from controller.install.updating.standing import Standing, is_lost, running, wanted, worse
from controller.process.boot import this_boot

WATCHED_S = 60.0
"""So long a new version has to do well."""
_LOOK_S = 3.0
_UP_S = 20.0
"""So long a service may take to come up, or to come back."""
ROOT = Path("/")


class UpdateError(Exception):
    """It was not done, and the machine is as it was; one line says why."""


class BusyError(UpdateError):
    """Not now."""


class Updater:
    """Changes the version of one machine; `tell` is told each step in a line."""

    def __init__(
        self,
        machine: Machine,
        kept: Kept,
        tell: Callable[[str], None],
        *,
        host: str,
        watched_s: float = WATCHED_S,
    ) -> None:
        self._machine = machine
        self._kept = kept
        self._tell = tell
        self._host = host
        self._watched_s = watched_s

    def update(self, bundle: Bundle) -> None:
        """Installs a newer version, with the way back kept. Raises UpdateError, after which the
        old version is there again with its data, or its line says what there is to do."""
        machine, kept = self._machine, self._kept
        installed = machine.installed()
        since = installed["cutcard"]
        if not kept.packages(since):
            raise UpdateError(
                f"the packages of {since} are not kept here, so there would be no way back: run "
                "the `install` of its bundle once more, which keeps them"
            )
        self.check_whole()
        with tempfile.TemporaryDirectory(prefix="coming-", dir=kept.folder) as name:
            folder = Path(name)
            try:
                unpack(bundle, folder)
            except BundleError as error:
                raise UpdateError(str(error)) from None
            self._tell("looking at how all is before")
            before = machine.standing(examine=True)
            backup = kept.backup(since)
            last = Last(since, bundle.version, "begun", str(backup))
            with self._stopping(wanted(before)):
                try:
                    self._save(backup, since)
                    kept.keep(bundle.version, [*folder.glob("cutcard*.deb")])
                    kept.say(last)
                except (BackupError, OSError) as error:
                    raise UpdateError(f"{error}; nothing was changed") from None
            self._tell(f"installing {bundle.version}")
            try:
                machine.install(folder, [name for name in installed if name in PACKAGES[1:]])
                why = self._watch(before)
            except MachineError as error:
                why = (str(error),)
            except BaseException:
                self._tell("ended before its end: sudo cutcard rollback goes back")
                raise
        if why:
            self._tell(f"{bundle.version} does not do well: {'; '.join(why)}")
            self._put_back(last, "; ".join(why), with_data=True)
            raise UpdateError(f"{since} is here again with its data; {'; '.join(why)}")
        kept.say(replace(last, how="done"))
        kept.say_stopped(())
        kept.forget_all_but((since, bundle.version))

    def go_back(self, last: Last, *, with_data: bool) -> None:
        """Undoes an update, done or cut short. Raises UpdateError."""
        machine, kept = self._machine, self._kept
        if not kept.packages(last.since):
            raise UpdateError(f"the packages of {last.since} are not kept here any more")
        now = wanted(machine.standing(examine=False))
        ran = tuple(dict.fromkeys((*kept.stopped.units, *now)))
        if last.how == "begun":  # it may have left anything behind
            kept.say_stopped(ran, this_boot())
            machine.stop(STOPPED)
        else:
            with self._stopping(ran):
                pass
        self._put_back(last, "by hand", with_data=with_data)

    def recover(self) -> None:
        """Settles what was cut short. Where that is on the way back, or dpkg is not done, the last
        update stays `begun`, for a rollback; else what was stopped in this run of the machine is
        started. Raises OSError."""
        kept, last = self._kept, self._kept.last
        if last is not None and last.how == "begun":
            here = self._machine.whole()
            if last.returning or not here:
                return
            if here == last.since:  # it had not begun to install
                kept.forget_last()
            else:
                kept.say(replace(last, to=here, how="done"))
        if kept.stopped.boot == this_boot():
            self._start_or_tell()
        kept.say_stopped(())

    def check_whole(self) -> None:
        """Settles what was cut short. Raises UpdateError where a rollback has to go on with it,
        since only its backup has the data from before."""
        self.recover()
        last = self._kept.last
        if last is not None and last.how == "begun":
            raise UpdateError("the last update was cut short: sudo cutcard rollback goes back")

    def _start_again(self) -> None:
        """Raises MachineError; then it is known still what is to run."""
        self._machine.start(self._kept.stopped.units)
        self._kept.say_stopped(())

    def _start_or_tell(self) -> None:
        try:
            self._start_again()
        except MachineError as error:
            self._tell(str(error))

    @contextmanager
    def _stopping(self, ran: Sequence[str]) -> Iterator[None]:
        """Stops of these what writes; they run again where the context is left by any error.
        Raises BusyError."""
        self._kept.say_stopped(ran, this_boot())
        try:
            self._machine.stop([name for name in ran if name in STOPPED])
            _check_idle()  # a hand may have begun in the meantime
            yield
        except BaseException:
            self._start_or_tell()
            raise

    def _save(self, backup: Path, version: str) -> None:
        self._tell("saving all that is kept here")
        save(
            ROOT,
            backup,
            cutcard=version,
            now_ms=time.time_ns() // 1_000_000,
            host=self._host,
            passphrase=None,
            tell=lambda _path: None,
        )

    def _watch(self, before: Standing) -> tuple[str, ...]:
        """Starts what ran, and looks at it for a while; returns what is worse."""
        machine, ran = self._machine, running(before)
        machine.start(ran)
        self._tell(f"watching it for {self._watched_s:.0f} s")
        end = time.monotonic() + self._watched_s
        well = time.monotonic()
        while time.monotonic() < end:
            time.sleep(min(_LOOK_S, self._watched_s))
            now = machine.standing(examine=False)
            why = worse(before, now)
            if not why:
                well = time.monotonic()
            elif time.monotonic() - well > _UP_S or any(is_lost(each, now) for each in ran):
                return why
        return worse(before, machine.standing(examine=True))

    def _put_back(self, last: Last, why: str, *, with_data: bool) -> None:
        machine, kept = self._machine, self._kept
        self._tell(f"going back to {last.since}")
        backup = Path(last.backup)
        try:
            kept.say(replace(last, how="begun", returning=True, with_data=with_data))
            machine.stop(UNITS)
            installed = tuple(machine.installed()) or PACKAGES
            older = [p for p in kept.packages(last.since) if p.name.partition("_")[0] in installed]
            machine.put_back(older)
            machine.stop(UNITS)  # the packages start them
            if with_data and backup.exists():
                for each in unfinished(under(ROOT, ASIDE)):
                    self._tell(f"what was here before is in {each}")
                now_ms = time.time_ns() // 1_000_000
                aside = restore(backup, ROOT, passphrase=None, now_ms=now_ms).aside
                if aside is not None:
                    self._tell(f"what was written meanwhile is in {aside}")
            kept.say(replace(last, how="undone", why=why))
        except (MachineError, BackupError, OSError) as error:
            raise UpdateError(
                f"{error}; it stays half done: sudo cutcard rollback tries once more"
            ) from None
        except BaseException:
            self._tell("ended, and half done: sudo cutcard rollback goes on")
            raise
        try:
            self._start_again()
        except MachineError as error:
            raise UpdateError(f"{last.since} is here again, but {error}") from None


def _check_idle() -> None:
    why = why_busy(ROOT)
    if why:
        raise BusyError(why)
