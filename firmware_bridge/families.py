"""Every kind of device that can be at a serial port: the one list of them all."""

from __future__ import annotations

from firmware_bridge.readers.feig.family import FEIG
from firmware_bridge.readers.pepper.family import PEPPER
from firmware_bridge.readers.pico.family import PICO
from firmware_bridge.readers.pn532.family import PN532
from firmware_bridge.readers.rdm6300.family import RDM6300
from firmware_bridge.readers.yrm100.family import YRM100

READERS = (PN532, FEIG, RDM6300, YRM100, PEPPER)
"""Those that are attached directly."""

USUAL = PICO
"""What is meant where nothing else is said."""

FAMILIES = {family.name: family for family in (USUAL, *READERS)}
PROTOCOLS = {family.protocol: family.grammar for family in (*READERS, USUAL)}
