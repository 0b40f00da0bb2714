"""The writers of texts, one for each dialect."""

from __future__ import annotations

from dealerkit.actions.text_modern import ModernWriter
from dealerkit.actions.text_v1 import RunTotals, TextSettings, V1Writer
from dealerkit.actions.text_v2 import V2Writer
from dealerkit.language.dialects import Rules

__all__ = ["RunTotals", "TextSettings", "V1Writer", "create_writer"]

_WRITERS: dict[str, type[V1Writer]] = {"v1": V1Writer, "v2": V2Writer, "modern": ModernWriter}


def create_writer(rules: Rules, settings: TextSettings) -> V1Writer:
    """Return the writer of texts under some rules; of the modern text under rules of the caller's own."""
    return _WRITERS.get(rules.name, ModernWriter)(settings)
