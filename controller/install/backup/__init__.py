"""What a machine of cutcard's keeps, saved into one file and brought back from it."""
