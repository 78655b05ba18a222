"""How an account of a hand begins: the level, the button and a line for each seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from controller.contract.events import Start
from controller.replay.ledger import Ledger, names
from controller.replay.printing import WIDTH, wrapped
from controller.replay.words import Words, fill, person, sentence
from controller.rules.button import Positions


def header(
    words: Words, event: Start, where: Positions, ledger: Ledger, people: Mapping[int, str]
) -> list[str]:
    """The lines; `people` are the players' names by seat, where they are known."""
    begins = [words.say("begins", hand=event.hand, t=f"{event.t:.1f}")]
    if event.redeal_of is not None:
        begins.append(words.say("redeal", hand=event.redeal_of))
    if event.implied:
        begins.append(words.say("implied"))
    return [
        "=" * WIDTH,
        *(line for text in begins for line in wrapped(text, 0)),
        *wrapped(" ".join(_level(words, event, where, people)), 0),
        "",
        *_columns(_rows(words, event, where, ledger, people)),
    ]


def _level(
    words: Words, event: Start, where: Positions, people: Mapping[int, str]
) -> Sequence[str]:
    """Who deals, the blinds and where the button is, a sentence each."""
    seats = [s.seat for s in event.seats]
    blinds = event.blinds
    given = {
        "small": words.chips(blinds.small),
        "big": words.chips(blinds.big),
        "ante": words.chips(blinds.ante),
    }
    said = [] if event.dealer is None else [words.say("dealer", name=person(event.dealer))]
    said.append(words.say("level-ante" if blinds.ante else "level", **given))
    if event.button in seats:
        said.append(words.say("button", seat=words.seat(event.button, people)))
    else:
        said.append(words.say("dead-button", seat=event.button))
    if where.small not in seats:
        said.append(words.say("dead-small", seat=where.small))
    return [sentence(text) for text in said]


def _rows(
    words: Words, event: Start, where: Positions, ledger: Ledger, people: Mapping[int, str]
) -> list[tuple[str, str, str, str]]:
    """Seat, name, stack and position of each player, with what he posts."""
    positions = names(where, [s.seat for s in event.seats])
    rows = []
    for each in event.seats:
        key, n = positions.get(each.seat, ("", 0))
        position = fill(words.positions.get(key, key), {"n": n})
        player = ledger.player(each.seat)
        if player is not None and player.bet:
            line = "posts-all-in" if player.all_in else "posts"
            position = words.say(line, position=position, chips=words.chips(player.bet))
        stack = "" if each.stack is None else words.chips(each.stack)
        seat = words.say("column", seat=each.seat)
        rows.append((seat, people.get(each.seat, ""), stack, position))
    return rows


def _columns(rows: Sequence[tuple[str, str, str, str]]) -> list[str]:
    """The rows below one another; a column of which nothing is known is left out."""
    seats, people, stacks = (max(len(row[i]) for row in rows) for i in range(3))
    lines = []
    for seat, name, stack, position in rows:
        cells = [seat.ljust(seats), name.ljust(people), stack.rjust(stacks), position]
        lines.append("  " + "  ".join(cell for cell in cells if cell))
    return lines
