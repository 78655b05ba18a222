"""How what is said is cut into pages: every page says what it goes on with."""

from __future__ import annotations

import pytest

from display.wall.said import Said, Wrap, pages

TABLES = tuple(f"{n}" for n in range(1, 41))
LISTED = Said("Floor to tables {}", TABLES, count=40, more="{} and {n} more")


def wrap(room: int) -> Wrap:
    """Lines of so many letters."""

    def lines(text: str) -> list[str]:
        done, line = list[str](), ""
        for word in text.split():
            longer = f"{line} {word}" if line else word
            if line and len(longer) > room:
                done.append(line)
                line = word
            else:
                line = longer
        return [*done, line]

    return lines


def read(said: Said, room: int, most: int = 1) -> list[str]:
    return ["/".join(page) for page in pages(said, wrap(room), most)]


def test_many_are_one_page_which_tells_how_many_more_there_are() -> None:
    assert read(LISTED, 36) == ["Floor to tables 1, 2, 3 and 37 more"]
    assert read(LISTED, 35) == ["Floor to tables 1, 2, 3 and 37 more"]
    assert read(LISTED, 34) == ["Floor to tables 1, 2 and 38 more"]
    assert read(LISTED, 22, 2) == ["Floor to tables 1, 2,/3, 4, 5, 6 and 34 more"]


def test_as_many_as_there_is_room_for_are_all_named() -> None:
    few = Said("Floor to tables {}", ("3", "8"), count=2, more="{} and {n} more")
    assert read(few, 40) == ["Floor to tables 3, 8"]
    of_many = Said(few.text, few.parts, count=90, more=few.more)
    assert read(of_many, 40) == ["Floor to tables 3, 8 and 88 more"]


def test_a_name_that_is_too_long_for_a_page_is_read_all_the_same() -> None:
    long = Said("Floor to tables {}", ("Stage left at the back", "2"), count=2, more="{} and {n}")
    text = " ".join(read(long, 20))
    assert text == "Floor to tables Stage left at the back and 1"


def test_a_list_of_which_all_has_to_be_read_says_on_each_page_what_it_is() -> None:
    prizes = Said("Prizes: {}", tuple(f"{n}. {n}00 €" for n in range(1, 6)), " · ")
    assert read(prizes, 30) == [
        "Prizes: 1. 100 € · 2. 200 €",
        "Prizes: 3. 300 € · 4. 400 €",
        "Prizes: 5. 500 €",
    ]
    assert read(prizes, 80) == [" ".join(read(prizes, 80))]


@pytest.mark.parametrize("most", [1, 2])
def test_every_page_begins_with_its_label(most: int) -> None:
    notice = Said("Dinner: the kitchen is open from eight until ten o'clock in the hall next door")
    found = read(notice, 28, most)
    assert len(found) > 1
    assert {page.startswith("Dinner: ") for page in found} == {True}
    read_on = " ".join(page.replace("/", " ").removeprefix("Dinner: ") for page in found)
    assert f"Dinner: {read_on}" == notice.text
    assert max(len(line) for page in found for line in page.split("/")) <= 28
    assert {page.count("/") < most for page in found} == {True}


def test_what_has_no_label_or_too_long_a_one_goes_on_without() -> None:
    plain = Said("The final table begins after the break")
    assert read(plain, 16) == ["The final table", "begins after the", "break"]
    long = Said("A very long label indeed: and more of it")
    assert " ".join(read(long, 26)) == long.text
    half = Said("Clock on table ten: seat 5 has half a minute left")
    assert read(half, 27) == ["Clock on table ten: seat 5", "has half a minute left"]


def test_words_that_stand_for_something_are_not_taken_out_of_a_name() -> None:
    odd = Said(LISTED.text, ("{}", "{n}"), count=3, more=LISTED.more)
    assert read(odd, 60) == ["Floor to tables {}, {n} and 1 more"]
