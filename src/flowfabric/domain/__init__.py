"""Every rule, as pure functions of values."""
