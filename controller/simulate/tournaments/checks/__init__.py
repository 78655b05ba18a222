"""What has to be so in every tournament, whatever happens: pure. Each check looks at what it is
given and says in a line what is wrong; it asks none of the functions that it checks."""
