"""The colours of the blinds screen."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from controller.files.settings import config_dir, themes
from tests.web.looks import boxes, opened, show
from tests.web.showroom import ShowRoom


@pytest.mark.parametrize("theme", themes(config_dir()))
def test_every_theme_is_clear_in_every_state(page: Page, showroom: ShowRoom, theme: str) -> None:
    opened(page, showroom, (1920, 1080), f"?theme={theme}")
    found = {}
    for scene in ("running", "alert", "break", "ready", "paused", "last-level", "ended"):
        show(page, showroom, scene, heard=scene != "running")
        faint = [text["id"] for text in boxes(page) if text["contrast"] < 7]
        found[scene] = faint
        assert boxes(page)
    assert {scene: faint for scene, faint in found.items() if faint} == {}
    assert page.locator("html").get_attribute("data-theme") == theme
