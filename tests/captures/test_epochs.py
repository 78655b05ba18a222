"""What a capture says of the cards: names and faces, and what can't be told from them."""

from __future__ import annotations

from collections import Counter

from controller.capture.epochs import Epochs
from controller.capture.files import evened
from controller.contract.cards import CARDS
from controller.contract.observations import Gone, Observation, Seen, Tick
from firmware_bridge.false_names import FalseNames

DECK = {f"E0040150{n * 0x01020305 & 0xFFFFFFFF:08X}": card for n, card in enumerate(CARDS, 1)}
JOKERS = {"E004015011111112": "X1", "E004015011111113": "X2"}
OBJECTS = {"E004015000000BAD": "button", "E004015000000BAE": "badge:Ann"}
TAGS = list(DECK)


def of(epochs: Epochs, number: int = 0) -> dict[str, str]:
    """Tag → face, as the file tells it."""
    names = epochs.faces(0.0, 0).decks[number]
    return {tag: names[epochs.name(tag)] for tag in {**DECK, **JOKERS} if epochs.name(tag) in names}


def test_a_deck_stays_a_deck_and_jokers_stay_jokers() -> None:
    epochs = Epochs([{**DECK, **JOKERS}], OBJECTS)
    for _ in range(20):
        epochs.begin({})
        faces = of(epochs)
        assert sorted(faces.values()) == sorted([*CARDS, "X1", "X2"])
        assert {faces[tag] for tag in JOKERS} == {"X1", "X2"}
        told = epochs.faces(1.0, 0)
        assert sorted(told.objects.values()) == sorted(OBJECTS.values())
        assert list(told.decks[0]) == sorted(told.decks[0])
        assert not {**DECK, **JOKERS, **OBJECTS}.keys() & {*told.decks[0], *told.objects}


def test_names_and_faces_are_new_in_every_epoch_and_say_nothing_of_the_true_ones() -> None:
    epochs = Epochs([DECK], OBJECTS)
    true, repeated, first = 0, 0, Counter[str]()
    epochs.begin({})
    before, names = of(epochs), {epochs.name(tag) for tag in DECK}
    for _ in range(200):
        epochs.begin({})
        faces = of(epochs)
        true += sum(faces[tag] == DECK[tag] for tag in DECK)
        repeated += sum(faces[tag] == before[tag] for tag in DECK)
        first[min(DECK, key=epochs.name)] += 1
        assert not names & {epochs.name(tag) for tag in DECK}
        before, names = faces, {epochs.name(tag) for tag in DECK}
    # One in 52 of each is what chance gives: 200 of 10 400.
    assert 120 < true < 300
    assert 120 < repeated < 300
    assert len(first) > 40


def test_what_lies_on_the_table_keeps_its_faces_as_a_group_and_not_one_by_one() -> None:
    epochs = Epochs([DECK], OBJECTS)
    epochs.begin({})
    lying = {"muck": dict.fromkeys(TAGS[:8], True), "burn": {TAGS[10]: True}}
    changed = 0
    for _ in range(20):
        before = of(epochs)
        epochs.begin(lying)
        after = of(epochs)
        assert {before[tag] for tag in TAGS[:8]} == {after[tag] for tag in TAGS[:8]}
        assert before[TAGS[10]] == after[TAGS[10]]
        changed += sum(before[tag] != after[tag] for tag in TAGS[:8])
    assert changed > 100


def test_two_of_one_card_stay_two_of_one_card() -> None:
    deck = {**dict(list(DECK.items())[:50]), "E00401502222AAA1": "Ks", "E00401502222AAA2": "Qd",
            "E00401502222AAA3": "Ks", "E00401502222AAA4": "Qd"}  # fmt: skip
    epochs = Epochs([deck], {})
    pairs = [("E00401502222AAA1", "E00401502222AAA3"), ("E00401502222AAA2", "E00401502222AAA4")]
    copies = Counter(deck.values())
    singles = [tag for tag, code in deck.items() if code in ("Ks", "Qd")]
    for place in ({}, {"board": {"E00401502222AAA1": True}}):
        for _ in range(10):
            epochs.begin(place)
            names = epochs.faces(0.0, 0).decks[0]
            faces = {tag: names[epochs.name(tag)] for tag in deck}
            for one, other in pairs:
                assert faces[one] == faces[other]
            assert sorted(Counter(faces.values()).values()) == sorted(copies.values())
    assert len(singles) >= 4


def test_strangers_that_lie_there_are_carried_over_within_their_place() -> None:
    epochs = Epochs([DECK], OBJECTS)
    epochs.begin({})
    strangers = [f"E0070150ABCDEF{n:02X}" for n in range(4)]
    before = {epochs.name(tag) for tag in strangers}
    epochs.begin({"muck": dict.fromkeys(strangers[:3], True), "seat/1": {TAGS[0]: True}})
    carried = epochs.faces(0.0, 0).carried
    assert carried.keys() == {epochs.name(tag) for tag in strangers[:3]}
    assert set(carried.values()) < before


def test_a_second_deck_is_exchanged_by_itself() -> None:
    other = {f"E0070150{n:08X}": card for n, card in enumerate(CARDS, 1)}
    epochs = Epochs([DECK], OBJECTS)
    epochs.begin({})
    assert epochs.index(other) == 1
    epochs.begin({})
    told = epochs.faces(0.0, 1)
    assert told.deck == 1
    assert [sorted(deck.values()) for deck in told.decks] == [sorted(CARDS)] * 2
    assert not told.decks[0].keys() & told.decks[1].keys()


def test_what_happened_at_one_time_is_told_in_the_order_of_the_names() -> None:
    seen = [Seen(1.0, "board", tag) for tag in ("C", "A", "B")]
    later = [Seen(2.0, "board", "C"), Seen(2.0, "board", "A")]
    log: list[Observation] = [*seen, Tick(1.0), *later, Gone(2.0, "board", "A")]
    told = evened(log)
    assert [getattr(o, "tag", None) for o in told] == ["A", "B", "C", None, "A", "C", "A"]


def test_false_names_are_of_the_same_kind() -> None:
    names = FalseNames(bytes(32), DECK)
    for tag in ("E004015012345678", "04A1B2C3D4E5F6", "DEADBEEF", "AB", "E2801160600002AABBCCDDEE"):
        name = names.of(tag)
        assert len(name) == len(tag)
        assert name != tag
        assert name.startswith("E0") == (tag.startswith("E0") and len(tag) == 16)
        assert names.of(tag) == name
    assert len(set(names.of("7777777777777777"))) <= 2
    assert repr(names) == f"FalseNames({len(DECK) + 6})"


def test_a_card_of_another_length_is_not_known_by_it() -> None:
    deck = [*(f"04A1B2{n:08X}" for n in range(51)), "DEADBEEF"]
    names = FalseNames(bytes(range(32)), deck, deck)
    assert {len(names.of(tag)) for tag in deck} == {14}
