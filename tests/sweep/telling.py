"""Tells a hand as a table would see it: as the lines of a table log."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec

from tests.sweep.hands import CARDS, Beat, Hand

Line = dict[str, Any]

SEATS = [f"seat/{n}" for n in range(1, 11)]


class Variant(msgspec.Struct, frozen=True):
    """What the table has, and how well it reads. `folds` is `both`, `muck` or `press`."""

    name: str = "plain"
    folds: str = "both"
    noisy: bool = False
    buttons: bool = True
    burns: bool = True
    riffle: bool = True
    puck: bool = False
    blind: bool = False
    opaque: bool = False
    faces: bool = False
    boards: bool = False
    stub: bool = False
    entered: bool = False


VARIANTS = (
    Variant(),
    Variant("muck", folds="muck"),
    Variant("press", folds="press"),
    Variant("noisy", folds="any", noisy=True),
    Variant("puck", puck=True),
    Variant("noburn", burns=False),
    Variant("noriffle", riffle=False),
    Variant("nobuttons", folds="muck", buttons=False),
    Variant("opaque", opaque=True, puck=True, faces=True),
    Variant("noisy-opaque", folds="any", noisy=True, opaque=True, puck=True),
    Variant("boards", boards=True, stub=True),
    Variant("entered", buttons=False, entered=True),
    Variant("noburn-noisy", folds="any", noisy=True, burns=False),
    Variant("nobuttons-noisy", folds="muck", noisy=True, buttons=False),
    Variant("noburn-nobuttons", folds="muck", burns=False, buttons=False),
    Variant("noriffle-noisy", folds="any", noisy=True, riffle=False),
)


class Teller:
    """Writes one log. Time is a float; places of tags are kept for collecting."""

    def __init__(self, variant: Variant, rng: Random, book: str = "roberts") -> None:
        self.variant, self.rng, self.book = variant, rng, book
        self.lines: list[Line] = []
        self.t = 0.0
        self.place: dict[str, str] = {}
        self.last = ""
        self.tags: dict[str, str] = {}
        self.positions = 0

    # --- the lines ---------------------------------------------------------------------------

    def put(self, kind: str, at: float, **fields: object) -> None:
        self.lines.append({"t": round(at, 3), "kind": kind, **fields})

    def tag(self, card: str) -> str:
        return self.tags.get(card, card)

    def seen(self, at: float, zone: str, card: str) -> None:
        if self.variant.boards and zone == "board":
            self.positions += 1
            zone = f"board/{min(5, self.positions)}"
        more = {}
        if self.variant.faces:
            more["face"] = "up" if zone.startswith("board") else "down"
        self.place[card] = zone
        self.put("seen", at, zone=zone, tag=self.tag(card), **more)

    def gone(self, at: float, card: str) -> None:
        zone = self.place.pop(card, "")
        if zone.startswith("board/"):
            self.positions -= 1
        if zone:
            self.put("gone", at, zone=zone, tag=self.tag(card))

    def table(self, hand: Hand, **more: object) -> None:
        v = self.variant
        table: Line = {
            "kind": "table",
            "v": 1,
            "table": "T1",
            "rulebook": self.book,
            "button": hand.button,
            "seats": [
                {"seat": s, "stack": c}
                for s, c in sorted(zip(hand.seats, hand.stacks, strict=True))
            ],
            "blinds": {"small": hand.small, "big": hand.big, "ante": hand.ante},
        }
        if not v.buttons:
            table["buttons"] = []
        zones = [*SEATS, *([f"board/{n}" for n in range(1, 6)] if v.boards else ["board"])]
        zones += ["burn"] * v.burns + ["muck"] + ["stub"] * v.stub
        if not v.burns or v.boards:
            table["zones"] = zones
        if v.opaque:
            codes = self.rng.sample(range(16**8), len(CARDS))
            self.tags = {card: f"E0{code:014X}" for card, code in zip(CARDS, codes, strict=True)}
            table["deck"] = {tag: card for card, tag in self.tags.items()}
        if v.puck:
            table["objects"] = {"PUCK": "button"}
        if v.opaque:
            table["objects"] = {"PUCK": "button", "E0A": "all-in", "E0C": "cut-card"}
        table.update(more)
        self.lines.append(table)
        if v.puck:
            self.put("seen", self.t + 0.5, zone=f"seat/{hand.button}", tag="PUCK")
            self.t += 0.5
            self.place["PUCK"] = f"seat/{hand.button}"

    def move_puck(self, old: int, new: int) -> None:
        """The puck is taken up and laid at another seat."""
        self.put("gone", self.t + 1.0, zone=f"seat/{old}", tag="PUCK")
        self.put("seen", self.t + 2.0, zone=f"seat/{new}", tag="PUCK")
        self.place["PUCK"] = f"seat/{new}"
        self.t += 2.0

    # --- one beat ----------------------------------------------------------------------------

    def tell(self, beats: Sequence[Beat]) -> None:
        for n, beat in enumerate(beats):
            getattr(self, "_" + beat.what)(beat, beats[n + 1 :])
            if beat.what != "closed":
                self.last = beat.what

    def finish(self, wait: float = 6.4) -> list[Line]:
        """The end of the log: time passes."""
        self.t += wait
        self.put("tick", self.t)
        self.lines.sort(key=lambda line: line.get("t", -1.0))
        return self.lines

    def _line(self, beat: Beat, _: Sequence[Beat]) -> None:
        self.t += 1.0 if beat.wait is None else beat.wait
        line = dict(beat.line)
        if "tag" in line and line["kind"] in ("seen", "gone"):
            card = line["tag"]
            if line["kind"] == "seen":
                self.seen(self.t, line["zone"], card)
            else:
                self.gone(self.t, card)
            return
        if "tag" in line:
            line["tag"] = self.tag(line["tag"])
        if "tags" in line:
            line["tags"] = [self.tag(card) for card in line["tags"]]
        self.lines.append({"t": round(self.t, 3), **line})

    def _riffle(self, beat: Beat, _: Sequence[Beat]) -> None:
        self.t += 1.0 if beat.wait is None else beat.wait
        if self.variant.riffle:
            self.put("riffle", self.t)

    def _pitch(self, beat: Beat, _: Sequence[Beat]) -> None:
        usual = self.rng.uniform(0.5, 0.7) if self.variant.noisy else 0.6
        if self.last == "riffle":
            usual = 4.0
        self.t += usual if beat.wait is None else beat.wait
        late = 0.0
        if self.variant.noisy:
            late = self.rng.uniform(0.0, 0.15)
            if beat.street != "sharp" and self.rng.random() < 0.01:
                late = self.rng.uniform(0.3, 0.9)
        self.seen(self.t + late, f"seat/{beat.seat}", beat.tag)

    def _act(self, beat: Beat, _: Sequence[Beat]) -> None:
        rng, v = self.rng, self.variant
        usual = 2.4
        if self.last == "pitch":
            usual = 3.4
        elif self.last in ("board", "burn"):
            usual = 4.45
        self.t += usual if beat.wait is None else beat.wait
        mine = [c for c, z in self.place.items() if z == f"seat/{beat.seat}" and c != "PUCK"]
        if v.noisy and rng.random() < 0.35:
            for card in mine:
                zone = self.place[card]
                self.gone(self.t - 1.7, card)
                self.seen(self.t - 0.4, zone, card)
        folds = v.folds if v.folds != "any" else rng.choice(["both", "both", "muck", "press"])
        fold = beat.button == "fold"
        if (v.buttons and not (fold and folds == "muck")) or (v.entered and not v.buttons):
            more: Line = {} if beat.amount is None else {"amount": beat.amount}
            if not v.buttons:
                more["by"] = "dealer"
            self.put("press", self.t, seat=beat.seat, button=beat.button, **more)
        if v.noisy and not fold and rng.random() < 0.3:
            live = [c for c, z in self.place.items() if z.startswith("seat/") and c != "PUCK"]
            card = rng.choice(live)
            zone = self.place[card]
            self.gone(self.t + 0.2, card)
            self.seen(self.t + rng.uniform(0.3, 0.65), zone, card)
        if fold and folds != "press":
            at = self.t + 0.15
            for card in mine:
                late = rng.uniform(0.0, 0.6) if v.noisy else 0.0
                self.gone(at + late, card)
                self.seen(at + late + 0.05, "muck", card)
            self.t += 0.3

    def _closed(self, _: Beat, __: Sequence[Beat]) -> None:
        if not self.variant.buttons and not self.variant.entered and self.last == "act":
            self.t += 1.2
            self.put("dealer", self.t, input="round-closed")

    def _burn(self, beat: Beat, _: Sequence[Beat]) -> None:
        usual = self.rng.uniform(1.1, 3.0) + (2.0 if self.last == "board" else 0)
        self.t += usual if beat.wait is None else beat.wait
        if self.variant.burns:
            self.seen(self.t, "burn", beat.tag)

    def _board(self, beat: Beat, _: Sequence[Beat]) -> None:
        usual = 0.15 if self.last == "board" else 0.7
        if self.variant.noisy:
            usual *= self.rng.uniform(0.5, 1.3)
        self.t += usual if beat.wait is None else beat.wait
        self.seen(self.t, "board", beat.tag)

    def _tabled(self, beat: Beat, _: Sequence[Beat]) -> None:
        self.t += 1.0 if beat.wait is None else beat.wait
        self.put("dealer", self.t, input="tabled", seat=beat.seat)

    def _award(self, beat: Beat, _: Sequence[Beat]) -> None:
        if not self.variant.riffle:
            mine = [c for c, z in self.place.items() if z.startswith("seat/") and c != "PUCK"][-2:]
            for card in mine:
                zone = self.place[card]
                self.gone(self.t + 0.9, card)
                self.seen(self.t + 2.6, zone, card)
        self.t += 3.2 if beat.wait is None else beat.wait
        self.put("dealer", self.t, input="award")

    def _collect(self, _: Beat, __: Sequence[Beat]) -> None:
        cards = [c for c, z in self.place.items() if c != "PUCK"]
        self.rng.shuffle(cards)
        self.t += 3.0
        for card in cards:
            self.gone(self.t + self.rng.random(), card)
        self.positions = 0
        self.t += 2.0
