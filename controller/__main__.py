"""The `cutcard` command: finds the subcommand and hands over to it."""

import os
import select
import sys
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from importlib import import_module
from typing import NamedTuple

INTERRUPTED = 130
PIPE_CLOSED = 141


class Command(NamedTuple):
    """A subcommand: the module whose `main(argv) -> int` runs it, and one line of help."""

    module: str
    help: str


COMMANDS = {
    "replay": Command("controller.replay.command", "read a table log and print what happened"),
    "init": Command("controller.install.init", "find the readers and write a table's settings"),
    "setup": Command(
        "controller.install.setup.command", "make this machine into a room or a table"
    ),
    "pico": Command(
        "controller.install.pico.command", "put firmware and wiring onto a Pico, as one file"
    ),
    "table": Command("controller.table.command", "run the service of one table"),
    "deck": Command("controller.install.deck", "register, count and list a table's decks"),
    "floor": Command("controller.install.floor", "set who signs in as floor at a table, by PIN"),
    "decode": Command("controller.install.decode", "explain the bytes that a reader sends"),
    "demo": Command("controller.demo.command", "play at a simulated table"),
    "doctor": Command("controller.install.doctor.command", "check a table and say what to fix"),
    "rules": Command("controller.rule_desk.command", "ask the rule books what an action is"),
    "dealer": Command("display.dealer.command", "the dealer's screen of one table"),
    "presence-sim": Command(
        "controller.install.presence_sim", "test a table's presence parameters on a simulated field"
    ),
    "capture": Command(
        "controller.install.capture", "record a table's wires, to replay them later"
    ),
    "room": Command(
        "display.web.command", "the room's web pages: the blinds clock, the floor's alerts"
    ),
    "archive": Command(
        "controller.room.commands.archive", "keep the room's history in a separate process"
    ),
    "export": Command(
        "controller.room.commands.export",
        "export hands from the room's history as PHH, CSV or JSON",
    ),
    "audit": Command(
        "controller.audit.command",
        "for an auditor: keys, what was really dealt, what was rewritten",
    ),
    "wall": Command("display.wall.command", "the blinds clock for a wall without a browser"),
    "simulate": Command(
        "controller.simulate.command", "load-test a broker and a room with many tables"
    ),
    "broker": Command("controller.install.broker", "set up mosquitto as the broker of a room"),
    "pair": Command("controller.install.pair.command", "join this table to a room, by a code"),
    "blinds": Command("controller.room.commands.blinds", "list, show and fit blind structures"),
    "staff": Command("display.web.staff", "set who may do what in the room, by PIN"),
    "players": Command(
        "controller.room.commands.players", "list, import and seat the players of a tournament"
    ),
    "events": Command(
        "controller.room.commands.events", "list, export, import and close the events of a room"
    ),
    "backup": Command(
        "controller.install.backup.backup_command", "save what this machine keeps into one file"
    ),
    "restore": Command(
        "controller.install.backup.restore_command", "bring back what a backup has saved"
    ),
    "update": Command(
        "controller.install.updating.update_command", "bring this machine to a newer version"
    ),
    "rollback": Command(
        "controller.install.updating.rollback_command", "go back to the version before an update"
    ),
    "certificate": Command(
        "controller.room.commands.certificate",
        "set up HTTPS for the room, with a certificate authority of its own",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run `cutcard` with `argv` (default: the process's arguments); return its exit status.

    2 is a mistake of the user's, told in one line on standard error; 130 is Ctrl-C; 141 means
    that whoever read standard output went away, as in `cutcard replay LOG | head`.
    """
    _open_what_is_closed()
    name, *rest = (sys.argv[1:] if argv is None else argv) or [""]
    match name:
        case "-h" | "--help":
            return _finish(lambda: _say(_usage()))
        case "--version":
            return _finish(lambda: _say(f"cutcard {_version()}\n"))
        case "":
            sys.stderr.write(_usage())
            return 2
    if name not in COMMANDS:
        sys.stderr.write(f"cutcard: no command {name!r}; {_hint(name)}\n")
        return 2
    return _finish(lambda: _entry(name)(rest))


def _open_what_is_closed() -> None:
    """Started without standard input or output, as by `>&-`, they lead nowhere: no other file
    may take their numbers."""
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            nowhere = os.open(os.devnull, os.O_RDWR)
            if nowhere != number:
                os.dup2(nowhere, number)
                os.close(nowhere)
            os.set_inheritable(number, True)
            mode = "r" if number == 0 else "w"
            setattr(sys, name, open(number, mode, closefd=False))  # noqa: SIM115


def _finish(run: Callable[[], int]) -> int:
    try:
        status = run()
        sys.stdout.flush()
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        if not _reader_left():
            raise
        # Python flushes once more at exit, which must not fail a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    return status


def _reader_left() -> bool:
    """Tell a closed standard output from some other pipe that broke, which is a bug."""
    poll = select.poll()
    poll.register(sys.stdout, 0)
    return any(happened & select.POLLERR for _, happened in poll.poll(0))


def _entry(name: str) -> Callable[[Sequence[str]], int]:
    entry: Callable[[Sequence[str]], int] = import_module(COMMANDS[name].module).main
    return entry


def _say(text: str) -> int:
    sys.stdout.write(text)
    return 0


def _usage() -> str:
    width = max(map(len, COMMANDS))
    lines = (f"  {name:{width}}  {command.help}\n" for name, command in COMMANDS.items())
    return (
        "usage: cutcard COMMAND ...\n\nWatches the deal at a poker "
        f"table and knows the remedy.\n\n{''.join(lines)}\ncutcard "
        "COMMAND --help tells more; cutcard --version prints the "
        "version.\n"
    )


def _hint(name: str) -> str:
    near = get_close_matches(name, COMMANDS, n=1)
    return f"did you mean {near[0]!r}?" if near else f"there are {', '.join(COMMANDS)}"


def _version() -> str:
    from importlib.metadata import version  # noqa: PLC0415 - slower than all the rest of --help

    return version("cutcard")


if __name__ == "__main__":
    sys.exit(main())
