"""`cutcard pico build`: MicroPython for a Pico with our firmware in it, from Debian's sources.

The firmware is frozen: it runs from flash and takes no memory, and only `wiring.py` is in the file
system. The build says in its binary info which state of the firmware it has.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path

from controller.install.pico.sources import BuildError, fetch, run
from controller.install.pico.stock import built_file
from firmware_bridge.flashing.chips import Chip
from firmware_bridge.flashing.firmware import MARK, base, built, digest, sources

PROGRAMS = {
    "arm-none-eabi-gcc": "gcc-arm-none-eabi libnewlib-arm-none-eabi",
    "arm-none-eabi-g++": "libstdc++-arm-none-eabi-newlib",
    "cmake": "cmake",
    "make": "make",
    "gcc": "gcc",
    "g++": "g++",
    "dpkg-deb": "dpkg",
    "apt-get": "apt",
}
"""What has to be installed, and in which of Debian's packages it is."""
_EPOCH = "1735689600"
"""What the build takes for now, so that it is the same each time: 2025-01-01."""


def build(
    chips: Sequence[Chip], output: Path, say: Callable[[str], None], *, keep: Path | None = None
) -> None:
    """Build for each chip into `output`. Raises BuildError, or OSError.

    `keep` is a folder to build in that stays afterwards.
    """
    missing = [package for name, package in PROGRAMS.items() if shutil.which(name) is None]
    if missing:
        raise BuildError(
            "it can't be built here yet. Type this, then try again:\n"
            f"sudo apt-get install -y --no-install-recommends {' '.join(missing)}"
        )
    with ExitStack() as stack:
        folder = keep
        if folder is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="cutcard-pico-")))
        folder = folder.absolute()
        folder.mkdir(parents=True, exist_ok=True)
        if not (folder / "fetched").exists():
            fetch(folder, say)
            (folder / "fetched").touch()
        output.mkdir(parents=True, exist_ok=True)
        for chip in chips:
            say(f"building for a {chip.called}: a few minutes; {folder / 'log'} grows")
            data = built(_binary(chip, folder), chip)
            known = base(data)
            if not known.frozen:
                raise BuildError("what was built does not say which firmware it has")
            file = built_file(chip, output)
            fresh = file.with_suffix(".new")
            fresh.write_bytes(data)
            fresh.replace(file)
            say(f"{file}: MicroPython {known.info.version}, SHA-256 {known.sha256}")


def _binary(chip: Chip, folder: Path) -> bytes:
    """The build's binary, from the beginning of the flash on."""
    files = sources()
    frozen = folder / "firmware"
    shutil.rmtree(frozen, ignore_errors=True)
    frozen.mkdir()
    for name, data in files.items():
        (frozen / name).write_bytes(data)
    manifest = folder / "manifest.py"
    manifest.write_text(f'freeze("$(PORT_DIR)/modules")\nfreeze("{frozen}")\n', "utf-8")
    into = folder / f"build-{chip.board}"
    shutil.rmtree(into, ignore_errors=True)
    environment = {
        "CFLAGS": f'-DPICO_PROGRAM_DESCRIPTION=\\"{MARK}{digest(files)}\\" '
        f"-ffile-prefix-map={folder}=.",
        "SOURCE_DATE_EPOCH": _EPOCH,
        "PYTHONHASHSEED": "0",  # MicroPython's makemoduledefs.py writes sets as they come
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    log = folder / "log"
    configure = [
        *("cmake", "-S", str(folder / "micropython/ports/rp2"), "-B", str(into)),
        f"-DPICO_SDK_PATH_OVERRIDE={folder / 'pico-sdk'}",
        f"-DMICROPY_BOARD={chip.board}",
        f"-DMICROPY_FROZEN_MANIFEST={manifest}",
        "-DPICO_NO_PICOTOOL=1",  # it would only turn the binary into UF2, as we do
    ]
    run(configure, environment=environment, log=log)
    jobs = str(os.cpu_count() or 1)
    run(["cmake", "--build", str(into), "-j", jobs], environment=environment, log=log)
    return (into / "firmware.bin").read_bytes()


__all__ = ["PROGRAMS", "BuildError", "build"]
