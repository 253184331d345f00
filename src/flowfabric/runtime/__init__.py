"""Runs people's functions: what a task is, what it is handed, and the worker that runs it."""
