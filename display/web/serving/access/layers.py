"""All layers around the pages, in the order in which a request comes by them."""

from __future__ import annotations

from starlette.middleware import Middleware

from controller.people.door import Door
from display.web.serving.access.bodies import InTime
from display.web.serving.access.headers import Headed
from display.web.serving.access.hosts import Hosts
from display.web.serving.access.origin import FromHere
from display.web.serving.access.rates import NotTooManyScreens, NotTooOften
from display.web.serving.access.record import Recorded
from display.web.serving.access.revocation import StillIn
from display.web.serving.access.rights import Allowed
from display.web.serving.access.who import Known


def layers(
    door: Door, hosts: Hosts, *, https_port: int | None = None, strict: bool = False
) -> list[Middleware]:
    """`https_port` is set where there is HTTPS too: plain HTTP has little then. `strict` tells
    browsers to come by HTTPS alone, which they apply to every port of a name."""
    return [
        Middleware(Headed, strict=strict),
        Middleware(FromHere, hosts=hosts, https_port=https_port),
        Middleware(Known, door=door),
        Middleware(NotTooOften, door=door),
        Middleware(Allowed, door=door),
        Middleware(NotTooManyScreens),
        Middleware(Recorded, door=door),
        Middleware(InTime, door=door),
        Middleware(StillIn, door=door),
    ]
