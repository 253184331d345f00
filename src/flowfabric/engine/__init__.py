"""The engine: it checks commands, gathers them in batches, commits them and answers."""
