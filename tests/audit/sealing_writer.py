"""A process that journals and seals until it is killed, and says what has been acknowledged.

Arguments: the journal, and the auditor's public key.
"""

from __future__ import annotations

import os
import sys
from itertools import count
from pathlib import Path

import msgspec

from controller.contract.observations import Seen
from controller.storage.auditor_key import read_public
from controller.storage.journal import Entry, Journal
from controller.storage.sealing import Sealer


def main() -> None:
    journal = Journal.open(Path(sys.argv[1]), report=sys.exit)
    sealer = Sealer(read_public(sys.argv[2]))
    for _ in count():
        number = journal.counters.seq + 1000 * journal.counters.session
        seen, line = Seen(float(number), "seat/1", "E004"), str(number).encode()
        counters = msgspec.structs.replace(journal.counters, seq=journal.counters.seq + 1)
        box = sealer.observation(seen, line)
        hand = number // 20
        entries = [Entry(hand=hand, counters=counters, lines=(line,), box=box)]
        if number % 20 == 19:
            begins = sealer.beginning([seen], 0)
            entries.append(Entry(hand=hand + 1, counters=counters, box=begins, checkpoint=b"c"))
        journal.commit(entries)
        os.write(1, b"%d\n" % number)


if __name__ == "__main__":
    main()
