"""What an auditor does: keys, opening what was sealed, and checking that nothing was rewritten."""
