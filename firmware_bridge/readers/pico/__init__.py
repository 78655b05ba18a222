"""A microcontroller as a family; what it speaks is in `firmware_bridge/link`."""
