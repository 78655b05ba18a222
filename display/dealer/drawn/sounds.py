"""The sounds of findings: short beeps, more of them the worse it is. Without a device, none."""

from __future__ import annotations

from array import array
from functools import cache
from math import pi, sin

import pygame

RATE = 22_050  # samples a second
FADE_S = 0.005  # so that no tone clicks

# (hertz, seconds, loudness 0 … 1); a loudness of 0 is a pause.
_BEEP, _GAP = (1760, 0.09, 0.7), (0, 0.06, 0.0)
_FIVE = (_BEEP, _GAP) * 5
PATTERNS = {
    1: (*_FIVE, (0, 0.25, 0.0), *_FIVE),
    2: ((1175, 0.12, 0.5), (0, 0.1, 0.0)) * 3,
    3: ((880, 0.15, 0.2),),
}


def samples(priority: int) -> array[int]:
    """Return the sound of a priority as signed 16 bit samples, one channel."""
    made = array("h")
    for each in PATTERNS[priority]:
        made += _tone(*each)
    return made


@cache
def _tone(hertz: int, seconds: float, loudness: float) -> array[int]:
    count = int(seconds * RATE)
    if not loudness:
        return array("h", bytes(2 * count))
    fade = int(FADE_S * RATE)
    edges = (min(1.0, n / fade, (count - n) / fade) for n in range(count))
    turn = 2 * pi * hertz / RATE
    return array("h", [int(32_767 * loudness * e * sin(turn * n)) for n, e in enumerate(edges)])


class Speaker:
    """Opens the sound device with the first sound, since most tables need none for hours."""

    def __init__(self) -> None:
        self.fault = ""
        """Why nothing can be heard; empty while nothing is known to be wrong."""
        self._sounds: dict[int, pygame.mixer.Sound] = {}

    def play(self, priority: int) -> None:
        """Play the sound of a priority in the place of one that still sounds; silent without a
        device."""
        if self.fault:
            return
        try:
            if not pygame.mixer.get_init():
                pygame.mixer.init(RATE, -16, 1, 1024)
                pygame.mixer.set_num_channels(1)
            if priority not in self._sounds:
                self._sounds[priority] = pygame.mixer.Sound(buffer=samples(priority))
            pygame.mixer.Channel(0).play(self._sounds[priority])
        except (pygame.error, NotImplementedError) as error:
            self.fault = str(error) or "no sound"

    def close(self) -> None:
        """Close the device."""
        self._sounds.clear()
        if pygame.mixer.get_init():
            pygame.mixer.quit()
