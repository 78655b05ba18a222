"""What a tester with a ruler finds on the blinds screen."""

from __future__ import annotations

import time
from math import hypot
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from playwright.sync_api import Page

from tests.waiting import PATIENCE_S
from tests.web.showroom import ShowRoom, scenes

MEASURES = (Path(__file__).parent / "measures.js").read_text()
# Looked for at every frame: a page that shows a message is laid out for it.
SHOWN = """([note, code]) => new Promise((done) => {
  const look = () => {
    const noted = document.getElementById("note").textContent === note;
    if (noted && document.getElementById("pocket").hidden === !code) done();
    else requestAnimationFrame(look);
  };
  look();
})"""
CODE = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M1 1h7v7h-7z"/></svg>'
LOUD_MM, PLAIN_MM, POCKET_MM = 64.0, 47.0, 150.0
LOUD = {"clock", "blinds", "word"}
SMALL = {"hint", "note"}
"""What is for whoever stands before the screen."""


def opened(page: Page, room: ShowRoom, size: tuple[int, int], query: str = "") -> Page:
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.route(
        "**/pocket.svg", lambda route: route.fulfill(content_type="image/svg+xml", body=CODE)
    )
    page.goto(f"{room.url}screen{query}")
    page.evaluate(SHOWN, [room.shown.banner, False])
    page.evaluate("document.fonts.ready")
    page.wait_for_timeout(150)
    return page


def show(page: Page, room: ShowRoom, scene: str, **rest: Any) -> None:  # noqa: ANN401
    """The page shows it, laid out."""
    shown = replace(scenes()[scene], banner=f"{scene} {len(rest)}", **rest)
    room.show(shown)
    code = shown.state in ("ready", "break", "holding")
    page.evaluate(SHOWN, [shown.banner, code])


def heard(page: Page) -> None:
    """The room is heard again, while the page's own time, which a test sets, all but stands."""
    late = time.monotonic() + PATIENCE_S
    while page.get_by_test_id("stale").is_visible():
        assert time.monotonic() < late
        page.clock.run_for(1)
        time.sleep(0.01)


def boxes(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(MEASURES)
    return found


def troubles(page: Page, size: tuple[int, int], inches: float = 55.0) -> list[str]:
    """What is too small, too faint, not whole or over something else."""
    per_mm = hypot(*size) / (inches * 25.4)
    texts = boxes(page)
    found = []
    for text in texts:
        name, mm = text["id"], text["capital"] / per_mm
        if name not in SMALL and mm < (LOUD_MM if name in LOUD else PLAIN_MM):
            found.append(f"{name} is {mm:.1f} mm high")
        if text["contrast"] < 7:
            found.append(f"{name} has contrast {text['contrast']:.1f}")
        if text["left"] < -1 or text["right"] > size[0] + 1 or text["clipped"]:
            found.append(f"{name} is cut off: {text['text']}")
        if text["top"] < 0 or text["bottom"] > size[1]:
            found.append(f"{name} leaves the screen: {text['text']}")
    for number, one in enumerate(texts):
        found += [
            f"{one['id']} and {other['id']} overlap: {one['text']}, {other['text']}"
            for other in texts[number + 1 :]
            if _overlap(one, other)
        ]
    pocket = page.locator("#pocket").bounding_box()
    if pocket is not None:
        if pocket["width"] * 0.9 / per_mm < POCKET_MM:
            found.append(f"the code is {pocket['width'] * 0.9 / per_mm:.0f} mm wide")
        code = {
            "left": pocket["x"],
            "right": pocket["x"] + pocket["width"],
            "top": pocket["y"],
            "bottom": pocket["y"] + pocket["height"],
        }
        found += [f"the code lies over {text['id']}" for text in texts if _overlap(code, text)]
    return found


def _overlap(one: dict[str, Any], other: dict[str, Any]) -> bool:
    across = min(one["right"], other["right"]) - max(one["left"], other["left"])
    down = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return bool(across > 1 and down > 1)
