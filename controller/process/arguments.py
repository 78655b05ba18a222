"""How a command reads its arguments, and how it says what is wrong with them."""

from __future__ import annotations

import argparse
from typing import NoReturn


class ArgumentParser(argparse.ArgumentParser):
    """Tells a mistake in one line, `cutcard NAME: fault`, and ends with status 2."""

    def error(self, message: str) -> NoReturn:
        """See the class."""
        self.exit(2, f"{self.prog}: {' '.join(message.split())}\n")
