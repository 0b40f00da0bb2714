"""`dealerkit run`: run a dealer script."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import os
import sys
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealerkit import __version__
from dealerkit.appearance.wording import escape_controls
from dealerkit.cards.names import SEATS
from dealerkit.cli.arguments import (
    GAVE_UP,
    INTERRUPTED,
    SHARED,
    UNSATISFIABLE,
    add_shared,
    check_sheet,
    describe_exit_status,
    join_scripts,
    locate_script,
    parse_count,
    parse_seat,
    parse_vulnerability,
)  # fmt: skip
from dealerkit.cli.deal_files import check_different
from dealerkit.cli.run_limits import LIMITS, QUOTE_FORMULAS, collect_limits, parse_seconds
from dealerkit.cli.study_files import to_json
from dealerkit.errors import ArgumentError, CompatibilityWarning, FileError, NotYetError
from dealerkit.system.files import name_in_errors, replace_file, write_atomically

if TYPE_CHECKING:
    from dealerkit.language.script_variables import Params
    from dealerkit.simulation.job import RunOptions


def _parse_debug_level(text: str) -> int:
    """Return the level of the program from ``n`` or ``n.m``, where m is that of the evaluation server."""
    program, dot, server = text.partition(".")
    if not program.isdecimal() or (dot and not server.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r}; it takes a level such as 1 or 1.0")
    return int(program)


# Switches of the classic programs that are parsed and then refused.
_UNSUPPORTED: dict[str, dict[str, Any]] = {
    "-U --evaluation-server": {"metavar": "PATH", "help": "program that evaluates hands"},
}
_GROUPS: dict[str, dict[str, dict[str, Any]]] = {
    "limits": {
        "-p --produce": {"type": int, "metavar": "N", "help": "stop after N produced deals"},
        "-g --generate": {"type": int, "metavar": "N", "help": "stop after N deals dealt"},
        "-t --give-up": {
            "type": parse_seconds, "metavar": "SECONDS",
            "help": "stop with status 1 if no deal has been produced by then",
        },
        **LIMITS,
    },
    "dealing": {
        "-L --source --library": {
            "metavar": "FILE",
            "help": "take the deals of a file, with their tables of tricks, instead of dealing; in v2 the "
            "seed is the number of the block to begin with",
        },
        "--first": {
            "type": int, "metavar": "N", "help": "number of the first deal of --source, part of a .zdd file",
        },
        "--ginsberg": {
            "type": int, "metavar": "N",
            "help": "take the deals from number N on of library.dat, in this folder or above it (v1: -l)",
        },
        "--exhaust": {
            "action": "store_true",
            "help": "deal every deal that complies with the predeal once; it gives two hands or more, so "
            "there are at most 10,400,600 deals, and results are exact (v1: -e)",
        },
        "-s --seed": {"type": int, "metavar": "N", "help": "random seed (default: a new one)"},
        "--stream": {
            "default": "uniform", "choices": ("uniform", "classic"),
            "help": "classic: the deals of the classic programs for the same seed (default: uniform)",
        },
        "--swap": SHARED["--swap"],
        "--scheduler": SHARED["--scheduler"],
        "-x": {**SHARED["--swap"], "dest": "swap", "help": argparse.SUPPRESS},
        **{
            f"-{seat[0].upper()} --{seat}": {
                "metavar": "CARDS",
                "help": f"predealt cards of {seat}, such as SAKxx,H5; they replace those of the script",
            }
            for seat in SEATS
        },
        "-R --solver-threads": {
            "type": parse_count, "metavar": "N", "help": "number of threads of the double dummy solver",
        },
        "-M --solver-mode": {
            "type": int, "choices": (1, 2), "help": "accepted for DealerV2; it has no effect",
        },
    },
    "script": {
        "-T --title": {"metavar": "TEXT", "help": "title; it replaces that of the script"},
        "-O --opener": {"type": parse_seat, "metavar": "SEAT", "help": "seat that opens the bidding"},
        "-P --vulnerable": {
            "type": parse_vulnerability, "metavar": "SIDES",
            "help": "vulnerable sides, for par too: none, ns, ew, both or 0 to 3; they replace the script's",
        },
    },
    "output": {
        "-v --no-statistics": {"action": "store_true", "help": "omit the summary at the end"},
        "-q --quiet": {"action": "store_true", "help": "omit the output of printpbn"},
        "-m --progress": {"action": "store_true", "help": "show progress, even into a file or a pipe"},
        "--checkpoint": SHARED["--checkpoint"],
        "-C --csvrpt": {
            "metavar": "FILE", "help": "append the output of csvrpt to FILE; w:FILE replaces the file",
        },
        "--quote-formulas": QUOTE_FORMULAS,
        "-X --export": {"metavar": "FILE", "help": "the same for the output of export"},
        "-Z --save-zrd": {
            "metavar": "FILE",
            "help": "append the produced deals with their tables to FILE, .zrd; w:FILE replaces the file, "
            "N:FILE and Nw:FILE omit the tables",
        },
        "--save-dl52": {
            "metavar": "FILE",
            "help": "append the produced deals, 52 bytes each; w:FILE replaces the file (v2: -l)",
        },
        "--frame": {
            "metavar": "FILE",
            "help": "also write the produced deals to FILE, .csv or .parquet, or as Parquet files to DIR/",
        },
        "--plot": {"metavar": "DIR", "help": "also write plots of the reports into DIR"},
        "--html": {"metavar": "FILE", "help": "also write the result as an HTML page"},
        "--json": {
            "action": "store_true", "help": "print the reports as JSON, in place of the text of the run",
        },
        "--sheet": SHARED["--sheet"],
        "--sheet-hands": SHARED["--sheet-hands"],
        "--sheet-solve": {"action": "store_true", "help": "solve the deals of the sheet, for its answers"},
        "-D --debug": {
            "type": _parse_debug_level, "metavar": "N",
            "help": "1 or more: print the options on standard error",
        },
    },
    "not supported yet": _UNSUPPORTED,
}  # fmt: skip

_FILES = {"csvrpt": "csvrpt", "export": "export", "zrd": "save_zrd", "dl52": "save_dl52"}  # and their options
_GINSBERG_FOLDERS = (".", "..", "../..")  # where the program dealer looks for library.dat

HELP = "run a dealer script"
DESCRIPTION = (
    "Run a dealer script: produce deals that meet its condition, and report on them. If standard output is a "
    "file or a pipe and the script prints boards (printpbn, printlin, printoneline, printcompact), all other "
    "text goes to standard error, so that > club.pbn is a valid file; not in the dialects v1 and v2."
)
EPILOG = describe_exit_status(UNSATISFIABLE, first="if --give-up or a --max limit ended the run")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(parser, *"file --dialect --with --include --param --plan --confidence --threads".split())
    parser.add_argument("-V", "--version", action="version", version=f"dealerkit {__version__}")
    for title, options in _GROUPS.items():
        group = parser.add_argument_group(title)
        for flags, settings in options.items():
            group.add_argument(*flags.split(), **settings)


def run_verb(options: argparse.Namespace) -> int:
    """Run the script; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.run import run_script

    for flags in _UNSUPPORTED:
        name = flags.rpartition("--")[2]
        if getattr(options, name.replace("-", "_")) is not None:
            raise NotYetError(f"--{name} is not supported yet; run the script without it")
    if options.solver_threads:
        from dealerkit.doubledummy.library import set_threads

        set_threads(options.solver_threads)
    if options.debug:
        pairs = sorted((name, value) for name, value in vars(options).items() if name != "run_verb")
        print(*(f"{name}: {value}" for name, value in pairs), sep="\n", file=sys.stderr)
    params = parse_variables(options.params)
    predeal = {seat: cards for seat in SEATS if (cards := getattr(options, seat)) is not None}
    script: Any = locate_script(options.file)
    if options.before or options.include:
        script, params = join_scripts(options.before, script, options.dialect, params, options.include), {}
    if predeal:
        script, params = _remove_predeal(script, options.dialect, params, predeal), {}
    for switch in ("html", "sheet", "frame", "checkpoint"):
        if name := getattr(options, switch):
            check_different(f"--{switch}", name, options.file, options.source, *options.before)
    check_sheet(options)
    printed: list[str] | None = [] if options.html or options.json else None
    with contextlib.ExitStack() as stack:
        # Files and folders are opened before the run, so that an error is reported at once.
        page = stack.enter_context(replace_file(options.html)) if options.html else None
        sheet = stack.enter_context(replace_file(options.sheet)) if options.sheet else None
        folder = _make_folder(options.plot) if options.plot else None
        result = run_script(script, _collect_options(options, params, predeal, printed))
        if options.json:
            sys.stdout.write(to_json(result))
        sys.stdout.flush()
        if page:
            with name_in_errors(options.html):
                page.write_text(result.to_html("".join(printed or ())), encoding="utf-8", newline="")
        if sheet:
            with name_in_errors(options.sheet):
                sheet.write_text(_make_sheet(result, options), encoding="utf-8", newline="")
    if folder:
        _plot_reports(result, folder)
    if result.limit:
        return GAVE_UP
    if result.interrupted or result.unsatisfiable:
        return INTERRUPTED if result.interrupted else UNSATISFIABLE
    gave_up = options.give_up is not None and not result.produced and result.elapsed >= options.give_up
    return GAVE_UP if gave_up else 0


