from tests.stores_under_test import clock, engine, parts, store_url

__all__ = ["clock", "engine", "parts", "store_url"]
