"""Readers that are attached directly: a codec each (bytes <-> frames) and a thin poller."""
