"""Find, then send a command; never write."""
