"""The verbs about the language: `dealerkit functions`, and `shapes` for the shapes of hands."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.content import Note
from dealerkit.appearance.numbers import RARE, format_count, format_odds, format_share
from dealerkit.appearance.screen import Screen, wrap_words
from dealerkit.appearance.table import Column, Table
from dealerkit.appearance.text import wrap_note
from dealerkit.cli.arguments import Verb, add_shared, describe_exit_status
from dealerkit.cli.results import print_result, to_json
from dealerkit.cli.terminal import PIPE_WIDTH, find_screen, write_text
from dealerkit.errors import ArgumentError, DealerkitError, ScriptError

if TYPE_CHECKING:
    from dealerkit.appearance.card import Card
    from dealerkit.language.dialects import Rules
    from dealerkit.language.signatures import ActionSignature
    from dealerkit.registry import Function

NOT_FOUND = 1  # exit status
_PROMPT = "shape> "
_TERM = r"(?:any\s+)?[0-9x]{4}"
_TERMS = re.compile(rf"\s*{_TERM}(?:\s*[-+,]\s*{_TERM}|\s+{_TERM})*\s*")


# ------------------------------------------------------------ functions


def _add_functions_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "word", nargs="*", help="a name, or words of a description, such as losing tricks or Kaplan"
    )
    add_shared(parser, "--dialect", "--json")


def _run_functions(options: argparse.Namespace) -> int:
    """Print the functions and actions; return the exit status."""
    return print_functions(options, " ".join(options.word))


def print_functions(options: argparse.Namespace, words: str) -> int:
    """Print all functions and actions, or those about the words; return the exit status."""
    dialect, screen = options.dialect, find_screen(options)
    screen = replace(screen, width=screen.width or PIPE_WIDTH)
    functions, actions = find_functions_and_actions(dialect, words)
    is_found = bool(functions or actions)
    if options.json:
        sys.stdout.write(to_json(tabulate_functions(functions, actions)))
    elif is_found:
        texts = describe_functions(functions, actions, bool(words.strip()), screen)
        write_text("\n".join(texts), screen)
    else:
        lines = (line for note in describe_nothing(words, dialect) for line in wrap_note(note, screen))
        sys.stdout.writelines(lines)
    return 0 if is_found else NOT_FOUND


def find_functions_and_actions(
    dialect: str = "modern", words: str = ""
) -> tuple[list[Function], list[ActionSignature]]:
    """Return the functions and actions of a dialect.

    With words, only those whose names or descriptions contain them, the best match first.
    """
    import dealerkit.language.parser  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.function_search import score_match, search_functions
    from dealerkit.language.signatures import load_all_actions
    from dealerkit.language.vocabulary import has_action

    rules = find_rules(dialect)
    functions = _find_functions(rules)
    actions = [action for action in load_all_actions().values() if has_action(action, rules)]
    if words.strip():
        functions = search_functions(functions, words)
        scores = [(score_match(words, (action.name,), action.summary), action) for action in actions]
        actions = [action for score, action in sorted(scores, key=lambda pair: -pair[0]) if score]
    return functions, actions


def tabulate_functions(functions: Sequence[Function], actions: Sequence[ActionSignature]) -> Card:
    """Return functions and actions as a card with a table for each."""
    from dealerkit.appearance.card import Card  # only JSON needs it

    columns = [
        Column(name, kind="text") for name in ("name", "signature", "unit", "summary", "source", "also")
    ]
    rows = [
        [each.name, each.signature, each.unit, each.summary, each.source, ", ".join(each.aliases)]
        for each in functions
    ]
    action_columns = [Column(name, kind="text") for name in ("name", "syntax", "summary")]
    action_rows = [[each.name, format_action(each), each.summary] for each in actions]
    tables = [Table(columns, rows, "Functions"), Table(action_columns, action_rows, "Actions")]
    return Card("Functions and actions", tables=tables)


def describe_functions(
    functions: Sequence[Function], actions: Sequence[ActionSignature], with_examples: bool, screen: Screen
) -> Iterator[str]:
    """Yield one text for the functions and one for the actions: signature, summary and source of each."""
    lines = {
        "Functions": (_list_function_lines(each, with_examples, screen) for each in functions),
        "Actions": (_list_action_lines(each, with_examples, screen) for each in actions),
    }
    for heading, parts in lines.items():
        if text := "".join(line for part in parts for line in part):
            yield f"{heading}\n{text}"


def _find_functions(rules: Rules) -> list[Function]:
    """Return the functions of a dialect."""
    from dealerkit import registry
    from dealerkit.language.vocabulary import is_function, list_keyword_tokens

    functions = [function for function in registry.functions() if function.kind != "item"]
    if rules.modern_syntax:
        return functions
    keywords = list_keyword_tokens(rules)
    return [
        function for function in functions if is_function(function.name, rules) or function.name in keywords
    ]


def _list_function_lines(function: Function, with_examples: bool, screen: Screen) -> Iterator[str]:
    """Yield the lines for a function: signature and unit, then the rest indented."""
    unit = f", in {function.unit}" if function.unit else ""
    yield from wrap_note(f"{function.signature}{unit}", screen, "  ", "title")
    aliases = f"also {', '.join(function.aliases)}; " if function.aliases else ""
    missing = "not computed yet; " if function.body is None and function.kind != "special" else ""
    examples = f"for example {', '.join(function.list_examples())}" if with_examples else ""
    about = f"{missing}{aliases}{function.source}".rstrip("; ")
    for sentence in filter(None, (function.summary, about, examples)):
        yield from wrap_note(sentence, screen, "      ")


def _list_action_lines(action: ActionSignature, with_examples: bool, screen: Screen) -> Iterator[str]:
    """Yield the lines for an action: syntax, then the rest indented."""
    yield from wrap_note(format_action(action), screen, "  ", "title")
    example = f"for example {action.list_examples()[0]}" if with_examples else ""
    for sentence in filter(None, (action.summary, example)):
        yield from wrap_note(sentence, screen, "      ")


def describe_nothing(words: str, dialect: str) -> Iterator[str]:
    """Yield the lines for words that no function is about, with the most similar names."""
    import difflib

    from dealerkit.language.corrections import EXPRESSIONS
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.signatures import ACTIONS
    from dealerkit.language.vocabulary import is_function, list_keywords

    yield f"No function or action is about '{words}'."
    if expression := EXPRESSIONS.get(words.strip().lower().replace("_", "")):
        yield f"Write {expression.format(seat='north')}"
    rules = find_rules(dialect)
    known = [word for word in list_keywords(rules) if is_function(word, rules) or word in ACTIONS]
    if nearest := difflib.get_close_matches(words.strip().lower(), known, n=5, cutoff=0.5):
        yield f"Similar names: {', '.join(nearest)}"


def format_action(action: ActionSignature) -> str:
    """Return the syntax of an action: ``frequency "text"? (expression, integer, integer)``."""
    arguments = ", ".join(action.arguments)
    if action.more:
        arguments += f" [, {', '.join(action.more)}]"
    if arguments and action.parenthesised == "yes":
        arguments = f"({arguments})"
    elif action.parenthesised == "optional":
        arguments = f"[({arguments})]"
    return " ".join(filter(None, (action.name, '"text"?' if action.label else "", arguments)))


FUNCTIONS = Verb(
    "functions",
    "list or search the functions and actions of the language",
    "List the functions and actions of the language, each with its unit, meaning and source. With a word, "
    "list those about it, the best match first; bridge terms work too: dealerkit functions stopper.",
    _add_functions_arguments,
    _run_functions,
    describe_exit_status(first="if no function or action is about the word"),
    examples=(
        "dealerkit functions",
        "dealerkit functions losing tricks",
        "dealerkit functions stopper",
    ),
)


# ------------------------------------------------------------ shapes


def _add_shapes_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "shape", nargs="*", help="a shape in quotes; put -- before a shape that begins with -"
    )
    parser.add_argument(
        "--language",
        default="english",
        metavar="NAME",
        help="language of the suit letters: english (default) or french",
    )
    add_shared(parser, "--json")


def _run_shapes(options: argparse.Namespace) -> int:
    """Print a description of each shape; return the exit status."""
    from dealerkit.language.brace_shapes import LETTERS

    if options.language not in LETTERS:
        raise ArgumentError(
            f"unknown language {options.language!r} of suit letters; use one of {', '.join(LETTERS)}"
        )
    if options.shape or options.json:
        width = find_screen(options).width or PIPE_WIDTH
        print_result(describe_shapes(options.shape, options.language, width), options)
    else:
        _describe_lines(options)
    return 0


def _describe_lines(options: argparse.Namespace) -> None:
    """Read shapes from standard input, one per line, and print a description of each."""
    is_terminal = sys.stdin.isatty()
    if is_terminal:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (with it the line can be edited)
    while True:
        try:
            text = input(_PROMPT if is_terminal else "")
        except EOFError:
            if is_terminal:
                print()
            return
        if text.strip() in ("q", "quit", "exit"):
            return
        if not text.strip():
            continue
        try:
            width = find_screen(options).width or PIPE_WIDTH
            print_result(describe_shapes([text], options.language, width), options)
            print(flush=True)
        except DealerkitError as error:
            print(error, "", sep="\n", flush=True)


def read_shapes(text: str, language: str = "english") -> int:
    """Return the set of shapes that a text denotes, in either notation.

    The text is what follows the seat in ``shape(north, any 4333 + 5xxx)`` or ``shape{north, 5+M(xxx):s>h}``.
    The result is a bit set over `dealerkit.language.shapes.PATTERNS`.

    Raises
    ------
    ScriptError
        The text has a mistake; the error gives its place.

    Examples
    --------
    >>> read_shapes("any 4333, 5xxx - 5332").bit_count(), read_shapes("5+M(xxx):s>h").bit_count()
    (48, 152)
    """
    from dealerkit.language.brace_shapes import ShapeTextError, parse_brace_shapes
    from dealerkit.language.shapes import parse_pattern

    if not _TERMS.fullmatch(text):
        try:
            return parse_brace_shapes(text, language=language)
        except ShapeTextError as error:
            raise ScriptError(error.message, "shape", 1, error.offset + 1, text) from None
    total = 0
    for match in re.finditer(r"([-+,]?)\s*(any\s+)?([0-9x]{4})", text):
        try:
            shapes = parse_pattern(match[3], bool(match[2]))
        except ArgumentError as error:
            raise ScriptError(str(error), "shape", 1, match.start(3) + 1, text) from None
        total = total & ~shapes if match[1] == "-" else total | shapes
    return total


def describe_shapes(texts: Sequence[str], language: str = "english", width: int = PIPE_WIDTH) -> Card:
    r"""Return the shapes that texts denote as a card: a table of the texts, and one of the patterns.

    As text, sentences replace the tables: number of patterns, probability, terms of ``shape()``, patterns.

    >>> print(describe_shapes(["5M(332)"]).to_text(), end="")
    6 of 560 patterns
    49,267,039,536 of 635,013,559,600 hands: 7.7584 %, 1 in 12.89
    shape(north, any 5332 - xx5x - xxx5)
    patterns: 5332, 5323, 5233, 3532, 3523, 2533
    """
    import math

    from dealerkit.appearance.card import Card
    from dealerkit.language.nodes import Call, Seat, ShapeList
    from dealerkit.language.printer import to_text
    from dealerkit.language.shapes import PATTERNS, list_patterns
    from dealerkit.translate.shape_cover import count_hands, find_covering_terms

    all_hands = math.comb(52, 13)
    rows: list[Sequence[Any]] = []
    pattern_rows: list[Sequence[Any]] = []
    summary: list[Note] = []
    for text in texts:
        # Count the hands, and cover the patterns with as few terms as possible.
        shapes = read_shapes(text, language)
        hands = count_hands(shapes)
        terms = ShapeList(find_covering_terms(shapes), shapes)
        rows.append([text, shapes.bit_count(), hands, hands / all_hands, to_text(terms)])
        pattern_rows += [[text, *pattern] for pattern in sorted(list_patterns(shapes), reverse=True)]

        # Write the same as sentences.
        summary += [""] if summary else []
        share = format_share(hands / all_hands, 0, 0, exact=True, digits=5, ascii=True).value
        odds = format_odds(hands / all_hands, 12 if hands < RARE * all_hands else 4) if hands else "never"
        if hands >= RARE * all_hands:
            odds = f"{share}, {odds}"
        summary.append(f"{format_count(shapes.bit_count())} of {format_count(len(PATTERNS), 'pattern')}")
        summary.append(f"{format_count(hands)} of {format_count(all_hands, 'hand')}: {odds}")
        summary += _wrap(to_text(Call("shape", (Seat(0), terms))), width, "    ")
        if shapes:
            summary += _wrap("patterns: " + ", ".join(_format_patterns(shapes)), width, "          ")

    columns = [
        Column("shape", kind="text"), Column("patterns", kind="count"), Column("hands", kind="count"),
        Column("share", kind="share"), Column("terms", kind="text"),
    ]  # fmt: skip
    suits = [Column(suit, kind="count") for suit in ("spades", "hearts", "diamonds", "clubs")]
    tables = [
        Table(columns, rows, "Shapes", summary=summary),
        Table([columns[0], *suits], pattern_rows, "Patterns", in_text=False),
    ]
    return Card("Hand shapes", tables=tables, is_part=True)


def _wrap(text: str, width: int, indent: str) -> list[str]:
    """Return lines of limited width; ``any`` and signs stay on the line of their pattern."""
    glued = re.sub(r"(any|[-+]) (?=any|[0-9x])", "\\1\0", text)
    return wrap_words(glued, width, "", indent)


def _format_patterns(shapes: int) -> Iterator[str]:
    """Yield the patterns, as ``any 5332`` if the set contains all orders of a pattern."""
    from dealerkit.language.shapes import list_patterns

    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for pattern in sorted(list_patterns(shapes), reverse=True):
        groups.setdefault(tuple(sorted(pattern, reverse=True)), []).append(pattern)
    for lengths, patterns in sorted(groups.items()):
        is_complete = len(patterns) == len(set(itertools.permutations(lengths))) > 1
        for shown in [lengths] if is_complete else patterns:
            separator = "" if max(shown) < 10 else "-"
            yield ("any " if is_complete else "") + separator.join(map(str, shown))


SHAPES = Verb(
    "shapes",
    "list the hand shapes that a notation denotes",
    "List the hand shapes that a notation denotes, with the terms of shape() and the exact probability. "
    "You can write 'any 4333 + 5xxx' or '5+M(xxx):s>h'. Without a shape, the command reads"
    " shapes line by line, until q or the end of the input.",
    _add_shapes_arguments,
    _run_shapes,
    examples=(
        "dealerkit shapes '5M(332)'",
        "dealerkit shapes 'any 4333 + any 4432 + any 5332'",
    ),
)
