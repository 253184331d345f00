"""The suite that ships with the package, on every store of ours."""

from flowfabric.testing.conformance import *  # noqa: F403
