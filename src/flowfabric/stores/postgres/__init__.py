"""The store for many machines: one PostgreSQL database."""
