"""`dealerkit results`: results of tournaments and matches."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from dealerkit.appearance.numbers import format_count
from dealerkit.cli.arguments import Verb, add_shared, describe_exit_status
from dealerkit.cli.results import check_outputs, print_result, write_outputs
from dealerkit.errors import ArgumentError

if TYPE_CHECKING:
    from dealerkit.tournaments.tournament import TournamentResults

_METHODS = "matchpoints, butler, cross-imps, board-a-match or team imps"


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="PBN, LIN, USEBIO XML or CSV, or a folder with such files"
    )
    add_shared(parser, "--scoring", help=f"{_METHODS} (default: that of the files)")
    parser.add_argument(
        "--rule",
        dest="rules",
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="change a rule of scoring, such as datum=median or decimals=1",
    )
    parser.add_argument(
        "--deals",
        metavar="FILE",
        help="a file with the cards of the boards, by number, if the results have none",
    )
    parser.add_argument(
        "--pair",
        metavar="PAIR",
        help="show the boards of a pair, by number or name; with --board, its result there",
    )
    parser.add_argument("--board", type=int, metavar="N", help="show the results of a board")
    parser.add_argument(
        "--frequencies", action="store_true", help="with --board: show how often each score occurs"
    )
    parser.add_argument(
        "--result",
        metavar="RESULT",
        help="with --board: show the points that a result such as 4S+1 would have",
    )
    parser.add_argument(
        "--session", type=int, metavar="N", help="number of the session, from 0, if the files have several"
    )
    parser.add_argument("--swings", type=int, metavar="N", help="show the N boards with the largest swings")
    parser.add_argument("--players", action="store_true", help="show the boards and means of all players")
    parser.add_argument(
        "--official",
        action="store_true",
        help="show where the points in the files differ from those computed",
    )
    against = parser.add_argument_group("double dummy, luck and skill")
    against.add_argument(
        "--double-dummy",
        action="store_true",
        help="compare actual with double-dummy tricks; with --board: also par",
    )
    against.add_argument("--leads", action="store_true", help="show what the opening leads cost")
    against.add_argument("--plays", action="store_true", help="show what the cards of recorded plays cost")
    against.add_argument(
        "--gifts", action="store_true", help="show the tricks that the opponents' cards gave to each pair"
    )
    against.add_argument("--par", action="store_true", help="show the results farthest from par")
    against.add_argument(
        "--skill",
        action="store_true",
        help="show how much of the ranking is skill; with --pair: the parts of its result",
    )
    parser.add_argument(
        "--each-file",
        action="store_true",
        help="read many files one after another, in constant memory: for --csv and --parquet of all results, "
        "--double-dummy and --players",
    )
    add_shared(parser, "--json", "--plot", "--html", "--csv", "--latex")
    parser.add_argument("--parquet", metavar="FILE", help="also write a table, as Parquet")


def _run(options: argparse.Namespace) -> int:
    """Read the files, print what the options select, and write files."""
    from dealerkit.tournaments.reading import results
    from dealerkit.tournaments.streams import check_suffix, write_frame

    if (options.frequencies or options.result) and options.board is None:
        raise ArgumentError("--frequencies and --result are about a board; add --board N")
    check_outputs(options)
    if options.parquet:
        check_suffix(options.parquet)
    if options.each_file:
        return _run_each_file(options)
    read = results(options.files, options.scoring, deals=options.deals, **_parse_rules(options.rules))
    shown = _choose(read, options)
    print_result(shown, options)
    write_outputs(shown, options)
    if options.parquet:
        write_frame(options.parquet, shown.to_frame())
    return 0


def _run_each_file(options: argparse.Namespace) -> int:
    """Read one file after another: write all results as a table, or print sums over the files."""
    from dealerkit.tournaments.streams import stream_results, write_frame

    if options.deals:
        raise ArgumentError("--deals has the cards of one session only; leave out --each-file")
    stream = stream_results(options.files, options.scoring, **_parse_rules(options.rules))
    if options.double_dummy or options.players:
        shown = stream.compare_tricks() if options.double_dummy else stream.players()
        print_result(shown, options)
        write_outputs(shown, options)
        if options.parquet:
            write_frame(options.parquet, shown.to_frame())
        return 0
    targets = [target for target in (options.csv, options.parquet) if target]
    if not targets:
        raise ArgumentError("--each-file needs --csv FILE, --parquet FILE, --double-dummy or --players")
    for target in targets:
        n_rows = stream.write(target)
        print(f"{format_count(n_rows, 'result')} in {target}")
    return 0


def _parse_rules(texts: list[str]) -> dict[str, Any]:
    """Return the rules given as ``name=value``: integers, truth values and words."""
    rules: dict[str, Any] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ArgumentError(f"--rule takes a name, '=' and a value, as datum=median; not {text!r}")
        words = {"true": True, "false": False, "yes": True, "no": False}
        rules[name.strip()] = int(value) if value.isdigit() else words.get(value.lower(), value)
    return rules


def _choose(read: TournamentResults, options: argparse.Namespace) -> Any:
    """Return what the options select: by default the card of the results, with the ranking."""
    session = {"session": options.session}
    if options.double_dummy or options.leads or options.plays or options.gifts or options.par:
        has_plays = options.gifts and bool(read.results["play"].notna().any())
        read = read.solve(
            leads=options.leads or (options.gifts and not has_plays),
            plays=options.plays or has_plays,
            par=options.par or options.board is not None,
        )
    if options.result:
        return read.score_in_field(options.board, options.result, pair=options.pair, **session)
    if options.board is not None and options.frequencies:
        return read.frequencies(options.board, **session)
    if options.board is not None:
        return read.traveller(options.board, pair=options.pair, **session)
    if options.pair is not None:
        return (read.parts if options.skill else read.recap)(options.pair, **session)
    if options.leads:
        return read.compare_leads()
    if options.plays:
        return read.compare_plays()
    if options.gifts:
        return read.gifts()
    if options.par:
        return read.compare_par()
    if options.double_dummy:
        return read.compare_tricks()
    if options.players:
        return read.players()
    if options.skill:
        return read.skill()
    if options.swings is not None:
        return read.swings(options.swings)
    return read.compare_official() if options.official else read


RESULTS = Verb(
    "results",
    "results of tournaments and matches: rankings, travellers, points",
    "Read results of tournaments and matches, score them, and print the ranking, the results of a board, "
    "the boards of a pair, or the points in the files that do not follow from the scores.",
    _add_arguments,
    _run,
    describe_exit_status(),
    examples=(
        "dealerkit results evening.pbn",
        "dealerkit results evening.pbn --board 7 --frequencies",
    ),
)
