"""The dealer's screen: a process of its own beside the table, fed over a Unix socket."""
