"""The blinds screen for a wall, drawn by pygame where there is no browser."""
