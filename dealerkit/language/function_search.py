"""Search for functions of the language by players' words and by the words of their descriptions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from dealerkit.language.unknown_names import find_functions
from dealerkit.registry import Function


def search_functions(functions: Sequence[Function], words: str) -> list[Function]:
    """Return the functions that match some words, the best match first.

    >>> import dealerkit.language.parser  # registers them
    >>> from dealerkit import registry
    >>> search_functions(list(registry.functions()), "losing tricks")[0].name
    'losers'
    """
    meant = find_functions(words)
    scores = []
    for function in functions:
        names = (function.name, *function.aliases)
        score = score_match(words, names, f"{function.summary} {function.source} {function.unit}")
        if function.name in meant:
            score = max(score, 80 - meant.index(function.name))
        scores.append((score, function))
    return [function for score, function in sorted(scores, key=lambda pair: -pair[0]) if score]


def score_match(words: str, names: tuple[str, ...], description: str) -> int:
    """Return how well names and a description match words, from 0 (not at all) to 100."""
    text, description = words.strip().lower(), description.lower()
    parts = [re.escape(part.removesuffix("s")) for part in re.findall(r"[\w&']+", text)]
    if any(text == name.lower() for name in names):
        return 100
    if any(name.lower().startswith(text) for name in names):
        return 90
    if any(text in name.lower() for name in names):
        return 70
    if not parts or not all(re.search(part, description) for part in parts):
        return 0
    if all(re.search(rf"\b{part}", description) for part in parts):
        return 60
    return 40 if min(map(len, parts)) > 3 else 0
