"""How long a site is without a room once the one that leads is killed."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from statistics import median

from controller.broker.own import start_broker
from tests.bench.figures import Figure
from tests.commands.fake_table import SITE
from tests.web.two_rooms import Client, Room

PLAYERS = 2_000
MOST_S = 5.0


def measure(rounds: int) -> list[Figure]:
    """Of two rooms with so many players the one that leads is killed, again and again, from then
    until the pages of the other answer."""
    took: list[float] = []
    with (
        tempfile.TemporaryDirectory() as folder,
        start_broker(SITE, [], kind="mosquitto") as broker,
    ):
        leads = Room(broker, Path(folder) / "0")
        client = Client(leads)
        names = [{"name": f"Player {number}"} for number in range(PLAYERS)]
        client.ask("players/import", {"players": names})
        try:
            for number in range(rounds):
                other = Room(broker, Path(folder) / str(number + 1))
                other.has_all()
                client.ask("players/enter", {"name": f"Late {number}"})
                began = time.monotonic()
                leads.kill()
                leads = client.room = other
                leads.leads()
                known = client.names()
                took.append(time.monotonic() - began)
                assert len(known) == PLAYERS + number + 1, "something was lost"
        finally:
            leads.kill()
    said = f"a room with {PLAYERS:,} players is killed → the other has answered with all of them"
    return [
        Figure(f"{said}, median of {rounds}", median(took), "s", MOST_S),
        Figure("…, longest", max(took), "s", MOST_S),
    ]
