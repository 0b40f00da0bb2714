"""`dealerkit compare`: evaluators compared by how well they predict tricks, and what decisions they gain."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from dealerkit.cli.arguments import add_shared
from dealerkit.errors import ArgumentError

HELP = "compare how well evaluators predict tricks and games, and what they gain as guides to a decision"
DESCRIPTION = (
    "Compare evaluators on solved deals: how much of the tricks each explains, how well it predicts games "
    "and slams, and what it gains as a guide to a decision, with intervals. Evaluators are named as in "
    "`dealerkit functions`, and evaluated in the strain that is played. Differences are taken on the same "
    "deals; those of all pairs have simultaneous intervals."
)
EPILOG = (
    "Example: dealerkit compare hcp zar bergen --strain 'best major' --where 'fit >= 8' --decision 4M,3M "
    "--vulnerable. An evaluator of your own: --measure 'mine=hcp + 2 * fit'; several predictors together: "
    "--measure 'both=hcp; fit'."
)
_NAME = re.compile(r"\w+$")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("evaluators", nargs="*", metavar="EVALUATOR", help="its name, such as hcp or zar")
    parser.add_argument(
        "--measure", action="append", default=[], metavar="NAME=EXPRESSION",
        help="an evaluator of your own, for north and south, such as 'mine=hcp + 2 * fit'; predictors that "
        "are weighted together are separated by semicolons, as 'both=hcp; fit'",
    )  # fmt: skip
    parser.add_argument(
        "--sample", metavar="FILE", help="a file of solved deals (default: the sample of the package)"
    )
    parser.add_argument(
        "--strain", default="best major", metavar="STRAIN",
        help="what is played: 'best major' (the default), 'longest fit', 'best suit', notrump or a suit",
    )  # fmt: skip
    parser.add_argument(
        "--target", metavar="EXPRESSION", help="what is predicted (default: tricks, in the strain played)"
    )
    parser.add_argument("--where", metavar="CONDITION", help="only sides that meet it, such as 'fit >= 8'")
    parser.add_argument("--by", metavar="EXPRESSION", help="also figures for each of its values, such as fit")
    parser.add_argument(
        "--decision", metavar="X,Y",
        help="what each gains as a guide to contract X or Y, such as 4M,3M (M: the major that is played) or "
        "3NT,1NT",
    )  # fmt: skip
    parser.add_argument(
        "--events", metavar="LIST",
        help="how well each predicts them: game, slam, or a condition such as 'tricks >= 9', with commas "
        "between them",
    )  # fmt: skip
    parser.add_argument("--vulnerable", action="store_true", help="the side that decides is vulnerable")
    parser.add_argument(
        "--scoring",
        metavar="SCORING",
        help="of the decision: imps (the default), points, matchpoints or board-a-match",
    )
    parser.add_argument("--declarer", metavar="RULE", help="better (the default), or mean: of both hands")
    parser.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        help="samples of deals for the intervals of a decision (default: 200)",
    )
    parser.add_argument("--folds", type=int, metavar="N", help="parts for cross-validation (default: 10)")
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="default: always the same samples")
    add_shared(parser, "--confidence", "--plot")
    parser.add_argument(
        "--show", metavar="KIND",
        help="what --plot draws: values (the default), pairs, best, gains, classes, calibration, residuals "
        "or decision",
    )  # fmt: skip
    add_shared(parser, "--json", "--html", "--csv", "--latex", "--checkpoint")


def run_verb(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.cli.study_files import check_outputs, report_study
    from dealerkit.studies.comparison import compare

    check_outputs(options)
    if options.show is not None:
        _check_show(options)
    measures = collect_measures(options.evaluators, options.measure)
    words: dict[str, Any] = {
        name: getattr(options, name)
        for name in ("target", "where", "by", "scoring", "declarer", "replicates", "folds", "seed")
        if getattr(options, name) is not None
    }
    if options.sample is not None:
        from dealerkit.formats.library import read

        words["sample"] = read(Path(options.sample)).deals
    if options.decision is not None:
        words["decision"] = parse_decision(options.decision)
    elif options.vulnerable or options.scoring is not None:
        name = "--vulnerable" if options.vulnerable else "--scoring"
        raise ArgumentError(f"{name} is about a decision; give one, such as --decision 4M,3M")
    if options.events is not None:
        words["events"] = tuple(split_list(options.events))
    if options.vulnerable:
        words["vulnerable"] = True
    trial = compare(
        measures, strain=options.strain, confidence=options.confidence, checkpoint=options.checkpoint, **words
    )
    return report_study(trial, options)


def _check_show(options: argparse.Namespace) -> None:
    """Raise an error, before anything is computed, for a plot that cannot be drawn."""
    from dealerkit.arguments import check_name
    from dealerkit.studies.comparison.plot import SHOWN

    show = check_name("--show", options.show, SHOWN)
    if options.plot is None:
        raise ArgumentError(f"--show {show} says what --plot draws; give --plot FILE, too")
    if show == "classes" and options.by is None:
        raise ArgumentError("--show classes needs classes; give some, such as --by fit")
    if show in ("gains", "decision") and options.decision is None:
        raise ArgumentError(f"--show {show} needs a decision; give one, such as --decision 4M,3M")


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


def parse_decision(text: str) -> tuple[str, str]:
    """Return both contracts of a decision.

    >>> parse_decision("4M, 3M")
    ('4M', '3M')
    """
    first, comma, second = (part.strip() for part in text.partition(","))
    if not first or not second or first == second:
        raise ArgumentError(f"--decision takes two contracts, such as 4M,3M, not {text!r:.40}")
    return first, second


def split_list(text: str) -> Iterator[str]:
    """Yield the parts of a list that commas outside of parentheses separate.

    >>> list(split_list("game, max(tricks, 5) > 6"))
    ['game', 'max(tricks, 5) > 6']
    """
    depth, start = 0, 0
    for place, character in enumerate(text):
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            yield text[start:place].strip()
            start = place + 1
    yield text[start:].strip()
