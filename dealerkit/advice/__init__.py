"""Mistakes in scripts that can be read, and explanations: what `check`, `explain` and `why` answer."""
