"""What goes wrong with a reader."""


class ReaderError(Exception):
    """The reader did not do what its data sheet promises; the text says what."""
