"""The room's own process shows the history that its settings name."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import httpx

from controller.archive.opening import open_archive
from tests.archive.nights import a_hand, told
from tests.waiting import PATIENCE_S
from tests.web.hall import JOIN, joined


def test_the_pages_read_the_store_that_the_settings_name(tmp_path: Path) -> None:
    store = tmp_path / "elsewhere.sqlite"
    archive = open_archive(store)
    archive.add(told([a_hand(1), a_hand(2, finding=1)]))
    archive.close()
    settings = tmp_path / "room.toml"
    settings.write_text(f'[history]\nstore = "{store.name}"\nroom_writes = false\n')
    command = f"--config {settings} --web-port 0 --broker 127.0.0.1:1".split()
    with subprocess.Popen(
        [sys.executable, "-m", "display.web.command", *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env=os.environ | JOIN | {"XDG_STATE_HOME": str(tmp_path)},
    ) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://\S+", process.stdout.readline())
            assert found
            client = httpx.Client(base_url=found[0], headers=joined(found[0]), timeout=PATIENCE_S)

            def page(path: str) -> str:
                answer = client.get(path)
                assert answer.status_code == 200
                return answer.text

            index = page("")
            assert 'href="/history"' in index
            assert 'href="/statistics"' in index
            assert page("history").count('data-testid="hand"') == 2
            assert page("history?code=burn-missing").count('data-testid="hand"') == 1
            assert "No burn card" in page("history/T1/2")
            assert 'data-testid="headline"' in page("statistics?span=all")
            client.close()
            process.send_signal(signal.SIGTERM)
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
