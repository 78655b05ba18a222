"""When reads become facts, as `table.toml` sets it: for the table, and for single readers."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import msgspec

from controller.contract.misfit import misfit
from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError, plain
from firmware_bridge.presence import Thresholds, rows

LONGEST_S = 60.0
SHORTEST_SILENT_S = 1.5
"""A zone where nothing changes is reported once a second."""

_MAY_BE_NOTHING = frozenset(("rests_s", "patience", "hits_ahead", "stronger_db", "steadier_by"))


def checked(where: str, thresholds: Thresholds) -> Thresholds:
    """The same thresholds, if they are possible. Raises ConfigError."""
    for key, value in msgspec.structs.asdict(thresholds).items():
        if not 0 <= value <= LONGEST_S or (not value and key not in _MAY_BE_NOTHING):
            raise ConfigError(f"{where} {key}: {value:g} is not in 0 … {LONGEST_S:g}")
    if thresholds.silent_s < SHORTEST_SILENT_S:
        raise ConfigError(
            f"{where} silent_s: {thresholds.silent_s:g} is too short, a zone reports once a second"
        )
    return thresholds


def of_reader(where: str, usual: Thresholds, given: Mapping[str, int | float]) -> Thresholds | None:
    """The thresholds of one reader, where some differ from the `usual` ones. Raises ConfigError."""
    known = Thresholds.__struct_fields__
    for key in given:
        if key not in known:
            raise ConfigError(f"{where}: no key {key[:40]!r} here{nearest(key, list(known))}")
    if not given:
        return None
    try:
        both = msgspec.convert({**msgspec.structs.asdict(usual), **given}, Thresholds)
    except msgspec.ValidationError as error:
        found = misfit(error, Thresholds)
        raise ConfigError(f"{where} {'.'.join(map(str, found.at))}: {plain(found)}") from None
    return checked(where, both)


def neighbours(
    where: str, zones: Collection[str], given: Mapping[str, tuple[str, ...]]
) -> dict[str, frozenset[str]]:
    """Whose antennas may read each other's cards: those numbered in a row, and the `given` ones.

    Raises ConfigError.
    """
    found = rows(zones)
    for zone, others in given.items():
        for name in (zone, *others):
            if name not in found:
                close = nearest(name, list(found))
                raise ConfigError(f"{where}: this table has no zone {name[:60]!r}{close}")
        if zone in others:
            raise ConfigError(f"{where}: {zone} can't be its own neighbour")
        for other in others:
            found[zone] |= {other}
            found[other] |= {zone}
    return found
