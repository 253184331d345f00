from tests.stores_under_test import clock, engine, store_url

__all__ = ["clock", "engine", "store_url"]
