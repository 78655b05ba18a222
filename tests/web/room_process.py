"""`cutcard room` as a process of its own, killed at the end."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType

from controller.broker.own import RunningBroker
from tests.commands.fake_table import SITE
from tests.web.hall import JOIN


def begun(
    broker: RunningBroker,
    store: Path,
    *more: str,
    port: int = 0,
    env: Mapping[str, str] = MappingProxyType(JOIN),
    stderr: int = subprocess.DEVNULL,
) -> subprocess.Popen[str]:
    """The process, whose first line says where its pages are; port 0 takes a free one."""
    at = broker.room
    words = ["--json", "--site", SITE, "--web-port", str(port), "--store", str(store)]
    words += ["--broker", f"{at.host}:{at.port}", "--user", str(at.user), *more]
    return subprocess.Popen(
        [sys.executable, "-m", "display.web.command", *words],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env={**os.environ, **env, "CUTCARD_MQTT_PASSWORD": str(at.password)},
    )


@contextmanager
def room(
    broker: RunningBroker,
    store: Path,
    *more: str,
    port: int = 0,
    env: Mapping[str, str] = MappingProxyType(JOIN),
) -> Iterator[tuple[str, int]]:
    """Its address and its process's number; port 0 takes a free one."""
    with begun(broker, store, *more, port=port, env=env) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())["url"], process.pid
        finally:
            process.kill()
