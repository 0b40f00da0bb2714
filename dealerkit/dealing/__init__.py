"""Where deals come from: uniform dealing, conditional sampling, the classic streams, predealt cards.

The streams are in `uniform`, `conditional` and `classic`; a run imports only those that it needs.
"""

from __future__ import annotations

from dealerkit.dealing.predeal import Predeal
from dealerkit.dealing.random_words import block_key, derive_key, fill_random_words, random_word

__all__ = ["Predeal", "block_key", "derive_key", "fill_random_words", "random_word"]
