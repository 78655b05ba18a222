"""Which address answers what: a class for each part of the room."""
