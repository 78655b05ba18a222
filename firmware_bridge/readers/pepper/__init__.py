"""Eccel Pepper C1 readers, with one antenna or (Pepper C1 MUX) with eight."""
