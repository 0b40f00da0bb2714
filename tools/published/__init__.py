"""Published figures of bridge, and the same figures from dealerkit: the content of docs/published-values.md."""
