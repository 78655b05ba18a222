"""The project speaks of itself alone: no package index, no path of somebody's machine."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]

# The brackets keep this file from matching itself.
FORBIDDEN = {
    "a package index": re.compile(
        rb"p[y]pi\.org|pythonh[o]sted|piwh[e]els\.|npm[j]s|registry\.n[p]m|-u[r]l(?:=|\s+)http"
    ),
    "a path of one machine": re.compile(rb"/h[o]me/\w|/U[s]ers/\w|/r[o]ot/"),
}


def project_files() -> list[Path]:
    """Return all files of the checkout that git has or would take."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        check=False,
    )
    if listed.returncode == 0:
        found = [ROOT / name.decode() for name in listed.stdout.split(b"\0") if name]
    else:
        # Not a git checkout: all but caches, environments and builds.
        left_out = re.compile(r"\.(?!ci$|gitignore$)|__pycache__$|dist$|build$")
        found = [
            path
            for path in ROOT.rglob("*")
            if not any(map(left_out.match, path.relative_to(ROOT).parts))
        ]
    return [path for path in found if path.is_file()]


@pytest.mark.parametrize("what", FORBIDDEN)
def test_no_file_names(what: str) -> None:
    files = project_files()
    assert ROOT / "pyproject.toml" in files
    assert not [
        f"{path.relative_to(ROOT)}: {found[0]!r}"
        for path in files
        if (found := FORBIDDEN[what].search(path.read_bytes()))
    ]
