"""Every state at every size: all of it is on the screen, large, clear and apart."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.web.looks import opened, show, troubles
from tests.web.showroom import ShowRoom, scenes

SIZES = [(1920, 1080), (1080, 1920), (1280, 720), (1024, 768), (3840, 2160)]


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_every_state_is_large_clear_and_whole(
    page: Page, showroom: ShowRoom, size: tuple[int, int]
) -> None:
    opened(page, showroom, size)
    found = {}
    for scene in scenes():
        show(page, showroom, scene)
        found[scene] = troubles(page, size)
        if scene in ("large", "alert", "break"):
            show(page, showroom, scene, heard=False)
            expect(page.get_by_test_id("unheard").locator(".page")).to_be_visible()
            found[f"{scene}, unheard"] = troubles(page, size)
    assert {scene: told for scene, told in found.items() if told} == {}
