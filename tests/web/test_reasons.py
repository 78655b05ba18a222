"""Why a dealer has dismissed something, as the floor and the history read it."""

from __future__ import annotations

import pytest

from controller.files.settings import config_dir
from controller.library.languages import languages
from display.dealer.looking import REASONS
from display.dealer.taps import ANSWERED_NO
from display.web.speech import speech
from display.web.words import page_words


@pytest.mark.parametrize("reason", [*REASONS, ANSWERED_NO])
@pytest.mark.parametrize("language", languages(config_dir()))
def test_each_of_the_dealers_screen_is_in_words(language: str, reason: str) -> None:
    said = speech(language).reason(reason)
    assert said == page_words("floor", language)[f"reason-{reason}"]
    assert "-" not in said


def test_what_somebody_has_typed_stays() -> None:
    assert speech("de").reason("cards shown at seat 3-4") == "cards shown at seat 3-4"
