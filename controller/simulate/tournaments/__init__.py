"""`cutcard simulate --tournament`: whole tournaments by chance, and whether the room keeps to its
books in each."""
