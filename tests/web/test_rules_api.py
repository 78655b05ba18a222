"""What the room answers to questions about the rules: to whom, how much, and to nonsense."""

from __future__ import annotations

import random
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest

from controller.people.staff import ROLES, Role
from controller.rule_desk.typed import WORDS
from display.web.rules import LONGEST, MOST
from display.web.wager_form import AMOUNTS, FIRST, FLAGS, MEANT
from tests.web.past import Past

PATHS = ("/rules", "/rules.json?q=flop", "/rules/bet.json?big=100&chips=100")


@pytest.fixture(scope="module")
def room() -> Iterator[Past]:
    with Past(None) as running:
        yield running


def bet(room: Past, **fields: str) -> tuple[int, dict[str, object]]:
    query = urlencode({name.replace("_", "-"): value for name, value in fields.items()})
    answer = room.answer(f"/rules/bet.json?{query}")
    return answer.status_code, answer.json()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("role", [None, *ROLES])
def test_everybody_who_is_signed_in_may_read_them(room: Past, path: str, role: Role | None) -> None:
    assert room.answer(path, role).status_code == (200 if role else 401)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_changed_there(room: Past, path: str) -> None:
    with room.client("admin", "Ada") as client:
        assert client.post(path, json={}).status_code == 405


def test_an_answer_has_so_many_rules_and_says_how_many_more(room: Past) -> None:
    told = room.answer("/rules.json?q=bet&book=roberts").json()
    assert len(told["rules"]) == MOST
    assert told["said"].split()[0] == str(MOST + int(told["more"].split()[0]))
    assert {each["book"] for each in told["rules"]} == {"Robert's Rules"}


@pytest.mark.parametrize(
    ("query", "fault"),
    [
        ({"q": "x" * (LONGEST + 1)}, "That is too long: at most 200 characters."),
        ({"q": "flop", "book": "uk-tdaa"}, "There is no 'uk-tdaa' to choose."),
    ],
    ids=["long", "book"],
)
def test_what_cant_be_asked_is_refused_in_words(
    room: Past, query: dict[str, str], fault: str
) -> None:
    answer = room.answer(f"/rules.json?{urlencode(query)}")
    assert (answer.status_code, answer.json()) == (400, {"error": fault})


def test_each_id_of_an_address_is_found_or_named_as_unknown(room: Past) -> None:
    told = room.answer("/rules.json?q=uk-35,TDA09-28;HOUSE-1+RR7-NL-13").json()
    assert {each["id"] for each in told["rules"]} == {"UK-35", "TDA09-28", "RR7-NL-13"}
    assert told["unknown"] == "In none of our books: HOUSE-1"


def test_a_code_that_is_a_plain_word_finds_what_has_the_word_too(room: Past) -> None:
    found = [each["id"] for each in room.answer("/rules.json?q=joker").json()["rules"]]
    with_word = [each["id"] for each in room.answer("/rules.json?q=joker+jokers").json()["rules"]]
    assert len(found) > 1
    assert set(with_word) <= set(found)


@pytest.mark.parametrize(
    ("fields", "fault"),
    [
        ({"big": "0"}, {"big": "The big blind is missing."}),
        ({"big": "²"}, {"big": "'²' is not a number of chips."}),
        ({"big": "1.5"}, {"big": "'1.5' is not a number of chips."}),
        ({"big": "9" * 13}, {"big": f"'{'9' * 13}' is not a number of chips."}),
        ({"big": "1" * 201}, {"big": "That is too long: at most 200 characters."}),
        ({"big": "5", "chips": "9999x1,2x5"}, {"chips": "At most 1000 chips in one motion."}),
        ({"big": "5", "chips": "99999999999x1"}, {"chips": "'99999999999x1' are not chips: "}),
        ({"big": "5", "chips": "0"}, {"chips": "'0' are not chips: "}),
        ({"big": "5", "word": "rise"}, {"word": "There is no 'rise' to choose."}),
        ({"big": "5", "first": "cards"}, {"first": "There is no 'cards' to choose."}),
        ({"big": "5", "closed": "yes"}, {"closed": "There is no 'yes' to choose."}),
        ({"big": "5", "book": "../x"}, {"book": "There is no '../x' to choose."}),
        ({"big": "5", "bigg": "6"}, {"bigg": "There is no field 'bigg'."}),
    ],
    ids=lambda each: "" if not isinstance(each, dict) else "-".join(each)[:20],
)
def test_a_wrong_field_is_named_with_what_is_wrong(
    room: Past, fields: dict[str, str], fault: dict[str, str]
) -> None:
    status, told = bet(room, **fields)
    assert status == 400
    faults = told["faults"]
    assert isinstance(faults, dict)
    assert list(faults) == list(fault)
    for field, words in fault.items():
        assert str(faults[field]).startswith(words)
        assert words in str(told["error"])


@pytest.mark.parametrize("typed", ["1500", "1,500", "1.500", "1 500", "1\u202f500", "1'500"])
def test_thousands_may_be_set_apart_as_people_do(room: Past, typed: str) -> None:
    _, told = bet(room, big="100", word="bet", amount=typed)
    assert told["what"] == "Bet 1,500."


def test_an_answer_speaks_the_language_that_is_asked_for(room: Past) -> None:
    _, told = bet(room, big="500", facing="1100", raised_by="600", chips="1000,5x100", lang="de")
    assert told["what"] == "Raise auf 1.700."
    assert told["book"] == "UK TDA"
    assert "fehlt" in str(bet(room, lang="de")[1]["error"])


def test_whatever_is_filled_in_has_an_answer_in_words(room: Past) -> None:
    dice = random.Random(1150)
    amounts = ("", "0", "1", "50", "100", "150", "1000", "999999999999", "-1", "x")
    chips = ("", "100", "25", "3x100", "1000,5x100", "999x999999999999", "1000x1", ",", "5x")
    fields = {
        **dict.fromkeys(AMOUNTS, amounts),
        **dict.fromkeys(FLAGS, ("", "", "1")),
        **dict.fromkeys(("chips", "then"), chips),
        "word": ("", *WORDS),
        "first": FIRST,
        "meant": MEANT,
        "book": ("uk-tda", "roberts", "nl-2010", "tda-2009", "tda-2024", "homepokertourney"),
    }
    answered = 0
    for _ in range(400):
        given = {name: dice.choice(some) for name, some in fields.items() if dice.random() < 0.4}
        answer = room.answer(f"/rules/bet.json?{urlencode({'big': '100'} | given)}")
        assert answer.status_code in (200, 400), given
        told = answer.json()
        assert told["error"] if answer.status_code == 400 else told["what"], given
        answered += answer.status_code == 200
    assert answered > 50
