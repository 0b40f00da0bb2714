"""`dealerkit shapes`: the hand shapes that a notation denotes, and their probability."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from dealerkit.appearance.table import Column, Table
from dealerkit.cli.arguments import add_shared
from dealerkit.cli.study_files import to_json
from dealerkit.errors import ArgumentError, DealerkitError, ScriptError

if TYPE_CHECKING:
    from dealerkit.appearance.card import Card

_PROMPT = "shape> "
_TERM = r"(?:any\s+)?[0-9x]{4}"
_TERMS = re.compile(rf"\s*{_TERM}(?:\s*[-+,]\s*{_TERM}|\s+{_TERM})*\s*")
_WIDTH = 78

HELP = "list the hand shapes that a notation denotes"
DESCRIPTION = (
    "List the hand shapes that a notation denotes, with the terms of shape() and the exact probability. "
    "Both notations are accepted, 'any 4333 + 5xxx' and '5+M(xxx):s>h'. Without a shape the command reads"
    " shapes line by line; q or the end of the input ends it."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("shape", nargs="*", help="a shape in quotes; put -- before one that begins with -")
    parser.add_argument(
        "--language",
        default="english",
        metavar="NAME",
        help="language of the suit letters: english (default) or french",
    )
    add_shared(parser, "--json")


def run_verb(options: argparse.Namespace) -> int:
    """Print a description of each shape; return the exit status."""
    from dealerkit.language.brace_shapes import LETTERS

    if options.language not in LETTERS:
        raise ArgumentError(
            f"unknown language {options.language!r} of suit letters; use one of {', '.join(LETTERS)}"
        )
    if options.json:
        sys.stdout.write(to_json(tabulate_shapes(options.shape, options.language)))
        return 0
    for number, text in enumerate(options.shape):
        if number:
            print()
        print(*summarize_shapes(text, options.language), sep="\n")
    if not options.shape:
        _describe_lines(options.language)
    return 0


def _describe_lines(language: str) -> None:
    """Read shapes from standard input, one in each line, and print a description of each."""
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
            print(*summarize_shapes(text, language), "", sep="\n", flush=True)
        except DealerkitError as error:
            print(error, "", sep="\n", flush=True)


def read_shapes(text: str, language: str = "english") -> int:
    """Return the set of shapes that a text denotes, in either notation.

    The text is the part after the seat of ``shape(north, any 4333 + 5xxx)`` or of
    ``shape{north, 5+M(xxx):s>h}``; the result is a bit set over `dealerkit.language.shapes.PATTERNS`.

    Raises
    ------
    ScriptError
        The text has a mistake, at the place that the error names.

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


def tabulate_shapes(texts: Sequence[str], language: str = "english") -> Card:
    """Return the shapes that texts denote as a card: a table of the texts, and one of their patterns."""
    import math

    from dealerkit.appearance.card import Card  # only JSON needs it
    from dealerkit.language.nodes import ShapeList
    from dealerkit.language.printer import to_text
    from dealerkit.language.shapes import list_patterns
    from dealerkit.translate.shape_cover import count_hands, find_covering_terms

    rows, pattern_rows = [], []
    for text in texts:
        shapes = read_shapes(text, language)
        n_hands = count_hands(shapes)
        terms = to_text(ShapeList(find_covering_terms(shapes), shapes))
        rows.append([text, shapes.bit_count(), n_hands, n_hands / math.comb(52, 13), terms])
        for pattern in sorted(list_patterns(shapes), reverse=True):
            pattern_rows.append([text, *pattern])
    columns = [
        Column("shape", kind="text"), Column("patterns", kind="count"), Column("hands", kind="count"),
        Column("share", kind="share"), Column("terms", kind="text"),
    ]  # fmt: skip
    suits = [Column(suit, kind="count") for suit in ("spades", "hearts", "diamonds", "clubs")]
    tables = [Table(columns, rows, "Shapes"), Table([columns[0], *suits], pattern_rows, "Patterns")]
    return Card("Hand shapes", tables=tables)


def summarize_shapes(text: str, language: str = "english") -> Iterator[str]:
    r"""Yield lines about a shape: count, probability, terms of ``shape()``, patterns.

    >>> print(*summarize_shapes("5M(332)"), sep="\n")
    6 of 560 patterns
    49,267,039,536 of 635,013,559,600 hands: 7.7584 %, 1 in 12.89
    shape(north, any 5332 - xx5x - xxx5)
    patterns: 5332, 5323, 5233, 3532, 3523, 2533
    """
    import math

    from dealerkit.appearance.numbers import format_odds, format_share
    from dealerkit.language.nodes import Call, Seat, ShapeList
    from dealerkit.language.printer import to_text
    from dealerkit.language.shapes import PATTERNS
    from dealerkit.translate.shape_cover import count_hands, find_covering_terms

    shapes = read_shapes(text, language)
    hands, all_hands = count_hands(shapes), math.comb(52, 13)
    yield f"{shapes.bit_count()} of {len(PATTERNS)} patterns"
    share = format_share(hands / all_hands, 0, 0, exact=True, digits=5, ascii=True).value
    odds = f"{share}, {format_odds(hands / all_hands)}" if hands else "never"
    yield f"{hands:,} of {all_hands:,} hands: {odds}"
    call = Call("shape", (Seat(0), ShapeList(find_covering_terms(shapes), shapes)))
    yield from _wrap(to_text(call), "    ")
    if shapes:
        yield from _wrap("patterns: " + ", ".join(_format_patterns(shapes)), "          ")


def _wrap(text: str, indent: str) -> list[str]:
    """Return lines of limited width, with ``any`` and signs in the line of their pattern."""
    glued = re.sub(r"(any|[-+]) (?=any|[0-9x])", "\\1\0", text)
    lines = textwrap.wrap(glued, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _format_patterns(shapes: int) -> Iterator[str]:
    """Yield the patterns, as ``any 5332`` where the set contains all its orders."""
    from dealerkit.language.shapes import list_patterns

    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for pattern in sorted(list_patterns(shapes), reverse=True):
        groups.setdefault(tuple(sorted(pattern, reverse=True)), []).append(pattern)
    for lengths, patterns in sorted(groups.items()):
        is_complete = len(patterns) == len(set(itertools.permutations(lengths))) > 1
        for shown in [lengths] if is_complete else patterns:
            separator = "" if max(shown) < 10 else "-"
            yield ("any " if is_complete else "") + separator.join(map(str, shown))
