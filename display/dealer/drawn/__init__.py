"""The dealer's screen as pygame draws it, and what comes back: taps, sounds, the window."""
