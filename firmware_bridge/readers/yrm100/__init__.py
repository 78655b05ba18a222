"""YRM100 and other M100 or R200 modules."""
