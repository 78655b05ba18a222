"""What the room's people type: its history, its people, its certificate, its blinds."""
