"""One antenna's set of tags while it is being read: in one visit, or in several.

Tags keep no state for it: which of them answer is told by the bits of their UIDs alone. So
what is left to ask stays true while the field is off, and reading goes on in the next cycle.
"""

from micropython import const

_PILE = const(8)
_BITS = const(24)


def apart(ends):
    """Return masks that stand for all tags there can be, and each for one at most of those whose
    UIDs end so (24 bits).
    """
    masks = []
    todo = [(0, 0, list(ends))]
    while todo:
        bits, low, tags = todo.pop()
        if len(tags) < 2 or bits == _BITS:
            masks.append((bits, low))
            continue
        bit = 1 << bits
        todo.append((bits + 1, low, [tag for tag in tags if not tag & bit]))
        todo.append((bits + 1, low | bit, [tag for tag in tags if tag & bit]))
    return masks


class Inventory:
    """`uids` found so far, `masks` left to ask (None: nothing asked yet, empty: all is asked).

    A mask is (bits, their value); of no bits, it stands for all sixteen slots. `complete` is
    False once there are tags that can't be told apart. `began` is when the first visit began.
    `known` are how the tags of the last time end, as `found` says. If there were none, the
    antenna is `probed` first, silence being soon told; a pile is too, and then asked tag by tag:
    that takes half the time of finding out anew which of them answer together.
    """

    def __init__(self, began, known=()):
        self.uids = set()
        self.masks = None
        self.complete = True
        self.began = began
        self.known = known
        self.probed = not known or len(known) > _PILE
        self.requests = 0
        self._before = ()

    def first(self):
        """Return the masks to begin with."""
        return apart(self.known) if len(self.known) > _PILE else [(0, 0)]

    def rest(self, began):
        """Return an inventory of what is left to ask: a part, and never complete."""
        rest = Inventory(began)
        rest.masks = self.masks
        rest.complete = False
        rest._before = self.found()
        return rest

    def found(self):
        """Return how the UIDs of this part and those before it end: integers of 24 bits.

        They are kept for long, and UIDs would be scattered all over the memory.
        """
        found = {int.from_bytes(uid[-3:], "big") for uid in self.uids}
        found.update(self._before)
        return found
