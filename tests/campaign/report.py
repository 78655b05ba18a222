"""What a campaign has to tell, for people and for programs."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from statistics import median

import msgspec

from tests.campaign.episode import Back, Outcome

_LONGEST = 400
LIMIT_S = 2.0
"""Whoever was killed is to be back within this."""


def line(outcome: Outcome) -> str:
    """An episode in one line."""
    plan = outcome.plan
    hits = ", ".join(f"{hit.name} ({hit.told})" for hit in outcome.hits) or "nothing broken"
    failed = Counter(failure.what for failure in outcome.failures)
    ended = ", ".join(f"{what} × {count}" for what, count in failed.items()) or "ok"
    return f"{plan.number:4} {plan.theme}, speed {plan.speed:g}: {hits}: {ended}"


def as_json(seed: int, outcomes: Sequence[Outcome]) -> str:
    """All of it, as one line."""
    whole = {"v": 1, "seed": seed, "load": os.getloadavg(), "episodes": outcomes}
    return msgspec.json.encode(whole).decode() + "\n"


def report(again: str, outcomes: Sequence[Outcome]) -> str:
    """All that matters, for people; `again` is the command that was given."""
    failures = sum(len(outcome.failures) for outcome in outcomes)
    lines = [
        f"{again}: {len(outcomes)} episodes in {sum(o.took_s for o in outcomes) / 60:.1f} min,"
        f" {sum(o.hands for o in outcomes):,} hands, {sum(o.presses for o in outcomes):,} presses,"
        f" {sum(o.events for o in outcomes):,} events; load {os.getloadavg()[0]:.1f}",
        "",
        "what was done",
    ]
    done = Counter(hit.name for outcome in outcomes for hit in outcome.hits)
    bad = Counter(name for o in outcomes if o.failures for name in {h.name for h in o.hits})
    for name, count in sorted(done.items()):
        suspect = f", in {bad[name]} episodes that failed" if bad[name] else ""
        lines.append(f"  {name:28} {count:5}{suspect}")
    lines += ["", "back after kill -9, systemd's wait counted in, then without it"]
    lines += _back([back for outcome in outcomes for back in outcome.back])
    most: dict[str, float] = {}
    for outcome in outcomes:
        for name, mib in outcome.memory.items():
            most[name] = max(most.get(name, 0.0), mib)
    lines += ["", "most memory: " + ", ".join(f"{n} {mib:.0f} MiB" for n, mib in most.items())]
    lines += ["", f"lost, invented or wrong: {failures or 'nothing'}"]
    for outcome in outcomes:
        if outcome.failures:
            hits = "; ".join(f"{h.from_s:.1f} s {h.name} ({h.told})" for h in outcome.hits)
            lines += ["", f"  {again} --only {outcome.plan.number}"]
            lines.append(f"    broken: {hits or 'nothing'}")
        first = {each.what: each for each in reversed(outcome.failures)}
        counts = Counter(each.what for each in outcome.failures)
        for what, failure in sorted(first.items()):
            lines += [
                f"    {what} × {counts[what]}",
                f"      expected  {failure.expected[:_LONGEST]}",
                f"      seen      {failure.seen[:_LONGEST]}",
            ]
    return "\n".join(lines) + "\n"


def _back(all_: Sequence[Back]) -> list[str]:
    lines = []
    for name in sorted({back.name for back in all_}):
        mine = [back for back in all_ if back.name == name]
        whole = [back.after_kill_s for back in mine]
        bare = [back.after_start_s for back in mine]
        late = sum(each > LIMIT_S for each in whole)
        lines.append(
            f"  {name:8} {len(mine)} times: median {median(whole):.2f} s, worst {max(whole):.2f} s;"
            f" {median(bare):.2f} and {max(bare):.2f} s; later than {LIMIT_S:g} s: {late}"
        )
    return lines or ["  nobody"]
