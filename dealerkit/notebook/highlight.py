"""Colours of the dealer language in the editor of JupyterLab, by a script in the output of ``%load_ext``."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from dealerkit.cards.names import SEATS

_KINDS = {
    "SUIT": "suit",
    "STRAIN": "suit",
    "SEAT": "seat",
    "SIDE": "seat",
    "SHAPE": "function",
}  # others: keyword


def show_colors(shell: Any) -> None:
    """Display the script, if the shell is that of a kernel."""
    if hasattr(shell, "kernel"):
        from IPython.display import display

        # Without text, where the script is not run nothing is shown.
        display({"application/javascript": build_script(), "text/plain": ""}, raw=True)


def build_script() -> str:
    """Return the script, with the kinds of the words of the language."""
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import list_keyword_tokens

    words = {word: _KINDS.get(kind, "keyword") for word, (kind, _) in list_keyword_tokens(MODERN).items()}
    script = files("dealerkit.notebook").joinpath("highlight.js").read_text(encoding="utf-8")
    return script.replace("WORDS;", json.dumps(words | dict.fromkeys(SEATS, "seat")) + ";")
