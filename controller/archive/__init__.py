"""The room's history: every event of every table, kept, searched and given out again."""
