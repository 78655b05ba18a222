"""What a simulation has shown: sums and figures, pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import asdict

from controller.simulate.machine import Usage
from controller.simulate.told import KINDS, Counted, Tally

BRIEF_S = 2.0
"""An alert that is deleted this soon need not have been on a page."""
Times = Mapping[tuple[str, str], int]
"""(table, finding) → when, in nanoseconds."""


class Received(Struct, frozen=True):
    """What one receiver had of all that was sent, by kind. `lost` are those that it had not,
    `doubles` events that came twice, `gaps` events that are missing before a later one."""

    received: Mapping[str, int]
    lost: int
    gaps: int = 0
    doubles: int = 0


class Latency(Struct, frozen=True):
    """Milliseconds from publishing to the bytes' arrival, of so many."""

    count: int
    p50: float
    p99: float
    most: float


class OnPages(Struct, frozen=True):
    """What the floor's pages were told. `raised` alerts, of which each of `pages` should have
    shown each: `missing` were not shown. `longest` is of one message."""

    pages: int
    raised: int
    missing: int
    appear: Latency | None
    vanish: Latency | None
    messages: int
    bytes: int
    longest: int
    broken: tuple[str, ...] = ()


class Asked(Struct, frozen=True):
    """What was asked for, and on what it ran. `load` is the machine's before and after."""

    tables: int
    rate: float
    seconds: float
    errors: float
    seed: int
    processes: int
    broker: str
    cores: int
    load: tuple[float, float]


class Report(Struct, frozen=True):
    """The outcome. `unsent` were published and never acknowledged by the broker, in `use` is what
    each program took. `lost` is all that anyone should have had and had not; `faults` what else
    makes the figures worthless."""

    asked: Asked
    elapsed_s: float
    connected: int
    hands: int
    sent: Mapping[str, int]
    acked: int
    superseded: int
    unsent: int
    refused: int
    again: int
    reconnects: int
    late_ms: float
    counted: Received
    room: Received | None
    on_pages: OnPages | None
    use: Mapping[str, Usage]
    faults: tuple[str, ...] = ()

    @property
    def lost(self) -> int:
        """All that is lost, for whomever."""
        heard = [each.lost for each in (self.counted, self.room) if each is not None]
        shown = self.on_pages.missing if self.on_pages is not None else 0
        return max([self.unsent, *heard]) + shown

    @property
    def is_right(self) -> bool:
        """Whether nothing was lost, and everyone was there to the end."""
        return not self.lost and not self.refused and not self.faults


def joined(tallies: Iterable[Tally]) -> Tally:
    """The sums over several generators."""
    all_ = list(tallies)
    return Tally(
        connected=sum(t.connected for t in all_),
        published=sum(t.published for t in all_),
        sent={kind: sum(t.sent.get(kind, 0) for t in all_) for kind in KINDS},
        acked=sum(t.acked for t in all_),
        superseded=sum(t.superseded for t in all_),
        waiting=sum(t.waiting for t in all_),
        refused=sum(t.refused for t in all_),
        dropped=sum(t.dropped for t in all_),
        again=sum(t.again for t in all_),
        reconnects=sum(t.reconnects for t in all_),
        hands=sum(t.hands for t in all_),
        late_ms=max((t.late_ms for t in all_), default=0.0),
        behind_ms=max((t.behind_ms for t in all_), default=0.0),
        trouble=next((t.trouble for t in all_ if t.trouble), ""),
    )


def lost_of(sent: Mapping[str, int], received: Mapping[str, int]) -> int:
    """How many were sent and not received; what came more often makes up for nothing else."""
    return sum(max(0, number - received.get(kind, 0)) for kind, number in sent.items())


def by_counter(tally: Tally, counted: Counted) -> Received:
    """What the counting subscriber had."""
    received: dict[str, int] = {kind: counted.received.get(kind, 0) for kind in KINDS}
    return Received(received, lost_of(tally.sent, received), counted.gaps, counted.doubles)


def by_room(tally: Tally, before: Mapping[str, int], after: Mapping[str, int]) -> Received:
    """What the room had, by what its health counted before and after."""
    more = {key: number - before.get(key, 0) for key, number in after.items()}
    received: dict[str, int] = {kind: more.get(kind, 0) for kind in KINDS}
    return Received(
        received, lost_of(tally.sent, received), more.get("gaps", 0), more.get("doubles", 0)
    )


