"""`cutcard demo`: a room on one machine, with a table made of software and a dealer who errs."""
