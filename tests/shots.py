"""Takes the pictures of the README.

`python -m tests.shots [FOLDER]` has the dealer's screen draw a moment of a lesson's log, once by
each of two rule books; then it starts `cutcard demo` and photographs the wall and the control page
with Chromium while the floor is called. With `--all FOLDER` it draws every state of the dealer's
screen in all languages and at both sizes instead.
"""

from __future__ import annotations

import asyncio
import shutil
import signal
import sys
from collections.abc import Sequence
from itertools import product
from pathlib import Path

import msgspec
from playwright.async_api import async_playwright

from controller.files.settings import config_dir
from controller.library.books import open_library
from display.dealer.command import main as dealer
from display.dealer.drawn.draw import paint
from display.dealer.layout import arrange
from display.dealer.texts import available, load
from display.drawing.pictures import blank, save
from tests.display_dealer.states import STATES

DEMO = ("demo", "--headless", "--speed", "3", "--seed", "12", "--error", "four-card-flop", "--json")
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
BROWSER_FLAGS = ("--no-sandbox", "--disable-background-networking", "--disable-sync")
PATIENCE_S = 60.0
SIZES = ((1280, 800), (800, 480))
FOUND_AT = "31.8"  # seconds in the log: it has just been found


async def take(folder: Path) -> None:
    """Writes `dealer.png`, `floor.png` (a ruling that calls the floor), `blinds.png` and
    `control.png`."""
    _draw("homepokertourney", folder / "dealer.png")
    _draw("uk-tda", folder / "floor.png")
    await _photograph(folder)


def _draw(rulebook: str, picture: Path) -> None:
    log = str(config_dir() / "lessons" / "four-card-flop.jsonl")
    replay = ("--replay", log, "--at", FOUND_AT, "--rulebook", rulebook)
    if dealer([*replay, "--shot", str(picture)]):
        raise RuntimeError("the dealer's screen could not be drawn")


def take_all(folder: Path) -> int:
    """Writes `<size>/<language>/<state>.png`; returns how many."""
    library, languages = open_library(config_dir()), available(config_dir())
    texts = {language: load(language, config_dir()) for language in languages}
    count = 0
    for name, state in STATES.items():
        table = state.table(library)
        for size, (language, words) in product(SIZES, texts.items()):
            screen = table.screen(words, state.link, languages)
            surface = blank(size)
            paint(surface, screen, arrange(*size, screen.frame))
            place = folder / "x".join(map(str, size)) / language
            place.mkdir(parents=True, exist_ok=True)
            save(surface, place / f"{name}.png")
            count += 1
        sys.stderr.write(f"\r{count} pictures")
    sys.stderr.write("\n")
    return count


class _Ready(msgspec.Struct):
    pages: dict[str, str]


async def _photograph(folder: Path) -> None:
    demo = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "controller", *DEMO, "--rulebook", "uk-tda",
        stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    try:
        async with asyncio.timeout(PATIENCE_S):
            said = await _listen(demo)
            screen = f"{said.pages['screen']}?sound=off"
            await _browse(screen, "Floor to table", folder / "blinds.png")
            control = said.pages["control"]
            await _browse(control, "Four-card flop", folder / "control.png", 1280, 800)
    finally:
        demo.send_signal(signal.SIGINT)
        await demo.wait()


async def _listen(demo: asyncio.subprocess.Process) -> _Ready:
    """Where the demo's pages are: the first line of `--json`."""
    assert demo.stdout is not None
    line = await demo.stdout.readline()
    if not line:
        raise RuntimeError("the demo ended before it was up")
    asyncio.get_running_loop().create_task(_drain(demo.stdout), name="what the demo says")
    return msgspec.json.decode(line, type=_Ready)


async def _drain(stream: asyncio.StreamReader) -> None:
    while await stream.readline():
        pass


async def _browse(
    address: str, wanted: str, picture: Path, width: int = 1920, height: int = 1080
) -> None:
    program = next((path for name in BROWSERS if (path := shutil.which(name))), None)
    if program is None:
        raise RuntimeError("no Chromium is installed to photograph the wall with")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=program, args=BROWSER_FLAGS)
        page = await browser.new_page(viewport={"width": width, "height": height})
        await page.goto(address)
        await page.get_by_text(wanted).first.wait_for()
        await page.screenshot(path=picture)
        await browser.close()


def main(argv: Sequence[str]) -> int:
    """Runs the command; returns 0, or 2 when the pictures could not be taken."""
    if argv[:1] == ["--all"]:
        if len(argv) != 2:
            sys.stderr.write("shots: --all needs a folder\n")
            return 2
        sys.stdout.write(f"{take_all(Path(argv[1]))} pictures in {argv[1]}\n")
        return 0
    folder = Path(argv[0]) if argv else Path(__file__).resolve().parents[1] / "docs"
    folder.mkdir(parents=True, exist_ok=True)
    try:
        asyncio.run(take(folder))
    except TimeoutError:
        sys.stderr.write("shots: nothing to photograph came in time\n")
        return 2
    except RuntimeError as error:
        sys.stderr.write(f"shots: {error}\n")
        return 2
    sys.stdout.write(f"pictures in {folder}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
