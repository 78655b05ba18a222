"""Addresses as codes that a phone's camera reads."""

from __future__ import annotations

from io import BytesIO

import segno


def code(address: str) -> bytes:
    """The QR code of an address as an SVG, black on white, with its quiet zone."""
    drawn = BytesIO()
    made = segno.make_qr(address, error="m")
    made.save(drawn, kind="svg", border=4, dark="#000", light="#fff", omitsize=True, nl=False)
    return drawn.getvalue()


def code_inside(address: str) -> str:
    """The same, to stand within a page; the page colours it."""
    return segno.make(address, error="m").svg_inline(border=2, omitsize=True)
