"""The verbs of card play: `dealerkit suit`."""

from __future__ import annotations

import argparse
import re

from dealerkit.cli.arguments import STUDY_FILES, Verb, add_shared, parse_count
from dealerkit.cli.results import check_outputs, report_study
from dealerkit.errors import ArgumentError

_VACANT = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*")


def _add_suit_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("north", help="north's cards, such as AQT98; x is a small card, - a void")
    parser.add_argument("south", help="south's cards")
    parser.add_argument("-t", "--tricks", type=parse_count, metavar="N", help="the number of tricks needed")
    for seat in ("west", "east"):
        parser.add_argument(
            f"--{seat}", metavar="CARDS", help=f"what is known of {seat}: K, 2-4, or 'K 3+' for both"
        )
    parser.add_argument(
        "--vacant", default="13,13", metavar="WEST,EAST",
        help="vacant places of west and of east, this suit included (default: 13,13)",
    )  # fmt: skip
    parser.add_argument(
        "--suit", metavar="SUIT", help="the suit that is played, where north and south are whole hands"
    )
    add_shared(parser, "--given", help="a condition on the hidden hands; it needs whole hands")
    parser.add_argument(
        "--entries", action="append", default=[], metavar="HAND=N",
        help="how often a hand can be entered by another suit, such as south=1 (default: as often as needed)",
    )  # fmt: skip
    parser.add_argument("--losers", type=int, metavar="N", help="tricks that may be lost at most")
    parser.add_argument(
        "--lines", type=parse_count, default=6, metavar="N", help="lines that are shown at most (default: 6)"
    )
    parser.add_argument(
        "--line", dest="compared", action="append", default=[], metavar="TEXT",
        help="compare this line with the best one, or two lines with each other: A, or 'cash the ace; then "
        "low to the queen'",
    )  # fmt: skip
    add_shared(
        parser, "--max-seconds", default=10.0, help="show bounds if exact values take longer (default: 10)"
    )
    add_shared(parser, *STUDY_FILES)


def _run_suit(options: argparse.Namespace) -> int:
    """Find the best lines and print; return the exit status."""
    from dealerkit.studies.suit_play.study import suit

    check_outputs(options)
    if len(options.compared) > 2:
        raise ArgumentError(f"--line is given {len(options.compared)} times; two lines are compared at most")
    match = _VACANT.fullmatch(options.vacant)
    if match is None:
        raise ArgumentError(
            f"--vacant takes two numbers, west's and east's, as 7,11; not {options.vacant!r:.40}"
        )
    play = suit(
        options.north, options.south, options.tricks, west=options.west, east=options.east,
        vacant=(int(match[1]), int(match[2])), given=options.given, suit=options.suit,
        entries=_read_entries(options.entries), losers=options.losers, lines=options.lines,
        seconds=options.max_seconds,
    )  # fmt: skip
    if not options.compared:
        return report_study(play, options)
    first, second = [*options.compared, play.best(options.tricks)][:2]
    return report_study(play.compare(first, second), options)


def _read_entries(texts: list[str]) -> dict[str, int] | None:
    """Return the entries of the hands that are named.

    >>> _read_entries(["south=1"])
    {'south': 1}
    """
    entries = {}
    for text in texts:
        hand, _, number = text.partition("=")
        if not number.strip().isdecimal():
            raise ArgumentError(f"--entries takes a hand, '=' and a number, as south=1; not {text!r:.40}")
        entries[hand.strip()] = int(number)
    return entries or None


SUIT = Verb(
    "suit",
    "find the best play of a suit combination, single dummy",
    "Find the best lines of play of a suit against best defence, exactly: the chance of each number of "
    "tricks, the mean, and the best line in words. The defenders see all cards and know the line; declarer "
    "sees the cards played, and leads from either hand as often as is needed, unless entries are given.",
    _add_suit_arguments,
    _run_suit,
    examples=(
        "dealerkit suit AQT98 5432 -t 4",
        "dealerkit suit AJ9 K832 --vacant 11,6",
        "dealerkit suit AQT98.AK2.AK2.32 5432.QJ4.QJ4.AKQ --suit spades --given 'hcp(west) >= 5'",
    ),
)
