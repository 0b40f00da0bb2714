"""The table-driven parser, which builds nodes from tokens, and words that depend on other tokens."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Any

from dealerkit.errors import ScriptError
from dealerkit.language.builder import Builder
from dealerkit.language.dialects import Rules
from dealerkit.language.levels import mark_level_words
from dealerkit.language.parser_tables import ACTIONS, END, PRODUCTIONS
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.language.source import ScriptSource, Token
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.vocabulary import mark_variables


def mark_words(tokens: list[Token], rules: Rules) -> None:
    """Mark words as variables or keywords of `level`, which depends on the other tokens of the script."""
    if rules.modern_syntax:
        mark_variables(tokens)
        mark_level_words(tokens)


def find_first_error(text: str, rules: Rules) -> int | None:
    """Return the offset of the first syntax error in a text; None if there is none.

    If the text ends too early, this is the length of the text.

    >>> from dealerkit.language.dialects import MODERN
    >>> find_first_error("hcp(north) > 12", MODERN), find_first_error("hcp(north) >= and", MODERN)
    (None, 14)
    """
    source = ScriptSource(text, rules)
    tokens, end = tokenize(source, ScriptVariables.collect(()))
    mark_words(tokens, rules)
    try:
        parse_tokens(tokens)
    except UnexpectedToken as unexpected:
        if unexpected.token is not None:
            return unexpected.token.start
    except ScriptError as error:
        return error.column - 1
    else:
        return None if end is None else end.column - 1
    return len(text) if end is None else end.column - 1


class UnexpectedToken(Exception):
    """A token that the grammar does not accept.

    Parameters
    ----------
    token : Token or None
        The token; None if the tokens end too early.
    states : list of int
        The stack of the parser's states, the current one last.
    """

    def __init__(self, token: Token | None, states: list[int]) -> None:
        self.token, self._states = token, states

    def list_accepted(self) -> set[str]:
        """Return the types of token that the grammar accepts instead of this one."""
        return {kind for kind in ACTIONS[self._states[-1]] if not kind.islower() and self._accepts(kind)}

    def _accepts(self, kind: str) -> bool:
        """Return whether the grammar accepts a type of token after the reductions that it causes."""
        states = list(self._states)
        while states[-1] != END:
            step = ACTIONS[states[-1]].get(kind)
            if step is None or step >= 0:
                return step is not None
            _reduce(states, -1 - step)
        return True


def parse_tokens(tokens: Iterable[Token], builder_class: type = Builder) -> Any:
    """Parse tokens, and return what a builder makes of them; `Builder` makes the statements of a script.

    This is the LR parser of textbooks on compilers (Aho, Lam, Sethi, Ullman, "Compilers", 2nd ed., algorithm
    4.44) with the tables that lark computes; importing lark itself would take long for a small run.

    Raises
    ------
    UnexpectedToken
        The grammar does not accept a token.
    ScriptError
        The builder finds a mistake.
    """
    methods, states = _find_methods(builder_class), [0]
    values: list[Any] = []
    for token in chain(tokens, (None,)):
        kind = "$END" if token is None else token.type
        while (step := ACTIONS[states[-1]].get(kind)) is None or step < 0:
            if step is None:
                raise UnexpectedToken(token, states)
            # Replace the parts of the production by the node that is made of them.
            n_parts, method = methods[-1 - step]
            start = len(values) - n_parts
            if method is not None:
                values[start:] = [method(values[start:])]
            _reduce(states, -1 - step)
            if states[-1] == END and token is None:
                return values[0]
        states.append(step)
        values.append(token)
    raise AssertionError("the grammar accepts no end")  # the tables have no step for it but reductions


def _reduce(states: list[int], production: int) -> None:
    """Replace the states of a production's parts by the state that follows its rule."""
    rule, n_parts, _ = PRODUCTIONS[production]
    if n_parts:
        del states[-n_parts:]
    states.append(ACTIONS[states[-1]][rule])


@functools.cache
def _find_methods(builder_class: type) -> list[tuple[int, Callable[[list[Any]], Any] | None]]:
    """Return each production's number of parts and its method of a builder, None to keep its only part."""
    builder = builder_class()
    return [(n_parts, getattr(builder, name) if name else None) for _, n_parts, name in PRODUCTIONS]
