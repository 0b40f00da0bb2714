"""Deals that lie on disk, solved or not."""
