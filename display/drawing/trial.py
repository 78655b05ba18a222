"""A mode set for a moment, as the dealer's screen sets it: what draws, and on how many pixels.

A program of its own, for whoever wants to know and must not lose the display over it (the doctor).
It prints one JSON object: `driver`, `size` and, where a mode was set, `renderer` and `gpu`; or
`step` (`init`, `mode`, `flip`) and `error`, in SDL's words. Where there is a window system no
window is opened. With SDL_LOGGING=video=debug SDL says on standard error which card it tried.
"""

from __future__ import annotations

import ctypes
import json
import os
import sys
from pathlib import Path
from typing import Final

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from display.drawing.video import prepare, set_full_screen

_GL_RENDERER: Final = 0x1F01
"""OpenGL ES 2.0, glGetString."""


class _RendererInfo(ctypes.Structure):
    """SDL_RendererInfo, in SDL_render.h of SDL 2."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("flags", ctypes.c_uint32),
        ("format_count", ctypes.c_uint32),
        ("formats", ctypes.c_uint32 * 16),
        ("max_width", ctypes.c_int),
        ("max_height", ctypes.c_int),
    )


def main() -> int:
    """Tries, and returns 0 if something could be shown."""
    prepare(os.environ.get("SDL_VIDEODRIVER", ""))
    step = "init"
    try:
        pygame.display.init()
        driver = pygame.display.get_driver()
        if driver != "KMSDRM":
            size = (pygame.display.get_desktop_sizes() or [(0, 0)])[0]
            return _say(driver=driver, size=size)
        step = "mode"
        surface = set_full_screen()
        step = "flip"
        surface.fill((0, 0, 0))
        pygame.display.flip()
        renderer, gpu = _drawn_by()
        return _say(driver=driver, size=surface.get_size(), renderer=renderer, gpu=gpu)
    except pygame.error as error:
        _say(step=step, error=str(error))
        return 1
    finally:
        pygame.display.quit()


def _say(**told: object) -> int:
    sys.stdout.write(json.dumps(told) + "\n")
    sys.stdout.flush()
    return 0


def _drawn_by() -> tuple[str, str]:
    """SDL's renderer and, by OpenGL, what it runs on; empty where SDL does not tell."""
    maps = Path("/proc/self/maps").read_text("utf-8").splitlines()
    loaded = [line.split()[-1] for line in maps if "libSDL2-2" in line]
    if not loaded:
        return "", ""
    sdl = ctypes.CDLL(loaded[0])
    sdl.SDL_GetWindowFromID.restype = ctypes.c_void_p
    sdl.SDL_GetRenderer.restype = ctypes.c_void_p
    sdl.SDL_GetRenderer.argtypes = [ctypes.c_void_p]
    sdl.SDL_GetRendererInfo.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    sdl.SDL_GL_GetCurrentContext.restype = ctypes.c_void_p
    sdl.SDL_GL_GetProcAddress.restype = ctypes.c_void_p
    sdl.SDL_GL_GetProcAddress.argtypes = [ctypes.c_char_p]
    renderer = sdl.SDL_GetRenderer(sdl.SDL_GetWindowFromID(1))
    info = _RendererInfo()
    if not renderer or sdl.SDL_GetRendererInfo(renderer, ctypes.byref(info)) != 0:
        return "", ""
    name = (info.name or b"").decode(errors="replace")
    get_string = sdl.SDL_GL_GetProcAddress(b"glGetString")
    if not get_string or not sdl.SDL_GL_GetCurrentContext():
        return name, ""
    said = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.c_uint)(get_string)(_GL_RENDERER)
    return name, (said or b"").decode(errors="replace")


if __name__ == "__main__":
    sys.exit(main())
