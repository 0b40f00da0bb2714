"""The study verbs: `dealerkit contracts`, `lead` and `compare`."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealerkit.cli.arguments import (
    STUDY_FILES,
    Verb,
    add_given,
    add_shared,
    find_given,
    find_solved,
    parse_predeal,
)
from dealerkit.cli.results import check_outputs, report_study
from dealerkit.errors import ArgumentError, quote

if TYPE_CHECKING:
    from dealerkit.cards.deals import Deals

_NAME = re.compile(r"\w+$")


# ------------------------------------------------------------ contracts


def _add_contracts_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "contracts", nargs="*", metavar="CONTRACT", help="such as 3NT, 4Sx, '3NT by north' or pass"
    )
    parser.add_argument(
        "--strategy", action="append", default=[], metavar="RULES",
        help="a strategy: 'NAME: CONDITION -> CONTRACT; CONDITION -> CONTRACT; CONTRACT', the last contract "
        "applies to all other deals",
    )  # fmt: skip
    add_given(parser, with_vulnerable=False)
    parser.add_argument(
        "--deals",
        metavar="FILE",
        help="use the deals of a file instead of dealing; sample: the solved deals that come with dealerkit",
    )
    add_shared(parser, "--declarer", help="declarer of contracts written without one")
    parser.add_argument(
        "--vulnerable",
        metavar="SIDES",
        help="none, NS, EW or both (default: every vulnerability that changes a score)",
    )
    add_shared(
        parser, "--scoring", default="imps", help="imps (the default), matchpoints, board-a-match or points"
    )
    parser.add_argument(
        "--against", metavar="CONTRACT",
        help="what the others are compared with: a contract, or a field, '4S=0.7, 6S=0.3' (default: the best "
        "of the others; for two, the first)",
    )  # fmt: skip
    parser.add_argument(
        "--by",
        metavar="EXPRESSION",
        help="also results for each value of this, such as 'hcp(north) + hcp(south)'; 2,000 deals are dealt "
        "and solved, unless -p or --deals says otherwise",
    )
    parser.add_argument(
        "--real-play",
        action="store_true",
        help="correct scores for play at the table, by the level of the contract",
    )
    add_shared(
        parser,
        "--lead-rule",
        help="rule for the opening lead: 'fourth best', 'third and fifth', 'attitude', 'top of "
        "sequence' (default: the best lead, double dummy)",
    )
    add_shared(
        parser,
        "--precision",
        help="largest half-width of the intervals of the gains (default: 0.25 IMPs, 2 %% of matchpoints, "
        "or 10 "
        "points)",
    )
    add_shared(parser, "-p --produce", help="number of deals, all of them solved, instead of a precision")
    add_shared(parser, "--method", help="model (the default), with the trick model, or plain, without it")
    add_shared(parser, "--solved", "-s --seed", "--max-seconds", "--max-solves", "--checkpoint")
    add_shared(parser, *STUDY_FILES, "--predeal", "--param", "--include", "--confidence")


def _run_contracts(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.contracts import contracts

    # The deals: those of a file, or new ones that meet a condition
    check_outputs(options)
    given = find_given(options)
    deals: Any = given
    if options.deals is not None:
        from dealerkit.arguments import read_given
        from dealerkit.compiler.frames import select_deals

        if options.predeal:
            raise ArgumentError("--predeal only applies to dealing; leave it out if --deals is given")
        deals = _read_deals(options.deals)
        if given is not None:
            deals = select_deals(
                deals, read_given(given), params=parse_variables(options.params), include=options.include
            )
    elif given is None and options.predeal:
        deals = "1"  # the predealt cards are the condition
    elif given is None:
        raise ArgumentError(
            "--given is missing; give the condition that all deals meet, or 1 for no condition; "
            "known hands are written --predeal south=AKT75.A43.KQ52.7"
        )
    is_dealt = options.deals is None

    # What is compared: contracts by their names, and strategies by the names of their rules
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
        solved=find_solved(options),
    )  # fmt: skip
    return report_study(study, options)


def _read_deals(name: str) -> Deals:
    """Return the deals of a file, or those of the shipped sample if its name is ``sample``."""
    if name == "sample":
        from dealerkit.formats.sample import solved_sample

        return solved_sample()
    from dealerkit.formats.library import read

    return read(Path(name)).deals


def parse_field(text: str | None) -> str | dict[str, float] | None:
    """Return the contract that others are compared with, or several contracts with their shares.

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
            raise ArgumentError(f"--against takes '4S=0.7, 6S=0.3', not {quote(text, 100)}") from None
    return field


def parse_strategy(text: str) -> tuple[str, list[tuple[Any, str]]]:
    """Return the name and the rules of a strategy.

    >>> parse_strategy("sound: hcp(south) >= 9 -> 3NT by north; pass")
    ('sound', [('hcp(south) >= 9', '3NT by north'), (True, 'pass')])
    """
    name, colon, rest = text.partition(":")
    parts = [part.strip() for part in rest.split(";") if part.strip()]
    if not colon or not name.strip() or not parts:
        raise ArgumentError(
            f"--strategy takes 'NAME: CONDITION -> CONTRACT; ...; CONTRACT', not {quote(text, 100)}"
        )
    rules: list[tuple[Any, str]] = []
    for part in parts:
        condition, arrow, contract = part.rpartition("->")
        rules.append((condition.strip() if arrow else True, contract.strip()))
    return name.strip(), rules


