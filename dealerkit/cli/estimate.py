"""`dealerkit estimate`: a mean or a share over a population of deals, as precisely as requested."""

from __future__ import annotations

import argparse
from pathlib import Path

from dealerkit.cli.arguments import add_shared, locate_text

HELP = "estimate the mean of an expression, with as few solves as possible"
DESCRIPTION = (
    "Estimate the mean of an expression, or the share of deals that meet a condition, over all deals that "
    "meet a given condition. Deals are dealt, and solved double dummy where the expression needs it, until "
    "the interval is narrow enough. An interrupt prints the estimate so far."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "question", type=locate_text, help="in the dealer language, such as 'dds(south, spades) >= 10'"
    )
    parser.add_argument(
        "--given", type=locate_text, metavar="CONDITION", help="the condition that all deals meet"
    )
    parser.add_argument(
        "--precision", type=float, metavar="X",
        help="half-width of the interval, in the unit of the question (default: 0.01; 1 for a quantile of "
        "whole numbers)",
    )  # fmt: skip
    parser.add_argument(
        "--against", type=locate_text, metavar="EXPRESSION", help="an expression that is subtracted"
    )
    parser.add_argument(
        "--per", type=locate_text, metavar="EXPRESSION", help="an expression by whose mean is divided"
    )
    parser.add_argument("--quantile", type=float, metavar="Q", help="a quantile, 0.5 for the median")
    parser.add_argument(
        "--method", default="model", metavar="METHOD", help="model (the default) or plain: solve every deal"
    )
    parser.add_argument(
        "--deals", metavar="FILE", help="a file with a random sample of deals, for those dealt"
    )
    parser.add_argument(
        "--real-play", metavar="CONTRACT", help="correct for play at the table in this contract, or level"
    )
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="default: always the same deals")
    add_shared(parser, "--max-seconds", "--max-solves", "--checkpoint")
    add_shared(parser, "--json", "--plot", "--html", "--csv", "--latex")
    add_shared(parser, "--predeal", "--param", "--include", "--confidence", "--scheduler")


def run_verb(options: argparse.Namespace) -> int:
    """Estimate and print; return the exit status."""
    from dealerkit.cli.probability import parse_predeal
    from dealerkit.cli.study_files import check_outputs, report_study
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.estimate import estimate

    check_outputs(options)
    deals = None
    if options.deals is not None:
        from dealerkit.formats.library import read

        deals = read(Path(options.deals)).deals
    result = estimate(
        options.question, options.given, parse_predeal(options.predeal) or None,
        parse_variables(options.params), include=options.include,
        precision=options.precision, confidence=options.confidence, against=options.against, per=options.per,
        quantile=options.quantile, method=options.method, deals=deals, real_play=options.real_play,
        seed=options.seed, max_seconds=options.max_seconds, max_solves=options.max_solves,
        executor=options.executor, checkpoint=options.checkpoint,
    )  # fmt: skip
    return report_study(result, options)
