"""The streams of deals of dealer and DealerV2, with the random numbers of the C library."""

from __future__ import annotations

from dealerkit.dealing.classic.streams import ClassicSource, ClassicV1, ClassicV2

__all__ = ["ClassicSource", "ClassicV1", "ClassicV2"]