CONTRACTS = Verb(
    "contracts",
    "compare contracts, or strategies that choose them, on the same deals",
    "Compare contracts on the same deals, double dummy: how often they make, mean tricks and scores, and the "
    "gain of each over the best of the others. Deals are dealt, and solved, until the intervals of the gains "
    "are narrow enough. A strategy is a list of conditions with contracts; the first condition that "
    "applies decides.",
    _add_contracts_arguments,
    _run_contracts,
    examples=(
        "dealerkit contracts 2NT 3NT --declarer north --given 'hcp(north) + hcp(south) == 25'",
        "dealerkit contracts 2NT 3NT --declarer north --deals sample --given 'balanced(north)' "
        "--by 'hcp(north) + hcp(south)'",
        "dealerkit contracts pass --strategy 'sound: hcp(south) >= 9 -> 3NT; pass' --declarer north "
        "--given 'hcp(north) == 16'",
    ),
)


# ------------------------------------------------------------ lead


def _add_lead_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("hand", help="the leader's 13 cards, such as QJ752.K83.94.T62")
    parser.add_argument(
        "contract", nargs="?", help="such as '3NT by south', or 3NT with --declarer (default: of --auction)"
    )
    add_shared(parser, "--declarer")
    add_given(parser, with_vulnerable=False, help="what the auction says about the other hands")
    parser.add_argument(
        "--vulnerable", default="none", metavar="SIDES", help="none (the default), NS, EW or both"
    )
    add_shared(
        parser,
        "--scoring",
        default="beats",
        help="how leads are compared: beats (the default, the probability of beating the contract), tricks, "
        "imps, matchpoints, board-a-match or points",
    )
    add_shared(
        parser,
        "--lead-rule",
        help="compare only the card of each suit that this rule leads: 'fourth best', 'third and fifth', "
        "'attitude', 'top of "
        "sequence' (default: all cards)",
    )
    add_shared(
        parser,
        "--precision",
        help="largest half-width of the intervals of the gains (default: 3 %% for beats and matchpoints, "
        "0.15 tricks, 0.375 IMPs, 15 points)",
    )
    add_shared(parser, "-p --produce", help="number of deals, instead of a precision")
    add_shared(parser, "-s --seed", "--max-seconds", "--checkpoint", *STUDY_FILES)
    add_shared(parser, "--predeal", "--param", "--include", "--confidence", "--threads")


def _run_lead(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.leads import lead

    check_outputs(options)
    study = lead(
        options.hand, options.contract, given=find_given(options), declarer=options.declarer,
        vulnerable=options.vulnerable, scoring=options.scoring, lead_rule=options.lead_rule,
        precision=options.precision, produce=options.produce, confidence=options.confidence,
        seed=options.seed, predeal=parse_predeal(options.predeal) or None,
        params=parse_variables(options.params), include=options.include,
        max_seconds=options.max_seconds, threads=options.threads,
        checkpoint=options.checkpoint,
    )  # fmt: skip
    return report_study(study, options)


LEAD = Verb(
    "lead",
    "compare the opening leads from a hand against a contract",
    "Compare the opening leads from a hand, double dummy, on deals that fit the auction: the "
    "probability of beating the contract, tricks, IMPs and matchpoints of each card, and which leads are "
    "too close to call. Deals are dealt and solved until the intervals are narrow enough. An interrupt "
    "prints the table so far.",
    _add_lead_arguments,
    _run_lead,
    examples=(
        "dealerkit lead QJ752.K83.94.T62 '3NT by south' --given 'hcp(south) >= 15 and hcp(south) <= 17'",
        "dealerkit lead QJ752.K83.94.T62 '3NT by south' --lead-rule 'fourth best' --produce 500",
    ),
)


# ------------------------------------------------------------ compare


def _add_compare_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "evaluators", nargs="*", metavar="EVALUATOR", help="name of an evaluator, such as hcp or zar"
    )
    parser.add_argument(
        "--measure", action="append", default=[], metavar="NAME=EXPRESSION",
        help="an evaluator of your own, written for north and south, such as 'mine=hcp + 2 * fit'; separate "
        "predictors that are weighted together by semicolons, as in 'both=hcp; fit'",
    )  # fmt: skip
    parser.add_argument(
        "--sample", metavar="FILE", help="a file of solved deals (default: the shipped sample)"
    )
    parser.add_argument(
        "--results",
        metavar="FILE",
        action="append",
        default=[],
        help="instead of solved deals: results of a tournament with its cards, or a folder of such files; "
        "the tricks taken at the table are then predicted; may be repeated",
    )
    parser.add_argument(
        "--strain", default="best major", metavar="STRAIN",
        help="the strain that is played: 'best major' (the default), 'longest fit', 'best suit', notrump "
        "or a suit",
    )  # fmt: skip
    parser.add_argument(
        "--target", metavar="EXPRESSION", help="what is predicted (default: tricks, in the strain played)"
    )
    parser.add_argument(
        "--where", metavar="CONDITION", help="use only sides that meet this condition, such as 'fit >= 8'"
    )
    parser.add_argument(
        "--by", metavar="EXPRESSION", help="also show figures for each value of this, such as fit"
    )
    parser.add_argument(
        "--decision", metavar="X,Y",
        help="what each gains as a guide for choosing contract X or Y, such as 4M,3M (M: the major that is "
        "played) or "
        "3NT,1NT",
    )  # fmt: skip
    parser.add_argument(
        "--events", metavar="LIST",
        help="how well each predicts these events: game, slam, or a condition such as 'tricks >= 9', with "
        "commas "
        "between them",
    )  # fmt: skip
    parser.add_argument("--vulnerable", action="store_true", help="the side that decides is vulnerable")
    add_shared(
        parser,
        "--scoring",
        help="scoring for the decision: imps (the default), points, matchpoints or board-a-match",
    )
    add_shared(
        parser,
        "--declarer",
        metavar="RULE",
        help="better (the default): the hand that takes more tricks; mean: the mean of both hands",
    )
    parser.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        help="number of resamples for the intervals of a decision (default: 200)",
    )
    parser.add_argument(
        "--folds", type=int, metavar="N", help="number of folds for cross-validation (default: 10)"
    )
    add_shared(parser, "-s --seed", help="default: always the same samples")
    add_shared(parser, "--confidence", "--plot")
    parser.add_argument(
        "--show", metavar="KIND",
        help="what --plot draws: values (the default), pairs, best, gains, classes, calibration, residuals "
        "or decision",
    )  # fmt: skip
    add_shared(parser, "--json", "--verbose", "--html", "--csv", "--latex", "--checkpoint")


