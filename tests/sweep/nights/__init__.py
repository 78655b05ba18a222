"""Whole nights at one table: how they were, what people forget to tell, what the engine says."""
