from __future__ import annotations

import pytest

from controller.broker.ports import free_port


@pytest.fixture
def unused_port() -> int:
    return free_port()
