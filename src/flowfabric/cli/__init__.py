"""The `ff` command: what an operator runs."""
