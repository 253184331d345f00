"""Seeing inside: numbers for Prometheus (`metrics`, extra `metrics`) and spans (`tracing`, extra `otel`)."""
