"""The engine of a program whose store is behind a FlowFabric server."""
