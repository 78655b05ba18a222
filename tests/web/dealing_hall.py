"""A hall whose tables deal hands, with the director at the players' page in a browser."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from controller.broker.own import start_broker
from controller.library.books import Library
from controller.room.structure import Structure
from display.web.serving.access.who import COOKIE
from tests.commands.fake_table import SITE
from tests.web.dealing_table import DealingTable
from tests.web.hall import Hall


@contextmanager
def dealing_hall(
    browser: Browser, library: Library, structure: Structure, names: Sequence[str]
) -> Iterator[tuple[Hall, dict[str, DealingTable], Page]]:
    """Its clock is not started; all tables of these names are there."""
    with start_broker(SITE, names) as broker:
        hall = Hall(broker, structure, [], start=False, tell_tables=True)
        hall.start()
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        try:

            def sit_down() -> dict[str, DealingTable]:
                made = {name: DealingTable(broker.tables[name], name, library) for name in names}
                for table in made.values():
                    table.start()
                return made

            tables = hall.get(sit_down)
            hall.until(lambda: len([t for t in hall.room.view().tables if t.live]) == len(names))
            kept = hall.cookie("director", "Dora")
            context.add_cookies([{"name": COOKIE, "value": kept, "url": hall.url}])
            page = context.new_page()
            page.goto(f"{hall.url}players")
            yield hall, tables, page
            for table in tables.values():
                hall.wait_for(table.client.close)
        finally:
            context.close()
            hall.stop()
