"""A mistake in the arguments of `cutcard room`."""

from __future__ import annotations

import socket

import pytest

from controller.broker.ports import LOOPBACK
from display.web.command import main


def test_a_taken_port_is_one_line(capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_server((LOOPBACK, 0)) as owner:
        port = owner.getsockname()[1]
        assert main(["--web-port", str(port)]) == 2
    line = capfd.readouterr().err
    assert line.count("\n") == 1
    assert f"web port {port} on {LOOPBACK}: Address already in use" in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--broker", "nowhere"], "--broker 'nowhere' is not HOST:PORT"),
        (["--broker", "h:99999"], "is not HOST:PORT"),
        (["--web-port", "70000"], "--web-port 70000 is not a port"),
        (["--site", "a/b"], "--site 'a/b' is not a name"),
        (["--blinds", "/none.toml"], "/none.toml: No such file"),
        (["--blinds", "turbp"], "--blinds: there is no structure 'turbp'; did you mean 'turbo'"),
        (["--password-file", "/none"], "--password-file /none: No such file"),
        (["--tls-ca", "/none"], "--tls-ca /none: no such file"),
        (["--web-host", "192.0.2.1", "--web-port", "0"], "web port 0 on 192.0.2.1"),
        (["--web-host", "not a host", "--web-port", "0"], "on not a host"),
    ],
)
def test_a_mistake_is_one_line(
    arguments: list[str], said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    line = capfd.readouterr().err
    assert line.startswith("cutcard room: ")
    assert said in line
    assert line.count("\n") == 1
