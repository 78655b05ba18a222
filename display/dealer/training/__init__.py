"""The dealer's screen in training: lessons take the place of the table."""
