"""Files that people write, and those that come with the program."""
