"""What in a wiring.py can't be, said in plain words before anything is switched on."""

_BORDER = ("zones", "ours", "theirs", "first")
_KEYS = {"PN5180": ("nss", "busy", "reset")}
_BUSES = {
    "uart": ("uart", "tx", "rx", "reset"),
    "spi": ("nss", "reset"),
    "i2c": ("i2c", "sda", "scl", "reset"),
}
SPI_HZ = 1000000
_SLOWEST_HZ = 100000
_FASTEST_HZ = 7000000  # PN5180 data sheet, 11.4.1
_FASTEST_PN532_HZ = 5000000  # UM0701-02, 6.2.5

# RP2040 data sheet, 1.4.3: which bus a GPIO leads to, and as what (a Pico 2 has a few more UARTs).
_BUS_OF = {
    "SPI": lambda pin: pin >> 3 & 1,
    "UART": lambda pin: pin + 4 >> 3 & 1,
    "I2C": lambda pin: pin >> 1 & 1,
}
_FOURTH = {"MISO": 0, "SCK": 2, "MOSI": 3, "tx": 0, "rx": 1}
_SECOND = {"sda": 0, "scl": 1}


def is_free(pin):
    """Whether a Pico has this GPIO at its edge; 23 to 25 and 29 it uses itself."""
    return 0 <= pin <= 28 and not 23 <= pin <= 25


def _leads(pin, kind, number, what):
    is_what = pin & 1 == _SECOND[what] if what in _SECOND else pin & 3 == _FOURTH[what]
    return is_what and _BUS_OF[kind](pin) == number


def _routed(name, kind, number, pins):
    """Raise ValueError if one of `pins`, {what: GPIO}, can't be that of this bus."""
    if number not in (0, 1):
        raise ValueError("%s: there is %s 0 and 1, and no %r" % (name, kind, number))
    for what, pin in pins.items():
        if not _leads(pin, kind, number, what):
            can = [p for p in range(29) if is_free(p) and _leads(p, kind, number, what)]
            said = (name, pin, what, kind, number, ", ".join([str(p) for p in can]))
            raise ValueError("%s: GPIO %d can't be %s of %s %d, but %s can" % said)


def _spi(wiring):
    """Raise ValueError if SPI and its clock do not fit the chip, or the readers."""
    hz = spi_hz(wiring)
    chip, most = "PN5180", _FASTEST_HZ
    if [reader for reader in wiring.READERS if reader.get("bus") == "spi"]:
        chip, most = "PN532", _FASTEST_PN532_HZ
    if not isinstance(hz, int) or not _SLOWEST_HZ <= hz <= most:
        raise ValueError("SPI_HZ is %r: a %s takes %d to %d" % (hz, chip, _SLOWEST_HZ, most))
    if wiring.SPI:
        if len(wiring.SPI) != 4:
            raise ValueError("SPI is %r: bus, SCK, MOSI and MISO" % (wiring.SPI,))
        number, sck, mosi, miso = wiring.SPI
        _routed("SPI", "SPI", number, {"SCK": sck, "MOSI": mosi, "MISO": miso})


def spi_hz(wiring):
    """Return the SPI clock that the wiring asks for, 1 MHz if it does not say."""
    return getattr(wiring, "SPI_HZ", SPI_HZ)


def visit_ms(wiring):
    """Return the longest visit to an antenna in a cycle, 60 ms if the wiring does not say."""
    return getattr(wiring, "VISIT_MS", 60)


def _keys(name, reader):
    """Return what the reader is called, the keys that it needs, and those that it may have."""
    chip = reader.get("chip")
    if chip in _KEYS:
        return "a " + chip, _KEYS[chip], ("chip", "select", "irq")
    if chip != "PN532":
        raise ValueError("%s: chip %r is neither PN5180 nor PN532" % (name, chip))
    bus = reader.get("bus", "uart")
    if bus not in _BUSES:
        raise ValueError("%s: bus %r is neither uart, spi nor i2c" % (name, bus))
    told = "a PN532 on " + bus if "bus" in reader else "a PN532"
    return told, _BUSES[bus], ("chip", "select", "bus")


def check(wiring):
    """Raise ValueError if readers, zones, neighbours or borders do not fit each other."""
    _spi(wiring)
    visit = visit_ms(wiring)
    if not isinstance(visit, int) or not (visit == 0 or 10 <= visit <= 1000):
        raise ValueError("VISIT_MS is %r: 0 for no limit, or 10 to 1000" % (visit,))
    for number, reader in enumerate(wiring.READERS):
        name = "reader %d" % number
        told, needs, may = _keys(name, reader)
        for key in needs:
            if key not in reader:
                raise ValueError("%s: %s needs %s" % (name, told, key))
        for key in reader:
            if key not in may and key not in needs:
                raise ValueError("%s: %s has no %s" % (name, told, key))
        if "nss" in needs and not wiring.SPI:
            raise ValueError("%s: %s needs SPI" % (name, told))
        for key in ("uart", "i2c"):
            if key in needs:
                pins = {what: reader[what] for what in needs if what in _FOURTH or what in _SECOND}
                _routed(name, key.upper(), reader[key], pins)
            for other in wiring.READERS[:number]:
                if key in reader and other.get(key) == reader[key]:
                    said = (name, key.upper(), reader[key])
                    raise ValueError("%s: %s %s is another reader's, and carries one" % said)
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
