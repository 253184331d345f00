"""`python -m flowfabric.cli`: the same as `ff`, for where that is not on the path."""

from flowfabric.cli.main import main

main()
