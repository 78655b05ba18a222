"""What all screens that are drawn by pygame share."""
