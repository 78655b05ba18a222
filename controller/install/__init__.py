"""What the person needs who installs a table: decks, captures, the doctor, the first settings."""
