"""The JSON schema of all that travels over MQTT: `python -m tests.mqtt.schema` prints it.

The printed text is kept in `config/mqtt.schema.json`: for each topic what its payload is.
"""

from __future__ import annotations

import inspect
import json
import sys
from typing import Any

import msgspec

from controller.contract.messages import TOPICS, MessageError, Topic
from controller.contract.stand_by import STAND_BY_TOPICS

ROWS = (*TOPICS, *STAND_BY_TOPICS)
"""All that travels."""
_REFERENCE = "#/$defs/{name}"


def schema() -> str:
    """The schema as text, the same for the same payloads."""
    payloads = list(dict.fromkeys(row.payload for row in ROWS))
    _, definitions = msgspec.json.schema_components(payloads, ref_template=_REFERENCE)
    topics = {row.path: {"$ref": _REFERENCE.format(name=row.payload.__name__)} for row in ROWS}
    whole = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Payloads below cutcard/1/<site>/, by topic",
        "topics": topics,
        "$defs": _undented(definitions),
    }
    return json.dumps(whole, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _undented(definitions: dict[str, Any]) -> dict[str, Any]:
    """With descriptions as Python's from 3.13 on has docstrings."""
    return {
        name: {**each, "description": inspect.cleandoc(each["description"])}
        if "description" in each
        else each
        for name, each in definitions.items()
    }


def row_of(site: str, topic: str) -> Topic[Any] | None:
    """The row of the table of topics that `topic` belongs to."""
    return next((row for row in ROWS if row.names(site, topic) is not None), None)


def check(site: str, topic: str, payload: bytes) -> None:
    """Raises MessageError unless `payload` is what our own may publish on `topic`.

    Stricter than a receiver: a field that the row does not know is a fault, and only a
    retained topic's payload may be empty.
    """
    row = row_of(site, topic)
    if row is None:
        raise MessageError("a topic that is in no row")
    if not payload and row.retain:
        return
    if row.decode(payload).unknown_fields:
        raise MessageError(f"fields that {row.path} does not have")


if __name__ == "__main__":
    sys.stdout.write(schema())
