"""Advice about scripts: mistakes found by `check`, and the explanations of `explain` and `why`."""
