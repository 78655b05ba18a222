"""A second room that has all the first one has, and goes on in its place."""
