"""Explanations of scripts, plans and single deals in plain words; runs do not import this package."""
