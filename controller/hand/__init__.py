"""The machinery of one hand, and no rule: what happens to it is told to those who watch."""
