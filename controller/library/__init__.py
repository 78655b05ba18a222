"""Rule books and words, read from their files and refused where they are wrong."""
