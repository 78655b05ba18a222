"""`cutcard pair`: a table gets its login from the room, by a code."""
