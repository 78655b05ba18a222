"""What hangs on a Pico, by GPIO number, as supplied: the form that `cutcard pico` fills in.

A board gets what is here unless its file in config/boards or your boards.toml says otherwise, by
these names in lower case (`spi_hz = 250000`): write it there and `cutcard pico flash` it again.
docs/pico.md explains. As it stands: three PN5180 side by side, ten buttons, three lamps.
"""

# Bus, SCK, MOSI, MISO; all PN5180, and all PN532 on SPI, share it. None if there are none.
SPI = (0, 18, 19, 16)

# Its clock. A bus in a star of half a metre begins low; a PN5180 takes 7000000 (docs/pico.md).
SPI_HZ = 1000000

# chip PN5180: nss, busy, reset, and irq if it is wired. Chip PN532: uart, tx, rx, reset; or
# bus "spi": nss, reset; or bus "i2c": i2c, sda, scl, reset. With an antenna switch, select: its
# pins, lowest bit first.
READERS = (
    {"chip": "PN5180", "nss": 17, "busy": 20, "reset": 21},
    {"chip": "PN5180", "nss": 22, "busy": 26, "reset": 27},
    {"chip": "PN5180", "nss": 13, "busy": 14, "reset": 15},
)

# Zone 0, 1, …: which reader (by its place above), which of its antennas.
ZONES = ((0, 0), (1, 0), (2, 0))

# Pairs of zones whose antennas are never energised together.
NEIGHBOURS = ((0, 1), (1, 2))

# Where zones of this Pico meet another Pico's: two wires, crossed, keep them from being
# energised together. Exactly one side is `first`. For example
# BORDERS = ({"zones": (2,), "ours": 1, "theirs": 12, "first": True},)
BORDERS = ()

# A full scan cycle, in milliseconds.
CYCLE_MS = 160

# The longest visit to an antenna in a cycle, in milliseconds: a pile is read over several, so
# that seats beside it are not kept waiting. 0: no limit, for a board that has piles alone.
VISIT_MS = 60

# Button 0, 1, …: each from its GPIO to ground.
BUTTONS = (2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

# WS2812: the GPIO of the chain, how many lamps; the first is lamp 0. (0, 0) if there are none.
LAMPS = (28, 3)
