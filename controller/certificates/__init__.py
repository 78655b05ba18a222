"""HTTPS for a room: an authority of its own, and what it vouches for."""
