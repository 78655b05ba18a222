"""How phones come to trust this room's own authority: a page, a code to scan, a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from markupsafe import Markup
from msgspec import Struct
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.templating import Jinja2Templates

from display.web.certificate import CertificateError, fingerprint
from display.web.codes import code_inside
from display.web.words import page_words, spoken


class Tls(Struct, frozen=True):
    """HTTPS: its port, and the authority that phones have to trust, where it is one of ours.

    `is_strict`: both ports are the usual ones, so that browsers can be told to use HTTPS alone.
    They would take it for the plain port as well.
    """

    port: int
    authority: Path | None
    is_strict: bool = False


def trust_routes(
    tls: Tls | None, templates: Jinja2Templates, language: Callable[[], str]
) -> list[Route]:
    """Their routes. `language` is the room's."""
    authority = None if tls is None else tls.authority

    def page(request: Request) -> Response:
        tongue = spoken(request.query_params.get("lang"), language())
        words = page_words("trust", tongue)
        if authority is None:
            known = {"words": words, "language": tongue}
            return templates.TemplateResponse(request, "trust.html", known, 404)
        try:
            print_ = fingerprint(authority)
        except CertificateError as error:
            return JSONResponse({"error": str(error)}, 503)
        address = str(request.url.replace(query=""))
        told = {
            "words": words,
            "language": tongue,
            "code": Markup(code_inside(address)),  # noqa: S704 - drawn here
            "fingerprint": print_,
            "address": address,
            "safe": request.url.scheme == "https",
        }
        return templates.TemplateResponse(request, "trust.html", told)

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
