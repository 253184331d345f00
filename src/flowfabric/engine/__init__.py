"""Takes commands, keeps the books."""
