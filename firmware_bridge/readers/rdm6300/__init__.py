"""RDM6300, for the puck."""
