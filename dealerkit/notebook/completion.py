"""Completion of functions, keywords, variables and options in dealer cells and in bidding systems."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from dealerkit.cards.names import SEATS, SUITS
from dealerkit.language.script_variables import NAME

_WORDS: dict[str, tuple[str, ...]] = {  # words that are possible for each kind of argument
    "seat": tuple(SEATS), "suit": tuple(SUITS), "strain": (*SUITS, "notrump"), "side": ("NS", "EW"),
    "vulnerability": ("none", "NS", "EW", "both"), "expression": tuple(SEATS),
}  # fmt: skip
_DEFINED = re.compile(r"^[ \t]*([A-Za-z]\w*)[ \t]*=(?!=)", re.MULTILINE)
_DEFINED_WORD = re.compile(r"^[ \t]*([A-Za-z]\w*)(?:\(\w+\))?[ \t]*=(?!=)", re.MULTILINE)
_SYSTEM = re.compile(
    r"parse_system\(\s*[rR]?(\"\"\"|\'\'\')((?:(?!\1).)*)\Z", re.DOTALL
)  # a text that is not closed
_VARIABLE = re.compile(rf"\$({NAME})|^[ \t]*#[ \t]*param[ \t]+\$?({NAME})[ \t]*=", re.MULTILINE)


def complete_line(
    line: str, cell: str, options: Mapping[str, Sequence[str]], names: Iterable[str]
) -> tuple[str, list[str]]:
    """Return the unfinished word at the end of the magic's line, and the words that complete it.

    Parameters
    ----------
    line : str
        The line up to the cursor.
    cell : str
        The script below the line.
    options : mapping of str to sequence of str
        The choices of each option; empty if it accepts any value.
    names : iterable of str
        The names of the notebook's variables.

    Returns
    -------
    (str, list of str)

    Examples
    --------
    >>> complete_line("%%dealer --param lo", "condition hcp(north) >= $low", {}, [])
    ('lo', ['low='])
    >>> complete_line("%%dealer --param low={n", "", {}, ["n_points", "other"])
    ('n', ['n_points'])
    """
    start = re.search(r"[^\s={\"']*$", line)
    word = start[0] if start else ""
    before = line[: len(line) - len(word)].rstrip()
    if line[: len(line) - len(word)].endswith("{") or before.endswith("--source"):
        return word, _select(word, names)
    if re.search(r"--param\s*[\"']?$", before):
        return word, [f"{name}=" for name in _select(word, list_script_variables(cell))]
    option = before.rsplit(None, 1)[-1] if before.split() else ""
    if options.get(option):
        return word, _select(word, options[option])
    return word, _select(word, options) if word.startswith("-") else []


def complete_script(text: str, cell: str) -> tuple[str, list[str]]:
    """Return the unfinished word at the end of a script's text, and the words that complete it.

    Parameters
    ----------
    text : str
        The script up to the cursor.
    cell : str
        The whole script, whose names are completed too.

    Returns
    -------
    (str, list of str)

    Examples
    --------
    >>> complete_script("long_suit = spades(north) > 4 condition long_", "long_suit = 1")[1]
    ['long_suit']
    >>> complete_script("hcp(", "")[1][:4], complete_script("hcp(n", "")[1][0]
    (['north', 'east', 'south', 'west'], 'north')
    """
    if match := re.search(rf"\$((?:{NAME})?)$", text):
        return match[0], [f"${name}" for name in _select(match[1], list_script_variables(cell))]
    match = re.search(r"[A-Za-z]\w*$", text)
    word = match[0] if match else ""
    first = _list_arguments(text[: len(text) - len(word)])
    if not word:
        return "", first
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import list_keywords

    defined = [name for name in _DEFINED.findall(cell) if name != word]
    others = sorted({*list_keywords(MODERN), *defined} - set(first))
    return word, _select(word, [*first, *others])


def complete_system(text: str) -> tuple[str, list[str]]:
    r"""Return the unfinished word at the end of a part of a system file, and the words that complete it.

    Examples
    --------
    >>> complete_system("strong = hcp 22+\nop"), complete_system("strong = hcp 22+\nopening\n2C str")
    (('op', ['opening']), ('str', ['strong']))
    >>> complete_system('source book "A book"\nopening from ')[1]
    ['book', 'judgement']
    """
    from dealerkit.bidding import JUDGEMENT, MARKS, STATEMENTS

    match = re.search(r"[A-Za-z]\w*$", text)
    word = match[0] if match else ""
    line = text.rpartition("\n")[2]
    if re.search(r"\bfrom\s+(?:.*,\s*)?\w*$", line):
        return word, _select(word, [*re.findall(r"^[ \t]*source[ \t]+(\w+)", text, re.MULTILINE), JUDGEMENT])
    if not word:
        return "", []
    if line.strip() == word:
        return word, _select(word, STATEMENTS)
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import is_function, list_keywords

    first = [*SUITS, *_DEFINED_WORD.findall(text), "and", "or", "not", "otherwise", *MARKS, "from"]
    functions = {name for name in list_keywords(MODERN) if is_function(name, MODERN)}
    return word, _select(word, [*first, *sorted({*functions, "shape", "any"} - {*first})])


def _list_arguments(text: str) -> list[str]:
    """Return the words that are possible for the argument at the end of a text, the likely ones first.

    >>> _list_arguments("hcp(")[:4], _list_arguments("dds(south, ")[-1], _list_arguments("fit(")[:2]
    (['north', 'east', 'south', 'west'], 'notrump', ['NS', 'EW'])
    """
    call = re.search(r"(\w+)\s*[({]([^(){}]*)$", text.rpartition("\n")[2])
    if call is None:
        return []
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit.registry import find_function

    function, number = find_function(call[1]), call[2].count(",")
    if function is None or number >= len(function.arguments):
        return [*SEATS, *SUITS]
    kinds = function.arguments[number].rstrip("?.").split("|")
    return [word for kind in kinds for word in _WORDS.get(kind, ())]


def list_script_variables(cell: str) -> list[str]:
    """Return the names of the variables that a script uses or sets, without ``$``.

    >>> list_script_variables("# param high = 20") + list_script_variables("hcp(north) >= $low + $low")
    ['high', 'low']
    """
    found = (first or second for first, second in _VARIABLE.findall(cell))
    return list(dict.fromkeys(name for name in found if name))


def _select(word: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if name.startswith(word)]


def make_matcher(options: Mapping[str, Sequence[str]], variables: Mapping[str, Any]) -> Callable[[Any], dict]:
    """Return a matcher for IPython's completer, in version 2 of its interface."""

    def complete_dealer(context: Any) -> dict:
        from IPython.core.completer import SimpleCompletion

        text = context.full_text.lstrip()
        line, cell = context.text_until_cursor, text.partition("\n")[2]
        names = [name for name in variables if not name.startswith("_")]
        if text.startswith("%%dealer") and context.cursor_line > 0:
            lines = context.full_text.split("\n")[1 : context.cursor_line]
            word, words = complete_script("\n".join([*lines, line]), cell)
        elif re.match(r"\s*(\w+\s*=\s*)?%{1,2}dealer\b", line):
            word, words = complete_line(line, cell, options, names)
            if not words and text.startswith("%dealer"):
                word, words = complete_script(line, "")
        elif found := _SYSTEM.search(
            "\n".join([*context.full_text.split("\n")[: context.cursor_line], line])
        ):
            word, words = complete_system(found[2])
        else:
            return {"completions": []}
        completions = [SimpleCompletion(each, type="dealer") for each in words]
        return {"completions": completions, "matched_fragment": word, "suppress": True, "ordered": True}

    complete_dealer.matcher_api_version = 2  # type: ignore[attr-defined]
    return complete_dealer
