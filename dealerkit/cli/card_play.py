"""The verbs of card play: `dealerkit suit`, `plan`, `breaks` and `card`."""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from dealerkit.cli.arguments import (
    INTERRUPTED,
    STUDY_FILES,
    Verb,
    add_given,
    add_shared,
    check_sheet,
    find_given,
    parse_count,
    parse_seat,
)
from dealerkit.cli.results import check_outputs, report_study, write_outputs
from dealerkit.errors import ArgumentError, quote

if TYPE_CHECKING:
    from dealerkit.formats.library import Library

_VACANT = re.compile(r"\s*(\d+)\s*,\s*(\d+)\s*")


def _add_vacant(parser: argparse.ArgumentParser) -> None:
    """Add the argument for vacant places of the defenders."""
    parser.add_argument(
        "--vacant", default="13,13", metavar="WEST,EAST",
        help="vacant places of west and east, including the suit itself (default: 13,13)",
    )  # fmt: skip


def _read_vacant(text: str) -> tuple[int, int]:
    """Return the vacant places of west and of east."""
    match = _VACANT.fullmatch(text)
    if match is None:
        raise ArgumentError(f"--vacant takes two numbers, west's and east's, as 7,11; not {quote(text, 40)}")
    return int(match[1]), int(match[2])


def _add_known(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for what is known about the defenders' cards."""
    for seat in ("west", "east"):
        parser.add_argument(
            f"--{seat}",
            metavar="CARDS",
            help=f"what is known about {seat}'s cards: K, a length of 2-4, or both as 'K 3+'",
        )
    _add_vacant(parser)


def _add_tables(parser: argparse.ArgumentParser) -> None:
    """Add the files to which a result without a plot can be written."""
    add_shared(parser, *(option for option in STUDY_FILES if option != "--plot"))
    parser.set_defaults(plot=None)


# ------------------------------------------------------------ suit


def _add_suit_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("north", nargs="?", help="north's cards, such as AQT98; x is a small card, - a void")
    parser.add_argument("south", nargs="?", help="south's cards")
    parser.add_argument("-t", "--tricks", type=parse_count, metavar="N", help="the number of tricks needed")
    _add_known(parser)
    parser.add_argument("--suit", metavar="SUIT", help="the suit to play, if north and south are whole hands")
    add_given(parser, help="a condition on the hidden hands; it needs whole hands")
    parser.add_argument(
        "--entries", action="append", default=[], metavar="HAND=N",
        help="how often a hand can be entered in other suits, such as south=1 (default: as often as needed)",
    )  # fmt: skip
    parser.add_argument("--losers", type=int, metavar="N", help="the most tricks that may be lost")
    parser.add_argument(
        "--lines", type=parse_count, default=6, metavar="N", help="the most lines to show (default: 6)"
    )
    parser.add_argument(
        "--line", dest="compared", action="append", default=[], metavar="TEXT",
        help="compare this line with the best one, or two lines with each other: A, or 'cash the ace; then "
        "low to the queen'",
    )  # fmt: skip
    add_shared(
        parser, "--max-seconds", default=10.0, help="show bounds if exact values take longer (default: 10)"
    )
    parser.add_argument(
        "--quiz", type=parse_count, metavar="N",
        help="instead of cards: N problems from random deals in which the best line beats the natural one",
    )  # fmt: skip
    parser.add_argument(
        "--gain", type=float, default=5.0, metavar="PERCENT",
        help="the smallest gain of a problem of --quiz, in per cent (default: 5)",
    )  # fmt: skip
    add_shared(parser, "--sheet", help="write the problems of --quiz as a practice sheet, an HTML page")
    parser.add_argument("--title", metavar="TEXT", help="heading of the sheet (default: Which line?)")
    add_shared(parser, "-s --seed", help="of the deals of --quiz (default: always the same)")
    add_shared(parser, *STUDY_FILES)


def _run_suit(options: argparse.Namespace) -> int:
    """Find the best lines and print them; return the exit status."""
    from dealerkit.studies.limits import INTERRUPT
    from dealerkit.studies.suit_play.study import suit

    check_outputs(options)
    if options.quiz is not None:
        return _run_quiz(options)
    if options.sheet is not None:
        raise ArgumentError("--sheet needs the problems of --quiz, such as --quiz 12 --sheet sheet.html")
    if options.north is None or options.south is None:
        raise ArgumentError("give the cards of both hands, such as AQT98 5432; or --quiz 12 for problems")
    if len(options.compared) > 2:
        raise ArgumentError(
            f"--line is given {len(options.compared)} times; at most two lines can be compared"
        )
    play = suit(
        options.north, options.south, options.tricks, west=options.west, east=options.east,
        vacant=_read_vacant(options.vacant), given=find_given(options), suit=options.suit,
        entries=_read_entries(options.entries), losers=options.losers, lines=options.lines,
        seconds=options.max_seconds,
    )  # fmt: skip
    if not options.compared:
        return report_study(play, options)
    first, second = [*options.compared, play.best(options.tricks)][:2]
    report_study(play.compare(first, second), options)
    return INTERRUPTED if play.reason == INTERRUPT else 0


def _run_quiz(options: argparse.Namespace) -> int:
    """Find suit problems; print them or write them as a sheet; return the exit status."""
    from dealerkit.cli.deal_files import check_target
    from dealerkit.studies.limits import INTERRUPT
    from dealerkit.studies.suit_play.quiz import suit_quiz

    if options.north is not None:
        raise ArgumentError("--quiz takes suits from random deals; leave out the cards")
    options.sheet_hands = None
    check_sheet(options)
    if options.sheet is not None:
        check_target(Path(options.sheet))
    quiz = suit_quiz(options.quiz, gain=options.gain / 100, seed=options.seed)
    if options.sheet is None:
        return report_study(quiz, options)
    quiz.page(title=options.title or "Which line?").write(options.sheet)
    write_outputs(quiz, options)
    print(f"{quiz.title} written to {options.sheet}", file=sys.stderr)
    return INTERRUPTED if quiz.reason == INTERRUPT else 0


def _read_entries(texts: list[str]) -> dict[str, int] | None:
    """Return the number of entries of each hand that is named.

    >>> _read_entries(["south=1"])
    {'south': 1}
    """
    entries = {}
    for text in texts:
        hand, _, number = text.partition("=")
        if not number.strip().isdecimal():
            raise ArgumentError(f"--entries takes a hand, '=' and a number, as south=1; not {quote(text)}")
        entries[hand.strip()] = int(number)
    return entries or None


SUIT = Verb(
    "suit",
    "find the best play of a suit combination, single dummy",
    "Find the best lines of play of a suit against best defence, exactly: the probability of each number of "
    "tricks, the mean, and the best line in words. The defenders see all cards and know the line; declarer "
    "sees the cards played, and can lead from either hand as often as needed, unless entries are given.",
    _add_suit_arguments,
    _run_suit,
    examples=(
        "dealerkit suit AQT98 5432 -t 4",
        "dealerkit suit AJ9 K832 --vacant 11,6",
        "dealerkit suit --quiz 12 --sheet problems.html",
        "dealerkit suit AQT98.AK2.AK2.32 5432.QJ4.QJ4.AKQ --suit spades --given 'hcp(west) >= 5'",
    ),
)


# ------------------------------------------------------------ plan


def _add_plan_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument(
        "chances", nargs="+", metavar="CHANCE",
        help="'clubs AKQ2 opposite 543, 4 tricks: cash the ace'; list them in the order in which you try "
        "them",
    )  # fmt: skip
    parser.add_argument(
        "--need", default="any", metavar="N",
        help="how many of the chances must succeed: any (the default: one is enough), all, or a number",
    )  # fmt: skip
    parser.add_argument(
        "--losers", type=int, metavar="N", help="the most tricks that may be lost (default: any number)"
    )
    _add_vacant(parser)
    for seat in ("north", "south"):
        parser.add_argument(
            f"--{seat}", metavar="HAND",
            help=f"{seat}'s whole hand, such as AQ2.K52.A43.AKQ2; the chances then name only their suits",
        )  # fmt: skip
    add_given(parser, help="a condition on the hidden hands; it needs whole hands")
    add_shared(
        parser, "--max-seconds", default=30.0,
        help="consider only some lines if all of them take longer (default: 30)",
    )  # fmt: skip
    _add_tables(parser)


def _run_plan(options: argparse.Namespace) -> int:
    """Find the probability of the plan and print it; return the exit status."""
    from dealerkit.studies.suit_play.plan import plan

    check_outputs(options)
    need = int(options.need) if options.need.isdecimal() else options.need
    result = plan(
        options.chances, need=need, losers=options.losers, vacant=_read_vacant(options.vacant),
        north=options.north, south=options.south, given=find_given(options), seconds=options.max_seconds,
    )  # fmt: skip
    return report_study(result, options)


PLAN = Verb(
    "plan",
    "find the probability of a plan that tries chances in several suits",
    "Find the probability of a plan that tries chances in several suits one after the other, exactly and "
    "against "
    "best defence. Each chance is a suit, the number of tricks it must make, and a line of play.",
    _add_plan_arguments,
    _run_plan,
    examples=(
        "dealerkit plan 'clubs AKQ2 opposite 543, 4 tricks' 'spades AQ2 opposite 543, 2 tricks' --losers 0",
        "dealerkit plan 'AQ2 opposite 543, 2 tricks' 'KJ2 opposite 543, 1 trick' --need all --vacant 9,12",
        "dealerkit plan 'clubs, 4 tricks' --north 52.K52.A432.AKQ2 --south A43.A943.K65.543 --auction '(2S)' "
        "--dealer west",
    ),
)


# ------------------------------------------------------------ breaks


def _add_breaks_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("missing", help="the missing cards, such as QJxx, or their number")
    _add_known(parser)
    for seat in ("west", "east"):
        parser.add_argument(
            f"--{seat}-played", metavar="CARDS", default="",
            help=f"cards that {seat} chose to play, in their order: xJ",
        )  # fmt: skip
    _add_tables(parser)


def _run_breaks(options: argparse.Namespace) -> int:
    """Find how the missing cards divide and print it; return the exit status."""
    from dealerkit.studies.suit_play.breaks import breaks

    check_outputs(options)
    # One digit, or a number that starts with 1 but is not a card; 10 is the ten
    is_number = re.fullmatch(r"\d|1[1-9]", options.missing) is not None
    result = breaks(
        int(options.missing) if is_number else options.missing, vacant=_read_vacant(options.vacant),
        west=options.west, east=options.east, west_played=options.west_played,
        east_played=options.east_played,
    )  # fmt: skip
    return report_study(result, options)


BREAKS = Verb(
    "breaks",
    "find how the missing cards of a suit divide, and when the honours drop",
    "Find how the missing cards of a suit divide, who has the honours, and in which round they drop, "
    "exactly: a priori, with vacant places, with known cards, and after cards have been played.",
    _add_breaks_arguments,
    _run_breaks,
    examples=(
        "dealerkit breaks 6",
        "dealerkit breaks Kxxx --vacant 7,11",
        "dealerkit breaks QJxx --west-played xx --east-played J",
    ),
)


# ------------------------------------------------------------ card


def _add_card_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("file", help="a file of boards with their play: PBN or LIN")
    parser.add_argument("--board", type=int, metavar="N", help="number of the board (default: the first)")
    parser.add_argument("--trick", type=parse_count, metavar="N", help="number of the trick")
    parser.add_argument(
        "--seat", type=parse_seat, metavar="SEAT", help="whose card in the trick (default: the leader's)"
    )
    parser.add_argument(
        "--card",
        type=parse_count,
        metavar="N",
        help="number of the card in the play, 2 to 52, instead of --trick",
    )
    add_given(parser, with_vulnerable=False, help="a condition on the hidden hands as dealt")
    add_shared(
        parser,
        "--lead-rule",
        help="rule by which a hidden hand made the opening lead, as for lead: 'fourth best'",
    )
    parser.add_argument(
        "--discard-rule", metavar="RULE",
        help="rule by which hidden hands discarded: lowest, the lowest card of a suit, or longest, that of "
        "the "
        "longest suit (default: any card)",
    )  # fmt: skip
    parser.add_argument(
        "--contract", metavar="CONTRACT", help="such as '3NT by south', instead of that of the file"
    )
    add_shared(
        parser, "--scoring", default="beats",
        help="beats (the default: whether the contract makes), tricks, imps, matchpoints, board-a-match or "
        "points",
    )  # fmt: skip
    add_shared(parser, "--precision", help="largest half-width of the intervals of the gains, as for lead")
    add_shared(parser, "-p --produce", help="number of deals, instead of a precision")
    add_shared(parser, "-s --seed", "--max-seconds", "--checkpoint", "--threads", "--from")
    add_shared(parser, *STUDY_FILES, "--param", "--include", "--confidence")


def _run_card(options: argparse.Namespace) -> int:
    """Compare the cards at one point of a play and print the result; return the exit status."""
    from dealerkit.formats.library import read
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.studies.leads import card

    check_outputs(options)
    library = read(Path(options.file), options.source_format)
    row = _find_board(library, options.board, options.file)
    contract, cards = _find_play(library, row, options.contract)
    seen, number = _find_hands(library, row, contract, cards, options)
    vulnerable = library.deals.vulnerable
    options.vulnerable = None if vulnerable is None or vulnerable[row] < 0 else int(vulnerable[row])
    study = card(
        *seen, contract, cards[:number], given=find_given(options), params=parse_variables(options.params),
        include=options.include, lead_rule=options.lead_rule, discard_rule=options.discard_rule,
        checkpoint=options.checkpoint, vulnerable="none" if vulnerable is None else int(vulnerable[row]),
        scoring=options.scoring, chosen=cards[number] if number < len(cards) else None,
        precision=options.precision, produce=options.produce, confidence=options.confidence,
        seed=options.seed, max_seconds=options.max_seconds, threads=options.threads,
    )  # fmt: skip
    return report_study(study, options)


def _find_board(library: Library, board: int | None, file: str) -> int:
    """Return the row of a board by its number; boards without numbers are counted from 1."""
    if not len(library.deals):
        raise ArgumentError(f"{file} has no board")
    if board is None:
        return 0
    numbers = library.deals.board
    known = list(range(1, len(library.deals) + 1)) if numbers is None else numbers.tolist()
    if board not in known:
        raise ArgumentError(f"{file} has no board {board}; its boards are {min(known)} to {max(known)}")
    return known.index(board)


def _find_play(library: Library, row: int, contract: str | None) -> tuple[str, list[str]]:
    """Return the contract with its declarer, and the cards played, from a row of a file."""
    texts = library.frame.iloc[row]

    def read_text(name: str) -> str:
        return str(texts[name]) if name in texts and texts[name] else ""

    cards = read_text("play").split()
    if "-" in cards:
        cards = cards[: cards.index("-")]
    if not cards:
        raise ArgumentError("the board has no play in the file; dealerkit lead compares opening leads")
    if contract is None:
        bid, declarer = (read_text(name).lstrip("^") for name in ("contract", "declarer"))
        if not bid or not declarer:
            raise ArgumentError(
                "the board has no contract in the file; give it with --contract '3NT by south'"
            )
        contract = f"{bid} by {declarer}"
    return contract, cards


def _find_hands(
    library: Library, row: int, contract: str, cards: list[str], options: argparse.Namespace
) -> tuple[tuple[str, str], int]:
    """Return the hands that the player sees, and the number of cards played before."""
    from dealerkit.cards.text import format_hand
    from dealerkit.scoring import parse_declared
    from dealerkit.studies.leads import PlayedCards

    if (options.card is None) == (options.trick is None):
        raise ArgumentError("give either --trick, the number of the trick, or --card, the number of the card")
    declared = parse_declared(contract, None)
    if declared.contract is None or declared.declarer is None:
        raise ArgumentError("the board was passed out; choose another with --board")

    strain, declarer = declared.contract.strain, declared.declarer

    def play(number: int) -> PlayedCards:
        return PlayedCards.read(cards[:number], strain, declarer)

    number = options.card - 1 if options.trick is None else 4 * (options.trick - 1)
    if number > len(cards):
        raise ArgumentError(f"the play in the file has {len(cards)} cards and no card {number + 1}")
    if options.seat is not None:
        number += (options.seat - play(number).leader) % 4
    if not 0 < number <= len(cards):
        raise ArgumentError(
            f"the card is number {number + 1}, and the play has {len(cards)}; dealerkit lead compares "
            "opening leads"
        )
    position = play(number)
    hands = library.deals.hands[row]
    return (format_hand(int(hands[position.viewer])), format_hand(int(hands[position.dummy]))), number


CARD = Verb(
    "card",
    "compare the cards that a player can choose from during the play",
    "Compare the cards that declarer or a defender can play at a point of a board in a file, double dummy, "
    "on deals that agree with all that the player knows: the hands that are seen, the cards played, the "
    "suits in which a hidden hand has shown out, and a condition about the auction.",
    _add_card_arguments,
    _run_card,
    examples=(
        "dealerkit card match.lin --board 12 --trick 5 --given 'hcp(west) >= 10'",
        "dealerkit card match.lin --board 12 --trick 5 --seat east",
    ),
)
