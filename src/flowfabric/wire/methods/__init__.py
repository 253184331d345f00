"""The signatures of all methods of `Engine`, as protocols. Written by `python tools/blocking_stub.py`."""
