"""`dealerkit probability` and `dealerkit estimate`: shares and means over deals."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from dealerkit.appearance.numbers import RARE, format_odds, format_odds_in_words, format_share
from dealerkit.appearance.table import Column, Table
from dealerkit.cli.arguments import (
    STUDY_FILES,
    Verb,
    add_given,
    add_shared,
    find_given,
    find_solved,
    locate_text,
    parse_predeal,
)
from dealerkit.cli.results import check_outputs, print_result, report_study, to_json
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    from dealerkit.appearance.card import Card
    from dealerkit.statistics import Estimate


# ------------------------------------------------------------ probability


def _add_probability_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "condition",
        type=locate_text,
        help="a condition of the dealer language, such as 'hcp(north) + hcp(south) >= 25'",
    )
    add_given(parser, help="count only deals that meet this condition")
    parser.add_argument(
        "--values",
        action="store_true",
        help="print the probability of each value of an expression, with a chart",
    )
    add_shared(parser, "-s --seed", help="seed of an estimate (default: always the same deals)")
    add_shared(parser, "--predeal", "--param", "--include", "--confidence")
    add_shared(parser, "--json", "--plot", "--html", "--csv", "--latex")


def _run_probability(options: argparse.Namespace) -> int:
    """Compute the probability and print it; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.probability import describe_values, probability

    predeal = parse_predeal(options.predeal)
    params = parse_variables(options.params)
    given = find_given(options)
    check_outputs(options)
    if options.values:
        found = describe_values(
            options.condition, given, predeal, params,
            confidence=options.confidence, seed=options.seed, include=options.include,
        )  # fmt: skip
        report_study(found, options)
    else:
        for name in ("plot", "html", "csv", "latex"):
            if getattr(options, name):
                raise ArgumentError(f"--{name} needs the table of --values; give both, or neither")
        result = probability(
            options.condition, given, predeal, params,
            confidence=options.confidence, seed=options.seed, include=options.include,
        )  # fmt: skip
        if options.json:
            sys.stdout.write(to_json(result))
        else:
            print_result(describe_probability(result), options)
    return 0


def describe_probability(estimate: Estimate) -> Card:
    """Return a probability as a card, whose text is a few sentences."""
    from dealerkit.appearance.card import Card

    lines = list(format_probability(estimate))
    table = Table([Column("probability", kind="share")], [[estimate]], summary=lines)
    return Card("Probability", tables=[table], is_part=True)


def format_probability(estimate: Estimate) -> Iterator[str]:
    r"""Yield the lines that describe a probability.

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
    elif estimate.value < RARE:
        yield format_odds_in_words(estimate.value, digits)
    else:
        yield f"{share.value}, {format_odds(estimate.value, digits)}"


PROBABILITY = Verb(
    "probability",
    "compute the probability of a condition",
    "Compute the probability that a deal meets a condition: an exact fraction if the deals can be "
    "counted, otherwise an estimate with its confidence interval.",
    _add_probability_arguments,
    _run_probability,
    examples=(
        "dealerkit probability 'hcp(north) + hcp(south) >= 25'",
        "dealerkit probability 'spades(south) >= 3' --given 'spades(north) == 5'",
        "dealerkit probability 'losers(north)' --values --plot losers.png",
    ),
)


# ------------------------------------------------------------ estimate


def _add_estimate_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "question",
        type=locate_text,
        help="an expression of the dealer language, such as 'dds(south, spades) >= 10'",
    )
    add_given(parser)
    add_shared(
        parser,
        "--precision",
        help="half-width of the interval, in the unit of the question (default: 0.01; 1 for a quantile of "
        "whole numbers)",
    )
    add_shared(parser, "-p --produce", help="number of deals, all of them solved, instead of a precision")
    parser.add_argument("--against", type=locate_text, metavar="EXPRESSION", help="subtract this expression")
    parser.add_argument(
        "--per", type=locate_text, metavar="EXPRESSION", help="divide by the mean of this expression"
    )
    parser.add_argument(
        "--quantile", type=float, metavar="Q", help="estimate this quantile; 0.5 is the median"
    )
    add_shared(parser, "--method", help="model (the default) or plain: solve every deal")
    parser.add_argument("--deals", metavar="FILE", help="use the random deals of a file instead of dealing")
    parser.add_argument(
        "--real-play",
        metavar="CONTRACT",
        help="correct for play at the table in this contract, or at this level",
    )
    add_shared(parser, "--solved", "-s --seed", "--max-seconds", "--max-solves", "--checkpoint")
    add_shared(parser, *STUDY_FILES)
    add_shared(parser, "--predeal", "--param", "--include", "--confidence", "--scheduler")


def _run_estimate(options: argparse.Namespace) -> int:
    """Estimate the mean or share and print it; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.estimate import estimate

    check_outputs(options)
    deals = None
    if options.deals is not None:
        from dealerkit.formats.library import read

        deals = read(Path(options.deals)).deals
    result = estimate(
        options.question, find_given(options), parse_predeal(options.predeal) or None,
        parse_variables(options.params), include=options.include,
        precision=options.precision, confidence=options.confidence, against=options.against, per=options.per,
        quantile=options.quantile, method=options.method, deals=deals, real_play=options.real_play,
        produce=options.produce, seed=options.seed, max_seconds=options.max_seconds,
        max_solves=options.max_solves, executor=options.executor, checkpoint=options.checkpoint,
        solved=find_solved(options),
    )  # fmt: skip
    return report_study(result, options)


ESTIMATE = Verb(
    "estimate",
    "estimate the mean of an expression, with as few solves as possible",
    "Estimate the mean of an expression, or the share of deals that meet a condition, among all deals that "
    "meet a given condition. Deals are dealt, and solved double dummy where the expression needs it, until "
    "the interval is narrow enough. An interrupt prints the estimate so far.",
    _add_estimate_arguments,
    _run_estimate,
    examples=(
        "dealerkit estimate 'dds(south, spades) >= 10' --given 'spades(north) + spades(south) == 9'",
        "dealerkit estimate 'hcp(south)' --given 'hcp(north) == 20' --precision 0.1",
    ),
)
