"""The players over HTTP: what is asked of the register, its files, and who may."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

import httpx
import msgspec
import pytest

from controller.people.staff import ROLES, Role
from controller.room.seat_draw import AtSeat, Draw, seats
from display.web.serving.body import MAX_ACT
from tests.web.clockroom import ClockRoom, clock_room
from tests.web.desk_page import EVENING
from tests.web.players_page import emptied

TABLES = [{"table": f"T{number}", "seats": 9} for number in (1, 2, 10)]


@pytest.fixture
def room() -> Iterator[ClockRoom]:
    """A room with three tables, in which nobody has entered."""
    with clock_room() as running:
        emptied(running).act("tables", tables=TABLES)
        yield running


@pytest.fixture
def dora(room: ClockRoom) -> Iterator[httpx.Client]:
    with room.client("director", "Dora") as client:
        yield client


def picture(client: httpx.Client) -> dict[str, Any]:
    found: dict[str, Any] = client.get("players.json").json()
    return found


def sent(client: httpx.Client, file: bytes) -> tuple[int, dict[str, Any]]:
    answer = client.post("players-file", content=file)
    return answer.status_code, answer.json()


def test_what_is_asked_of_the_register_is_done_or_the_reason_is_said(dora: httpx.Client) -> None:
    done = dora.post("players/enter", json={"name": "Ann Lee"}).json()
    assert (done["accepted"], done["state"]) == (True, "ready")
    ann = done["player"]
    assert dora.post("players/sit", json={"player": ann, "table": "T2", "seat": 4}).is_success
    shown = picture(dora)
    (player,) = shown["players"]
    assert (player["name"], player["at"]) == ("Ann Lee", {"table": "T2", "seat": 4})
    assert [shown[each] for each in ("entered", "left", "unseated", "free")] == [1, 1, 0, 26]
    refused = dora.post("players/sit", json={"player": ann, "table": "T7", "seat": 4})
    assert refused.status_code == 409
    assert refused.json() == {"error": "there is no table T7 in this tournament"}
    history = dora.get("clock.json").json()["history"]
    assert history[-2]["text"] == "Dora seated Ann Lee at table T2, seat 4"
    assert history[-1]["text"] == "Dora tried to seat a player"


def test_only_what_is_about_players_is_asked_here(dora: httpx.Client) -> None:
    for name in ("start", "tournament", "notice"):
        answer = dora.post(f"players/{name}", json={})
        assert (answer.status_code, f"there is no '{name}'" in answer.text) == (409, True)
    assert dora.post("players/stnad", json={}).json() == {
        "error": "there is no 'stnad'; did you mean 'stand'?"
    }


def test_who_is_out_is_asked_here_and_back_in_by_his_finish(
    room: ClockRoom, dora: httpx.Client
) -> None:
    for name in ("Ann", "Bob", "Cleo"):
        dora.post("players/enter", json={"name": name})
    told = dora.post("players/bust", json={"entrant": "p2"}).json()
    line = picture(dora)["players"][1]
    assert (line["status"], line["place"], line["finish"]) == ("out", 3, told["finish"])
    assert room.room.view().tournament.players_left == 2
    assert dora.post("players/unbust", json={"id": told["finish"]}).is_success
    assert picture(dora)["players"][1]["status"] == "entered"
    lines = [each["text"] for each in dora.get("clock.json").json()["history"][-2:]]
    assert lines == ["Dora marked Bob out", "Dora brought Bob back in"]


def test_who_was_the_last_one_out_is_taken_back_by_the_answer(
    room: ClockRoom, dora: httpx.Client
) -> None:
    """The winner, who is named in the same act, has a finish of his own."""
    for name in ("Ann", "Bob"):
        dora.post("players/enter", json={"name": name})
    room.act("start")
    told = dora.post("players/bust", json={"entrant": "p2"}).json()
    assert [each.place for each in room.room.view().finishes] == [1, 2]
    assert dora.post("players/unbust", json={"id": told["finish"]}).is_success
    assert picture(dora)["left"] == 2


def test_of_whom_something_was_recorded_only_floor_and_directors_read(
    room: ClockRoom, dora: httpx.Client
) -> None:
    dora.post("players/enter", json={"name": "Ann Lee", "table": "T1", "seat": 1})
    penalty = {"player": "p1", "unit": "rounds", "amount": 2, "reason": "abuse"}
    assert dora.post("players/penalise", json=penalty).is_success
    assert dora.post("players/warn", json={"player": "p1", "reason": "phone"}).is_success
    assert dora.post("players/pardon", json={"id": 1}).is_success
    with room.client("viewer", "Vic") as vic:
        lines = [each["text"] for each in vic.get("clock.json").json()["history"][-3:]]
        assert vic.get("conduct.csv").status_code == 403
    assert lines == [
        "Dora gave a player a penalty",
        "Dora warned a player",
        "Dora took back a warning or a penalty",
    ]
    assert "abuse" in dora.get("conduct.csv").text


def test_a_file_comes_in_whole_and_the_log_says_who_did_it(dora: httpx.Client) -> None:
    names = "".join(f"Player {number},c{number},yes\n" for number in range(1, 71))
    status, told = sent(dora, f"name,id,paid\n{names}".encode())
    assert (status, told["count"]) == (200, 70)
    assert picture(dora)["unseated"] == 70
    did = dora.get("clock.json").json()["history"][-1]
    assert did["text"] == "Dora imported 70 players"
    assert dora.post("players/withdraw", json={"player": "c7"}).is_success
    history = dora.get("clock.json").json()["history"]
    assert history[-1]["text"] == "Dora withdrew Player 7"


def test_columns_of_a_file_that_are_left_out_are_named(dora: httpx.Client) -> None:
    status, told = sent(dora, b"sep=;\nSpieler;E-Mail;Bezahlt\nAnn;a@b.c;WAHR\n")
    assert (status, told["count"], told["left_out"]) == (200, 1, ["E-Mail"])
    assert [each["paid"] for each in picture(dora)["players"]] == [True]


@pytest.mark.parametrize(
    ("file", "reason"),
    [
        (b"", "line 1: there is no player in this file"),
        (b"name,id\nAnn,a\nBob,a\n", "line 3: the id a is Ann's"),
        (b"name\nAnn\nBob\nann\n", "line 4: ann has entered already; who has the same name"),
        (b"id,paid\n7,yes\n", "line 1: the column 'name' is missing"),
        (b"name,table\nAnn,T1\n", "line 1: the column 'seat' is missing"),
        (b"name,seta\nAnn,4\nAnn,5\n", "line 3: Ann has entered already"),
        (b"name,table,seat\nAnn,T1,4\nBob,T1,4\n", "line 3: Ann sits at table T1, seat 4"),
        (b"name,table,seat\nAnn,T1,4\nBob,T9,4\n", "line 3: there is no table T9"),
        (b"name,table,seat\nAnn,T1,4\nBob,T1,\n", "line 3: a seat needs its table"),
        (b"name\nAnn\nJ\xf6rg\n", "line 3: this is not UTF-8; save it as 'CSV UTF-8'"),
        ("name\nAnn\nJörg\n".encode("utf-16"), "line 1: this is not UTF-8"),
        (b"name,paid\nAnn,perhaps\n", "line 2: 'perhaps' is neither yes nor no"),
    ],
)
def test_of_a_file_with_a_fault_nobody_comes_in(
    dora: httpx.Client, file: bytes, reason: str
) -> None:
    dora.post("players/enter", json={"name": "Zoe"})
    status, told = sent(dora, file)
    assert status == 409
    assert told["error"].startswith(reason)
    assert "\n" not in told["error"]
    assert [each["name"] for each in picture(dora)["players"]] == ["Zoe"]


def test_a_file_of_a_spreadsheet_with_semicolons_comes_in(dora: httpx.Client) -> None:
    file = '\ufeffName;Table;Seat;Paid\r\nJörg Müller;T1;4;ja\r\n"Lee; Ann";;;nein\r\n;;;\r\n'
    assert sent(dora, file.encode())[0] == 200
    assert [(each["name"], each.get("at")) for each in picture(dora)["players"]] == [
        ("Jörg Müller", {"table": "T1", "seat": 4}),
        ("Lee; Ann", None),
    ]


def test_what_was_saved_comes_in_again(room: ClockRoom, dora: httpx.Client) -> None:
    room.act("import", players=[{"name": "Jörg", "table": "T1", "seat": 2}, {"name": "=SUM(A1)"}])
    saved = dora.get("players.csv")
    assert saved.headers["content-type"].startswith("text/csv; charset=utf-8")
    assert "players.csv" in saved.headers["content-disposition"]
    assert saved.content.startswith("\ufeff".encode())
    rows = list(csv.reader(io.StringIO(saved.content.decode("utf-8-sig"))))
    assert rows[1] == ["Jörg", "p1", "T1", "2", "no", "seated", ""]
    assert rows[2][0] == "'=SUM(A1)"  # or a spreadsheet would count
    room.act("clear")
    assert sent(dora, saved.content)[0] == 200
    again = picture(dora)["players"]
    assert [each["name"] for each in again] == ["Jörg", "=SUM(A1)"]
    assert again[0]["at"] == {"table": "T1", "seat": 2}


def test_thousands_come_in_at_once_and_no_more_than_there_may_be(dora: httpx.Client) -> None:
    file = "name,id,paid\n" + "".join(
        f"A player with quite a long name {number},club-{number:06},yes\n"
        for number in range(5_000)
    )
    assert len(file) > 2 * MAX_ACT
    assert sent(dora, file.encode())[1]["count"] == 5_000
    assert sent(dora, b"name\nOne more\n")[1] == {"error": "a register has at most 5000 players"}
    answer = dora.post("players-file", content=b"name\n" + b"x" * 2_000_000)
    assert answer.status_code == 413
    assert picture(dora)["entered"] == 5_000


def test_anybody_who_asks_can_check_a_draw(room: ClockRoom, dora: httpx.Client) -> None:
    room.act("import", players=[{"name": f"Player {number}"} for number in range(20)])
    room.act("sit", player="p3", table="T1", seat=1)
    told = dora.post("players/draw", json={"seed": "of the public"}).json()
    assert (told["count"], told["seed"]) == (19, "of the public")
    with room.client("floor", "Flo") as flo:
        (drawn,) = flo.get("players/draws.json").json()["draws"]
    draw = msgspec.convert(drawn["draw"], Draw)
    given = tuple(AtSeat(**each) for each in drawn["given"])
    assert seats(draw) == given
    sat = {each["id"]: AtSeat(**each["at"]) for each in picture(dora)["players"]}
    assert {one: sat[one] for one in draw.players} == dict(zip(draw.players, given, strict=True))
    assert dora.get("clock.json").json()["history"][-1]["text"] == (
        "Dora drew seats for 19 players with the seed of the public"
    )
    dora.post("players/enter", json={"name": "Late"})
    unnamed = dora.post("players/draw", json={}).json()
    assert len(unnamed["seed"]) == 16


READ = ("players", "players.json", "players.csv", "players/draws.json", "players/cards")
ASKED = ("players/enter", "players/import", "players/draw", "players/bust", "players-file")


@pytest.mark.parametrize("role", [None, *ROLES])
def test_who_may_what(room: ClockRoom, role: Role | None) -> None:
    rank = -1 if role is None else ROLES.index(role)
    with room.client(role, f"a {role}") as client:
        for path in READ:
            status = client.get(path).status_code
            assert status == (200 if rank >= ROLES.index("floor") else 401 if role is None else 403)
        for path in ASKED:
            status = client.post(path, content=b"x").status_code
            assert (status in (400, 409)) == (rank >= ROLES.index("director")), path
    assert room.room.view().register.players == ()


def told(client: httpx.Client, count: int, then: Any) -> list[dict[str, Any]]:  # noqa: ANN401
    """The first pictures of the stream; `then` is done after the first one."""
    found: list[dict[str, Any]] = []
    with client.stream("GET", "players/events") as stream:
        for line in stream.iter_lines():
            if not line.startswith("data: "):
                continue
            found.append(json.loads(line.removeprefix("data: ")))
            if len(found) == 1:
                then()
            if len(found) == count:
                break
    return found


def test_the_list_is_sent_when_it_has_changed_and_not_each_second(
    room: ClockRoom, dora: httpx.Client
) -> None:
    room.act("enter", name="Ann")
    first, second, third = told(dora, 3, lambda: None)
    assert len(first["players"]) == 1
    assert "players" not in second
    assert "players" not in third
    assert second["now_ms"] - first["now_ms"] < 15_000
    assert {each["session"] for each in (first, second)} == {first["session"]}
    room.act("reset")
    after = told(dora, 2, lambda: room.act("enter", name="Bob"))
    assert [len(each["players"]) for each in after] == [1, 2]


def test_another_act_of_the_desk_sends_no_list(room: ClockRoom, dora: httpx.Client) -> None:
    room.act("enter", name="Ann")
    _, second = told(dora, 2, lambda: room.act("notice", text="Tea", minutes=1))
    assert "players" not in second


def test_late_registration_ends_with_its_level(room: ClockRoom, dora: httpx.Client) -> None:
    assert len(EVENING.entries) > 2
    dora.post("players/late", json={"level": 0})
    assert picture(dora)["closed"] is False
    room.act("start")
    shown = picture(dora)
    assert (shown["late_until"], shown["closed"]) == (0, True)
    assert sent(dora, b"name\nAnn\n")[1] == {"error": "late registration ended with level 0"}


def test_papers_have_everyone_who_sits(room: ClockRoom, dora: httpx.Client) -> None:
    seated = [("Zoe <b>", "T10", 2), ("ann", "T2", 1), ("Bob", "T2", 9)]
    room.act("import", players=[{"name": n, "table": t, "seat": s} for n, t, s in seated])
    room.act("enter", name="Nowhere")
    cards = dora.get("players/cards").text
    assert "Nowhere" not in cards
    assert cards.index("ann") < cards.index("Bob") < cards.index("Zoe &lt;b&gt;")  # by the table
    by_name, _, by_table = dora.get("players/list").text.partition("by-table")
    assert by_name.index("ann") < by_name.index("Bob") < by_name.index("Zoe &lt;b&gt;")
    assert by_table.index("Table T2") < by_table.index("Table T10")
    assert "Sitzlisten" in dora.get("players/list?lang=de").text


@pytest.mark.parametrize("name", ["warn", "penalise", "pardon", "disqualify"])
@pytest.mark.parametrize("role", ROLES)
def test_the_floor_may_warn_and_penalise_and_the_director_disqualifies(
    room: ClockRoom, role: Role, name: str
) -> None:
    for seat, player in enumerate(("Ann", "Bob"), 1):
        room.act("enter", name=player, table="T1", seat=seat)
    room.act("warn", player="p1")
    fields: dict[str, dict[str, object]] = {
        "penalise": {"player": "p1", "unit": "hands", "amount": 1},
        "pardon": {"id": 1},
    }
    with room.client(role, "Flo") as client:
        answer = client.post(f"players/{name}", json=fields.get(name, {"player": "p1"}))
    least: Role = "director" if name == "disqualify" else "floor"
    may = ROLES.index(role) >= ROLES.index(least)
    assert answer.status_code == (200 if may else 403)


def test_what_was_given_is_a_file_for_the_floor_and_nobody_else(room: ClockRoom) -> None:
    room.act("enter", name="=Ann", table="T1", seat=4)
    room.act("warn", player="p1", reason="phone; again")
    room.act("penalise", player="p1", unit="rounds", amount=2)
    with room.client("floor", "Flo") as client:
        answer = client.get("conduct.csv")
    rows = list(csv.reader(io.StringIO(answer.text.removeprefix("\ufeff"))))
    assert rows[0][1:6] == ["name", "id", "given", "amount", "reason"]
    assert rows[1][1:9] == ["'=Ann", "p1", "warning", "", "phone; again", "Ann", "T1", "4"]
    assert (rows[2][3:5], rows[2][-1]) == (["rounds", "2"], "runs")
    with room.client("viewer", "Vi") as client:
        assert client.get("conduct.csv").status_code == 403
