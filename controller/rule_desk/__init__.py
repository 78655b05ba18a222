"""The rule desk: what the books say, asked by people."""
