"""`dealerkit probability`: how likely a condition is, or each value of an expression."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    from dealerkit.statistics import Estimate


def add(verbs: Any) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    probability: argparse.ArgumentParser = verbs.add_parser(
        "probability",
        help="how likely a condition is",
        description="How likely a deal meets a condition: an exact fraction where it can be counted, else an "
        "estimate with its interval.",
    )
    probability.add_argument(
        "condition", help="in the dealer language, such as 'hcp(north) + hcp(south) >= 25'"
    )
    probability.add_argument("--given", metavar="CONDITION", help="count only deals that meet this")
    probability.add_argument(
        "--predeal", action="append", default=[], metavar="SEAT=CARDS", help="such as north=SAKQ,H5"
    )
    probability.add_argument(
        "--values", action="store_true", help="how likely each value of the expression is, as a table"
    )
    probability.add_argument(
        "--param", action="append", default=[], metavar="N=TEXT", help="value of the script variable $N"
    )
    return probability


def execute(options: argparse.Namespace) -> int:
    """Count and print; returns the exit status."""
    from dealerkit.language.source import parse_variables
    from dealerkit.simulation.probability import probability, shares

    predeal = seats_of(options.predeal)
    params = parse_variables(options.param)
    if options.values:
        lines = table(shares(options.condition, options.given, predeal, params))
    else:
        lines = told(probability(options.condition, options.given, predeal, params))
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()
    return 0


def seats_of(texts: Sequence[str]) -> dict[str, list[str]]:
    """The predeal that texts such as ``north=SAKQ,H5`` describe.

    >>> seats_of(["north=SAKQ", "north=H5", "e=SJx"])
    {'north': ['SAKQ', 'H5'], 'e': ['SJx']}
    """
    found: dict[str, list[str]] = {}
    for text in texts:
        seat, equals, cards = text.partition("=")
        if not (seat and equals and cards):
            raise ArgumentError(f"--predeal takes a seat, '=' and cards, as north=SAKQ,H5; not {text!r}")
        found.setdefault(seat.strip(), []).append(cards)
    return found


def told(estimate: Estimate) -> Iterator[str]:
    r"""Lines about a probability.

    >>> from fractions import Fraction
    >>> from dealerkit.statistics import Estimate, proportion
    >>> print(*told(Estimate.exactly(Fraction(286, 805))), sep="\n")
    exactly 286/805
    35.528 %, 1 in 2.8147
    >>> print(*told(proportion(209, 1000)), sep="\n")
    about 0.2090 ± 0.0252 (n = 1,000)
    20.9 %, 1 in 4.78
    """
    yield f"exactly {estimate.fraction}" if estimate.fraction is not None else f"about {estimate!r}"
    digits = 5 if estimate.exact else 3
    if estimate.value == 0:
        yield "never" if estimate.exact else f"none was found; less than {100 * estimate.hi:.3g} %"
    elif estimate.value == 1 and estimate.exact:
        yield "always"
    else:
        yield f"{100 * estimate.value:.{digits}g} %, 1 in {_number(1 / estimate.value, digits)}"


def table(shares: Any) -> Iterator[str]:
    """A line for each value: how likely it is, and how likely no more than it."""
    width = max(len(f"{value:g}") for value in shares.values)
    yield f"exactly, of {shares.total:,} deals" if shares.exact else f"of {shares.total:,} deals dealt"
    below = 0
    for value, count in zip(shares.values, shares.counts, strict=True):
        below += count
        share, cumulative = 100 * (count / shares.total), 100 * (below / shares.total)
        yield f"{value:>{width}g}  {share:>11.6f} %  {cumulative:>11.6f} %"


def _number(value: float, digits: int) -> str:
    return f"{value:,.0f}" if value >= 10**digits else f"{value:.{digits}g}"
