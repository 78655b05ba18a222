"""What goes wrong with a reader."""


class ReaderFault(Exception):
    """The reader did not do what its data sheet promises; the text says what."""
