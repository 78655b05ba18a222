"""FEIG OBID i-scan HF readers."""
