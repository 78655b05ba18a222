"""Who decides at the demo's table: by itself the dealer does, on the control page a person may.

The dealer asks a `Helm` wherever somebody else could take over.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Literal, Protocol

from msgspec import Struct

from controller.contract.events import ClosedHow
from controller.contract.view import FindingView, TableView
from controller.demo.deck import Felt

Part = Literal["seats", "answers", "floor"]
PARTS: tuple[Part, ...] = ("seats", "answers", "floor")
LOOK_S = 0.25
RULED = {"muck-retrieved": "dead-hand"}
"""What the floor decides where no book says what is to be done."""


class Press(Struct, frozen=True):
    """What a seat does. `amount` is what a bet or a raise comes to on this round."""

    seat: int
    button: str
    amount: int | None = None


class Helm(Protocol):
    """What the dealer leaves to whoever is at the helm."""

    @property
    def is_void(self) -> bool:
        """Whether a misdeal was called and the hand has not begun again."""

    @property
    def plays_seats(self) -> bool:
        """Whether a person plays the seats."""

    @property
    def view(self) -> TableView:
        """The table as the dealer's screen shows it."""

    @property
    def prompt(self) -> tuple[str, Mapping[str, object]]:
        """What the table wants next: the id of the text and its arguments."""

    def press(self, seat: int) -> Press | None:
        """What a person has pressed for this seat, once."""

    async def confirm(self, finding: FindingView) -> None:
        """Answers the screen's question, or waits until somebody has."""

    async def deny(self, finding: FindingView) -> None:
        """Answers the screen's question with no, or waits until somebody has."""

    async def call_floor(self, finding: FindingView) -> None:
        """Calls the floor, or waits until somebody has."""

    async def come(self, finding: FindingView) -> None:
        """The floor comes; or waits until somebody has, and has ruled where the book does not."""

    async def may_step(self, finding: FindingView) -> bool:
        """Whether to carry out the remedy's next step; False once the finding is dismissed."""


class Automatic:
    """Nobody is at the helm: every question is answered as it is, and the floor comes."""

    is_void = False
    plays_seats = False
    view = TableView(table="", rulebook="")
    prompt: tuple[str, Mapping[str, object]] = ("", {})

    def __init__(self, felt: Felt) -> None:
        self._felt = felt

    def press(self, seat: int) -> Press | None:  # noqa: ARG002 - nobody presses
        """Returns None."""
        return None

    async def confirm(self, finding: FindingView) -> None:
        """Confirms."""
        self._felt.enter(kind="dealer", input="confirm", finding=finding.id)

    async def deny(self, finding: FindingView) -> None:
        """Dismisses."""
        self._felt.enter(kind="dealer", input="dismiss", finding=finding.id)

    async def call_floor(self, finding: FindingView) -> None:  # noqa: ARG002 - for any
        """Calls."""
        self._felt.enter(kind="dealer", input="call-floor")

    async def come(self, finding: FindingView) -> None:
        """Comes, and rules where no book says what is to be done."""
        self._felt.enter(kind="floor", input="coming", by="floor")
        outcome = RULED.get(finding.code)
        if outcome is not None:
            about = {"finding": finding.id, "outcome": outcome}
            self._felt.enter(kind="floor", input="ruling", by="floor", **about)

    async def may_step(self, finding: FindingView) -> bool:  # noqa: ARG002 - any
        """Always."""
        return True


