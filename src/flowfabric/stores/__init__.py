"""Where records rest: load, save and find. No rule lives here."""
