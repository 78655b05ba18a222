"""The dealer's screen as it was: a table log takes the place of the table."""
