"""Logins that the room changes while its broker runs: mosquitto's dynamic security, as a file and
as commands. Pure; the rights are those of an `acl_file`, from the same templates.

A role of its own for each user: a table's rights have its id in them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

import msgspec
from msgspec import UNSET, Struct, UnsetType, field

from controller.broker import mosquitto
from controller.broker.mosquitto import Account

CONTROL = "$CONTROL/dynamic-security/v1"
RESPONSE = f"{CONTROL}/response"
GONE = ("Client not found", "Role not found")
"""What mosquitto says of those whom it is told to delete and does not have."""
_TOPIC = re.compile(r"^topic (read|write|readwrite) (\S+)$", re.MULTILINE)
_KINDS = {"read": "publishClientReceive", "write": "publishClientSend"}


class Right(Struct, frozen=True):
    """That something may be sent to a topic, or received from it."""

    acltype: str
    topic: str
    priority: int = 0
    allow: bool = True


class InRole(Struct, frozen=True):
    """What a client's rights are."""

    rolename: str


class Role(Struct, frozen=True):
    """Rights under a name."""

    rolename: str
    acls: tuple[Right, ...] = ()


class Client(Struct, frozen=True):
    """Who logs in, with the hash of a password: PBKDF2 with SHA-512, in base64."""

    username: str
    roles: tuple[InRole, ...] = ()
    password: str = ""
    salt: str = ""
    iterations: int = 0


class Otherwise(Struct, frozen=True, rename="camel"):
    """What holds for topics that no role names. As with an `acl_file` anything may be asked for,
    and nothing comes of it."""

    publish_client_send: bool = False
    publish_client_receive: bool = False
    subscribe: bool = True
    unsubscribe: bool = True


class Logins(Struct, frozen=True):
    """The file that mosquitto reads as it starts, and writes whenever it was told a command."""

    clients: tuple[Client, ...] = ()
    roles: tuple[Role, ...] = ()
    otherwise: Otherwise = field(name="defaultACLAccess", default=Otherwise())
    groups: tuple[()] = ()


class Command(Struct, frozen=True, omit_defaults=True):
    """One of those that mosquitto takes at `CONTROL`; it gives `correlation` back with its
    answer."""

    command: str
    username: str | UnsetType = UNSET
    password: str | UnsetType = UNSET
    rolename: str | UnsetType = UNSET
    roles: tuple[InRole, ...] | UnsetType = UNSET
    acls: tuple[Right, ...] | UnsetType = UNSET
    correlation: str | UnsetType = field(name="correlationData", default=UNSET)

    def __repr__(self) -> str:
        return f"Command({self.command!r}, {self.username or self.rolename!r})"


def rights(site: str, account: Account) -> tuple[Right, ...]:
    """What a user may. Raises ValueError for a site that is no name."""
    found: list[Right] = []
    for how, topic in _TOPIC.findall(mosquitto.rights(site, [account])):
        found += [Right(kind, topic) for word, kind in _KINDS.items() if word in how]
        if topic.startswith("$") and "read" in how:  # `Otherwise` is not for these
            found.append(Right("subscribeLiteral", topic))
    return tuple(found)


def written(site: str, accounts: Iterable[Account], lines: Mapping[str, str]) -> Logins:
    """The file for these users; `lines` are theirs of a `password_file`."""
    by_user = sorted(accounts, key=lambda each: each.user)
    return Logins(
        tuple(_client(each, lines[each.user]) for each in by_user),
        tuple(_role(site, each) for each in by_user),
    )


def password_lines(logins: Logins) -> dict[str, str]:
    """User → the line that a `password_file` would have."""
    return {
        each.username: f"{each.username}:$7${each.iterations}${each.salt}${each.password}\n"
        for each in logins.clients
    }


def ordered(logins: Logins) -> Logins:
    """The same with users and rights in the order of `written`; mosquitto has one of its own."""
    return msgspec.structs.replace(
        logins,
        clients=tuple(sorted(logins.clients, key=lambda each: each.username)),
        roles=tuple(
            msgspec.structs.replace(each, acls=tuple(sorted(each.acls, key=_place)))
            for each in sorted(logins.roles, key=lambda each: each.rolename)
        ),
    )


def letting_in(site: str, table: str, password: str) -> tuple[Command, ...]:
    """What makes a table's login and that of its doctor, in the place of any before."""
    own = mosquitto.table_account(table)
    made: list[Command] = []
    for each in (own, mosquitto.twin_of(own)):
        role = _role(site, each)
        made += [
            Command("createRole", rolename=role.rolename, acls=role.acls),
            Command(
                "createClient",
                username=each.user,
                password=password,
                roles=(InRole(role.rolename),),
            ),
        ]
    return (*shutting_out(table), *made)


def shutting_out(table: str) -> tuple[Command, ...]:
    """What takes both away, and ends their connections."""
    own = mosquitto.table_account(table)
    users = (own.user, mosquitto.twin_of(own).user)
    return (
        *(Command("deleteClient", username=each) for each in users),
        *(Command("deleteRole", rolename=each) for each in users),
    )


def _client(account: Account, line: str) -> Client:
    _, rounds, salt, password = line.strip().rpartition(":")[2].rsplit("$", 3)
    in_role = (InRole(account.user),)
    return Client(account.user, in_role, password, salt, int(rounds))


def _role(site: str, account: Account) -> Role:
    return Role(account.user, tuple(sorted(rights(site, account), key=_place)))


def _place(right: Right) -> tuple[str, str]:
    return right.acltype, right.topic
