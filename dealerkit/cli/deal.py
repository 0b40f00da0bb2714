"""`dealerkit deal`: deal hands and print them."""

from __future__ import annotations

import argparse
import sys
import warnings

from dealerkit.cards.names import SEATS
from dealerkit.cli.arguments import EXIT_STATUS, UNSATISFIABLE, add_shared
from dealerkit.errors import UnsatisfiableWarning

HELP = "deal hands"
DESCRIPTION = "Deal hands and print a diagram of each deal."
EPILOG = EXIT_STATUS.format("")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("count", nargs="?", type=int, default=1, help="number of deals (default: 1)")
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="random seed (default: a new one)")
    parser.add_argument(
        "--given",
        metavar="CONDITION",
        help="print only deals that meet a condition of the dealer language, such as 'hcp(north) > 15'",
    )
    for seat in SEATS:
        parser.add_argument(f"--{seat}", metavar="CARDS", help=f"predealt cards of {seat}, such as SAKQ,H5")
    parser.add_argument(
        "--format",
        default="diagram",
        choices=("diagram", "pbn", "line"),
        help="form of the output (default: diagram)",
    )
    add_shared(parser, "--param", "--plan", "--swap", "--threads")


def run_verb(options: argparse.Namespace) -> int:
    """Deal and print; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.run import deal

    predeal = {seat: cards for seat in SEATS if (cards := getattr(options, seat))}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnsatisfiableWarning)
        deals = deal(
            options.count,
            seed=options.seed,
            predeal=predeal,
            given=options.given,
            params=parse_variables(options.param),
            plan=options.plan,
            swap=options.swap,
            threads=options.threads,
        )
    for warning in caught:
        warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
    if options.format == "pbn":
        lines = deals.to_pbn()
    elif options.format == "line":
        lines = deals.to_lines()
    else:
        lines = [f"{deal.diagram()}\n" for deal in deals]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    is_unsatisfiable = any(issubclass(warning.category, UnsatisfiableWarning) for warning in caught)
    return UNSATISFIABLE if is_unsatisfiable else 0
