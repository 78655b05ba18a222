"""`cutcard doctor`: looks a table over, from its ports to its broker, and says what to do.

A file has one subject. What is found out about the machine is a value, and a function without side
effects judges it, so that every judgement can be tried with values made up.
"""