def on_pages(
    opened: Times,
    deleted: Times,
    seen: Sequence[Times],
    gone: Sequence[Times],
    *,
    messages: int,
    bytes_: int,
    longest: int,
    broken: tuple[str, ...] = (),
) -> OnPages:
    """What the pages showed of the alerts that were opened and deleted at these times."""
    appear = [page[key] - at for page in seen for key, at in opened.items() if key in page]
    vanish = [page[key] - at for page in gone for key, at in deleted.items() if key in page]
    shown = {
        key
        for key, at in opened.items()
        if key not in deleted or deleted[key] - at >= BRIEF_S * 1e9
    }
    return OnPages(
        pages=len(seen),
        raised=len(opened),
        missing=sum(len(shown - page.keys()) for page in seen),
        appear=latency(appear),
        vanish=latency(vanish),
        messages=messages,
        bytes=bytes_,
        longest=longest,
        broken=broken,
    )


def latency(nanoseconds: Iterable[int]) -> Latency | None:
    """Of times in nanoseconds; None where there are none."""
    ms = sorted(each / 1e6 for each in nanoseconds)
    if not ms:
        return None
    return Latency(len(ms), _at(ms, 0.5), _at(ms, 0.99), ms[-1])


def _at(ordered: Sequence[float], part: float) -> float:
    """The smallest that is at least as great as this part of them."""
    return ordered[max(0, -int(-len(ordered) * part // 1) - 1)]


def as_json(report: Report) -> dict[str, Any]:
    """The report, with what follows from it."""
    return {**asdict(report), "lost": report.lost, "ok": report.is_right}


def as_text(report: Report) -> str:
    """For people."""
    asked, lines = report.asked, []

    def row(name: str, text: str) -> None:
        lines.append(f"{name:22}{text}")

    row(
        "tables",
        f"{asked.tables:,} at {asked.rate:g} messages a second each for {report.elapsed_s:.0f} s; "
        f"{report.hands:,} hands ended, errors in {asked.errors:g} of 1,000",
    )
    row(
        "machine",
        f"{asked.cores} cores for everything together, load {asked.load[0]:.1f} before and "
        f"{asked.load[1]:.1f} after; broker {asked.broker}",
    )
    total = sum(report.sent.values())
    row("sent", f"{total:,} ({_kinds(report.sent)}): {total / max(report.elapsed_s, 1):,.0f}/s")
    row("acknowledged", f"{report.acked:,}; {report.unsent:,} were not")
    if report.superseded or report.again or report.reconnects:
        row(
            "",
            f"{report.superseded:,} pictures gave way to newer ones, {report.again:,} messages "
            f"were sent again after {report.reconnects:,} lost connections",
        )
    for name, heard in (("counting subscriber", report.counted), ("room", report.room)):
        if heard is not None:
            row(
                name,
                f"{sum(heard.received.values()):,} received, {heard.lost:,} lost, "
                f"{heard.doubles:,} doubles, {heard.gaps:,} missing in between",
            )
    pages = report.on_pages
    if pages is not None:
        row("alerts", f"{pages.raised:,} raised, {pages.missing:,} missing on {pages.pages} pages")
        for name, times in (
            ("alert → floor page", pages.appear),
            ("closed → floor page", pages.vanish),
        ):
            if times is not None:
                row(
                    name,
                    f"p50 {times.p50:.1f} ms, p99 {times.p99:.1f} ms, at most {times.most:.1f} ms"
                    f" ({times.count:,} times)",
                )
        each = max(1, pages.pages) * max(report.elapsed_s, 1)
        row(
            "floor stream, a page",
            f"{pages.messages / each:.1f} messages and {pages.bytes / each / 1024:,.0f} KiB "
            f"a second, the longest {pages.longest / 1024:,.0f} KiB",
        )
    for name, use in report.use.items():
        row(
            name,
            f"{use.cpu_s:.1f} s CPU, {use.share:.0%} of a core (at most {use.most_share:.0%}), "
            f"{use.most_rss_mib:.0f} MiB at most",
        )
    row("generator behind by", f"at most {report.late_ms:.0f} ms")
    for fault in report.faults:
        row("fault", fault)
    row("lost", f"{report.lost:,}")
    return "\n".join(lines) + "\n"


def _kinds(sent: Mapping[str, int]) -> str:
    names = {"$state": "states", "hand": "pictures"}
    return ", ".join(f"{number:,} {names.get(kind, kind)}" for kind, number in sent.items())
