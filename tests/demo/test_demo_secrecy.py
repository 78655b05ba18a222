"""Anyone may look on at the demo, and nobody learns of a card that lies face down."""

from __future__ import annotations

import json
import os
import re
import socket
import stat
import threading
import tomllib
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from tests.demo.runs import Onlooker, Running, running
from tests.leaving import leave
from tests.waiting import PATIENCE_S, wait_until

CARD = re.compile(rb'"([2-9TJQKA][shdc])"')


def listen(path: str, into: list[bytes]) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(path)
        while chunk := client.recv(65536):
            into.append(chunk)


def kept(folder: Path) -> set[bytes]:
    """All that the demo keeps in files, but the table's deck."""
    files = [p for p in folder.rglob("*") if p.is_file() and p.name != "deck.toml"]
    assert any(p.name.startswith("journal.sqlite") for p in files)
    found = set()
    for each in files:
        with suppress(FileNotFoundError):  # it has another name by now
            found.add(each.read_bytes())
    return found


def held_open(pids: list[int], deck: Path) -> set[bytes]:
    """What is in the files that these processes have open."""
    found = set()
    for pid in pids:
        for fd in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(FileNotFoundError):
                if stat.S_ISREG(fd.stat().st_mode) and fd.resolve() != deck:
                    found.add(fd.read_bytes())
    return found


def look_around(show: Running, folder: Path) -> set[bytes]:
    pids = [show.child(name) for name in ("table", "room", "dealer")]
    opened = held_open(pids, folder / "deck.toml")
    assert opened
    return kept(folder) | opened


def forms(tag: str) -> list[bytes]:
    """A tag as it could be written; in capitals its second half is enough."""
    raw = bytes.fromhex(tag)
    return [tag[8:].encode(), tag.lower().encode(), raw, raw[::-1]]


def once(blobs: set[bytes]) -> set[bytes]:
    """The same without what most of them have in common: page by page of a database, each with the
    beginning of the next."""
    return {blob[at : at + 4096 + 16] for blob in blobs for at in range(0, len(blob), 4096)}


@pytest.mark.long
def test_an_onlooker_sees_everything_but_what_lies_face_down() -> None:
    arguments = ("--speed", "5", "--seed", "7", "--error", "four-card-flop", "--hands", "1")
    book = ("--rulebook", "nl-2010")
    lines: list[bytes] = []
    env = {**os.environ, "SDL_VIDEODRIVER": "dummy"}
    with running(*arguments, *book, "--json", env=env) as show:
        ready = show.ready()
        onlooker = Onlooker(int(ready["mqtt"].rpartition(":")[2]))
        path = Path(show.wait_for(r"screens at (\S+)")[1])
        threading.Thread(target=listen, args=(str(path), lines), daemon=True).start()
        show.wait_for(r'"phase":"preflop"')
        tags = tomllib.loads((path.parent / "deck.toml").read_text())
        assert stat.S_IMODE((path.parent / "deck.toml").stat().st_mode) == 0o600
        files = look_around(show, path.parent)
        show.wait_for(r'"kind":"finding"')
        files |= look_around(show, path.parent)
        show.wait_for(r'"phase":"complete"')
        files |= look_around(show, path.parent)
        assert show.process.wait(PATIENCE_S) == 0
        onlooker.close()
    heard = [payload for _, payload in onlooker.messages]

    # It saw all there is to see.
    states = [state for state, _ in groupby(m["state"] for m in onlooker.of("tables/T1/$state"))]
    assert states == ["ready", "lost"]
    assert onlooker.of("room/$state")[-1]["state"] == "lost"
    assert onlooker.of("tables/T1/hand")[-1]["view"]["phase"] == "complete"
    assert onlooker.of("tables/T1/health")
    assert onlooker.of("room/clock")[-1]["blinds"] == {"small": 50, "big": 100}
    alerts = [payload for topic, payload in onlooker.messages if "/alerts/" in topic]
    first = json.loads(alerts[0])["finding"]
    assert first["code"] == "four-card-flop"
    assert first["ruling"]["rulebook"] == "nl-2010"
    assert alerts[-1] == b""
    told = [m["seq"] for m in onlooker.of("tables/T1/events")]
    numbers = list(dict.fromkeys(told))  # QoS 1: some may come twice
    first_heard = numbers[0]  # it may have come late
    assert numbers == list(range(first_heard, first_heard + len(numbers)))
    events = onlooker.events("T1")
    said = [json.loads(line) for line in show.lines if line.startswith('{"kind"')]
    assert {"start", "action", "finding", "closed", "result"} <= {e["kind"] for e in said}
    assert "finding" in {e["kind"] for e in events}
    assert said[-len(events) :] == events

    # No tag in any form, and no card by its name but those that lay face up.
    assert len(tags) == 53  # a joker is in the box
    pages = once(files)
    everything = b"\0".join([*heard, *lines, *pages, "".join(show.lines).encode()])
    assert lines
    assert not [1 for tag in tags for form in forms(tag) if form in everything]
    faced = {c for e in events if e["kind"] == "board" for c in e["cards"]}
    faced |= {c for e in events if e["kind"] in ("tabled", "finding") for c in e["cards"]}
    told = [json.loads(line) for line in b"".join(lines).split(b"\n")[:-1]]
    views = [line["view"] for line in told if line.get("view")]
    lay = {c for view in views for c in view.get("on_board") or () if c}
    assert len(lay - faced) == 4, "the flop of four, at the dealer's screen only"
    elsewhere = b"\0".join([*heard, *pages, "".join(show.lines).encode()])
    assert {c.decode() for c in CARD.findall(elsewhere)} == faced
    assert {c.decode() for c in CARD.findall(everything)} == faced | lay


def test_the_nameless_may_publish_nothing() -> None:
    codes: list[ReasonCode] = []
    with running("--headless", "--json") as show:
        port = int(show.ready()["mqtt"].rpartition(":")[2])
        onlooker = Onlooker(port)
        client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        client.on_publish = lambda _c, _u, _m, code, _p: codes.append(code)
        client.connect("127.0.0.1", port)
        client.loop_start()
        for topic in ("cutcard/1/demo/tables/T1/cmd/misdeal", "cutcard/1/demo/room/clock", "x"):
            client.publish(topic, b"forged", qos=1).wait_for_publish(PATIENCE_S)
        leave(client)
        wait_until(lambda: onlooker.messages)
        onlooker.close()
    assert [str(code) for code in codes] == ["Not authorized"] * 3
    assert b"forged" not in [payload for _, payload in onlooker.messages]
    assert onlooker.messages
