"""`cutcard replay`: a table log in, the engine's events out."""
