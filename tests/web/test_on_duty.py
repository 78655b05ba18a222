"""Whose tables somebody has who signs on, and who is a director there."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from controller.room import shift
from controller.room.acts import ActError
from controller.room.staff import Person, Role
from display.web.on_duty import signing_on
from tests.web.floor_page import opened
from tests.web.hall import Hall

CARL = Person("Carl", "floor", "", ("T2", "T3"))


def on_duty(hall: Hall, name: str) -> shift.PersonOnDuty:
    def there() -> list[shift.PersonOnDuty]:
        return [each for each in hall.get(hall.room.view).shift.people if each.name == name]

    hall.until(there)
    return there()[0]


def test_own_tables_are_a_section_of_ones_name() -> None:
    assert signing_on(CARL, {"on": True, "sections": [], "actor": "Ada"}) == (
        ("section", {"actor": "Ada", "name": "Carl", "tables": ("T2", "T3")}),
        ("duty", {"on": True, "sections": ["Carl"], "actor": "Ada"}),
    )
    for fields in (
        {"on": True, "sections": ["Front"], "actor": "Carl"},
        {"on": False, "actor": "Carl"},
    ):
        assert signing_on(CARL, fields) == (("duty", fields),)


@pytest.mark.parametrize("role", ["viewer", "floor"])
def test_only_a_director_signs_on_as_one(role: Role) -> None:
    with pytest.raises(ActError, match=r"^Carl is not a director$"):
        signing_on(Person("Carl", role, ""), {"on": True, "director": True, "actor": "Carl"})
    fields = {"on": True, "director": True, "actor": "Carl"}
    assert signing_on(Person("Carl", "director", ""), fields) == (("duty", fields),)


def test_the_room_knows_both(fresh_hall: Hall) -> None:
    with fresh_hall.client("floor", "Carl") as client:
        fresh_hall.get(lambda: fresh_hall.door.store.set_tables("Carl", ("T1",)))
        refused = client.post("alerts/duty", json={"on": True, "director": True})
        assert (refused.status_code, refused.json()) == (409, {"error": "Carl is not a director"})
        assert client.post("alerts/duty", json={"on": True, "sections": []}).status_code == 200
        assert on_duty(fresh_hall, "Carl").tables == ("T1",)
        assert fresh_hall.get(fresh_hall.room.view).shift.sections["Carl"] == ("T1",)
        fresh_hall.cookie("director", "Dora")
        other = {"on": True, "person": "Dora", "director": True}
        assert client.post("alerts/duty", json=other).status_code == 200
        assert on_duty(fresh_hall, "Dora").director
        assert client.post("alerts/duty", json={"on": True, "person": "Guest"}).status_code == 200
        assert on_duty(fresh_hall, "Guest").everything


def test_the_page_says_whose_tables_they_are(phone: Page, hall: Hall) -> None:
    opened(phone, hall, "Carl")
    hall.get(lambda: hall.door.store.set_tables("Carl", ("T2",)))
    phone.reload()
    phone.click("#off-duty")
    expect(phone.locator("#ask")).to_contain_text("your own tables are yours: T2")
    expect(phone.locator("#ask-fields")).not_to_contain_text("irector")
    phone.click("#ask-choices >> text=Sign on")
    assert on_duty(hall, "Carl").sections == ("Carl",)
