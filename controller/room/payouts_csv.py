"""The payout sheet as a CSV file."""

from __future__ import annotations

from controller.files.spreadsheet import Local, csv_text, safe
from controller.room.money import Account
from controller.room.payouts import PayoutLine, lines

COLUMNS = ("place", "shared", "name", "id", "amount", "deal", "paid", "paid_by", "paid_at")


def write_payouts(account: Account, local: Local) -> str:
    """A line for each who is paid or place that is to be taken, the best one first. Amounts have
    two places after the point; `local` gives the house's time of a moment."""

    def row(line: PayoutLine) -> tuple[object, ...]:
        amount = f"{line.amount // 100}.{line.amount % 100:02}"
        who = line.place or "", line.shared, safe(line.name), line.player
        what = *who, amount, "yes" if line.by_deal else "no"
        if line.paid is None:
            return *what, "no", "", ""
        when = local(line.paid.wall_ms).isoformat(sep=" ", timespec="seconds")
        return *what, "yes", safe(line.paid.by), when

    return csv_text(COLUMNS, map(row, lines(account)))
