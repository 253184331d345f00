"""The suite for stores, on every store of ours."""

from flowfabric_conformance import *  # noqa: F403
