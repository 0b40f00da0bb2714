"""Uniform dealing: any deal of a seed by its number."""

from __future__ import annotations

from dealerkit.dealing.uniform.stream import UniformSource, deal_numbered, deal_range

__all__ = ["UniformSource", "deal_numbered", "deal_range"]