def _collect_options(
    options: argparse.Namespace, params: Params, predeal: dict[str, str], printed: list[str] | None
) -> RunOptions:
    """Return the options of the run; its text is added to the list `printed`, if there is one."""
    from dealerkit.simulation.job import RunOptions

    files = {name: file for name, option in _FILES.items() if (file := getattr(options, option)) is not None}
    is_split = options.dialect == "modern" and not sys.stdout.isatty()
    return RunOptions(
        produce=options.produce,
        generate=options.generate,
        seed=options.seed,
        params=params,
        dialect=options.dialect,
        stream=options.stream,
        source=_open_source(options),
        plan=options.plan,
        keep="all" if options.sheet else "auto" if options.html else 0,
        statistics=not options.no_statistics,
        threads=options.threads,
        executor=options.executor,
        progress=options.progress or None,
        swap=options.swap,
        confidence=options.confidence,
        write=printed.append
        if options.json and printed is not None
        else functools.partial(_write, printed, False),
        write_rest=functools.partial(_write, printed, True) if is_split and not options.json else None,
        quiet_pbn=options.quiet,
        frame=options.frame,
        predeal=predeal,
        files=files,
        title=options.title,
        opener=options.opener,
        give_up=options.give_up,
        vulnerable=options.vulnerable,
        checkpoint=options.checkpoint,
        limits=collect_limits(options),
        quote_formulas=options.quote_formulas,
    )


