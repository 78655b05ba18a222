"""What in a wiring.py can't be, said in plain words before anything is switched on."""

_BORDER = ("zones", "ours", "theirs", "first")
_KEYS = {"PN5180": ("nss", "busy", "reset"), "PN532": ("uart", "tx", "rx", "reset")}
_MORE = {"PN5180": ("chip", "select", "irq"), "PN532": ("chip", "select")}
SPI_HZ = 1000000
_SLOWEST_HZ = 100000
_FASTEST_HZ = 7000000  # PN5180 data sheet, 11.4.1


def spi_hz(wiring):
    """Return the SPI clock that the wiring asks for, 1 MHz if it does not say."""
    return getattr(wiring, "SPI_HZ", SPI_HZ)


def visit_ms(wiring):
    """Return the longest visit to an antenna in a cycle, 60 ms if the wiring does not say."""
    return getattr(wiring, "VISIT_MS", 60)


def check(wiring):
    """Raise ValueError if readers, zones, neighbours or borders do not fit each other."""
    hz = spi_hz(wiring)
    if not isinstance(hz, int) or not _SLOWEST_HZ <= hz <= _FASTEST_HZ:
        said = "SPI_HZ is %r: a PN5180 takes %d to %d" % (hz, _SLOWEST_HZ, _FASTEST_HZ)
        raise ValueError(said)
    visit = visit_ms(wiring)
    if not isinstance(visit, int) or not (visit == 0 or 10 <= visit <= 1000):
        raise ValueError("VISIT_MS is %r: 0 for no limit, or 10 to 1000" % (visit,))
    for number, reader in enumerate(wiring.READERS):
        name = "reader %d" % number
        chip = reader.get("chip")
        if chip not in _KEYS:
            raise ValueError("%s: chip %r is neither PN5180 nor PN532" % (name, chip))
        for key in _KEYS[chip]:
            if key not in reader:
                raise ValueError("%s: a %s needs %s" % (name, chip, key))
        for key in reader:
            if key not in _MORE[chip] and key not in _KEYS[chip]:
                raise ValueError("%s: a %s has no %s" % (name, chip, key))
        if chip == "PN5180" and not wiring.SPI:
            raise ValueError("%s: a PN5180 needs SPI" % name)
    for number, (reader, antenna) in enumerate(wiring.ZONES):
        name = "zone %d" % number
        if not 0 <= reader < len(wiring.READERS):
            raise ValueError("%s: there is no reader %d" % (name, reader))
        if not 0 <= antenna < 1 << len(wiring.READERS[reader].get("select", ())):
            raise ValueError("%s: reader %d has no antenna %d" % (name, reader, antenna))
        first = wiring.ZONES.index((reader, antenna))
        if first != number:
            raise ValueError("%s is the same antenna as zone %d" % (name, first))
    for pair in wiring.NEIGHBOURS:
        for zone in pair:
            if not 0 <= zone < len(wiring.ZONES):
                raise ValueError("NEIGHBOURS: there is no zone %d" % zone)
    for number, border in enumerate(wiring.BORDERS):
        name = "border %d" % number
        for key in _BORDER:
            if key not in border:
                raise ValueError("%s: a border needs %s" % (name, key))
        for key in border:
            if key not in _BORDER:
                raise ValueError("%s: a border has no %s" % (name, key))
        if not isinstance(border["zones"], tuple):
            said = "%s: zones are %r, no tuple: (2,) is one" % (name, border["zones"])
            raise ValueError(said)  # noqa: TRY004 - every mistake in the file is told alike
        for zone in border["zones"]:
            if not 0 <= zone < len(wiring.ZONES):
                raise ValueError("%s: there is no zone %s" % (name, zone))
    if len(wiring.BUTTONS) > 255 or wiring.LAMPS[1] > 255 or len(wiring.ZONES) > 255:
        raise ValueError("more than 255 zones, buttons or lamps")
