"""Colours of the dealer language: a lexer for Pygments, and a script for the cells of JupyterLab."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator
from importlib.resources import files
from typing import Any

from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Operator, Punctuation, String, Text, _TokenType

from dealerkit.cards.names import SEATS

_KEYWORDS = {
    "ACTION",
    "CONDITION",
    "PREDEAL",
    "POINTCOUNT",
    "ALTCOUNT",
    "COUNT",
    "SEAT_SETTING",
    "VULNERABLE",
    "TITLE",
    "DEAL",
}


class DealerLexer(RegexLexer):
    """Scripts of the dealer language.

    Examples
    --------
    >>> tokens = DealerLexer().get_tokens("condition hcp(north) >= 15")
    >>> [value for kind, value in tokens if kind in Name.Builtin]
    ['hcp', 'north']
    """

    name = "Dealer"
    url = "https://www.bridgebase.com/tools/dealer/Manual/"
    aliases = ["dealer"]
    filenames = ["*.dealer", "*.dlr"]
    mimetypes = ["text/x-dealer"]
    tokens = {
        "root": [
            (r"%%?dealer[^\n]*", Comment.Preproc),
            (r"#[^\n]*|//[^\n]*|/\*(?s:.*?)\*/", Comment),
            (r'"[^"]*"?', String),
            (r"\$(?:[0-9]|[A-Za-z_]\w*)", Name.Variable),
            (r"[A-Za-z]\w*", Name),
            (r"\d+(?:\.\d+)?|\.\d+|[0-9x]{4}", Number),
            (r"&&|\|\||[=!<>]=|[=<>!+*/%?:-]", Operator),
            (r"[(){},.]", Punctuation),
            (r"\s+", Text.Whitespace),
            (r".", Text),
        ]
    }

    def get_tokens_unprocessed(self, text: str, *args: Any) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield index, type and text of each token; words have the type that the parser gives them."""
        kinds = _classify_words()
        for index, token, value in super().get_tokens_unprocessed(text, *args):
            yield index, (kinds.get(value, token) if token is Name else token), value


class SystemLexer(DealerLexer):
    r"""Files of bidding systems.

    Examples
    --------
    >>> tokens = list(SystemLexer().get_tokens('after 1M (2x)\n2M  hcp 6-9, M 3+  "raise" from book'))
    >>> [value for kind, value in tokens if kind in (Keyword, Name.Label)]
    ['after', '1M', '2x', '2M', 'from']
    """

    name = "Bidding system"
    aliases = ["bidding"]
    filenames = ["*.system"]
    mimetypes = ["text/x-bidding-system"]
    tokens = {
        "root": [
            (r"#[^\n]*", Comment),
            (r'"[^"\n]*"?', String),
            (r"\$(?:[0-9]|[A-Za-z_]\w*)", Name.Variable),
            (r"(?:[1-7](?:NT|[SHDC]|oM|om|[Mmx])|\b(?:P|X|XX))\b", Name.Label),
            (r"shape\b\s*[({][^)}\n]*[)}]?", Name.Builtin),
            (r"[A-Za-z]\w*", Name),
            (r"\d+(?:\.\d+)?(?:[+-](?!\d))?", Number),
            (r"[=!<>]=|[=<>+*/%?:-]", Operator),
            (r"[(){},.]", Punctuation),
            (r"\s+", Text.Whitespace),
            (r".", Text),
        ]
    }

    def get_tokens_unprocessed(self, text: str, *args: Any) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield index, type and text of each token; the words of statements are keywords."""
        from dealerkit.bidding import JUDGEMENT, MARKS, STATEMENTS

        keywords = {*STATEMENTS, *MARKS, JUDGEMENT, "from", "otherwise", "seat", "vulnerable"}
        for index, token, value in super().get_tokens_unprocessed(text, *args):
            yield index, (Keyword if value in keywords and token in Name else token), value


@functools.cache
def _classify_words() -> dict[str, _TokenType]:
    """Return the token type of each word of the language."""
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import classify_word, list_keyword_tokens, list_keywords

    actions = ("ACTION_CALL", "ACTION_OPTIONAL", "ACTION_BARE", "AVERAGE")
    kinds: dict[str, _TokenType] = {word: Name.Builtin for word in list_keywords(MODERN)}
    for word in list_keyword_tokens(MODERN):
        kind = classify_word(word, MODERN)[0]
        if kind in _KEYWORDS:
            kinds[word] = Keyword
        elif kind in actions:
            kinds[word] = Name.Function
        elif kind in ("OPERATOR", "NOT", "ANY"):
            kinds[word] = Operator.Word
        elif kind in ("SUIT", "STRAIN", "SIDE", "VULWORD"):
            kinds[word] = Name.Constant
    return kinds | dict.fromkeys(SEATS, Name.Builtin.Pseudo)


_KINDS = {
    "SUIT": "suit",
    "STRAIN": "suit",
    "SEAT": "seat",
    "SIDE": "seat",
    "SHAPE": "function",
}  # others: keyword


def show_colors(shell: Any) -> None:
    """Display the script that colours cells if the shell belongs to a kernel."""
    if hasattr(shell, "kernel"):
        from IPython.display import display

        # The empty text is shown by programs that do not run the script.
        display({"application/javascript": build_script(), "text/plain": ""}, raw=True)


def build_script() -> str:
    """Return the script that colours cells, with the words of the language and their kinds."""
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import list_keyword_tokens

    words = {word: _KINDS.get(kind, "keyword") for word, (kind, _) in list_keyword_tokens(MODERN).items()}
    script = files("dealerkit.notebook").joinpath("highlight.js").read_text(encoding="utf-8")
    return script.replace("WORDS;", json.dumps(words | dict.fromkeys(SEATS, "seat")) + ";")
