"""Parse the text of a script into a `Script`."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence

import dealerkit.language.functions  # noqa: F401  (it fills the registry)
from dealerkit.arguments import is_empty
from dealerkit.errors import ArgumentError, ScriptError, quote
from dealerkit.language import nodes
from dealerkit.language.dialects import Rules
from dealerkit.language.grammar import UnexpectedToken, mark_words, parse_tokens
from dealerkit.language.includes import Includes
from dealerkit.language.scenarios import read_headers, refuse_foreign, unwrap
from dealerkit.language.script import Script
from dealerkit.language.script_variables import Params, ScriptVariables
from dealerkit.language.source import (
    MAX_BYTES,
    MAX_NESTING,
    ScriptSource,
    Token,
    add_file_hint,
    find_encoding_fault,
    read_source,
)
from dealerkit.language.tokenizer import tokenize
from dealerkit.language.trees import find_deeper_node


def parse_script(
    text: str,
    rules: Rules,
    file: str | None = None,
    params: Params | ScriptVariables = (),
    include: Sequence[str | os.PathLike[str]] | None = (),
    finds_all: bool = True,
) -> Script:
    """Parse the text of a script.

    Parameters
    ----------
    text : str
        The script.
    rules : Rules
        The rules of its dialect.
    file : str, optional
        The name of its file, for messages and for included files.
    params : mapping, sequence or ScriptVariables
        Values of the script variables, by name or in the order of ``$0`` to ``$9``; `ScriptVariables` for
        values that several scripts share.
    include : sequence of str or os.PathLike, or None
        Folders to search for included files, after the folder of `file`. None: no file is included, and no
        message reveals whether a file exists.
    finds_all : bool
        Whether the error also has the further mistakes of the script.

    Returns
    -------
    Script
        The parsed script.

    Raises
    ------
    ScriptError
        The script has a mistake; the error has its place and usually a correction.
    ArgumentError
        `text` is not a str, or the script does not use a value of `params`.
    FileError
        A folder of `include` does not exist.

    Examples
    --------
    >>> from dealerkit.language.dialects import MODERN
    >>> script = parse_script("hcp(north) >= 10 and spades(north) == 5", MODERN)
    >>> type(script.statements[0].value).__name__
    'And'
    """
    if not isinstance(text, str):
        message = f"{quote(text, 40)} is not the text of a script; write one such as 'hcp(north) > 15'"
        if callable(text):
            message += "; register a function of yours with @dealerkit.function and write its call"
        raise ArgumentError(message)
    try:
        return _parse_text(text.removeprefix("\ufeff"), rules, file, params, include, finds_all)
    except ScriptError as caught:
        error = caught
    # The error is raised outside the except clause so that it has no context, which dask would pickle, too.
    # Scripts without mistakes do not need the notations of other programs, so they are imported here.
    from dealerkit.language.notations import explain_notation

    error = refuse_foreign(explain_notation(error, rules), text)
    raise error if include is None else add_file_hint(error, text)


def _parse_text(
    text: str,
    rules: Rules,
    file: str | None,
    params: Params | ScriptVariables,
    include: Sequence[str | os.PathLike[str]] | None,
    finds_all: bool,
) -> Script:
    """Return the parsed script; see `parse_script`."""
    source = ScriptSource(text, rules, file)
    # Refuse a binary file, or one that is too long, before reading anything in it.
    if len(text) <= MAX_BYTES and (fault := find_encoding_fault(text)) is not None:
        raise source.error(f"this is not a script: {fault[0]}", fault[1])
    if len(text) > MAX_BYTES or len(text.encode()) > MAX_BYTES:
        raise ScriptError(f"the script is longer than {MAX_BYTES:,} bytes", file, kind="limit")
    # Of a file for BBOalert, read the dealer text inside it, whose headers replace those of the file.
    variables = ScriptVariables.collect(params)
    metadata, defaults = read_headers(text)
    if (unwrapped := unwrap(source)) is not None:
        text, about = unwrapped
        source, (inner, defaults) = ScriptSource(text, rules, file), read_headers(text)
        metadata = {**about, **inner}
    if rules.includes:
        variables.add_defaults(defaults)
    tokens, end = tokenize(source, variables, Includes(file, include))
    mark_words(tokens, rules)
    is_collecting = gc.isenabled()
    gc.disable()  # collections traverse the growing tree again and again, which takes a fifth of the time
    mistake: UnexpectedToken | ScriptError | None = None
    try:
        statements: tuple[nodes.Statement, ...] = parse_tokens(tokens)
    except (UnexpectedToken, ScriptError) as caught:
        mistake = caught
    finally:
        if is_collecting:
            gc.enable()
    # A mistake that the grammar finds precedes the error that ends the tokens. Both are raised here, outside
    # the except clause, so that they have no context, which dask would pickle, too.
    if mistake is not None:
        raise _find_errors(mistake, end, source, tokens, variables, include, finds_all)
    if end is not None:
        raise _find_errors(end, end, source, tokens, variables, include, finds_all)
    # Check the limit of nesting, and that the script uses each value it was given.
    if (deep := find_deeper_node(statements, MAX_NESTING)) is not None:
        raise source.error_at(
            f"more than {MAX_NESTING} operations inside each other; define parts of it as variables",
            deep.place,
            kind="limit",
        )
    if variables is not params:
        variables.check_used()
    return Script(statements, rules, text, file, tuple(source.warnings), variables.values, metadata)


def _find_errors(
    mistake: UnexpectedToken | ScriptError,
    end: ScriptError | None,
    source: ScriptSource,
    tokens: list[Token],
    variables: ScriptVariables,
    include: Sequence[str | os.PathLike[str]] | None,
    finds_all: bool,
) -> ScriptError:
    """Return the error about the first mistake of a script, with the further ones if `finds_all` is true.

    `end` is the error that ends the tokens.
    """
    # Scripts without mistakes do not need this module.
    from dealerkit.language.syntax_errors import add_further_errors, build_syntax_error

    if isinstance(mistake, UnexpectedToken):
        is_last = end is not None and mistake.token is None
        error = end if is_last else build_syntax_error(source, tokens, mistake)
    else:
        error = mistake
    assert error is not None
    if not finds_all:
        return error
    return add_further_errors(error, source, variables, include, parse_tokens)


def read_script(
    script: str | bytes | os.PathLike[str] | Script,
    rules: Rules,
    params: Params | ScriptVariables = (),
    include: Sequence[str | os.PathLike[str]] | None = (),
) -> Script:
    """Parse a script: a str is its text, bytes are its encoded text, and an os.PathLike is its file.

    A Script is returned unchanged.

    Raises
    ------
    ArgumentError
        The script is something else, or `params` or `include` is given for a script that is already parsed.
    FileError
        The file cannot be read or is larger than `MAX_BYTES`, or a folder of `include` does not exist.
    ScriptError
        The script has a mistake; the error has its place.
    """
    if isinstance(script, Script):
        if ScriptVariables.collect(params).values:
            raise ArgumentError("this script is already parsed; pass params to parse")
        if not is_empty(include):
            raise ArgumentError("this script is already parsed; pass include to parse")
        return script
    text, file = (script, None) if isinstance(script, str) else read_source(script)
    return parse_script(text, rules, file, params, include)


def read_text(
    text: str | os.PathLike[str],
    rules: Rules,
    params: Params | ScriptVariables = (),
    file: str | None = None,
    include: Sequence[str | os.PathLike[str]] | None = (),
) -> Script:
    """Parse a text, with the name of a file for messages, or a file; errors are as for `read_script`."""
    if isinstance(text, os.PathLike):
        return read_script(text, rules, params, include)
    return parse_script(text, rules, file, params, include)
