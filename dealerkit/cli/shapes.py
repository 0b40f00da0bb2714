"""`dealerkit shapes`: what a notation of shapes stands for, and how likely that is."""

from __future__ import annotations

import argparse
import contextlib
import itertools
import re
import sys
import textwrap
from collections.abc import Iterator
from typing import Any

from dealerkit.errors import ArgumentError, DealerkitError, ScriptError

BAD = 2
PROMPT = "shape> "
_TERM = r"(?:any\s+)?[0-9x]{4}"
_TERMS = re.compile(rf"\s*{_TERM}(?:\s*[-+,]\s*{_TERM}|\s+{_TERM})*\s*")
_WIDTH = 78


def add(verbs: Any) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    shapes: argparse.ArgumentParser = verbs.add_parser(
        "shapes",
        help="what a notation of shapes stands for",
        description="What a notation of shapes stands for: the patterns, the terms of shape(), and the exact "
        "probability. Both ways to write shapes are read, 'any 4333 + 5xxx' and '5+M(xxx):s>h'. Without a "
        "shape it asks for one after the other; q or the end of the input ends it.",
    )
    shapes.add_argument("shape", nargs="*", help="a shape in quotes; one that begins with - after --")
    shapes.add_argument(
        "--language", default="english", metavar="NAME", help="of the suit letters: english (default), french"
    )
    return shapes


def execute(options: argparse.Namespace) -> int:
    """Explain shapes; returns the exit status."""
    from dealerkit.language.brace_shapes import LETTERS

    if options.language not in LETTERS:
        raise ArgumentError(
            f"unknown language {options.language!r} of suit letters; known: {', '.join(LETTERS)}"
        )
    for number, text in enumerate(options.shape):
        if number:
            print()
        print(*told(text, options.language), sep="\n")
    if not options.shape:
        _ask(options.language)
    return 0


def _ask(language: str) -> None:
    """Read shapes line by line and tell what they stand for."""
    there = sys.stdin.isatty()
    if there:
        with contextlib.suppress(ImportError):
            import readline  # noqa: F401  (it lets the line be edited)
    while True:
        try:
            text = input(PROMPT if there else "")
        except EOFError:
            if there:
                print()
            return
        if text.strip() in ("q", "quit", "exit"):
            return
        if not text.strip():
            continue
        try:
            print(*told(text, language), "", sep="\n", flush=True)
        except DealerkitError as error:
            print(error, "", sep="\n", flush=True)


def read_shapes(text: str, language: str = "english") -> int:
    """The set of shapes that a text stands for, in either notation.

    Parameters
    ----------
    text : str
        Terms as in ``shape(north, any 4333 + 5xxx)`` or in ``shape{north, 5+M(xxx):s>h}``; just what
        follows the seat.
    language : {"english", "french"}
        Of the suit letters.

    Returns
    -------
    int
        Bit set over `dealerkit.language.shapes.PATTERNS`.

    Raises
    ------
    ScriptError
        With the place of the mistake.

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
    found = 0
    for match in re.finditer(r"([-+,]?)\s*(any\s+)?([0-9x]{4})", text):
        try:
            shapes = parse_pattern(match[3], bool(match[2]))
        except ArgumentError as error:
            raise ScriptError(str(error), "shape", 1, match.start(3) + 1, text) from None
        found = found & ~shapes if match[1] == "-" else found | shapes
    return found


def told(text: str, language: str = "english") -> Iterator[str]:
    r"""Lines about a shape: count and probability, the terms of ``shape()``, the patterns.

    >>> print(*told("5M(332)"), sep="\n")
    6 of 560 patterns
    49,267,039,536 of 635,013,559,600 hands: 7.7584 %, 1 in 12.89
    shape(north, any 5332 - xx5x - xxx5)
    patterns: 5332, 5323, 5233, 3532, 3523, 2533
    """
    import math

    from dealerkit.language.nodes import Call, Seat, ShapeList
    from dealerkit.language.printer import to_text
    from dealerkit.language.shapes import PATTERNS
    from dealerkit.translate.shape_cover import count_hands, find_covering_terms

    shapes = read_shapes(text, language)
    hands, all_hands = count_hands(shapes), math.comb(52, 13)
    yield f"{shapes.bit_count()} of {len(PATTERNS)} patterns"
    odds = f"{100 * hands / all_hands:.5g} %, 1 in {_grouped(all_hands / hands)}" if hands else "never"
    yield f"{hands:,} of {all_hands:,} hands: {odds}"
    call = Call("shape", (Seat(0), ShapeList(find_covering_terms(shapes), shapes)))
    yield from _wrapped(to_text(call), "    ")
    if shapes:
        yield from _wrapped("patterns: " + ", ".join(_patterns(shapes)), "          ")


def _wrapped(text: str, indent: str) -> list[str]:
    """Lines of a width to be read; ``any 4333`` and signs stay beside their pattern."""
    glued = re.sub(r"(any|[-+]) (?=any|[0-9x])", "\\1\0", text)
    lines = textwrap.wrap(glued, _WIDTH, subsequent_indent=indent, break_on_hyphens=False)
    return [line.replace("\0", " ") for line in lines]


def _grouped(number: float) -> str:
    return f"{number:,.0f}" if number >= 1000 else f"{number:.4g}"


def _patterns(shapes: int) -> Iterator[str]:
    """The patterns, as ``any 5332`` where all orders of it are there."""
    from dealerkit.language.shapes import list_patterns

    groups: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for pattern in sorted(list_patterns(shapes), reverse=True):
        groups.setdefault(tuple(sorted(pattern, reverse=True)), []).append(pattern)
    for lengths, patterns in sorted(groups.items()):
        whole = len(patterns) == len(set(itertools.permutations(lengths))) > 1
        for shown in [lengths] if whole else patterns:
            joint = "" if max(shown) < 10 else "-"
            yield ("any " if whole else "") + joint.join(map(str, shown))
