"""Cards are conserved: in the engine's picture of a hand every tag is one thing in one place."""

from __future__ import annotations

from controller.rules.hand import BoardCard, BurnCard, EarlyCard, Hand, HoleCard


def check_cards(hand: Hand) -> None:
    """Raises `AssertionError` if a tag is in two piles, or is not what its pile says."""
    dealt = [tag for _, _, tag in hand.dealt]
    piles = [tags for pile in (hand.board, hand.burns, hand.early) for tags in pile.values()]
    out = [tag for tags in piles for tag in tags]
    assert len(set(out)) == len(out), "a card lies on two of board and burns at once"
    assert len(set(dealt)) == len(dealt), "a card was dealt twice"
    for _, seat, tag in hand.dealt:
        # An exposed card may be laid down as the burn before another has come for it (RR7-HE-2),
        # and what was folded may go into a new stub (UK-RP4-3).
        is_folded = hand.betting.players[seat].folded
        is_out = hand.roles.get(tag) == BurnCard("flop") or is_folded
        assert hand.roles.get(tag) == HoleCard(seat) or is_out, "it was dealt to another seat"
    dealt = [tag for tag in dealt if isinstance(hand.roles.get(tag), HoleCard)]
    assert not set(dealt) & set(out), "a hole card lies on the board or the burns"
    for street, tags in hand.board.items():
        assert all(hand.roles.get(tag) == BoardCard(street) for tag in tags)
    for street, tags in hand.burns.items():
        assert all(hand.roles.get(tag) == BurnCard(street) for tag in tags)
    for street, tags in hand.early.items():
        assert all(hand.roles.get(tag) == EarlyCard(street) for tag in tags)
    roles = [(tag, role) for tag, role in hand.roles.items() if not isinstance(role, HoleCard)]
    on_piles = {tag for tag, role in roles if isinstance(role, BoardCard | BurnCard | EarlyCard)}
    assert on_piles == set(out), "a card counts as out that lies on no pile"
    holes = {tag: role.seat for tag, role in hand.roles.items() if isinstance(role, HoleCard)}
    at_seats = {tag: seat for _, seat, tag in hand.dealt if tag in dealt}
    assert holes == at_seats, "it was dealt to another seat"
