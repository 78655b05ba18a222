"""How an account of a hand ends: pots, who wins what, and the new stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from controller.contract.events import Result
from controller.replay.ledger import Ledger
from controller.replay.words import Words, sentence


def result(
    words: Words, event: Result, ledger: Ledger | None, seat: Callable[[int], str]
) -> list[str]:
    """The texts, as far as it is known what became of the chips; `seat` puts one into words."""
    texts = [words.say("over")]
    back = None if ledger is None else ledger.refund(event)
    if back is not None:
        texts.append(words.say("refund", seat=seat(back[0]), chips=words.chips(back[1])))
    for n, pot in enumerate(event.pots):
        name = "side-pot" if n else "main-pot" if event.pots[1:] else "pot"
        line = name if len(pot.seats) > 1 else f"{name}-uncontested"
        seats = words.listed([seat(one) for one in pot.seats])
        texts.append(words.say(line, n=n, chips=words.chips(pot.amount), seats=seats))
    for one, won in (event.awards or {}).items():
        texts.append(words.say("wins", seat=seat(int(one)), chips=words.chips(won)))
    if not event.pots:
        texts.append(words.say("pots-unknown"))
    elif event.awards is None:
        texts.append(words.say("winner-unknown"))
    if event.stacks:
        texts.append(words.say("stacks"))
        stacks = {int(one): stack for one, stack in event.stacks.items()}
        texts += _stacks(words, stacks, ledger, seat)
    return texts


def _stacks(
    words: Words, stacks: Mapping[int, int], ledger: Ledger | None, seat: Callable[[int], str]
) -> Iterator[str]:
    """A line for each seat: what it has now and by how much that is more or less."""
    wide = max(len(words.chips(stack)) for stack in stacks.values())
    broad = max(len(seat(one)) for one in stacks)
    for one, stack in stacks.items():
        player = None if ledger is None else ledger.player(one)
        text = words.chips(stack).rjust(wide)
        if player is not None and player.stack is not None:
            won = stack - player.stack
            change = f"{'+' if won > 0 else '-'}{words.chips(abs(won))}"
            change = change if won else words.say("no-change")
            text = words.say("stack-line", chips=text, change=change)
        yield f"  {sentence(seat(one)).ljust(broad)}  {text}"
