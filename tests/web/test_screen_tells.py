"""What a looker-on can get out of a room about alerts: no more than the house tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from controller.broker.client import Incoming, MqttClient
from controller.broker.own import RunningBroker
from controller.contract.messages import ROOM_CLOCK, ROOM_TOURNAMENT
from controller.room.tables import SETTLE_MS
from controller.room.view import ScreenSetup
from controller.room.walls import WallsTell
from tests.commands.fake_table import SITE
from tests.web.hall import EVENING, Hall

TITLE = "Four-card flop"
CHOICES: tuple[WallsTell, ...] = ("none", "calls", "all")
OPEN_TO_ALL = ("screen", "screen?lang=de", "pocket", "healthz", "pocket.json", "")


@pytest.fixture
def told(request: pytest.FixtureRequest, broker: RunningBroker) -> Iterator[Hall]:
    """A room that tells so much, has a finding at T1 and has paused its clock for it."""
    hall = Hall(
        broker,
        EVENING,
        ["T1", "T2"],
        screen=ScreenSetup(alerts=request.param),
        pause_on_dispute=True,
    )
    hall.start()
    begun_ms = hall.room.view().now_ms
    hall.until(lambda: hall.room.view().now_ms - begun_ms > SETTLE_MS)
    hall.alert("T1", 1, TITLE)
    hall.until(lambda: hall.room.view().state == "paused")
    yield hall
    hall.stop()


def streamed(hall: Hall, path: str) -> list[bytes]:
    """What a stranger's page is told in its first seconds."""
    found: list[bytes] = []
    with hall.client() as client, client.stream("GET", path) as stream:
        for line in stream.iter_lines():
            if line.startswith("data: "):
                found.append(line[6:].encode())
            if len(found) == 3:
                return found
    return found


@pytest.mark.parametrize("told", CHOICES, indirect=True)
def test_a_browser_is_sent_no_more_than_the_house_tells(
    told: Hall, request: pytest.FixtureRequest
) -> None:
    tells = request.node.callspec.params["told"]
    screens = streamed(told, "screen/events") + streamed(told, "screen/events?lang=de")
    phones = streamed(told, "pocket/events")
    with told.client() as client:
        pages = [client.get(path).content for path in OPEN_TO_ALL]
    everything = b"\n".join((*screens, *phones, *pages))
    assert (TITLE.encode() in everything) is (tells == "all")
    last: dict[str, Any] = json.loads(screens[2])
    assert [each["text"] for each in last["alerts"]] == {
        "none": [],
        "calls": ["Floor to table {}"],
        "all": ["Floor to table {}", f"{TITLE}: table {{}}"],
    }[tells]
    assert (
        last["said"]
        == {
            "none": [],
            "calls": ["Table T1"],
            "all": [f"{TITLE}: table T1"],
        }[tells]
    )
    assert (
        json.loads(screens[5])["said"]
        == {
            "none": [],
            "calls": ["Tisch T1"],
            "all": [f"{TITLE}: Tisch T1"],
        }[tells]
    )
    with told.client("viewer") as client:
        desk = client.get("clock.json").json()
    assert desk["alert_count"] == 1  # whoever runs the room knows anyway


@pytest.mark.parametrize("told", CHOICES, indirect=True)
def test_a_wall_at_the_broker_is_told_no_more_either(
    told: Hall, broker: RunningBroker, request: pytest.FixtureRequest
) -> None:
    tells = request.node.callspec.params["told"]
    heard: dict[str, bytes] = {}

    def took(incoming: Incoming) -> None:
        heard[incoming.topic] = incoming.payload

    topics = {row.name(SITE) for row in (ROOM_CLOCK, ROOM_TOURNAMENT)}

    wall = MqttClient(broker.screen, "a wall")
    for topic in topics:
        wall.subscribe(topic)

    async def listen() -> None:
        wall.start(took)

    told.wait_for(listen)
    told.until(lambda: topics <= heard.keys())
    said = ROOM_TOURNAMENT.decode(heard[ROOM_TOURNAMENT.name(SITE)]).value.alerts
    assert [each.kind for each in said] == {
        "none": [],
        "calls": ["call"],
        "all": ["call", "finding"],
    }[tells]
    assert (TITLE.encode() in b"".join(heard.values())) is (tells == "all")
    told.wait_for(wall.close)
