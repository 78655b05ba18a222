"""What bytes on a wire mean, for the bench: every protocol of the bridge, byte by byte."""
