"""HTTPS by an authority of the room's own, with real TLS."""

from __future__ import annotations

import datetime
import os
import ssl
import stat
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509

from controller.certificates.authority import Issued, make_authority, make_server
from controller.certificates.held import CertificateError, Watched, days_left, names_in
from controller.room.commands.certificate import main
from tests.waiting import PATIENCE_S
from tests.web.hall import CODE, ours
from tests.web.https_room import a_safe_room, certify

NOW = datetime.datetime.now(datetime.UTC)
DAY = datetime.timedelta(days=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("https")
    certify(folder)
    return folder


class Safe:
    def __init__(self, ready: dict[str, Any], folder: Path) -> None:
        self.url, self.safe, self.folder = ready["url"], ready["safe_url"], folder

    def client(self, base: str, **more: Any) -> httpx.Client:  # noqa: ANN401 - httpx's own
        trusted = ssl.create_default_context(cafile=str(self.folder / "ca.crt"))
        return httpx.Client(
            base_url=base, verify=trusted, headers=ours(base), timeout=PATIENCE_S, **more
        )


@pytest.fixture(scope="module")
def room(folder: Path) -> Iterator[Safe]:
    with a_safe_room(folder) as ready:
        yield Safe(ready, folder)


def test_who_trusts_the_authority_reaches_the_room(room: Safe) -> None:
    with room.client(room.safe) as client:
        assert client.get("healthz").status_code in (200, 503)
        given = client.post("join", json={"code": CODE})
        assert given.status_code == 200
        cookie = given.headers["Set-Cookie"]
        assert cookie.startswith("__Host-cutcard=")
        assert "Secure" in cookie
        assert "Domain" not in cookie
        assert client.get("me.json").json()["name"] == "Demo"
        # Browsers would use it for the plain port as well, where the screens are.
        assert "strict-transport-security" not in client.get("me.json").headers


def test_who_does_not_trust_it_does_not(room: Safe) -> None:
    with pytest.raises(httpx.ConnectError, match="CERTIFICATE_VERIFY_FAILED"):
        httpx.get(room.safe, timeout=PATIENCE_S)
    other = room.safe.replace("127.0.0.1", "localhost")
    with room.client(other) as client, pytest.raises(httpx.ConnectError, match="mismatch"):
        client.get("healthz")


@pytest.mark.parametrize(
    "path", ["screen", "pocket", "healthz", "static/icon.svg", "trust", "ca.crt"]
)
def test_some_things_are_still_to_be_had_in_the_clear(room: Safe, path: str) -> None:
    with room.client(room.url) as client:
        assert client.get(path).status_code in (200, 503)


@pytest.mark.parametrize("path", ["", "login", "floor?lang=de", "people", "join?code=x", "nowhere"])
def test_the_rest_leads_to_https(room: Safe, path: str) -> None:
    with room.client(room.url) as client:
        answer = client.get(path)
        assert (answer.status_code, answer.headers["location"]) == (307, f"{room.safe}{path}")
        assert client.post("login", json={"name": "A", "pin": "4711"}).status_code == 403
        assert client.post("clock/pause", json={}).status_code == 403


def test_phones_get_the_authority_and_never_a_key(room: Safe) -> None:
    with room.client(room.url) as client:
        answer = client.get("ca.crt")
        assert answer.headers["content-type"] == "application/x-x509-ca-cert"
        assert answer.content == (room.folder / "ca.crt").read_bytes()
        page = client.get("trust?lang=de", headers={"Host": "10.0.0.9:8080"})
        assert "<h1" in page.text
        assert "bürgt für sich selbst" in page.text
        assert "<svg" in page.text
        assert "http://10.0.0.9:8080/trust" in page.text
        here = client.get("trust").text
        assert "<svg" not in here  # no phone would get anywhere by this machine's own address
        assert "host = '0.0.0.0'" in here.replace("&#39;", "'")
        for name in ("ca.key", "room.key", "static/ca.key"):
            assert client.get(name).status_code in (307, 404)
        assert b"PRIVATE KEY" not in answer.content


def test_the_header_leads_to_the_authority_and_players_are_spared_it(room: Safe) -> None:
    with room.client(room.safe) as client:
        assert '<a href="/trust">Certificate</a>' in client.get("login").text
        assert "/trust" not in client.get("pocket").text
        assert client.post("join", json={"code": CODE}).status_code == 200
        assert '<a href="/trust">Certificate</a>' in client.get("pocket").text


def test_a_room_without_its_own_authority_has_nothing_to_trust(one_hall: Any) -> None:  # noqa: ANN401
    assert httpx.get(f"{one_hall.url}trust", timeout=PATIENCE_S).status_code == 404
    assert httpx.get(f"{one_hall.url}ca.crt", timeout=PATIENCE_S).status_code == 404


def verified(folder: Path, *more: str) -> bool:
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile"]
    command += [str(folder / "ca.crt"), *more, str(folder / "room.crt")]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def test_openssl_takes_it_for_its_names_and_no_others(folder: Path) -> None:
    assert verified(folder, "-verify_hostname", "room.local")
    assert verified(folder, "-verify_ip", "127.0.0.1")
    assert not verified(folder, "-verify_hostname", "bank.example")
    for name, mode in (("ca.key", 0o600), ("room.key", 0o600), ("ca.crt", 0o644)):
        assert stat.S_IMODE((folder / name).stat().st_mode) == mode


@pytest.mark.parametrize("before", [None, 0o700])
def test_the_room_comes_to_its_files_whatever_mask_root_has(
    tmp_path: Path, before: int | None
) -> None:
    made = tmp_path / "state" / "https"
    if before is not None:
        made.mkdir(parents=True)
        made.chmod(before)
    mask = os.umask(0o077)
    try:
        certify(made)
    finally:
        os.umask(mask)
    assert stat.S_IMODE(made.stat().st_mode) == 0o711


def test_the_same_command_renews_and_the_authority_stays(tmp_path: Path) -> None:
    assert main(["--folder", str(tmp_path), "--name", "10.0.0.9"]) == 0
    assert verified(tmp_path, "-verify_ip", "10.0.0.9")  # an address alone
    before = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    assert main(["--folder", str(tmp_path)]) == 0
    after = {each.name: each.read_bytes() for each in tmp_path.iterdir()}
    assert (after["ca.crt"], after["ca.key"]) == (before["ca.crt"], before["ca.key"])
    assert after["room.crt"] != before["room.crt"]
    assert "10.0.0.9" in names_in(tmp_path / "room.crt")
    assert verified(tmp_path, "-verify_ip", "10.0.0.9")
    assert 0 < days_left(tmp_path / "room.crt", NOW) <= 397


def test_what_a_room_shows_is_lent_to_it_without_the_authoritys_key(tmp_path: Path) -> None:
    own, lent = tmp_path / "own", tmp_path / "state" / "https"
    words = ["--folder", str(own), "--name", "room.local", "--lend", str(lent)]
    assert main(words) == 0
    assert not lent.exists(), "nobody has asked for it there"
    lent.mkdir(parents=True)
    lent.chmod(0o700)
    assert main(words) == 0
    names = {"room.crt": 0o644, "room.key": 0o600, "ca.crt": 0o644}
    assert {each.name: stat.S_IMODE(each.stat().st_mode) for each in lent.iterdir()} == names
    assert all((lent / each).read_bytes() == (own / each).read_bytes() for each in names)
    assert stat.S_IMODE(lent.stat().st_mode) == 0o711
    before = (lent / "room.crt").read_bytes()
    assert main(words) == 0
    assert (lent / "room.crt").read_bytes() != before


def test_nothing_is_lent_where_a_link_leads_elsewhere(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "https").symlink_to(tmp_path / "elsewhere")
    words = ["--folder", str(tmp_path / "own"), "--lend", str(tmp_path / "https")]
    assert main(words) == 2
    assert capsys.readouterr().err.endswith("https: it leads elsewhere\n")
    assert not list((tmp_path / "elsewhere").iterdir())


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--name", "bank.example"], "does not vouch for bank.example; --new-authority"),
        (["--name", "8.8.8.8"], "does not vouch for 8.8.8.8"),
        (["--name", "a b"], "'a b' is neither a name nor an address"),
        (["--name", "1.2.3"], "'1.2.3' is neither"),
    ],
)
def test_a_mistake_is_one_line(
    folder: Path, arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["--folder", str(folder), *arguments]) == 2
    line = capfd.readouterr().err
    assert said in line
    assert line.startswith("cutcard certificate: ")
    assert line.count("\n") == 1