def _open_source(options: argparse.Namespace) -> Any:
    """Return the deals of --source, --ginsberg or --exhaust; None if the run deals its own."""
    if options.exhaust:
        if options.source is not None or options.ginsberg is not None:
            raise ArgumentError("--exhaust takes the deals of no file; leave out --source and --ginsberg")
        return "all"
    if options.ginsberg is None and options.source is None:
        if options.first is None:
            return None
        raise ArgumentError("--first is the number of the first deal of a file; give the file with --source")
    from dealerkit.formats.library import read

    if options.ginsberg is None:
        return read(options.source, first=options.first)
    if options.source is not None:
        raise ArgumentError("--ginsberg and --source are both sources of deals; give one of them")
    if options.ginsberg < 0:
        raise ArgumentError(f"--ginsberg is {options.ginsberg}; it takes the number of a deal, from 0")
    paths = [Path(folder, "library.dat") for folder in _GINSBERG_FOLDERS]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise FileError("library.dat: there is no such file in this folder or the two above it")
    library = read(path, format="gib")
    if options.ginsberg >= len(library):
        raise ArgumentError(f"--ginsberg is {options.ginsberg:,}; {path} has {len(library):,} deals, from 0")
    return library[options.ginsberg :]


def _write(printed: list[str] | None, is_rest: bool, text: str) -> None:
    """Write text on standard output, or after it on standard error; add it to what has been printed."""
    if is_rest:
        sys.stdout.flush()
    stream = sys.stderr if is_rest else sys.stdout
    stream.write(escape_controls(text) if stream.isatty() else text)
    if printed is not None:
        printed.append(text)


def _remove_predeal(script: Any, dialect: str, params: Params, predeal: dict[str, str]) -> Any:
    """Return the script without the cards that the switches replace: those of their seats, in v2 all."""
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.nodes import PredealCards, PredealHand
    from dealerkit.language.parser import read_script

    parsed = read_script(script, find_rules(dialect), params)
    replaced = [
        statement
        for statement in parsed.statements
        if isinstance(statement, PredealCards | PredealHand)
        and (dialect == "v2" or SEATS[statement.seat] in predeal)
    ]
    if replaced:
        switches = ", ".join(f"--{seat}" for seat in predeal)
        seats = ", ".join(dict.fromkeys(SEATS[statement.seat] for statement in replaced))
        warnings.warn(
            f"{switches}: these cards replace those that the script predeals to {seats}",
            CompatibilityWarning,
            stacklevel=2,
        )
    rest = (statement for statement in parsed.statements if statement not in replaced)
    return dataclasses.replace(parsed, statements=tuple(rest))


def _make_sheet(result: Any, options: argparse.Namespace) -> str:
    """Return the practice sheet of the produced deals as HTML."""
    program = result.plan.program
    return result.deals.page(
        hands=options.sheet_hands,
        title=program.title or "Practice",
        note="" if options.source else f"seed {result.seed}",
        solve=options.sheet_solve,
        first_board=program.start_board,
    ).html


def _make_folder(name: str) -> Path:
    """Return the path of a folder that can be written, created if it does not exist."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise FileError(f"{folder}: {reason.strerror or reason}") from reason
    if not os.access(folder, os.W_OK):
        raise FileError(f"{folder}: the folder cannot be written")
    return folder


def _plot_reports(result: Any, folder: Path) -> None:
    """Write a plot of each report that is not empty into a folder."""
    import matplotlib

    matplotlib.use("Agg")
    reports = [report for report in result.drawable if report.n]
    for number, report in enumerate(reports, 1):
        with write_atomically(folder / f"{number:02d}.png") as path:
            report.plot().figure.savefig(path, dpi=120)