class Shared:
    """A person may take over the seats, the dealer's answers or the floor's, and hand them back.

    What a person answers comes to the table by whatever way, the real dealer's screen and the
    floor's page among them: it is seen in the table's picture.
    """

    def __init__(
        self,
        felt: Felt,
        pause: Callable[[float], Awaitable[None]],
        view: Callable[[], TableView],
        prompt: Callable[[], tuple[str, Mapping[str, object]]],
    ) -> None:
        self._automatic = Automatic(felt)
        self._pause = pause
        self._view = view
        self._prompt = prompt
        self._pressed: Press | None = None
        self._closed: dict[int, ClosedHow] = {}
        self._steps = 0
        self.persons: frozenset[Part] = frozenset()
        self.waits_for = ""

    def take(self, part: Part) -> None:
        """A person takes a part."""
        self.persons |= {part}

    def give_back(self, part: Part) -> None:
        """The part plays by itself again."""
        self.persons -= {part}
        if part == "seats":
            self._pressed = None

    def pressed(self, press: Press) -> None:
        """A person presses for a seat."""
        self._pressed = press

    def step(self) -> None:
        """A person wants the next step of the remedy done on the felt."""
        if self.waits_for == "step":
            self._steps = 1

    def closed(self, finding: int, how: ClosedHow) -> None:
        """The table has closed a finding."""
        self._closed[finding] = how

    # --- what the dealer asks ---

    @property
    def view(self) -> TableView:
        """The table as the dealer's screen shows it."""
        return self._view()

    @property
    def prompt(self) -> tuple[str, Mapping[str, object]]:
        """What the table wants next."""
        return self._prompt()

    @property
    def is_void(self) -> bool:
        """Whether a misdeal was called and the hand has not begun again."""
        return self.view.phase == "misdeal"

    @property
    def plays_seats(self) -> bool:
        """Whether a person plays the seats."""
        return "seats" in self.persons

    def press(self, seat: int) -> Press | None:
        """What a person has pressed for this seat, once."""
        press, self._pressed = self._pressed, None
        return press if press is not None and press.seat == seat else None

    async def confirm(self, finding: FindingView) -> None:
        """Answers the question, or waits until a person has."""
        if await self._person("answers", "answer", lambda: not self._is_asked(finding.id)):
            await self._automatic.confirm(finding)

    async def deny(self, finding: FindingView) -> None:
        """Answers the question with no, or waits until a person has answered."""
        if await self._person("answers", "answer", lambda: not self._is_asked(finding.id)):
            await self._automatic.deny(finding)

    async def call_floor(self, finding: FindingView) -> None:
        """Calls the floor, or waits until a person has, or it is settled without."""
        settled = self._settled(finding)
        if await self._person("answers", "call", lambda: settled() or bool(self.view.floor)):
            await self._automatic.call_floor(finding)

    async def come(self, finding: FindingView) -> None:
        """The floor comes, or a person does and rules where the book is silent."""
        settled = self._settled(finding)
        silent = finding.ruling.outcome == "floor"

        def done() -> bool:
            return settled() or (self.view.floor == "coming" and not silent)

        if await self._person("floor", "floor", done) and self.view.floor == "called":
            await self._automatic.come(finding)

    async def may_step(self, finding: FindingView) -> bool:
        """Waits for a person to want the step, if one has the dealer's answers."""
        self._steps = 0

        def done() -> bool:
            return bool(self._steps) or self._is_dismissed(finding.id) or self.is_void

        await self._person("answers", "step", done)
        return not self._is_dismissed(finding.id)

    async def _person(self, part: Part, wait: str, done: Callable[[], bool]) -> bool:
        """Waits while a person has the part and it is not done; True if nobody has done it."""
        try:
            while part in self.persons and not done():
                self.waits_for = wait
                await self._pause(LOOK_S)
        finally:
            self.waits_for = ""
        return not done()

    def _is_asked(self, finding: int) -> bool:
        found = next((f for f in self.view.findings if f.id == finding), None)
        return found is not None and found.ruling.steps[0].id.startswith("ask-")

    def _is_dismissed(self, finding: int) -> bool:
        return self._closed.get(finding) == "dismissed"

    def _settled(self, finding: FindingView) -> Callable[[], bool]:
        """Tells whether it is closed by now or has got another outcome."""

        def settled() -> bool:
            found = next((f for f in self.view.findings if f.id == finding.id), None)
            return found is None or found.ruling.outcome != finding.ruling.outcome

        return settled