def test_an_authority_vouches_for_what_is_local_whatever_its_key_signs(tmp_path: Path) -> None:
    authority = make_authority("ours", ["room"], NOW)
    other = make_authority("theirs", ["bank.example"], NOW)
    server = make_server(other, ["bank.example"], NOW)
    make_server(authority, ["room", "192.168.1.2", "fe80::1", "x.local"], NOW)
    with pytest.raises(CertificateError, match="not that of its certificate"):
        make_server(Issued(authority.certificate, other.key), ["room"], NOW)
    (tmp_path / "ca.crt").write_bytes(authority.certificate)
    (tmp_path / "room.crt").write_bytes(server.certificate)
    assert not verified(tmp_path)
    held = x509.load_pem_x509_certificate(server.certificate)
    assert held.not_valid_after_utc - held.not_valid_before_utc <= 397 * DAY


def test_it_is_said_in_time_that_it_ends(tmp_path: Path) -> None:
    server = make_server(make_authority("ours", ["room"], NOW), ["room"], NOW)
    file = tmp_path / "room.crt"
    file.write_bytes(server.certificate)
    for days, said in ((300, ""), (370, "ends in 25 days"), (400, "has ended")):
        fault = Watched(file, lambda days=days: NOW + days * DAY, lambda: 0.0).fault  # type: ignore[misc]
        assert said in fault
        assert bool(fault) == bool(said)
    ticks = iter([0.0, 0.0, 30.0, 61.0, 61.0])
    watched = Watched(file, lambda: NOW, lambda: next(ticks))
    assert watched.fault == ""
    file.unlink()
    assert watched.fault == ""  # not looked at again so soon
    assert "No such file" in watched.fault
