"""Shows and never decides: events become pictures."""
