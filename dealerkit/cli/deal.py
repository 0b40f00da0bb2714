"""`dealerkit deal`: deal hands and print them."""

from __future__ import annotations

import argparse
import dataclasses
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dealerkit.cards.names import SEATS
from dealerkit.cli.arguments import (
    INTERRUPTED,
    UNSATISFIABLE,
    Verb,
    add_given,
    add_shared,
    check_sheet,
    describe_exit_status,
    find_given,
    join_scripts,
    locate_script,
    parse_seat,
)
from dealerkit.cli.deal_files import FORMATS, Output, check_different, check_target, count_boards, solve_deals
from dealerkit.cli.terminal import find_screen, write_text
from dealerkit.errors import ArgumentError, FileError, UnsatisfiableWarning, quote

if TYPE_CHECKING:
    from dealerkit.bidding.auctions import Auction
    from dealerkit.cards.deals import Deals
    from dealerkit.formats.library import Library
    from dealerkit.language.script import Script
    from dealerkit.simulation.result import Result

_PRINTED = {"diagram": "diagrams", "line": "dealer's printoneline", "deal": "the PBN notation of a deal"}
_WITH_TABLES = ("pbn", "csv", "parquet", "zrd", "gib")  # formats for the tables of any deals
_WITH_WEIGHTS = ("csv", "parquet")


def _add_deal_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "count", nargs="?", type=int, help="number of deals (default: the number that the script sets, or 1)"
    )
    add_shared(parser, "-p --produce", help="the same as COUNT; with --from, deals of each board")
    add_shared(parser, "-s --seed", help="random seed (default: a new one)")
    add_given(
        parser,
        with_dealer=False,
        with_vulnerable=False,
        help="print only deals that meet a condition of the dealer language, such as 'hcp(north) > 15'",
    )
    parser.add_argument(
        "--share",
        dest="shares",
        action="append",
        default=[],
        metavar="CALL=X",
        help="with --auction, also deal boards for another call instead of the last one, whose share is 1: "
        "'--share 2D=0.5', or '--share other=1' for all other calls of the system",
    )
    parser.add_argument(
        "--script",
        metavar="FILE",
        help="deal boards of a scenario: its condition, predeal, dealer, vulnerability, name and text",
    )
    parser.add_argument(
        "--from",
        dest="lesson",
        metavar="FILE",
        help="deal the unknown cards of each board of a file, such as a lesson in PBN, LIN, CSV or from "
        "the hand "
        "viewer; dealer, vulnerability, auction and comment are taken from its boards",
    )
    for seat in SEATS:
        parser.add_argument(f"--{seat}", metavar="CARDS", help=f"predealt cards of {seat}, such as SAKQ,H5")
    add_shared(parser, "--include", "--param", "--plan", "--swap", "--threads")
    group = parser.add_argument_group("output")
    printed = ", ".join(f"{name} ({text})" for name, text in _PRINTED.items())
    group.add_argument(
        "-o", "--output", metavar="FILE", help="write a file, in the format given by the suffix of its name"
    )
    group.add_argument(
        "--format",
        metavar="FORMAT",
        help=f"format of the file, or of what is printed: {FORMATS}; {printed} (default: diagram)",
    )
    add_shared(group, "--sheet", "--sheet-hands", "--problem", "--contract")
    add_shared(
        group,
        "--lead-rule",
        default="fourth best",
        help="rule for the lead of a play problem, as for lead (default: 'fourth best')",
    )
    group.add_argument(
        "--student",
        type=parse_seat,
        metavar="SEAT",
        help="seat of the student in the scenario; the hands are rotated so that the student sits south",
    )
    group.add_argument(
        "--rotate",
        action="store_true",
        help="rotate the hands of each board, so that the hand of the scenario's dealer, or "
        "of --dealer, goes to the seat that deals this board in duplicate bridge",
    )
    add_shared(group, "--first-board")
    add_shared(group, "--dealer", help="dealer of all boards; makes the first call of --auction")
    add_shared(
        group, "--vulnerable", help="vulnerability of all boards, and of --auction: none, ns, ew or both"
    )
    add_shared(group, "--event", help="name of the event in the PBN file; heading of the sheet")
    group.add_argument(
        "--solve",
        action="store_true",
        help="add the double-dummy tables of the deals, with par in PBN and in the answers of the sheet",
    )


