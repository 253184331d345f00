"""The interfaces between the packages. Each file is for one consumer, and fits on two screens.

A store implements all parts (`ports.store.Store`), and each consumer sees only the part that it uses.
"""
