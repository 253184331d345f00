"""Upkeep: find what is due, then send a command for it; never write."""