def _run_deal(options: argparse.Namespace) -> int:
    """Deal and print or write the deals; return the exit status."""
    if options.first_board is not None and options.first_board < 1:
        raise ArgumentError(f"--first-board is {options.first_board}; it must be 1 or more")

    # Files are checked before anything is dealt.
    output = _open_output(options)
    if options.sheet is not None:
        check_target(Path(options.sheet))
        check_different("--sheet", options.sheet, options.output)
    check_sheet(options)
    if options.rotate and options.contract is not None:
        raise ArgumentError(
            "--contract names one declarer, and --rotate moves the hands; leave one of them out"
        )

    # Deal; a condition that no deal can meet is a warning, and an exit status of its own.
    if options.produce is not None:
        if options.count is not None:
            raise ArgumentError("COUNT and --produce are both numbers of deals; give one of them")
        options.count = options.produce
    if options.shares and (options.auction is None or options.lesson is not None):
        raise ArgumentError(
            "--share needs an auction, whose last call it replaces; give --auction, and leave out --from"
        )
    script = _read_scenario(options)
    if options.count is None:
        options.count = 1
    if options.seed is None:
        options.seed = int.from_bytes(os.urandom(4), "little")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UnsatisfiableWarning)
        given = None if script is not None else find_given(options)
        has_weights = output is not None and output.entry.name in _WITH_WEIGHTS
        dealt = _deal(options, script, given, has_weights)
        deals, is_interrupted = dealt.deals, dealt.is_interrupted
    for warning in caught:
        warnings.showwarning(warning.message, warning.category, warning.filename, warning.lineno)
    is_unsatisfiable = any(issubclass(warning.category, UnsatisfiableWarning) for warning in caught)

    # Deals of an auction become boards with its calls, whose dealer makes the first call.
    made = given if options.auction is not None and options.lesson is None else None

    def number_boards() -> Deals | Library:
        return _number_boards(dealt._replace(deals=deals), options, made)

    # Print the deals or write them. An interrupted run writes no file, since the file would look complete.
    if output is None and (options.sheet is None or options.format is not None):
        _print_deals(number_boards(), options.format, options)
    files = [file for file in (output, options.sheet) if file is not None]
    is_interrupted = is_interrupted and not is_unsatisfiable
    if files and not is_unsatisfiable and not is_interrupted:
        if options.solve:
            deals = deals.replace(tables=solve_deals(deals, options.threads))
        boards = number_boards()
        if output is not None:
            output.write(boards)
        if options.sheet is not None:
            _write_sheet(boards, options)
        names = " and ".join(map(str, files))
        print(f"{count_boards(len(deals))} written to {names}, seed {options.seed}", file=sys.stderr)
    if is_unsatisfiable:
        return UNSATISFIABLE
    return INTERRUPTED if is_interrupted else 0


def _read_scenario(options: argparse.Namespace) -> Script | None:
    """Return the scenario without its actions; its numbers of deals and seed apply where none are given."""
    if options.script is None:
        for name in ("student", "include"):
            if getattr(options, name) not in (None, []):
                raise ArgumentError(f"--{name} needs a scenario; give its file with --script")
        return None
    for name in ("given", "auction"):
        if getattr(options, name) is not None:
            raise ArgumentError(
                f"--{name} and --script are both conditions; write one condition into the script"
            )
    from dealerkit.language.nodes import ActionList, Setting
    from dealerkit.language.script_variables import parse_variables

    params = parse_variables(options.params)
    script = join_scripts([], locate_script(options.script), params=params, include=options.include)
    settings = {part.name: part.value for part in script.statements if isinstance(part, Setting)}
    options.count = settings.get("produce") if options.count is None else options.count
    options.seed = settings.get("seed") if options.seed is None else options.seed
    statements = (part for part in script.statements if not isinstance(part, ActionList))
    return dataclasses.replace(script, statements=(*statements, ActionList(())))


