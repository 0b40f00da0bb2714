"""`dealerkit auction` and `dealerkit system`: what an auction shows, and what a system contains."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dealerkit.cli.arguments import (
    AUCTION_VULNERABLE,
    Verb,
    add_shared,
    add_system,
    find_auction,
    locate_text,
)
from dealerkit.cli.results import check_outputs, print_result, write_outputs
from dealerkit.errors import ArgumentError

RESULT_FILES = ("--json", "--plot", "--html", "--csv", "--latex")
FOUND = 1  # exit status if a check finds something

# ------------------------------------------------------------ auction


def _add_auction_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "auction",
        metavar="CALLS",
        help="'1NT-3NT', '1H (1S) 2H' with the calls of the opponents in brackets, or all calls in turn, "
        "'1NT P 3NT AP'",
    )
    add_system(parser)
    add_shared(parser, "--dealer", help="seat that makes the first call (default: north)")
    add_shared(parser, "--vulnerable", help=AUCTION_VULNERABLE)
    parser.add_argument("--condition", action="store_true", help="print the condition, to be used or changed")
    add_shared(parser, "--json", "--html")


def _run_auction(options: argparse.Namespace) -> int:
    """Print what an auction shows; return the exit status."""
    found = find_auction(options)
    if options.condition:
        sys.stdout.write(f"{found.condition}\n")
    else:
        print_result(found, options)
    write_outputs(found, options)
    return 0


AUCTION = Verb(
    "auction",
    "show what the calls of an auction say about the hands",
    "Show what each call of an auction says, and which points and lengths each hand can still have. Other "
    "verbs accept the same auction, with or without --given.",
    _add_auction_arguments,
    _run_auction,
    examples=("dealerkit auction 1NT-3NT --system sayc --dealer south",),
)


# ------------------------------------------------------------ system


TASKS = (
    "check", "describe", "frequencies", "difference", "compare", "explain", "survey", "notes", "text", "list",
)  # fmt: skip


def _add_system_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "task", metavar="TASK", choices=TASKS,
        help="check: lines that no hand chooses, gaps and hidden contexts; describe: calls after --after, "
        "with their conditions; frequencies: how often each call is made; difference: how often OTHER, a "
        "second system, makes another call; compare: a match between the system and OTHER on the same deals, "
        "in IMPs; explain: the auctions of OTHER, a file of boards, call by call; survey: the auctions of "
        "NAME, a file of boards, against all systems that are shipped, by position and by pair; "
        "notes: all calls, also as a page with --html; text: the file; list: the systems that are shipped",
    )  # fmt: skip
    parser.add_argument(
        "name",
        nargs="?",
        type=locate_text,
        help="name of a system, or its file; for survey, a file of boards",
    )
    parser.add_argument(
        "other", nargs="?", metavar="OTHER", type=locate_text,
        help="for difference and compare, a second system; for explain, a file of boards with auctions",
    )  # fmt: skip
    parser.add_argument(
        "--after", metavar="CALLS", default="",
        help="the calls so far, as the player sees them: 1NT, '(1H)', '1H (1S)' (default: none, for "
        "openings)",
    )  # fmt: skip
    parser.add_argument(
        "--overlaps", action="store_true",
        help="also report hands that fit lines with different calls, where the order of the lines decides",
    )  # fmt: skip
    parser.add_argument(
        "--vulnerable", choices=("yes", "no"),
        help="whether the player's side is vulnerable, for systems whose bids depend on "
        "vulnerability (default: unknown)",
    )  # fmt: skip
    add_shared(
        parser,
        "-p --produce",
        default=20_000,
        help="for compare: number of deals, taken from solved ones (default: 20,000)",
    )
    add_shared(parser, "--given", help="for compare: a condition that the deals meet")
    parser.add_argument(
        "--silent", action="store_true", help="for compare: the opponents of both systems always pass"
    )
    parser.add_argument(
        "--real-play", action="store_true",
        help="for compare: correct scores by the mean difference between tricks at the table and double "
        "dummy",
    )  # fmt: skip
    parser.add_argument(
        "--max-unfinished", type=float, metavar="X", default=0.1,
        help="for compare: refuse a system that says nothing, where it has to bid, in a larger share of "
        "its auctions (default: 0.1)",
    )  # fmt: skip
    add_shared(parser, "--param", *RESULT_FILES)


def _run_system(options: argparse.Namespace) -> int:
    """Carry out a task about a system; return the exit status."""
    from dealerkit.bidding.systems import list_systems, system
    from dealerkit.language.script_variables import parse_variables

    check_outputs(options)
    if options.task == "list":
        names = list_systems()
        width = max(map(len, names))
        for name in names:
            print(f"{name.ljust(width)}  {system(name).title}")
        return 0
    if options.task == "survey":
        return _survey_file(options)
    if options.name is None:
        raise ArgumentError(f"name a system: dealerkit system {options.task} sayc, or the name of its file")
    found = system(_name_file(options.name), parse_variables(options.params))
    if (options.other is None) == (options.task in _WITH_OTHER):
        what = _WITH_OTHER.get(options.task)
        raise ArgumentError(
            f"`dealerkit system {options.task}` takes {f'{what} after the system' if what else 'one system'}"
        )
    if options.task == "text":
        sys.stdout.write(str(found))
        return 0
    result: Any
    vulnerable = None if options.vulnerable is None else options.vulnerable == "yes"
    if options.task == "frequencies":
        result = found.frequencies(options.after, vulnerable)
    elif options.task == "describe":
        result = found.describe(options.after, vulnerable)
    elif options.task == "difference":
        result = found.difference(_name_file(options.other), options.after, vulnerable)
    elif options.task == "compare":
        from dealerkit.studies.system_comparison import compare_systems

        result = compare_systems(
            found, _name_file(options.other), options.produce, given=options.given, silent=options.silent,
            real_play=options.real_play, max_unfinished=options.max_unfinished,
        )  # fmt: skip
    elif options.task == "notes":
        result = found.notes()
    elif options.task == "explain":
        from dealerkit.formats.library import read

        result = found.explains(read(Path(options.other)))
    else:
        result = found.check(options.overlaps)
    print_result(result, options)
    write_outputs(result, options)
    return FOUND if options.task == "check" and result.mistakes else 0


def _survey_file(options: argparse.Namespace) -> int:
    """Compare the auctions of a file with all systems that are shipped; return the exit status."""
    from dealerkit.bidding.survey import survey_auctions
    from dealerkit.formats.library import read

    if options.name is None or options.other is not None:
        raise ArgumentError(
            "`dealerkit system survey` takes one file of boards, as in: dealerkit system survey club.pbn"
        )
    result = survey_auctions(read(Path(options.name)))
    print_result(result, options)
    write_outputs(result, options)
    return 0


_WITH_OTHER = {
    "difference": "a second system", "compare": "a second system", "explain": "a file of boards",
}  # fmt: skip


def _name_file(name: str | Path) -> str | Path:
    """Return the name of a system; the name of a missing file as a path, so that the error shows it."""
    return Path(name) if isinstance(name, str) and name.endswith(".system") else name


SYSTEM = Verb(
    "system",
    "check a bidding system, compare it with another one or with real auctions",
    "Check a bidding system: lines that no hand chooses, hands without a call, hidden contexts, calls that "
    "are not legal. Or print its notes, the share of hands that make each call, the difference from another "
    "system, a match against it on the same deals, or the calls of real boards beside its own.",
    _add_system_arguments,
    _run_system,
    "Exit status: 0; 1 if a check finds something other than overlaps; 2 if the file cannot be read.",
    examples=(
        "dealerkit system check sayc",
        "dealerkit system frequencies sayc --after 1NT",
        "dealerkit system difference sayc acol",
        "dealerkit system compare sayc two-over-one -p 5000",
        "dealerkit system notes sayc --html notes.html",
    ),
)
