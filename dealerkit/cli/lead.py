"""`dealerkit lead`: which card to lead from a hand against a contract."""

from __future__ import annotations

import argparse

from dealerkit.cli.arguments import add_shared, locate_text

HELP = "compare the opening leads from a hand against a contract"
DESCRIPTION = (
    "Compare the opening leads from a hand, double dummy, on deals in which the hands fit the auction: the "
    "chance to beat the contract, tricks, IMPs and matchpoints of each card, and which leads cannot be "
    "distinguished. Deals are dealt and solved until the intervals are narrow enough. An interrupt prints "
    "the table so far."
)
EPILOG = (
    "Example: dealerkit lead QJ752.K83.94.T62 '3NT by south' --given 'hcp(south) >= 15 and hcp(south) <= 17'"
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("hand", help="the leader's 13 cards, such as QJ752.K83.94.T62")
    parser.add_argument("contract", help="such as '3NT by south', or 3NT with --declarer")
    parser.add_argument("--declarer", metavar="SEAT", help="of a contract that names none")
    parser.add_argument(
        "--given", type=locate_text, metavar="CONDITION", help="what the auction says about the other hands"
    )
    parser.add_argument(
        "--vulnerable", default="none", metavar="SIDES", help="none (the default), NS, EW or both"
    )
    parser.add_argument(
        "--scoring", default="beats", metavar="SCORING",
        help="by which leads are compared: beats (the default, the chance to beat the contract), tricks, "
        "imps, matchpoints, board-a-match or points",
    )  # fmt: skip
    parser.add_argument(
        "--lead-rule", metavar="RULE",
        help="only the card of each suit by this rule: 'fourth best', 'third and fifth', 'attitude', 'top of "
        "sequence' (default: all cards)",
    )  # fmt: skip
    parser.add_argument(
        "--precision", type=float, metavar="X",
        help="half-width of the widest interval of the gains (default: 0.03 for beats and matchpoints, "
        "0.15 tricks, 0.375 IMPs, 15 points)",
    )  # fmt: skip
    parser.add_argument(
        "-p", "--produce", type=int, metavar="N", help="number of deals, instead of a precision"
    )
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="default: always the same deals")
    add_shared(parser, "--max-seconds", "--checkpoint")
    add_shared(parser, "--json", "--plot", "--html", "--csv", "--latex")
    add_shared(parser, "--predeal", "--param", "--include", "--confidence", "--threads")


def run_verb(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.cli.probability import parse_predeal
    from dealerkit.cli.study_files import check_outputs, report_study
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.leads import lead

    check_outputs(options)
    study = lead(
        options.hand, options.contract, given=options.given, declarer=options.declarer,
        vulnerable=options.vulnerable, scoring=options.scoring, lead_rule=options.lead_rule,
        precision=options.precision, produce=options.produce, confidence=options.confidence,
        seed=options.seed, predeal=parse_predeal(options.predeal) or None,
        params=parse_variables(options.params), include=options.include,
        max_seconds=options.max_seconds, threads=options.threads,
        checkpoint=options.checkpoint,
    )  # fmt: skip
    return report_study(study, options)