class _Dealt(NamedTuple):
    """Deals, whether an interrupt ended them, the result of a scenario, and the texts of a lesson."""

    deals: Deals
    is_interrupted: bool
    result: Result | None = None
    texts: dict[str, list[Any]] | None = None


def _deal(options: argparse.Namespace, script: Script | None, given: Any, has_weights: bool) -> _Dealt:
    """Deal with the options of the command; `has_weights`: the weights of levelled deals are written."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.job import RunOptions
    from dealerkit.simulation.run import deal, run_script

    predeal = {seat: cards for seat in SEATS if (cards := getattr(options, seat))}
    settings = {name: getattr(options, name) for name in ("seed", "plan", "swap", "threads")}
    if options.lesson is not None:
        return _complete_lesson(options, given, predeal, settings)
    if script is None:
        params = parse_variables(options.params)
        if options.shares:
            from dealerkit.simulation.practice import deal_practice

            shares = dict(map(_parse_share, options.shares))
            settings["natural_shares"] = has_weights
            deals = deal_practice(given, options.count, shares, predeal=predeal, **settings)
        else:
            deals = deal(options.count, predeal=predeal, given=given, params=params, **settings)
        return _Dealt(deals, len(deals) < options.count)
    run_options = RunOptions(
        produce=options.count, predeal=predeal, keep="all", statistics=False, natural_shares=has_weights,
        **settings,
    )  # fmt: skip
    result = run_script(script, run_options)
    return _Dealt(result.deals, result.interrupted, result)


def _parse_share(text: str) -> tuple[str, float]:
    """Return a call and its share, from a text such as 2D=0.5."""
    call, _, number = text.partition("=")
    try:
        return call.strip(), float(number)
    except ValueError:
        raise ArgumentError(
            f"--share takes a call, '=' and a number, as other=1; not {quote(text)}"
        ) from None


def _complete_lesson(
    options: argparse.Namespace, given: Any, predeal: dict[str, str], settings: dict[str, Any]
) -> _Dealt:
    """Return deals with the known cards of each board of a file."""
    from dealerkit.formats.library import read
    from dealerkit.formats.partial import repeat_texts
    from dealerkit.language.script_variables import parse_variables

    if predeal or options.script is not None:
        other = "--script" if options.script is not None else f"--{next(iter(predeal))}"
        raise ArgumentError(
            f"--from takes the cards from its boards; leave out {other}, which would change them"
        )
    lesson = read(options.lesson, partial=True)
    if not len(lesson):
        raise FileError(f"{options.lesson}: no board of this file has known cards")
    params = parse_variables(options.params)
    deals = lesson.complete(options.count, given=given, params=params, **settings)
    texts = repeat_texts(lesson, options.count)
    return _Dealt(deals, len(deals) < sum(lesson.count_completions(options.count)), texts=texts)


def _open_output(options: argparse.Namespace) -> Output | None:
    """Return the file to write; None if the deals are printed as text for people."""
    if _is_printed(options):
        if options.sheet is not None:
            return None
        if options.solve:
            raise ArgumentError("--solve needs a file, such as -o club.pbn, or --format pbn")
        if options.event is not None:
            raise ArgumentError("--event needs a file, such as -o club.pbn, or --format pbn")
        return None
    form = "oneline" if options.format == "line" else options.format
    event = None if options.script else options.event
    if event is not None and options.sheet is not None:
        from dealerkit.formats.format import find_writer

        # The event is the heading of the sheet; a file of a dealing machine cannot store it.
        writer = find_writer(options.output or "-", form or (None if options.output else "pbn"))
        event = event if "event" in writer.write_options else None
    output = Output(options.output or "-", form, event=event)
    name = output.entry.name
    # The tables may be for the sheet; a .zdd file holds Pavlicek's deals only.
    if options.solve and options.sheet is None and name not in (*_WITH_TABLES, "zdd"):
        raise ArgumentError(f"--solve: {name} cannot store tables; use {', '.join(_WITH_TABLES)}")
    return output


def _is_printed(options: argparse.Namespace) -> bool:
    """Return whether the deals are printed as text for people, not as a file of deals."""
    return options.output is None and options.format in (None, *_PRINTED)


def _number_boards(dealt: _Dealt, options: argparse.Namespace, made: Auction | None) -> Deals | Library:
    """Return the deals with board numbers; printed deals get numbers only if an option sets one."""
    import numpy as np  # the version is printed without it

    deals, _, result, texts = dealt
    if result is not None:
        return dataclasses.replace(result, deals=deals).boards(
            student=options.student,
            first=1 if options.first_board is None else options.first_board,
            dealer=options.dealer,
            vulnerable=options.vulnerable,
            title=options.event,
            rotate=options.rotate,
        )
    choices = (options.first_board, options.dealer, options.vulnerable)
    is_plain = choices == (None, None, None) and not options.rotate and not options.lesson
    if is_plain and _is_printed(options) and options.sheet is None:
        return deals
    first = 1 if options.first_board is None else options.first_board
    dealer = options.dealer if made is None else made.dealer
    numbered = deals.number_boards(first, dealer=dealer, vulnerable=options.vulnerable, rotate=options.rotate)
    if made is not None:
        from dealerkit.simulation.practice import add_auctions

        return add_auctions(made, deals, numbered, with_others=bool(options.shares))
    if options.lesson is None or options.rotate:
        return numbered
    # Dealer and vulnerability of a lesson apply unless an option sets them.
    columns = {
        name: np.where(known >= 0, known, getattr(numbered, name))
        for name in ("dealer", "vulnerable")
        if getattr(options, name) is None and (known := getattr(deals, name)) is not None
    }
    numbered = numbered.replace(**columns)
    if not texts or len(deals) < len(next(iter(texts.values()))):
        return numbered
    from dealerkit.formats.content import Records
    from dealerkit.formats.library import Library

    # With another dealer it would be another auction.
    if options.dealer is not None:
        texts = {name: values for name, values in texts.items() if not name.startswith("auction")}
    return Library(Records(numbered, texts))


def _write_sheet(boards: Deals | Library, options: argparse.Namespace) -> None:
    content = getattr(boards, "content", None)  # of a library
    title = options.event or (content and content.name) or "Practice"
    names = ("solve", "problem", "contract", "lead_rule")
    settings = {name: getattr(options, name) for name in names}
    page = boards.page(hands=options.sheet_hands, title=title, note=f"seed {options.seed}", **settings)
    page.write(options.sheet)


def _print_deals(boards: Deals | Library, form: str | None, options: argparse.Namespace) -> None:
    from dealerkit.cards.deals import Deals

    deals = boards if isinstance(boards, Deals) else boards.deals
    if form == "deal":
        lines = deals.to_pbn()
    elif form == "line":
        lines = deals.to_lines()
    else:
        lines = [f"{deal.diagram()}\n" for deal in deals]
    screen = find_screen(options)
    for line in lines:
        write_text(f"{line}\n", screen)


DEAL = Verb(
    "deal",
    "deal hands; write them as a file",
    "Deal hands and print a diagram of each deal, or write them as a file of boards: PBN, LIN and others. "
    "Dealer and vulnerability of a board follow from its number, unless options set them.",
    _add_deal_arguments,
    _run_deal,
    describe_exit_status(UNSATISFIABLE),
    examples=(
        "dealerkit deal 4 --seed 7",
        "dealerkit deal 12 --given 'balanced(north) and hcp(north) >= 20' -o strong.pbn",
        "dealerkit deal 6 --script stayman.dealer --sheet lesson.html",
        "dealerkit deal 24 --auction 1NT-2C --dealer south --share other=1 --sheet stayman.html",
        "dealerkit deal 8 --auction 1NT-3NT --sheet leads.html --problem lead --solve",
    ),
)
