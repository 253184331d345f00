"""The reference store: dictionaries."""
