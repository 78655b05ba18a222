"""The room: its clock and what its tables say."""
