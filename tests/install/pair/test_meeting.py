"""Somebody stands between table and room, or in the room's place: with TLS of his own."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec
import pytest

from controller.broker.ports import LOOPBACK
from controller.certificates.held import fingerprint
from controller.install.pair.meeting import (
    Address,
    MeetingError,
    RefusedError,
    address_of,
    authority_at,
    paired,
)
from controller.pairing.proof import key_of, proof
from controller.pairing.words import Asked, Granted
from controller.room.commands import certificate as certificate_command
from tests.install.pair.conftest import Room, digits

CODE = "23456789"


class Impostor:
    """Answers as he likes: `ca` is what he says his authority is, `said` what he heard."""

    def __init__(self, folder: Path) -> None:
        names = ("--name", LOOPBACK)
        assert certificate_command.main(["--folder", str(folder), "--json", *names]) == 0
        self.authority_file = folder / "ca.crt"
        self.ca = self.authority_file.read_bytes()
        self.status, self.answer = 200, b""
        self.said: list[bytes] = []
        impostor = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self._reply(200, impostor.ca)

            def do_POST(self) -> None:
                impostor.said.append(self.rfile.read(int(self.headers["Content-Length"])))
                self._reply(impostor.status, impostor.answer)

            def _reply(self, status: int, body: bytes) -> None:
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: object) -> None:
                pass

        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(folder / "room.crt", folder / "room.key")
        self._server = ThreadingHTTPServer((LOOPBACK, 0), Handler)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        self.address = Address(LOOPBACK, self._server.server_address[1])

    @contextmanager
    def there(self) -> Iterator[Impostor]:
        thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield self
        finally:
            self._server.shutdown()
            thread.join()
            self._server.server_close()


@pytest.fixture
def impostor(tmp_path: Path) -> Iterator[Impostor]:
    with Impostor(tmp_path / "impostor").there() as one:
        yield one


def test_what_an_impostor_hears_lets_him_in_nowhere(room: Room, impostor: Impostor) -> None:
    """Although nobody compared the fingerprints."""
    code = digits(room.code("20"))
    impostor.status = 403
    with pytest.raises(RefusedError):
        paired(impostor.address, authority_at(impostor.address), code)
    (heard,) = impostor.said
    assert code.encode() not in heard
    import httpx

    context = ssl.create_default_context(cafile=str(room.shipped.ca))
    base = f"https://{room.address.host}:{room.address.port}"
    with httpx.Client(base_url=base, verify=context) as client:
        assert client.post("/pair", content=heard).status_code == 403
    assert paired(room.address, authority_at(room.address), code).table == "20"


def test_a_room_that_does_not_know_the_code_is_none(impostor: Impostor) -> None:
    authority = authority_at(impostor.address)
    impostor.answer = msgspec.json.encode(
        Granted("0" * 64, "7", "main", "impostor.local", 8883, "his password")
    )
    with pytest.raises(MeetingError, match="it is not your room"):
        paired(impostor.address, authority, CODE)
    # The proof of the table, given back to it, is none either.
    asked = msgspec.json.decode(impostor.said[0], type=Asked)
    granted = msgspec.json.decode(impostor.answer, type=Granted)
    impostor.answer = msgspec.json.encode(msgspec.structs.replace(granted, proof=asked.proof))
    with pytest.raises(MeetingError, match="it is not your room"):
        paired(impostor.address, authority, CODE)
    # The test's own proof: with the right one it would be let pass.
    mine = proof(key_of(CODE, authority.fingerprint), "room")
    impostor.answer = msgspec.json.encode(msgspec.structs.replace(granted, proof=mine))
    assert paired(impostor.address, authority, CODE).table == "7"


def test_only_the_authority_that_was_shown_is_kept(room: Room, impostor: Impostor) -> None:
    """Not a second one in its shadow."""
    own = room.shipped.ca.read_bytes()
    impostor.ca = own + impostor.authority_file.read_bytes()
    authority = authority_at(impostor.address)
    assert authority.fingerprint == fingerprint(room.shipped.ca)
    assert authority.pem.count("BEGIN CERTIFICATE") == 1
    with pytest.raises(RefusedError, match="no certificate by that authority"):
        paired(impostor.address, authority, CODE)
    assert impostor.said == []


def test_a_room_is_asked_by_a_name_that_its_certificate_has(impostor: Impostor) -> None:
    authority = authority_at(impostor.address)
    local = Address("localhost", impostor.address.port)
    with pytest.raises(RefusedError, match="is not for localhost; give its name"):
        paired(local, authority, CODE)
    assert impostor.said == []


@pytest.mark.parametrize("ca", [b"", b"<html>", b"x" * 70_000])
def test_what_is_no_authority(impostor: Impostor, ca: bytes) -> None:
    impostor.ca = ca
    with pytest.raises(MeetingError, match=r"not a certificate|too much"):
        authority_at(impostor.address)


@pytest.mark.parametrize("answer", [b"", b"[", b'{"table": 7}', b"\xff"])
def test_an_answer_that_is_none(impostor: Impostor, answer: bytes) -> None:
    authority = authority_at(impostor.address)
    impostor.answer = answer
    with pytest.raises(MeetingError, match="does not understand"):
        paired(impostor.address, authority, CODE)


def test_what_a_room_says_of_its_trouble_is_told(impostor: Impostor) -> None:
    authority = authority_at(impostor.address)
    impostor.status, impostor.answer = 503, b'{"error": "the broker can\'t be reached"}'
    with pytest.raises(MeetingError, match="could not do it: the broker can't be reached"):
        paired(impostor.address, authority, CODE)
    impostor.answer = b"oh"
    with pytest.raises(MeetingError, match="could not do it: 503"):
        paired(impostor.address, authority, CODE)


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("room.local", Address("room.local", 8884)),
        (" room.local:9 ", Address("room.local", 9)),
        ("10.0.0.9", Address("10.0.0.9", 8884)),
        ("[fd00::9]", Address("fd00::9", 8884)),
        ("[fd00::9]:9", Address("fd00::9", 9)),
    ],
)
def test_an_address(text: str, address: Address) -> None:
    assert address_of(text) == address


@pytest.mark.parametrize("text", ["", "a b", "room:", "room:0", "room:65536", "fd00::9", "a/b"])
def test_what_is_no_address(text: str) -> None:
    with pytest.raises(RefusedError):
        address_of(text)


def test_a_password_is_in_no_repr() -> None:
    told = repr(Granted("p", "7", "main", "", 8883, "secret"))
    assert "secret" not in told
