"""What a machine has of a table now; nothing is changed."""

from __future__ import annotations

from pathlib import Path

from controller.install.backup.places import under
from controller.install.setup import table_plan
from controller.install.setup.machine_now import NotThereError, changed_at, machine_now, text_of
from controller.install.setup.services import Systemd
from controller.install.setup.steps import CREDENTIALS
from controller.install.setup.table_plan import TableNow
from controller.table.decks import DECK_CREDENTIAL


def table_now(root: Path, systemd: Systemd) -> TableNow:
    """What there is below a root. Raises NotThereError, ConfigError, ServicesError, OSError."""
    units = {each: systemd.unit(each) for each in table_plan.UNITS}
    if not units[table_plan.TABLE].is_installed:
        raise NotThereError("there is no table on this machine yet: sudo sh install table")
    settings = text_of(root, table_plan.SETTINGS)
    named = False
    if settings is not None:
        file = table_plan.read(settings)
        named = file.deck.file is not None or bool(file.decks)
    names = [each.name for each in under(root, CREDENTIALS).glob("cutcard.*")]
    kept = [name for name in names if not name.endswith(".part")]
    return TableNow(
        machine=machine_now(root, systemd),
        settings=settings,
        screen=text_of(root, table_plan.SCREEN) or "",
        has_deck=named or any(name.startswith(DECK_CREDENTIAL) for name in kept),
        changed_at={
            table_plan.TABLE: changed_at(
                root, table_plan.SETTINGS, *(CREDENTIALS / name for name in kept)
            ),
            table_plan.DEALER: changed_at(root, table_plan.SCREEN),
        },
        units=units,
    )
