"""What the firmware does first: the host may have spoken already."""

from __future__ import annotations

import ast
from pathlib import Path

MAIN = Path(__file__).parents[2] / "firmware_bridge" / "pico" / "main.py"


def test_no_byte_is_ctrl_c_before_anything_else_is_loaded() -> None:
    """HELLO_REQUEST begins with 03; MicroPython's `kbd_intr(-1)` makes it a byte like any other."""
    first, second, *rest = ast.parse(MAIN.read_text("utf-8")).body[1:]
    assert ast.unparse(first) == "import micropython"
    assert ast.unparse(second) == "micropython.kbd_intr(-1)"
    assert "import hal" in [ast.unparse(each) for each in rest]
