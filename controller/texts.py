"""The engine's words in the table's language (`config/languages/`)."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct


class Texts(Struct, frozen=True):
    """A step's or prompt's id → its text, and a finding's code → its title."""

    steps: Mapping[str, str]
    prompts: Mapping[str, str]
    findings: Mapping[str, str]
