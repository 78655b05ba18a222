"""The wheel: what the commands need inside, and a `cutcard` that works without the checkout."""

import csv
import json
import os
import re
import subprocess
import sys
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import grimp  # import-linter brings it
import pytest

from controller.__main__ import COMMANDS
from controller.library.catalogue import CatalogueRule
from tests.packaging.built import wheel_in

ROOT = Path(__file__).parents[2]
PLACES = {
    "firmware_bridge": "firmware_bridge",
    "controller": "controller",
    "display": "display",
    "config": "controller/data/config",
    "systemd": "controller/data/systemd",
}
STARTED = (
    "controller.simulate.counter",
    "controller.simulate.generator",
    "display.drawing.trial",
    "firmware_bridge.flashing.try_wiring",
)
"""Modules that a command starts in a process of their own."""
ALSO = r"firmware_bridge\.(pico\.|trial\.cycles$|virtual\.port$|readers\.\w+\.virtual$)"
"""What goes onto a Pico, what takes its place on a desk and times it; readers made of software;
and what the facts in the rule books mean."""
LOG = [
    {
        "kind": "table",
        "v": 1,
        "table": "1",
        "rulebook": "uk-tda",
        "seats": [{"seat": seat, "stack": 1000} for seat in (1, 2, 3)],
        "button": 1,
        "blinds": {"small": 5, "big": 10},
    },
    {"kind": "open", "t": 0.0},
    {"kind": "riffle", "t": 1.0},
]


def run(*command: str | Path, cwd: Path, log: str = "") -> str:
    """Return the standard output of `command`, run with nothing of ours in its environment."""
    environment = {"PATH": os.environ["PATH"], "PIP_DISABLE_PIP_VERSION_CHECK": "1"}
    done = subprocess.run(
        command, cwd=cwd, env=environment, input=log, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return wheel_in(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> Path:
    """Return the bin folder of an environment with the wheel in it.

    The libraries are those of this environment, lent by a path file; an editable cutcard among
    them does not come along, since path files are read in the lender's own folder only.
    """
    folder = tmp_path_factory.mktemp("an environment")
    venv.create(folder)
    (site,) = folder.glob("lib/python*/site-packages")
    lent = next(path for path in sys.path if path.endswith("site-packages"))
    (site / "lent.pth").write_text(f"{lent}\n", encoding="utf-8")
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    run(*pip, "install", "--quiet", "--no-index", "--no-deps", "--force", wheel, cwd=folder)
    return folder / "bin"


def test_holds_the_files_of_the_checkout_but_the_cases_of_the_rules(wheel: Path) -> None:
    cases = set((ROOT / "controller" / "rules").glob("*.toml"))
    assert ROOT / "controller" / "rules" / "card_count.toml" in cases
    expected = {
        f"{place}/{path.relative_to(ROOT / folder)}"
        for folder, place in PLACES.items()
        for path in {*(ROOT / folder).rglob("*")} - cases
        if path.is_file() and "__pycache__" not in path.parts
    }
    with ZipFile(wheel) as archive:
        found = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert found == expected


def test_every_module_serves_a_command(wheel: Path) -> None:
    """Those that only developers run are in tests/."""
    graph = grimp.build_graph("firmware_bridge", "controller", "display", cache_dir=None)
    entries = {"controller.__main__", *STARTED, *(each.module for each in COMMANDS.values())}
    served = entries.union(*map(graph.find_upstream_modules, entries))
    with ZipFile(wheel) as archive:
        inside = {
            name.removesuffix(".py").replace("/", ".")
            for name in archive.namelist()
            if name.endswith(".py") and not name.endswith("/__init__.py")
        }
    assert served <= inside | {name.rpartition(".")[0] for name in inside}
    assert not {name for name in inside - served if not re.match(ALSO, name)}


def test_the_catalogue_has_what_is_read_of_it(wheel: Path) -> None:
    with ZipFile(wheel) as archive:
        text = archive.read("controller/data/config/catalogue.csv").decode()
    columns = next(csv.reader([text.partition("\n")[0]]))
    assert columns == [*CatalogueRule.__struct_fields__]


@pytest.mark.parametrize(
    "kind",
    [
        "controller/data/config/rulebooks/*.toml",
        "controller/data/config/languages/*.toml",
        "display/fonts/*.ttf",
        "display/web/**/*.html",
        "cutcard-*.dist-info/licenses/LICENSE",
    ],
)
def test_holds_some(wheel: Path, tmp_path: Path, kind: str) -> None:
    with ZipFile(wheel) as archive:
        archive.extractall(tmp_path)
    assert [*tmp_path.glob(kind)]


def test_runs_away_from_the_checkout(environment: Path, tmp_path: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert run(environment / "cutcard", "--version", cwd=tmp_path) == (
        f"cutcard {project['version']}\n"
    )
    script = "import controller.files.settings as s; print(s.__file__); print(s.config_dir())"
    module, config = map(Path, run(environment / "python", "-c", script, cwd=tmp_path).splitlines())
    assert module.is_relative_to(environment.parent)
    assert config.is_relative_to(environment.parent)
    assert (config / "rulebooks" / "roberts.toml").is_file()


@pytest.mark.parametrize("book", sorted(path.stem for path in ROOT.glob("config/rulebooks/*.toml")))
def test_replays_with_the_rule_books_inside(environment: Path, tmp_path: Path, book: str) -> None:
    log = "".join(json.dumps(line) + "\n" for line in LOG)
    command = (environment / "cutcard", "replay", "-", "--json", "--rulebook", book)
    events = [json.loads(line) for line in run(*command, cwd=tmp_path, log=log).splitlines()]
    assert [event["hand"] for event in events if event["kind"] == "start"] == [1]
