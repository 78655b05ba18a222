"""The room's broker, step by step: is it there, is it the right one, what does it allow?"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator

from controller.broker.client import Endpoint
from controller.files.toml_file import ConfigError
from controller.install.doctor import network, rights
from controller.install.doctor.check import Check, fail, skipped
from controller.install.doctor.system import System
from controller.install.doctor.timed import in_time
from controller.table.config import Broker, TableConfig


async def look(
    system: System, config: TableConfig, *, hidden: Check | None
) -> AsyncIterator[Check]:
    """One step after the other, and none after one that failed. `hidden` is said where there may
    be a password that only root can see."""
    there = config.broker
    if there is None:
        yield skipped("broker", "this table has no [broker]")
        return
    reached = await in_time("broker", lambda: network.reach(system, there.host, there.port))
    if isinstance(reached, Check):
        yield reached
        return
    yield network.judge_reach(there, reached)
    if reached.trouble:
        return
    shown = await in_time("certificate", lambda: _certificate(there))
    if isinstance(shown, Check):
        yield shown
        return
    judged = network.judge_certificate(there, shown, time.time())
    yield judged
    if judged.status == "fail":
        return
    if there.password_file is None and hidden is not None:
        yield hidden
        return
    try:
        endpoint = config.endpoint()
    except ConfigError as error:
        yield fail("login", str(error), "Put the password on the first line of that file.")
        return
    if endpoint is None:
        return
    async for check in _talk(endpoint, there.site, config.table.id):
        yield check


def _certificate(there: Broker) -> network.Certificate | None:
    if there.ca_file is None:
        return None
    try:
        return network.certificate(there.host, there.port, str(there.ca_file))
    except OSError as error:
        return network.Certificate(code=-1, words=f"no TLS there ({error.strerror or error})")


async def _talk(endpoint: Endpoint, site: str, table: str) -> AsyncIterator[Check]:
    login, allowed = await rights.converse(endpoint, site, table)
    yield rights.judge_login(endpoint.user, login)
    if allowed is None:
        return
    for check in rights.judge_rights(site, table, endpoint.user, allowed):
        yield check
    yield rights.judge_anonymous(await rights.log_in(rights.without_password(endpoint)))
