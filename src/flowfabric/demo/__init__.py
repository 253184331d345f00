"""See it work: real processes, a real crash, and an operator who steers."""
