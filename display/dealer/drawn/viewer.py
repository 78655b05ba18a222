"""A window that shows pictures that have been: Left and Right step from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pygame

from display.dealer.replay.watching import Watched


def show(
    surface: pygame.Surface,
    pictures: Sequence[Watched],
    paint: Callable[[pygame.Surface, Watched], object],
) -> None:
    """Shows the last of `pictures`, then what is asked for; returns when the window is closed."""
    at = len(pictures) - 1
    while True:
        paint(surface, pictures[at])
        pygame.display.set_caption(f"cutcard · {pictures[at].t:.2f} s")
        pygame.display.flip()
        event = pygame.event.wait()
        if event.type == pygame.QUIT:
            return
        if event.type == pygame.KEYDOWN:
            if event.key == pygame.K_ESCAPE:
                return
            step = {pygame.K_LEFT: -1, pygame.K_RIGHT: 1}.get(event.key, 0)
            at = min(max(at + step, 0), len(pictures) - 1)
