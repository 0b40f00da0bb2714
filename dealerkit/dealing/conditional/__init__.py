"""Conditional dealing: samplers of deals in which hands belong to sets."""

MAX_BRANCHES = 8  # samplers of a mixture; plans are made with it before any sampler is imported
