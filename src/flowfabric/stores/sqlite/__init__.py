"""The embedded store: one file, several processes."""
