"""Where the data that comes with the program lies."""

from pathlib import Path


def config_dir() -> Path:
    """Return the folder of rule books, languages and other shipped data.

    An installed package carries it inside; in a checkout it is the top-level `config/`.
    """
    package = Path(__file__).resolve().parent
    installed = package / "data" / "config"
    return installed if installed.is_dir() else package.parent / "config"
