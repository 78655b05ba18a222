"""The people of the house: who they are, what each may, who is in, and who did what."""
