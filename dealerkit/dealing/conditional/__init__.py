"""Conditional dealing: samplers of deals in which hands belong to sets."""

MAX_BRANCHES = 8  # samplers in a mixture; here, because plans need the limit before a sampler is imported
