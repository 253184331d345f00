"""Where the rooms meet: what the engine asks of a store, and what everyone may ask of the engine."""
