"""`cutcard doctor --bench`: how well each antenna reads, live, while somebody tunes it."""
