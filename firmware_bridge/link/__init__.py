"""The microcontroller link, sans-I/O: PROTOCOL.md in this folder is its definition."""
