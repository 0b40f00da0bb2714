"""Verbs, the arguments that several verbs share, and the scripts that these arguments name."""

from __future__ import annotations

import argparse
import functools
import operator
import os
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from dealerkit.appearance.screen import wrap_words
from dealerkit.cards.names import seat_number, vulnerability_number
from dealerkit.cli.terminal import COLORS
from dealerkit.errors import ArgumentError, FileError

if TYPE_CHECKING:
    from dealerkit.bidding.auctions import Auction
    from dealerkit.language.script import Script
    from dealerkit.language.script_variables import Params

GAVE_UP, FAILED, UNSATISFIABLE, INTERRUPTED = 1, 2, 3, 130  # exit statuses
_STATUSES = {
    FAILED: "after an error",
    UNSATISFIABLE: "if it is proved that no deal can meet the condition",
    INTERRUPTED: "after an interrupt",
}
DIALECTS = ("modern", "v1", "v2")


class Verb(NamedTuple):
    """A verb of the command.

    Attributes
    ----------
    name, help, description : str
        What is typed; the line about it in the list of verbs; the description in its own help.
    add_arguments : callable
        Adds the arguments to the parser of the verb.
    run : callable
        Takes the parsed arguments, does the work and returns the exit status.
    epilog : str, optional
        Text below the arguments, such as the exit statuses.
    examples : sequence of str
        Commands shown at the end of the help.
    """

    name: str
    help: str
    description: str
    add_arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace], int]
    epilog: str | None = None
    examples: Sequence[str] = ()

    @property
    def ending(self) -> str:
        """What the help says below the arguments: the exit statuses, then the examples."""
        status = self.epilog or describe_exit_status()
        return "\n".join([status, "", "Examples:", *(f"  {command}" for command in self.examples)])


