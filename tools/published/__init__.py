"""Published figures of bridge, and the same figures from dealerkit, for docs/published-values.md."""
