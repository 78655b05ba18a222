"""What the dealer does at each step of a remedy, as a verb: `config/steps.toml`."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from msgspec import Struct

from controller.contract.observations import nearest
from controller.files.toml_file import ConfigError, convert, read_toml
from controller.library.languages import keys

QUESTION = "ask-"
"""A step that begins so is answered and has no verb."""
PLAIN = "noted"
"""Of a step of a house's own."""


class _File(Struct, frozen=True, forbid_unknown_fields=True):
    verbs: dict[str, str]


def read_verbs(config: Path) -> Mapping[str, str]:
    """The verb of each step, which every language file has words for under `[verbs]`. Raises
    ConfigError, also where a step has none."""
    path = config / "steps.toml"
    found = convert(path, read_toml(path, may_quote=True), _File).verbs
    verbs, steps = keys("verbs"), keys("steps")
    wanted = [step for step in steps if not step.startswith(QUESTION)]
    for step, verb in found.items():
        _known(path, "step", step, wanted)
        _known(path, f"verb of {step}", verb, verbs)
    for step in wanted:
        if step not in found:
            raise ConfigError(f"{path}: step {step} has no verb")
    return found


def _known(path: Path, what: str, name: str, names: Collection[str]) -> None:
    if name not in names:
        raise ConfigError(f"{path}: unknown {what} '{name[:60]}'{nearest(name, list(names))}")
