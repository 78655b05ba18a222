"""A PostgreSQL server of the tests' own, on a socket in a folder of its own."""

from __future__ import annotations

import os
import platform
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.waiting import PATIENCE_S

_BINARIES = ("/usr/local/bin", "/usr/lib/postgresql/*/bin")


def binaries() -> Path | None:
    """Where PostgreSQL's programs are: Debian keeps them off the PATH."""
    for pattern in _BINARIES:
        for folder in sorted(Path("/").glob(pattern[1:]), reverse=True):
            if all((folder / name).exists() for name in ("initdb", "postgres")):
                return folder
    found = shutil.which("initdb")
    return None if found is None else Path(found).resolve().parent


@contextmanager
def running() -> Iterator[str]:
    """A server; yields the address of its databases, up to their names."""
    folder = binaries()
    if folder is None or find_spec("psycopg") is None:
        if platform.machine() == "x86_64":
            pytest.fail("PostgreSQL or psycopg is not installed: ./run test installs both")
        pytest.skip("PostgreSQL or psycopg is not installed")
    home = Path(tempfile.mkdtemp(prefix="cutcard-pg-"))
    user: int | None = None
    if os.getuid() == 0:  # the server refuses to run as root
        user = 65_534
        os.chown(home, user, user)
    data = home / "data"
    environment = {**os.environ, "HOME": str(home), "TZ": "UTC", "LC_ALL": "C.UTF-8"}
    subprocess.run(
        [folder / "initdb", "-D", data, "-U", "cutcard", "-A", "trust", "--no-sync", "-E", "UTF8"],
        check=True,
        capture_output=True,
        user=user,
        cwd=home,
        env=environment,
    )
    settings = ("listen_addresses=", f"unix_socket_directories={home}", "fsync=off")
    log = (home / "log").open("wb")
    server = subprocess.Popen(
        [folder / "postgres", "-D", data, *(word for each in settings for word in ("-c", each))],
        stdout=log,
        stderr=log,
        user=user,
        cwd=home,
        env=environment,
    )
    address = f"postgresql://cutcard@%2F{str(home)[1:].replace('/', '%2F')}/"
    try:
        _await(f"{address}postgres", server)
        yield address
    finally:
        server.send_signal(signal.SIGINT)  # with all connections that are left
        server.wait(PATIENCE_S)
        log.close()
        shutil.rmtree(home)


def _await(address: str, server: subprocess.Popen[bytes]) -> None:
    import psycopg

    until = time.monotonic() + PATIENCE_S
    while True:
        try:
            psycopg.connect(address).close()
        except psycopg.OperationalError:
            assert server.poll() is None, "PostgreSQL ended"
            assert time.monotonic() < until, "PostgreSQL does not answer"
            time.sleep(0.05)
        else:
            return


def new_database(address: str, name: str) -> str:
    """Makes an empty database; returns its address."""
    import psycopg

    with psycopg.connect(f"{address}postgres", autocommit=True) as connection:
        connection.execute(
            psycopg.sql.SQL("CREATE DATABASE {}").format(psycopg.sql.Identifier(name))
        )
    return f"{address}{name}"


def end_connections(store: str) -> None:
    """Ends all other connections to a database."""
    import psycopg

    with psycopg.connect(store, autocommit=True) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()"
        )
