"""Where the rooms meet. Each file says what one consumer asks: committers, readers, reconcilers, those who wait.

A store implements all parts (`ports.store.Store`), and each consumer sees only the part that it uses.
"""
