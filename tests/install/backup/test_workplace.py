"""Whoever ends a backup finds nothing of it, however early or late."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from controller.install.backup.workplace import workplace


@pytest.fixture(autouse=True)
def _ends_by_a_signal() -> Iterator[None]:
    before = signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    yield
    signal.signal(signal.SIGTERM, before)


def end() -> None:
    """Ends this thread, the only one of whoever makes a backup; pytest's workers have others, which
    take a signal to the process."""
    signal.pthread_kill(threading.get_ident(), signal.SIGTERM)


def ended_after(function: Callable[..., Any]) -> Callable[..., Any]:
    def ends(*args: Any, **more: Any) -> Any:  # noqa: ANN401
        result = function(*args, **more)
        end()
        return result

    return ends


def works(parent: Path, meanwhile: Callable[[], None] = lambda: None) -> None:
    with workplace(parent) as folder:
        (folder / "part").write_text("x")
        (folder / "copy").mkdir()
        meanwhile()
        (folder / "last").write_text("x")


@pytest.mark.parametrize("when", ["mkdir", "rmdir"])
def test_ended_as_it_is_made_or_taken_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    monkeypatch.setattr(os, when, ended_after(getattr(os, when)))
    with pytest.raises(SystemExit):
        works(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == set()


def test_ended_meanwhile(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        works(tmp_path, end)
    assert list(tmp_path.iterdir()) == []
