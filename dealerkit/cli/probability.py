"""`dealerkit probability`: the probability of a condition, or of each value of an expression."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import format_odds, format_share
from dealerkit.appearance.table import Column, Interval, Table
from dealerkit.appearance.text import render_table
from dealerkit.cli.arguments import add_shared, locate_text
from dealerkit.cli.study_files import to_json
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    from dealerkit.simulation.probability import Shares
    from dealerkit.statistics import Estimate

HELP = "compute the probability of a condition"
DESCRIPTION = (
    "Compute the probability that a deal meets a condition: an exact fraction if the deals can be "
    "counted, otherwise an estimate with its confidence interval."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "condition", type=locate_text, help="in the dealer language, such as 'hcp(north) + hcp(south) >= 25'"
    )
    parser.add_argument(
        "--given", type=locate_text, metavar="CONDITION", help="count only deals that meet this condition"
    )
    parser.add_argument(
        "--values",
        action="store_true",
        help="print a table of the probability of each value of an expression",
    )
    parser.add_argument(
        "-s",
        "--seed",
        type=int,
        metavar="N",
        help="of the deals of an estimate; default: always the same deals",
    )
    add_shared(parser, "--predeal", "--param", "--include", "--confidence", "--json")


def run_verb(options: argparse.Namespace) -> int:
    """Compute and print; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.probability import count_values, probability

    predeal = parse_predeal(options.predeal)
    params = parse_variables(options.params)
    result: Any
    if options.values:
        shares = count_values(
            options.condition, options.given, predeal, params, seed=options.seed, include=options.include
        )
        result = tabulate_shares(shares, options.confidence)
        text = render_table(result, indent="")
        text = f"{result.heading}\n{text}"
    else:
        result = probability(
            options.condition, options.given, predeal, params,
            confidence=options.confidence, seed=options.seed, include=options.include,
        )  # fmt: skip
        text = "".join(f"{line}\n" for line in format_probability(result))
    sys.stdout.write(to_json(result) if options.json else text)
    return 0


def parse_predeal(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the cards of each seat, from texts such as ``north=SAKQ,H5``.

    >>> parse_predeal(["north=SAKQ", "north=H5", "e=SJx"])
    {'north': ['SAKQ', 'H5'], 'e': ['SJx']}
    """
    predeal: dict[str, list[str]] = {}
    for text in texts:
        seat, equals, cards = text.partition("=")
        if not (seat and equals and cards):
            raise ArgumentError(f"--predeal takes a seat, '=' and cards, as north=SAKQ,H5; not {text!r}")
        predeal.setdefault(seat.strip(), []).append(cards)
    return predeal


def format_probability(estimate: Estimate) -> Iterator[str]:
    r"""Yield lines about a probability.

    >>> from fractions import Fraction
    >>> from dealerkit.statistics import Estimate, proportion
    >>> print(*format_probability(Estimate.exactly(Fraction(286, 805))), sep="\n")
    exactly 286/805
    35.528 %, 1 in 2.8147
    >>> print(*format_probability(proportion(209, 1000)), sep="\n")
    about 0.209 ± 0.025 (n = 1,000)
    20.9 %, 1 in 4.78
    """
    yield f"exactly {estimate.fraction}" if estimate.fraction is not None else f"about {estimate!r}"
    share = format_share(estimate.value, estimate.lo, estimate.hi, exact=estimate.exact, digits=5, ascii=True)
    digits = 5 if estimate.exact else 3
    if estimate.value == 0:
        yield "never" if estimate.exact else f"no deal of the sample meets the condition: {share.interval}"
    elif estimate.fraction == 1:
        yield "always"
    else:
        yield f"{share.value}, {format_odds(estimate.value, digits)}"


def tabulate_shares(shares: Shares, confidence: float = 0.95) -> Table:
    """Return a row for each value: its share, and the share of all values up to it, with their intervals."""
    from dealerkit.statistics.intervals import share_interval

    decimals = 6 if shares.exact else None
    columns = [
        Column("value", kind="label"),
        Column("share", kind="share", decimals=decimals),
        Column("cumulative", kind="share", decimals=decimals),
    ]
    rows, cumulative = [], 0
    for value, count in zip(shares.values, shares.counts, strict=True):
        cumulative += count
        cells: list[Any] = [count / shares.total, cumulative / shares.total]
        if not shares.exact:
            ends = (share_interval(share, shares.total, confidence) for share in cells)
            cells = [
                Interval(share, float(lo), float(hi), confidence=confidence)
                for share, (lo, hi) in zip(cells, ends, strict=True)
            ]
        rows.append([f"{value:g}", *cells])
    about = f"exactly, of {shares.total:,} deals" if shares.exact else f"of {shares.total:,} deals dealt"
    return Table(columns, rows, about, heads=False)
