"""One antenna's set of tags while it is being read: in one visit, or in several.

Tags keep no state for it: which of them answer is told by the bits of their UIDs alone. So
what is left to ask stays true while the field is off, and reading goes on in the next cycle.
"""


class Inventory:
    """`uids` found so far, `masks` left to ask (None: nothing asked yet, empty: all is asked).

    A mask is (bits, their value); of no bits, it stands for all sixteen slots. `complete` is
    False once there are tags that can't be told apart. `began` is when the first visit began.
    An antenna that had no tags the last time is `probed` first: silence is soon told.
    """

    def __init__(self, began, probed=True):
        self.uids = set()
        self.masks = None
        self.complete = True
        self.began = began
        self.probed = probed
        self.requests = 0

    def rest(self, began):
        """Return an inventory of what is left to ask: a part, and never complete."""
        rest = Inventory(began)
        rest.masks = self.masks
        rest.complete = False
        return rest
