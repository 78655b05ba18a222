"""`cutcard setup`: a machine made into a room or a table, as often as one likes."""
