"""Reads table logs, line by line, and says of each fault where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from controller.contract.observations import MalformedObservationError, Observation, Table, decode


class LogError(ValueError):
    """A log that can't be read; the message is `FILE: line N: fault`."""


def read_log(
    name: str, lines: Iterable[bytes], warnings: list[str]
) -> Iterator[tuple[int, Observation]]:
    """Yields line number and observation; raises `LogError` at the first fault.

    A last line that was cut short (no newline, not whole JSON) is dropped with a warning.
    """
    last_t = 0.0
    first = True
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            observation = decode(line)
        except MalformedObservationError as error:
            if not line.endswith(b"\n") and not first and _is_cut(line):
                warnings.append(f"{name}: line {number}: cut short at the end of the file, dropped")
                return
            raise LogError(f"{name}: line {number}: {error}") from None
        if first and not isinstance(observation, Table):
            raise LogError(f"{name}: line {number}: a log begins with a table record")
        first = False
        if observation.t is not None:
            if observation.t < last_t:
                fault = f"time runs backwards, from {last_t:g} to {observation.t:g}"
                raise LogError(f"{name}: line {number}: {fault}")
            last_t = observation.t
        yield number, observation
    if first:
        raise LogError(f"{name}: line 1: a log begins with a table record, and this one is empty")


def _is_cut(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return True
    return False
