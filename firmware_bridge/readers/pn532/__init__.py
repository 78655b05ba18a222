"""PN532 over HSU."""
