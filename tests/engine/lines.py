"""The lines of a table log, written out one by one."""

from __future__ import annotations

from tests.engine.table_logs import Line


def table(*seats: int, **fields: object) -> Line:
    """The last of `seats` has the button."""
    return {
        "kind": "table", "v": 1, "table": "T1", "rulebook": "roberts", "button": seats[-1],
        "seats": [{"seat": seat, "stack": 1000} for seat in seats],
        "blinds": {"small": 5, "big": 10}, **fields,
    }  # fmt: skip


def seen(t: float, zone: str, tag: str) -> Line:
    return {"kind": "seen", "t": round(t, 3), "zone": zone, "tag": tag}


def gone(t: float, zone: str, tag: str) -> Line:
    return {"kind": "gone", "t": round(t, 3), "zone": zone, "tag": tag}


def press(t: float, seat: int, button: str) -> Line:
    return {"kind": "press", "t": round(t, 3), "seat": seat, "button": button}


def entry(t: float, name: str, **fields: object) -> Line:
    return {"kind": "dealer", "t": t, "input": name, **fields}
