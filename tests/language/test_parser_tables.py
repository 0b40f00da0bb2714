"""The parser with stored tables against lark with the grammar: the same trees, the same errors."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from lark import Lark, Transformer
from lark.exceptions import UnexpectedToken as LarkUnexpectedToken
from lark.lexer import Lexer

from dealerkit.language import grammar
from dealerkit.language.dialects import MODERN
from dealerkit.language.source import ScriptSource, Token
from tools.parser_tables import FOLDER, TABLES, build_tables

ENDING = ("RPAR", "COLON", "NUMBER", "NAME", "SEAT", "STRING", "DISTRIBUTION")  # after which little follows


class _LarkToken(Token):
    """A token with what lark reads of the last one when the text ends too early."""

    line = column = end_line = end_column = start_pos = end_pos = 0


class _Tokens(Lexer):
    __future_interface__ = True

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return iter(lexer_state.text)


class _LarkTrees(Transformer):
    """Trees of lark: a tuple for each rule."""

    def __default__(self, data: str, children: list[Any], meta: Any) -> tuple[str, ...]:
        return (str(data), *children)


class _Trees:
    """Trees of the parser: a tuple for each rule."""

    def __getattr__(self, name: str) -> Any:
        return lambda parts: (name, *parts)


@pytest.fixture(scope="module")
def lark() -> Lark:
    text = (FOLDER / "grammar.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer=_Tokens, transformer=_LarkTrees(), maybe_placeholders=False)


def make_tokens(lark: Lark, rng: random.Random) -> list[Token]:
    """Return tokens of a random script: each is one that lark accepts, until it accepts the end."""
    source, tokens = ScriptSource("", MODERN), []
    parser = lark.parse_interactive([])  # type: ignore[arg-type]
    while len(tokens) < 100:
        accepted = sorted(parser.accepts())
        if len(tokens) > 4 and "$END" in accepted and rng.random() < 0.2:
            break
        ending = [kind for kind in accepted if kind in ENDING] if len(tokens) > 30 else []
        kind = rng.choice(ending or [kind for kind in accepted if kind != "$END"])
        tokens.append(_LarkToken(kind, "1", len(tokens), len(tokens), source))
        parser.feed_token(tokens[-1])  # type: ignore[arg-type]
    return tokens


def parse_by_lark(lark: Lark, tokens: list[Token]) -> Any:
    """Return the tree, or the place of the unexpected token and the types that are accepted there."""
    try:
        return lark.parse(tokens)  # type: ignore[arg-type]
    except LarkUnexpectedToken as error:
        places = [k for k, token in enumerate(tokens) if token is error.token]
        return places, set(error.interactive_parser.accepts())  # type: ignore[union-attr]


def parse(tokens: list[Token]) -> Any:
    try:
        return grammar.parse_tokens(tokens, _Trees)
    except grammar.UnexpectedToken as error:
        return [k for k, token in enumerate(tokens) if token is error.token], error.list_accepted()


def test_the_tables_are_those_of_the_grammar() -> None:
    assert TABLES.read_text(encoding="utf-8") == build_tables()


def test_trees_and_errors_are_those_of_lark(lark: Lark) -> None:
    rng = random.Random(1)
    kinds = sorted({kind for row in grammar.ACTIONS for kind in row if kind.isupper() and kind != "$END"})
    n_trees, used = 0, set()
    for _ in range(60):
        tokens = make_tokens(lark, rng)
        for _ in range(4):
            expected = parse_by_lark(lark, tokens)
            assert parse(tokens) == expected
            n_trees += type(expected[0]) is str
            used |= {token.type for token in tokens}
            # Change one token: leave it out, or give it another type
            place = rng.randrange(len(tokens))
            old = tokens[place]
            new = [_LarkToken(rng.choice(kinds), "1", old.start, old.end, old.source)] * rng.randrange(2)
            tokens = [*tokens[:place], *new, *tokens[place + 1 :]]
    assert used == set(kinds) and 40 < n_trees < 200, n_trees
