"""`dealerkit contracts`: contracts compared on the same deals."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from dealerkit.cli.arguments import add_shared, locate_text
from dealerkit.errors import ArgumentError

HELP = "compare contracts, or strategies that choose them, on the same deals"
DESCRIPTION = (
    "Compare contracts on the same deals, double dummy: how often they make, mean tricks and scores, and the "
    "gain of each over the best of the others. Deals are dealt, and solved, until the intervals of the gains "
    "are narrow enough. A strategy is a list of conditions and contracts: the first that applies decides."
)
EPILOG = (
    "Example: dealerkit contracts 2NT 3NT --declarer north --given 'hcp(north) + hcp(south) == 25'. "
    "A strategy: --strategy 'sound: hcp(south) >= 9 -> 3NT by north; 2NT by north'."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "contracts", nargs="*", metavar="CONTRACT", help="such as 3NT, 4Sx, '3NT by north' or pass"
    )
    parser.add_argument(
        "--strategy", action="append", default=[], metavar="RULES",
        help="a strategy: 'NAME: CONDITION -> CONTRACT; CONDITION -> CONTRACT; CONTRACT', the last contract "
        "for all other deals",
    )  # fmt: skip
    parser.add_argument(
        "--given", type=locate_text, metavar="CONDITION", help="the condition that all deals meet"
    )
    parser.add_argument("--deals", metavar="FILE", help="a file of deals, for those dealt")
    parser.add_argument("--declarer", metavar="SEAT", help="of the contracts that name none")
    parser.add_argument(
        "--vulnerable", metavar="SIDES", help="none, NS, EW or both (default: all that change a score)"
    )
    parser.add_argument(
        "--scoring",
        default="imps",
        metavar="SCORING",
        help="imps (the default), matchpoints, board-a-match or points",
    )
    parser.add_argument(
        "--against", metavar="CONTRACT",
        help="with what the others are compared: a contract, or a field, '4S=0.7, 6S=0.3' (default: the best "
        "of the others; of two, the first)",
    )  # fmt: skip
    parser.add_argument(
        "--by", metavar="EXPRESSION", help="results for each value, such as 'hcp(north) + hcp(south)'"
    )
    parser.add_argument(
        "--real-play", action="store_true", help="correct for play at the table, by the level of the contract"
    )
    parser.add_argument(
        "--lead-rule", metavar="RULE",
        help="the opening lead follows a rule: 'fourth best', 'third and fifth', 'attitude', 'top of "
        "sequence' (default: the best lead double dummy)",
    )  # fmt: skip
    parser.add_argument(
        "--precision", type=float, metavar="X",
        help="half-width of the intervals of the gains (default: 0.25 IMPs, 0.02 of the matchpoints, or 10 "
        "points)",
    )  # fmt: skip
    parser.add_argument(
        "-p", "--produce", type=int, metavar="N", help="number of deals, all solved, instead of a precision"
    )
    parser.add_argument(
        "--method", default="model", metavar="METHOD", help="model (the default) or plain: without the model"
    )
    parser.add_argument("-s", "--seed", type=int, metavar="N", help="default: always the same deals")
    add_shared(parser, "--max-seconds", "--max-solves", "--checkpoint")
    add_shared(parser, "--json", "--plot", "--html", "--csv", "--latex")
    add_shared(parser, "--predeal", "--param", "--include", "--confidence")


def run_verb(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.cli.probability import parse_predeal
    from dealerkit.cli.study_files import check_outputs, report_study
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.contracts import contracts

    check_outputs(options)
    deals: Any = options.given
    if options.deals is not None:
        from dealerkit.compiler.frames import select_deals
        from dealerkit.formats.library import read

        deals = read(Path(options.deals)).deals
        if options.given is not None:
            deals = select_deals(
                deals, options.given, params=parse_variables(options.params), include=options.include
            )
    elif options.given is None:
        raise ArgumentError("--given is missing: the condition that all deals meet; 1 is met by all deals")
    is_dealt = options.deals is None
    compared: Any = dict.fromkeys(options.contracts) | dict(map(parse_strategy, options.strategy))
    compared = {name: rules or name for name, rules in compared.items()}
    if not options.strategy:
        compared = options.contracts
    study = contracts(
        deals, compared, declarer=options.declarer, vulnerable=options.vulnerable, scoring=options.scoring,
        against=parse_field(options.against), by=options.by, real_play=options.real_play,
        lead_rule=options.lead_rule,
        precision=options.precision, produce=options.produce,
        confidence=options.confidence, method=options.method, seed=options.seed,
        predeal=parse_predeal(options.predeal) or None if is_dealt else None,
        params=parse_variables(options.params) if is_dealt else (),
        include=options.include if is_dealt else (),
        max_seconds=options.max_seconds, max_solves=options.max_solves, checkpoint=options.checkpoint,
    )  # fmt: skip
    return report_study(study, options)


def parse_field(text: str | None) -> str | dict[str, float] | None:
    """Return what contracts are compared with: a contract, or several with their shares.

    >>> parse_field("4S"), parse_field("4S=0.7, 6S=0.3")
    ('4S', {'4S': 0.7, '6S': 0.3})
    """
    if text is None or "=" not in text:
        return text
    field = {}
    for part in text.split(","):
        name, _, share = part.rpartition("=")
        try:
            field[name.strip()] = float(share)
        except ValueError:
            raise ArgumentError(f"--against takes '4S=0.7, 6S=0.3', not {text!r:.100}") from None
    return field


def parse_strategy(text: str) -> tuple[str, list[tuple[Any, str]]]:
    """Return name and rules of a strategy.

    >>> parse_strategy("sound: hcp(south) >= 9 -> 3NT by north; pass")
    ('sound', [('hcp(south) >= 9', '3NT by north'), (True, 'pass')])
    """
    name, colon, rest = text.partition(":")
    parts = [part.strip() for part in rest.split(";") if part.strip()]
    if not colon or not name.strip() or not parts:
        raise ArgumentError(
            f"--strategy takes 'NAME: CONDITION -> CONTRACT; ...; CONTRACT', not {text!r:.100}"
        )
    rules: list[tuple[Any, str]] = []
    for part in parts:
        condition, arrow, contract = part.rpartition("->")
        rules.append((condition.strip() if arrow else True, contract.strip()))
    return name.strip(), rules
