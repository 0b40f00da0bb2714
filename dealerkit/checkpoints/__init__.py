"""Checkpoints: files from which a computation that was killed continues."""