def _run_compare(options: argparse.Namespace) -> int:
    """Compare and print; return the exit status."""
    from dealerkit.studies.comparison import compare

    # Mistakes in words are reported before the sample of solved deals is read.
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
    if options.results:
        from dealerkit.tournaments.reading import results

        if options.sample is not None:
            raise ArgumentError(
                "--sample and --results both set the deals, solved or played; give one of them"
            )
        words = {"target": "actual tricks"} | words | {"sample": results(options.results)}
    if options.decision is not None:
        words["decision"] = parse_decision(options.decision)
    elif options.vulnerable or options.scoring is not None:
        name = "--vulnerable" if options.vulnerable else "--scoring"
        raise ArgumentError(f"{name} needs a decision; add one, such as --decision 4M,3M")
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
        raise ArgumentError(f"--show {show} sets what --plot draws; add --plot FILE")
    if show == "classes" and options.by is None:
        raise ArgumentError("--show classes needs classes; add some, such as --by fit")
    if show in ("gains", "decision") and options.decision is None:
        raise ArgumentError(f"--show {show} needs a decision; add one, such as --decision 4M,3M")


def collect_measures(names: list[str], named: list[str]) -> dict[str, Any]:
    """Return evaluators by name, in the form that `compare` takes.

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
            raise ArgumentError(f"an evaluator needs a name and an expression: {example}")
        if name in measures:
            raise ArgumentError(f"{name} is listed twice; give each evaluator its own name")
        parts = [part.strip() for part in expression.split(";") if part.strip()]
        measures[name] = parts[0] if len(parts) == 1 else parts
    if not measures:
        raise ArgumentError("no evaluator is given; name some, as in dealerkit compare hcp zar bergen")
    return measures


def parse_decision(text: str) -> tuple[str, str]:
    """Return both contracts of a decision.

    >>> parse_decision("4M, 3M")
    ('4M', '3M')
    """
    first, comma, second = (part.strip() for part in text.partition(","))
    if not first or not second or first == second:
        raise ArgumentError(f"--decision takes two contracts, such as 4M,3M, not {quote(text, 40)}")
    return first, second


def split_list(text: str) -> Iterator[str]:
    """Yield the parts of a list that are separated by commas outside of parentheses.

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


COMPARE = Verb(
    "compare",
    "compare how well evaluators predict tricks and games, and what they gain as guides to a decision",
    "Compare evaluators on solved deals: how much of the variation in tricks each explains, how well it "
    "predicts games "
    "and slams, and what it gains as a guide to a decision, with intervals. Evaluators are named as in "
    "`dealerkit functions`, and are evaluated in the strain that is played. Differences are taken on the "
    "same "
    "deals; those of all pairs have simultaneous intervals.",
    _add_compare_arguments,
    _run_compare,
    examples=(
        "dealerkit compare hcp zar bergen",
        "dealerkit compare hcp zar --where 'fit >= 8' --decision 4M,3M --vulnerable",
        "dealerkit compare --measure 'mine=hcp + 2 * fit' --measure 'both=hcp; fit'",
    ),
)
