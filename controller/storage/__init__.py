"""What is kept in SQLite: how a file of ours is opened, and the journal and outbox of a table."""
