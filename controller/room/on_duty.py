"""What somebody's sign-on for duty comes to, by what an admin has said of them. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from controller.people.staff import Person
from controller.room.acts import ActError

Fields = Mapping[str, object]
Act = tuple[str, Fields]


def signing_on(person: Person, fields: Fields) -> tuple[Act, ...]:
    """The floor's acts for the act `duty` with these fields, in their order; `person` is who is to
    be on duty. Who says no section has the tables of their own, if they have any, as a section of
    their name. Raises ActError for a director who is none.
    """
    if not fields.get("on"):
        return (("duty", fields),)
    if fields.get("director") and not person.may("director"):
        raise ActError(f"{person.name} is not a director")
    if fields.get("sections") or not person.tables:
        return (("duty", fields),)
    own = {"actor": fields["actor"], "name": person.name, "tables": person.tables}
    return ("section", own), ("duty", {**fields, "sections": [person.name]})
