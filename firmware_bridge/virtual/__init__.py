"""A table made of software: zones, tags and buttons behind the same bytes as a real one."""
