"""How phones come to trust this room's own authority: a page, a code to scan, a file."""

from __future__ import annotations

from pathlib import Path

from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from controller.certificates.held import CertificateError, fingerprint
from display.web.codes import code_inside
from display.web.serving.frame import Frame
from display.web.words import page_words


class Tls(Struct, frozen=True):
    """HTTPS: its port, and the authority that phones have to trust, where it is one of ours.

    `is_strict`: both ports are the usual ones, so that browsers can be told to use HTTPS alone.
    They would take it for the plain port as well.
    """

    port: int
    authority: Path | None
    is_strict: bool = False


def trust_routes(tls: Tls | None, frame: Frame) -> list[Route]:
    """Their routes."""
    authority = None if tls is None else tls.authority

    def page(request: Request) -> Response:
        words = page_words("trust", frame.language(request))
        if authority is None:
            return frame.page(request, "trust.html", "trust", {"words": words}, 404)
        try:
            print_ = fingerprint(authority)
        except CertificateError as error:
            return JSONResponse({"error": str(error)}, 503)
        address = frame.for_phones(request.url.replace(query=""))
        known = {
            "words": words,
            "code": Markup(code_inside(address)) if address else "",  # noqa: S704 - drawn here
            "fingerprint": print_,
            "address": address or frame.no_phones(request),
        }
        return frame.page(request, "trust.html", "trust", known)

    def file(_request: Request) -> Response:
        if authority is None:
            return _none()
        try:
            held = authority.read_bytes()
        except OSError:
            return JSONResponse({"error": "the certificate can't be read"}, 503)
        if b"PRIVATE KEY" in held:
            return JSONResponse({"error": "this is not a certificate"}, 503)
        named = {"content-disposition": 'attachment; filename="ca.crt"'}
        return Response(held, media_type="application/x-x509-ca-cert", headers=named)

    return [Route("/trust", page), Route("/ca.crt", file)]


def _none() -> Response:
    return JSONResponse({"error": "this room has no authority of its own"}, 404)
