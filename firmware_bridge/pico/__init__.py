"""MicroPython for the table's microcontrollers; the files beside this one go onto a Pico.

They import each other by their plain names, as they lie on the Pico, and only there or
under MicroPython's unix port (see `firmware_bridge.pico.sim`) do they run.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
SHIPPED = FOLDER / "wiring.py"
"""The wiring as supplied: what a board does not say is as it is here."""
