"""The wall's sounds: made here, so that there is no file to lose."""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from math import pi, sin
from typing import Literal

import pygame

RATE = 22_050
_LOUDEST = 26_000
_EDGE_S = 0.012  # a tone begins and ends softly, else it clicks
_WAKE_S = 0.25  # a television takes that long to notice that there is sound

Name = Literal["test", "minute", "change"]
TONES: Mapping[Name, Sequence[tuple[float, float]]] = {
    "test": ((523.25, 0.12), (783.99, 0.18)),
    "minute": ((880.0, 0.22), (0.0, 0.12), (880.0, 0.22)),
    "change": ((659.25, 0.25), (880.0, 0.25), (1108.73, 0.55)),
}
"""Tones one after another: Hz (0 is a rest) and seconds."""


class SoundError(Exception):
    """There is nothing to sound on; the text says why."""


def samples(tones: Sequence[tuple[float, float]]) -> bytes:
    """The tones as 16 bit samples of one channel, `RATE` a second, after a short silence."""
    made = array("h", bytes(2 * int(RATE * _WAKE_S)))
    for pitch, seconds in tones:
        count = int(RATE * seconds)
        for number in range(count):
            edge = min(1.0, min(number, count - number) / (RATE * _EDGE_S))
            made.append(int(_LOUDEST * edge * sin(2 * pi * pitch * number / RATE)))
    return made.tobytes()


class Speaker:
    """Plays the sounds. Raises SoundError at once where there is no sound."""

    def __init__(self) -> None:
        try:
            pygame.mixer.init(RATE, -16, 1, 2048)
        except pygame.error as error:
            raise SoundError(str(error)) from error
        self._sounds = {
            name: pygame.mixer.Sound(buffer=samples(tones)) for name, tones in TONES.items()
        }
        self.played: list[Name] = []

    def play(self, name: Name) -> None:
        """Begin to play; returns at once."""
        self._sounds[name].play()
        self.played = [*self.played[-9:], name]

    def close(self) -> None:
        """Give the sound card back."""
        pygame.mixer.quit()
