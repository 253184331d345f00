"""Tasks, their contexts and handles, and the worker that runs them."""