class HelpFormatter(argparse.HelpFormatter):
    """Help in the width of the terminal: words are never broken, and examples keep their lines."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        lines = []
        for line in text.split("\n"):
            is_command = line.startswith("  ")
            lines += _wrap_command(line, width) if is_command else wrap_words(line, width, indent) or [""]
        return "\n".join(lines)

    def _split_lines(self, text: str, width: int) -> list[str]:
        return wrap_words(" ".join(text.split()), width)


def _wrap_command(line: str, width: int) -> list[str]:
    """Return the command of an example as lines; all but the last end with a backslash."""
    lines, indent = [""], "  "
    for word in re.findall(r"(?:--\S+ )?(?:'[^']*'|\S+)", line):
        if lines[-1] and len(lines[-1]) + len(word) + 3 > width:
            lines[-1] += " \\"
            lines.append(f"{indent}    {word}")
        else:
            lines[-1] = f"{lines[-1]} {word}" if lines[-1] else f"{indent}{word}"
    return lines


def describe_exit_status(*others: int, first: str = "") -> str:
    """Return the text about the exit statuses of a verb: 0, 2, 130 and `others`; `first` says when it is 1.

    >>> describe_exit_status(first="if nothing is about the word")
    'Exit status: 0; 1 if nothing is about the word; 2 after an error; 130 after an interrupt.'
    """
    texts = {status: _STATUSES[status] for status in (FAILED, *others, INTERRUPTED)}
    statuses = ({1: first} if first else {}) | texts
    return "; ".join(["Exit status: 0", *(f"{status} {text}" for status, text in statuses.items())]) + "."


# ------------------------------------------------------------ values of arguments


def parse_count(text: str) -> int:
    """Return an integer of 1 or more; argparse reports an error with the switch."""
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"{count}; it must be 1 or more")
    return count


def parse_seat(text: str) -> int:
    """Return the number of a seat; argparse reports an error with the switch."""
    return _parse_name(text, seat_number)


def parse_vulnerability(text: str) -> int:
    """Return the number of a vulnerability; argparse reports an error with the switch."""
    return _parse_name(text, vulnerability_number)


def _parse_name(text: str, number: Callable[[int | str], int]) -> int:
    """Return the number of a name; a digit is the number itself."""
    try:
        return number(int(text) if text.isdecimal() else text)
    except ArgumentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def parse_predeal(texts: Sequence[str]) -> dict[str, list[str]]:
    """Return the cards of each seat, from texts such as ``north=SAKQ,H5``.

    >>> parse_predeal(["north=SAKQ", "north=H5", "e=SJx"])
    {'north': ['SAKQ', 'H5'], 'e': ['SJx']}
    """
    predeal: dict[str, list[str]] = {}
    for text in texts:
        seat, equals, cards = text.partition("=")
        if not (seat and equals and cards):
            raise ArgumentError(f"--predeal takes a seat, '=' and cards, as north=SAKQ,H5; not {text!r}")
        predeal.setdefault(seat.strip(), []).append(cards)
    return predeal


def locate_text(text: str) -> str | Path:
    """Return the path of an existing file; any other text is returned as it is, as dealer language.

    >>> locate_text("hcp(north) > 15")
    'hcp(north) > 15'
    """
    return Path(text) if os.path.isfile(text) else text


# ------------------------------------------------------------ scripts


def locate_script(file: str | None) -> bytes | Path:
    """Return the path of a script, or the bytes of standard input if no file or - is given."""
    if file not in (None, "-"):
        return Path(file)
    if sys.stdin is None:
        raise FileError("standard input is closed; give the name of a file")
    from dealerkit.language.source import MAX_BYTES  # the nodes of the language take long to import

    return sys.stdin.buffer.read(MAX_BYTES + 1)


def join_scripts(
    before: Sequence[str],
    script: str | bytes | os.PathLike | Script,
    dialect: str = "modern",
    params: Params = (),
    include: Sequence[str] = (),
) -> Script:
    """Return the script joined to those whose variables it uses: ``before[0] + ... + script``.

    `before` contains names of files. The dialect, the values of script variables and `include`, the folders
    of included files, apply to all scripts.

    Raises
    ------
    FileError, ScriptError
        A file cannot be read; a script has a mistake, or two scripts define the same name.
    """
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.parser import read_script
    from dealerkit.language.script_variables import ScriptVariables

    variables = ScriptVariables.collect(params)
    read = functools.partial(read_script, rules=find_rules(dialect), params=variables, include=include)
    joined = functools.reduce(operator.add, [*(read(Path(name)) for name in before), read(script)])
    variables.check_used()
    return joined


# ------------------------------------------------------------ switches that several verbs share


SHARED: dict[str, dict[str, Any]] = {  # some verbs have a help of their own
    "file": {"nargs": "?", "help": "file of the script (default, or -: standard input)"},
    "--dialect": {"default": "modern", "choices": DIALECTS, "help": "dialect (default: modern)"},
    "--plan": {
        "default": "auto", "choices": ("auto", "plain", "staged", "conditional"),
        "metavar": "PLAN",
        "help": "how to deal: auto (the default, the cheapest way), plain, staged or conditional",
    },
    "--swap": {
        "type": int, "choices": (0, 2, 3), "default": 0,
        "help": "produce 2 or 6 deals from each shuffle by exchanging 2 or 3 hands (default: 0, no exchange)",
    },
    "--param": {
        "dest": "params", "action": "append", "default": [], "metavar": "NAME=TEXT",
        "help": "value of the script variable $NAME: low=15 sets $low; run, explain and translate accept "
        "'-0 TEXT' for $0 too",
    },
    "--with": {
        "dest": "before", "action": "append", "default": [], "metavar": "FILE",
        "help": "a script that defines variables for this one",
    },
    "--include": {
        "action": "append", "default": [], "metavar": "DIR",
        "help": 'a folder in which files of #include "script/NAME" are looked for, besides that of the '
        "script's file",
    },
    "--untrusted": {
        "action": "store_true",
        "help": "for a script that you do not trust: no included files, a process of its own, and limits of "
        "10 seconds, 1 GB of memory and a million characters of text, unless you set others",
    },
    "--predeal": {
        "action": "append", "default": [], "metavar": "SEAT=CARDS",
        "help": "cards that a seat holds, such as north=SAKQ,H5",
    },
    "--max-seconds": {"type": float, "metavar": "S", "help": "stop after S seconds"},
    "--max-solves": {"type": int, "metavar": "N", "help": "stop after N solves"},
    "--checkpoint": {
        "metavar": "FILE",
        "help": "save progress to FILE every 10 seconds and at an interrupt; if the file exists, the same "
        "command continues from it",
    },
    "--plot": {"metavar": "FILE", "help": "also write a plot, as PNG, SVG or PDF"},
    "--color": {
        "choices": COLORS, "default": "auto",
        "help": "colour: auto (the default: on a terminal, unless NO_COLOR is set), always or never",
    },
    "--verbose": {
        "action": "store_true", "help": "show in full how the result was computed: script, call, cost, "
        "version"
    },
    "--json": {"action": "store_true", "help": "print the result as JSON instead of text"},
    "--html": {"metavar": "FILE", "help": "also write an HTML page"},
    "--csv": {"metavar": "FILE", "help": "also write a table, as CSV"},
    "--latex": {"metavar": "FILE", "help": "also write the tables as LaTeX, with the package booktabs"},
    "--confidence": {
        "type": float, "default": 0.95, "metavar": "C",
        "help": "confidence level of the intervals (default: 0.95)",
    },
    "--from": {
        "dest": "source_format", "metavar": "FORMAT", "help": "format of the input (default: found from "
        "its content)",
    },
    "--distinct": {
        "action": "store_true",
        "help": "keep only the first board of each deal (the file of a tournament has one for each table)",
    },
    "--partial": {
        "action": "store_true",
        "help": "read boards of PBN, LIN, CSV or the hand viewer in which hands or cards are unknown",
    },
    "--first-board": {"type": int, "metavar": "N", "help": "number of the first board (default: 1)"},
    "--sheet": {
        "metavar": "FILE", "help": "write a practice sheet: an HTML page to print, or for a telephone",
    },
    "--sheet-hands": {
        "metavar": "SEATS",
        "help": "hands of the sheet: one seat such as S, two such as NS (the default), or NESW; a telephone "
        "shows the last of them first, with SN that of north",
    },
    "--problem": {
        "choices": ("play", "lead"),
        "help": "make a sheet of problems with solutions overleaf: play shows declarer's hand, dummy and the "
        "lead; lead shows the opening leader's hand",
    },
    "--contract": {
        "metavar": "CONTRACT",
        "help": "contract of the problems, such as '4S by south' (default: that of the board's file or "
        "auction)",
    },
    "--threads": {"type": int, "metavar": "N", "help": "number of threads (default: one for each processor)"},
    "--scheduler": {
        "dest": "executor", "metavar": "ADDRESS",
        "help": "use the dask cluster with this scheduler, such as tcp://10.0.0.5:8786; local: start "
        "workers on this machine",
    },
    "-s --seed": {"type": int, "metavar": "N", "help": "random seed (default: always the same deals)"},
    "-p --produce": {"type": int, "metavar": "N"},
    "-g --generate": {"type": int, "metavar": "N"},
    "--given": {"type": locate_text, "metavar": "CONDITION", "help": "a condition that all deals meet"},
    "--precision": {"type": float, "metavar": "X"},
    "--method": {"default": "model", "metavar": "METHOD"},
    "--solved": {
        "action": "append", "default": [], "metavar": "FILE",
        "help": "also begin the study with this library of random solved deals, besides the shipped sample; "
        "none: begin without solved deals",
    },
    "--scoring": {"metavar": "SCORING"},
    "--lead-rule": {"metavar": "RULE"},
    "--declarer": {"metavar": "SEAT", "help": "declarer of contracts written without one"},
    "--dealer": {"type": parse_seat, "metavar": "SEAT"},
    "--vulnerable": {"type": parse_vulnerability, "metavar": "SIDES"},
    "--event": {"metavar": "TEXT", "help": "name of the event in the PBN file"},
    "--first": {"type": int, "metavar": "N"},
}  # fmt: skip
AUCTION_VULNERABLE = "none, NS, EW or both, for systems whose bids depend on vulnerability (default: unknown)"
STUDY_FILES = ("--json", "--verbose", "--plot", "--html", "--csv", "--latex")  # formats of a result


def add_shared(parser: argparse._ActionsContainer, *names: str, **changes: Any) -> None:
    """Add shared arguments by their names; `changes` replace settings of them for this verb."""
    for name in names:
        parser.add_argument(*name.split(), **SHARED[name] | changes)


def add_given(
    parser: argparse._ActionsContainer,
    with_dealer: bool = True,
    with_vulnerable: bool = True,
    **changes: Any,
) -> None:
    """Add --given, and the arguments of an auction, instead of it or with it.

    A verb whose boards have a dealer or a vulnerability already omits that argument of the auction.
    """
    add_shared(parser, "--given", **changes)
    group = parser.add_argument_group("auction, with or without --given") if with_dealer else parser
    group.add_argument(
        "--auction", metavar="CALLS",
        help="what the calls say about the hands: '1NT-3NT', '1H (1S) 2H' with the calls of the opponents in "
        "brackets, or all calls in turn, '1NT P 3NT AP'",
    )  # fmt: skip
    add_system(group)
    if with_dealer:
        add_shared(group, "--dealer", help="seat that makes the first call (default: north)")
    if with_vulnerable:
        add_shared(group, "--vulnerable", help=AUCTION_VULNERABLE)


def add_system(parser: argparse._ActionsContainer) -> None:
    """Add the bidding systems of both sides."""
    parser.add_argument(
        "--system", metavar="NAME", type=locate_text,
        help="bidding system of the side that bids, or its file (default: sayc)",
    )  # fmt: skip
    parser.add_argument(
        "--defence", metavar="NAME", type=locate_text, help="system of the opponents (default: sayc)"
    )
    parser.add_argument(
        "--inference", choices=("all", "calls"), default="all",
        help="calls: use only what each call means, not that the player rejected other calls",
    )  # fmt: skip
    parser.add_argument("--silent", action="store_true", help="ignore the opponents' passes")


def find_given(options: argparse.Namespace) -> Any:
    """Return the condition from --given, an auction or both: text, the path of a file, an auction, or None.

    Calls of the auction that are not understood are reported on standard error.

    Raises
    ------
    ArgumentError
        A system is given without an auction, or an auction with the file of a condition.
    ScriptError
        There is an auction, and --given has a mistake.
    """
    if options.auction is None:
        for name in ("system", "defence"):
            if getattr(options, name) is not None:
                raise ArgumentError(f"--{name} needs an auction; add one, such as --auction 1NT-3NT")
        return options.given
    found = find_auction(options)
    for sentence in found.list_gaps():
        print(f"dealerkit: {sentence}", file=sys.stderr)
    if isinstance(options.given, Path):
        raise ArgumentError(
            f"--given {options.given} is a file; with --auction, write the condition itself after --given"
        )
    return found if options.given is None else found.where(options.given)


def find_auction(options: argparse.Namespace) -> Auction:
    """Return the auction that the arguments of a verb describe, with the vulnerability of the verb."""
    from dealerkit.bidding.auctions import auction

    return auction(
        options.auction, options.system or "sayc", 0 if options.dealer is None else options.dealer,
        defence=options.defence or "sayc", vulnerable=options.vulnerable,
        opponents="silent" if options.silent else "active", inference=options.inference,
    )  # fmt: skip


def find_solved(options: argparse.Namespace) -> Any:
    """Return the argument ``solved=`` of a study or run, and register the libraries of --solved."""
    if not options.solved:
        return "auto"
    if "none" in options.solved:
        if len(options.solved) > 1:
            raise ArgumentError("--solved none and --solved FILE exclude each other; leave out one of them")
        return None
    from dealerkit.formats.solved_libraries import use_solved

    use_solved(*(Path(name) for name in options.solved if name != "auto"))
    return "auto"


def check_sheet(options: argparse.Namespace) -> None:
    """Raise ArgumentError if a practice sheet has a wrong name or is missing."""
    for name in ("sheet_hands", "problem", "contract"):
        if options.sheet is None and getattr(options, name, None) is not None:
            raise ArgumentError(f"--{name.replace('_', '-')} needs a sheet, such as --sheet sheet.html")
    if options.sheet is not None and not options.sheet.lower().endswith((".html", ".htm")):
        raise ArgumentError(
            f"--sheet {options.sheet}: a sheet is an HTML page; name it {Path(options.sheet).stem}.html, and "
            "print it from the browser, which also saves it as PDF"
        )
