"""`python -m flowfabric.cli`: the same as `ff`, if `ff` is not on the path."""

from flowfabric.cli.main import main

main()
