"""What a table says and what of it is an alert: pure."""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from controller.contract.messages import Alert, Health
from controller.room.alerts import AlertKind, RoomAlert
from controller.room.tables import TableSeen

PATIENCE_MS = 10_000
"""So long a table may be away, or a reader, until somebody is called."""
LONGEST_AGO_MS = 12 * 3_600_000
_TITLE = 200


class Patience(Struct, frozen=True):
    """Since when a table is lost and since when it has told of what needs a person."""

    lost_ms: int | None = None
    ailing_ms: int | None = None


def patience(before: Patience, seen: TableSeen, health: Health | None, now_ms: int) -> Patience:
    """The same of the table as it is now."""
    ailing = seen.live and health is not None and bool(health.links or health.lost_zones)
    is_lost = seen.silent or (seen.confirmed is False and seen.state == "lost")
    if not seen.live:
        ailing_ms = before.ailing_ms
    else:
        ailing_ms = _kept(before.ailing_ms, now_ms) if ailing else None
    return Patience(_kept(before.lost_ms, now_ms) if is_lost else None, ailing_ms)


def alerts_of(
    seen: TableSeen, health: Health | None, since: Patience, now_ms: int, wall_ms: int
) -> tuple[RoomAlert, ...]:
    """The alerts that there are at a table now, as if each had just been raised."""
    found = [
        _finding(seen, number, alert, now_ms, wall_ms) for number, alert in seen.alerts.items()
    ]
    stopped = any(each.priority == 1 and each.dismissed is None for each in found)
    view = seen.hand.view if seen.hand is not None else None
    if view is not None and view.floor == "called" and not stopped and seen.state != "lost":
        found.append(_of_table(seen, "call", 1, now_ms))
    if _is_due(since.lost_ms, now_ms) and view is not None and view.is_open and view.hand:
        found.append(_of_table(seen, "lost", 2, since.lost_ms or now_ms))
    if _is_due(since.ailing_ms, now_ms) and health is not None:
        words = "; ".join(health.links) or ", ".join(health.lost_zones)
        ailing = _of_table(seen, "reader", 2, since.ailing_ms or now_ms)
        found.append(replace(ailing, title=words[:_TITLE]))
    return tuple(found)


def stays(alert: RoomAlert, seen: TableSeen) -> bool:
    """Whether an alert that is not said now goes on all the same: a call to which somebody comes,
    and all but the loss itself of a table that cannot be heard."""
    if alert.kind == "test":
        return True
    if alert.kind != "lost" and not seen.live:
        return True
    view = seen.hand.view if seen.hand is not None else None
    if alert.kind == "call":
        return view is not None and view.floor == "coming" and view.hand == alert.hand
    return alert.kind == "finding" and seen.settle_ms is not None


def how_ended(alert: RoomAlert) -> str:
    """How an alert ended that is not said any more; findings tell it themselves."""
    return "gone" if alert.kind == "finding" else "back"


def _is_due(since_ms: int | None, now_ms: int) -> bool:
    return since_ms is not None and now_ms - since_ms >= PATIENCE_MS


def _kept(since_ms: int | None, now_ms: int) -> int:
    return now_ms if since_ms is None else since_ms


def _finding(seen: TableSeen, number: str, alert: Alert, now_ms: int, wall_ms: int) -> RoomAlert:
    """The table's wall clock says how long ago; a wrong one makes it neither old nor young."""
    finding = alert.finding
    ago_ms = min(max(0, wall_ms - alert.at), LONGEST_AGO_MS)
    return RoomAlert(
        key=f"{seen.id}/{number}",
        table=seen.id,
        kind="finding",
        at=now_ms - ago_ms,
        priority=finding.priority,
        finding=number,
        code=finding.code,
        title=finding.title,
        session=alert.session,
        hand=_hand(seen, alert.session),
        seats=finding.seats,
        by=_dealer(seen),
        basis=finding.basis,
        ruling=finding.ruling,
        dismissed=alert.dismissed,
    )


def _of_table(seen: TableSeen, kind: AlertKind, priority: int, at: int) -> RoomAlert:
    return RoomAlert(
        key=f"{seen.id}/{kind}",
        table=seen.id,
        kind=kind,
        at=at,
        priority=priority,
        code=kind,
        session=seen.hand.session if seen.hand is not None else "",
        hand=seen.hand.view.hand if seen.hand is not None else None,
        by=_dealer(seen),
    )


def _hand(seen: TableSeen, session: str) -> int | None:
    """The hand that is under way, if what is known of it is of that session."""
    if seen.hand is None or seen.hand.session != session:
        return None
    return seen.hand.view.hand


def _dealer(seen: TableSeen) -> str:
    return (seen.hand.view.dealer or "") if seen.hand is not None else ""
