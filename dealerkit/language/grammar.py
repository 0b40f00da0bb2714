"""The grammar: the parser that builds nodes from tokens, and the words whose meaning other tokens decide."""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedToken
from lark.lexer import Lexer

from dealerkit.errors import ScriptError
from dealerkit.language.builder import Builder
from dealerkit.language.dialects import Rules
from dealerkit.language.levels import mark_level_words
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.language.source import ScriptSource, Token
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.vocabulary import mark_variables


def mark_words(tokens: list[Token], rules: Rules) -> None:
    """Mark the words that are variables or keywords of `level`, which all tokens together decide."""
    if rules.modern_syntax:
        mark_variables(tokens)
        mark_level_words(tokens)


def find_first_error(text: str, rules: Rules) -> int | None:
    """Return the offset of the first mistake of syntax in a text; None if it can be read.

    Where the text ends too early this is its length.

    >>> from dealerkit.language.dialects import MODERN
    >>> find_first_error("hcp(north) > 12", MODERN), find_first_error("hcp(north) >= and", MODERN)
    (None, 14)
    """
    source = ScriptSource(text, rules)
    tokens, end = tokenize(source, ScriptVariables.collect(()))
    mark_words(tokens, rules)
    try:
        find_parser().parse(tokens)
    except UnexpectedToken as unexpected:
        if unexpected.token in tokens:
            return int(unexpected.token.start)
    except ScriptError as error:
        return error.column - 1
    else:
        return None if end is None else end.column - 1
    return len(text) if end is None else end.column - 1


@functools.cache
def find_parser() -> Lark:
    """Return the parser of the grammar, which builds nodes as it parses."""
    file = Path(__file__).with_name("grammar.lark")
    return Lark(
        file.read_text(encoding="utf-8"),
        parser="lalr",
        lexer=_Tokens,
        transformer=Builder(),
        maybe_placeholders=False,
        cache=_cache_file(file),
    )


def _cache_file(grammar: Path) -> str | bool:
    """Return the file in which lark caches the parser tables, in __pycache__; False if it is not writable."""
    folder = grammar.parent / "__pycache__"
    try:
        folder.mkdir(exist_ok=True)
    except OSError:
        return False
    file = folder / f"grammar.{sys.implementation.cache_tag}.tables"
    return str(file) if os.access(folder, os.W_OK) else False


class _Tokens(Lexer):
    """A lexer that passes on the tokens of tokenizer.py."""

    __future_interface__ = True

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return iter(lexer_state.text)
