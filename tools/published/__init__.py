"""Published figures and those of dealerkit, for docs/reference/published-values.md."""
