"""The further mistakes of a script after its first: each statement is read by itself."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Sequence
from typing import Any

from lark.exceptions import UnexpectedToken

from dealerkit.errors import ScriptError
from dealerkit.language import nodes
from dealerkit.language.includes import Includes
from dealerkit.language.levels import mark_level_words
from dealerkit.language.script import Script
from dealerkit.language.script_variables import ScriptVariables
from dealerkit.language.source import MAX_ERRORS, ScriptSource, Token, join_errors
from dealerkit.language.syntax_errors import build_syntax_error
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.unexpected_token import STATEMENTS
from dealerkit.language.variable_names import mark_variables

MAX_TEXT = 50_000  # characters of a script in which further mistakes are looked for
_UNREADABLE = re.compile(r"(?:#|Import,)[^\n]*|\$?\w+(\.\w*)?|.", re.DOTALL)
_ENDLESS = ('"', "{", "/*")  # what these begin has no end: nothing after it can be read


def add_further_errors(
    first: ScriptError,
    source: ScriptSource,
    variables: ScriptVariables,
    include: Sequence[str | os.PathLike[str]],
    parse: Callable[[Any], Any],
) -> ScriptError:
    """Return the first mistake of a script, with the mistakes of other statements as its further errors.

    Uses of variables whose definitions have mistakes are none. `include` are the folders of included files,
    whose mistakes are reported, too. Statements begin with a keyword, or with the
    name and the sign of a definition; an expression that stands by itself is a part of the statement before.
    """
    if len(source.text) > MAX_TEXT:
        return first
    tokens, unreadable = _read_tokens(source, variables, include)
    errors: list[ScriptError] = []
    statements: list[nodes.Statement] = []
    unknown: set[str] = set()
    starts = [0, *(k for k in range(1, len(tokens)) if _begins_statement(tokens, k)), len(tokens)]
    for start, end in itertools.pairwise(starts):
        part = tokens[start:end]
        error = _find_unreadable(part, tokens[end : end + 1], start == 0, unreadable, source)
        if error is None:
            try:
                statements.extend(parse(part))
                continue
            except UnexpectedToken as unexpected:
                error = build_syntax_error(source, tokens, unexpected, start, end)
            except ScriptError as mistake:
                error = mistake
        if not _contains(part, tokens[end : end + 1], start == 0, first):
            errors.append(error)
        unknown |= {token.text for token in part if token.type == "NAME"}
        if len(errors) > MAX_ERRORS:
            break
    script = Script(tuple(statements), source.rules, source.text, source.file)
    errors += _check_statements(script, unknown)
    if source.empty_variables:  # the mistake may come from them
        message = f"{first.message}; {source.empty_variables[0]}"
        first = ScriptError(message, first.file, first.line, first.column, first.source)
    later = {
        (error.file != first.file, error.file or "", _position(error)): error
        for error in reversed(errors)
        if error.file != first.file or _position(error) > _position(first)
    }
    return join_errors([first, *(later[position] for position in sorted(later))])


def _check_statements(script: Script, unknown: set[str]) -> list[ScriptError]:
    """Return the mistakes that the statements have besides their syntax."""
    from dealerkit.language.checks import find_further_errors  # needed after a mistake only

    return find_further_errors(script, unknown)


def _contains(part: Sequence[Token], following: Sequence[Token], is_first: bool, error: ScriptError) -> bool:
    """Return whether an error is about a statement; one mistake of a statement may cause others."""
    if part and part[0].source.file != error.file:
        return False
    places = [token.place for token in (*part[:1], *following) if token.source.file == error.file]
    start, *end = [(place.line, place.column) for place in places] or [(1, 1)]
    return (is_first or start <= _position(error)) and not (end and end[0] <= _position(error))


def _position(error: ScriptError) -> tuple[int, int]:
    return error.line, error.column


def _begins_statement(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a statement begins at a token; a definition does at the beginning of its line."""
    token, after = tokens[index], tokens[index + 1 : index + 2]
    if token.type in STATEMENTS:
        return True
    is_definition = token.type != "RPAR" and bool(after) and after[0].type == "ASSIGN"
    text = token.source.text
    return is_definition and not text[text.rfind("\n", 0, token.start) + 1 : token.start].strip()


def _find_unreadable(
    part: Sequence[Token],
    following: Sequence[Token],
    is_first: bool,
    unreadable: Sequence[tuple[int, ScriptError]],
    source: ScriptSource,
) -> ScriptError | None:
    """Return the error about a character inside a statement that begins no token, or None."""
    if part and part[0].source is not source:
        return None  # the statement is in an included file
    end = following[0].start if following and following[0].source is source else float("inf")
    start = 0 if is_first or not part else part[0].start
    return next((error for offset, error in unreadable if start <= offset < end), None)


def _read_tokens(
    source: ScriptSource, variables: ScriptVariables, include: Sequence[str | os.PathLike[str]]
) -> tuple[list[Token], list[tuple[int, ScriptError]]]:
    """Return the tokens of a script without what cannot be read, and the offsets and errors of that."""
    text = source.text
    lines = text.split("\n")
    unreadable: list[tuple[int, ScriptError]] = []
    while True:
        readable = ScriptSource(text, source.rules, source.file)
        tokens, error = tokenize(readable, variables, Includes(source.file, include))
        if source.rules.modern_syntax:
            mark_variables(tokens)
            mark_level_words(tokens)
        if error is None or error.file != source.file or error.line > len(lines):
            break
        offset = sum(len(line) + 1 for line in lines[: error.line - 1]) + error.column - 1
        shown = lines[error.line - 1].rstrip("\r")
        error = ScriptError(error.message, error.file, error.line, error.column, shown)
        is_new = all(offset != other for other, _ in unreadable)
        match = _UNREADABLE.match(text, offset)
        unreadable.append((offset, error))
        if not is_new or match is None or text.startswith(_ENDLESS, offset) or len(unreadable) > MAX_ERRORS:
            break
        text = text[:offset] + " " * len(match[0]) + text[match.end() :]
    for token in tokens:
        if token.source is readable:
            token.source = source
    return tokens, unreadable
