"""What an action amounted to, as a dealer asks at the screen: the engine knows the bet, the book
judges, and the answer stands in the picture for as long as it holds."""

from __future__ import annotations

from collections.abc import Callable

from controller.contract.observations import Observation, Press, Undo
from controller.contract.picture import AnswerNow
from controller.contract.wagered import WagerAnswer, WagerQuestion
from controller.engine.engine import Engine


class Wagers:
    """One answer at a time, to the last question. Nothing of it is kept or told to the room."""

    def __init__(self, engine: Engine, show: Callable[[AnswerNow], None]) -> None:
        """`show` is given each answer, and None in its place once it is past."""
        self._engine = engine
        self._show = show
        self._answer: WagerAnswer | None = None

    def ask(self, question: WagerQuestion) -> bool:
        """Answers; False before the table is set up."""
        answer = self._engine.amounts_to(question)
        self._now(answer)
        return answer is not None

    def observed(self, observation: Observation) -> None:
        """The engine has taken this: an answer is past once somebody acts, an entry is taken back,
        or it would be another one."""
        if self._answer is None:
            return
        is_past = isinstance(observation, Press | Undo)
        if is_past or self._engine.amounts_to(self._answer.question) != self._answer:
            self._now(None)

    def _now(self, answer: WagerAnswer | None) -> None:
        if answer != self._answer:
            self._answer = answer
            self._show(AnswerNow(answer))
