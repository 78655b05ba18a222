"""A process that journals until it is killed, and says what has been acknowledged.

Arguments: the journal, and how many of the first messages the broker is made to acknowledge.
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

import msgspec

from controller.contract.messages import Message
from controller.storage.journal import Journal

EVENTS = "cutcard/1/hall/tables/T1/health"


def main() -> None:
    path, acknowledged = Path(sys.argv[1]), int(sys.argv[2])
    journal = Journal.open(path, report=sys.exit, keep_hands=10**6)
    for _ in count():
        number = journal.counters.seq + 1000 * journal.counters.session
        line, message = str(number).encode(), Message(EVENTS, str(number).encode(), 1, False)
        counters = msgspec.structs.replace(journal.counters, seq=journal.counters.seq + 1)
        if number % 50 == 0:
            journal.begin_hand(b"c" + line, hand=number, counters=counters, lines=[line])
        else:
            journal.append(
                line, hand=number, counters=counters, messages=[message], command=f"c{number}"
            )
            journal.outbox.put(message, 0.0)
        if acknowledged and len(waiting := journal.outbox.take(1)):
            acknowledged -= 1
            journal.outbox.done(waiting[0].key)
        os.write(1, b"%d\n" % number)


if __name__ == "__main__":
    main()
