"""`dealerkit explain`: a script in plain words, its acceptance rates and its likely mistakes."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from dealerkit.cli.arguments import FAILED, add_shared, locate_script
from dealerkit.cli.study_files import print_result

if TYPE_CHECKING:
    from dealerkit.language.script_variables import Params

HELP = "explain a dealer script"
DESCRIPTION = (
    "Explain a dealer script in plain words, with the acceptance rate of each clause, the plan by which a"
    " run deals, and the likely mistakes."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, "file", "--dialect", "--plan", "--param", "--include", "--json")
    parser.add_argument(
        "-p", "--produce", type=int, metavar="N", help="explain a run that stops after N produced deals"
    )
    parser.add_argument(
        "-g", "--generate", type=int, metavar="N", help="explain a run that stops after N deals dealt"
    )
    parser.add_argument(
        "--deals",
        type=int,
        metavar="N",
        help="number of deals from which acceptance rates are estimated (default: 65,536)",
    )
    parser.add_argument(
        "--why",
        metavar="DEAL",
        help='show which clauses this deal passes and fails; the deal is in PBN notation, "N:..."',
    )
    parser.add_argument("--functions", action="store_true", help="as the verb functions")


def run_verb(options: argparse.Namespace) -> int:
    """Explain and print; return the exit status, 2 for a script that cannot be run."""
    if options.functions:
        from dealerkit.cli.functions import print_functions

        return print_functions(options.dialect, "", options.json)
    from dealerkit.advice.explain import PILOT_DEALS, explain
    from dealerkit.advice.why import why
    from dealerkit.language.script_variables import parse_variables

    script: Any = locate_script(options.file)
    params: Params = parse_variables(options.params)
    if options.why is not None:
        deal_explanation = why(
            script, options.why, dialect=options.dialect, params=params, include=options.include
        )
        print_result(deal_explanation, options)
        return 0
    explanation = explain(
        script,
        dialect=options.dialect,
        params=params,
        include=options.include,
        deals=PILOT_DEALS if options.deals is None else options.deals,
        plan=options.plan,
        produce=options.produce,
        generate=options.generate,
    )
    print_result(explanation, options)
    return FAILED if explanation.error is not None else 0
