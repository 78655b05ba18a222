"""What goes wrong with a reader."""


class ReaderError(Exception):
    """The reader did not do what its data sheet promises; the text says what."""


class FieldBarredError(Exception):
    """The reader is well but senses another field, and did not switch on its own: try again."""
