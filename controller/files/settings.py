"""Where the data that comes with the program lies."""

from pathlib import Path


def config_dir() -> Path:
    """Return the folder of rule books, languages and other shipped data.

    An installed package carries it inside; in a checkout it is the top-level `config/`.
    """
    package = Path(__file__).resolve().parents[1]
    installed = package / "data" / "config"
    return installed if installed.is_dir() else package.parent / "config"


def themes(config: Path) -> list[str]:
    """Return the names of the walls' themes that there are under a `config` folder."""
    return sorted(path.stem for path in config.glob("themes/*.toml"))
