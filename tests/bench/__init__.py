"""The project's figures, measured beside their targets: `./run bench`."""
