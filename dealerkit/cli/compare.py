"""`dealerkit compare`: evaluators compared by how well they predict tricks, and what decisions they gain."""

from __future__ import annotations

import argparse
import re
from pathlib import Path
from typing import Any

from dealerkit.cli.arguments import add_shared
from dealerkit.errors import ArgumentError

HELP = "compare how well evaluators predict tricks and games, and what they gain as guides to a decision"
DESCRIPTION = (
    "Compare evaluators on solved deals: how much of the tricks each explains, with intervals. Evaluators "
    "are named as in `dealerkit functions`. Differences are taken on the same deals."
)
EPILOG = (
    "Example: dealerkit compare hcp zar bergen --strain 'best major' --where 'fit >= 8'. "
    "An evaluator of your own: --measure 'mine=hcp + 2 * fit'."
)
_NAME = re.compile(r"\w+$")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("evaluators", nargs="*", metavar="EVALUATOR", help="its name, such as hcp or zar")
    parser.add_argument(
        "--measure", action="append", default=[], metavar="NAME=EXPRESSION",
        help="an evaluator of your own, for north and south, such as 'mine=hcp + 2 * fit'",
    )  # fmt: skip
    parser.add_argument(
        "--sample", metavar="FILE", help="a file of solved deals (default: the sample of the package)"
    )
    parser.add_argument(
        "--strain", default="best major", metavar="STRAIN",
        help="what is played: 'best major' (the default), 'longest fit', 'best suit', notrump or a suit",
    )  # fmt: skip
    parser.add_argument("--where", metavar="CONDITION", help="only sides that meet it, such as 'fit >= 8'")
    parser.add_argument("--declarer", metavar="RULE", help="better (the default), or mean: of both hands")
    parser.add_argument(
        "--replicates", type=int, metavar="N", help="samples of deals for the intervals (default: 1000)"
    )
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="default: always the same samples")
    add_shared(parser, "--confidence", "--plot")
    add_shared(parser, "--html", "--csv", "--latex")


def run_verb(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.cli.study_files import check_outputs, report_study
    from dealerkit.studies.comparison import compare

    check_outputs(options)
    measures = collect_measures(options.evaluators, options.measure)
    words: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("where", "declarer", "replicates", "seed")
        if getattr(options, name) is not None
    }
    if options.sample is not None:
        from dealerkit.formats.reading import read

        words["sample"] = read(Path(options.sample)).deals
    trial = compare(measures, strain=options.strain, confidence=options.confidence, **words)
    return report_study(trial, options)


def collect_measures(names: list[str], named: list[str]) -> dict[str, Any]:
    """Return evaluators by their names, as `compare` takes them.

    >>> collect_measures(["hcp"], ["both=hcp; fit", "mine=hcp + 2*fit"])
    {'hcp': 'hcp', 'both': ['hcp', 'fit'], 'mine': 'hcp + 2*fit'}
    """
    measures: dict[str, Any] = {}
    pairs = [(name, name if _NAME.match(name) else "") for name in names]
    for text in named:
        name, _, expression = text.partition("=")
        pairs.append((name.strip(), expression.strip()))
    for name, expression in pairs:
        if not expression or not name:
            example = f"--measure 'mine={name or expression}'"
            raise ArgumentError(f"an evaluator needs name and expression: {example}")
        if name in measures:
            raise ArgumentError(f"{name} is listed twice; give each evaluator a name of its own")
        parts = [part.strip() for part in expression.split(";") if part.strip()]
        measures[name] = parts[0] if len(parts) == 1 else parts
    if not measures:
        raise ArgumentError("no evaluator is given; name some, such as dealerkit compare hcp zar bergen")
    return measures
