"""`dealerkit run`: run a dealer script."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import os
import sys
import warnings
from pathlib import Path
from typing import Any

from dealerkit import __version__
from dealerkit.cards.names import SEATS, VULNERABILITIES, seat_number
from dealerkit.errors import ArgumentError, CompatibilityWarning, FileError, NotYetError
from dealerkit.files import write_atomically

GAVE_UP, INTERRUPTED = 1, 130


def add(verbs: Any) -> argparse.ArgumentParser:
    """Add the verb's arguments."""
    run: argparse.ArgumentParser = verbs.add_parser(
        "run", help="run a dealer script", description="Run a dealer script."
    )
    run.add_argument("file", nargs="?", help="the script; standard input if absent or -")
    run.add_argument("-p", "--produce", type=int, metavar="N", help="stop after N accepted deals")
    run.add_argument("-g", "--generate", type=int, metavar="N", help="stop after N deals dealt")
    run.add_argument("-s", "--seed", type=int, metavar="N", help="seed")
    run.add_argument("-v", "--no-statistics", action="store_true", help="leave out the numbers at the end")
    run.add_argument("-q", "--quiet", action="store_true", help="printpbn prints nothing")
    run.add_argument("-m", "--progress", action="store_true", help="show progress, also when redirected")
    run.add_argument("--dialect", default="modern", choices=("modern", "v1", "v2"), help="default: modern")
    run.add_argument(
        "--stream", default="uniform", choices=("uniform", "classic"), help="classic: the old programs' deals"
    )
    run.add_argument(
        "--swap",
        type=int,
        choices=(0, 2, 3),
        default=0,
        help="deal each shuffle 2 or 6 times, hands exchanged",
    )
    run.add_argument("-x", dest="swap", type=int, choices=(0, 2, 3), help=argparse.SUPPRESS)
    for seat in SEATS:
        run.add_argument(
            f"-{seat[0].upper()}",
            f"--{seat}",
            metavar="CARDS",
            help=f"predealt cards of {seat}, such as SAKxx,H5, in place of the script's",
        )
    run.add_argument("-T", "--title", metavar="TEXT", help="title, in place of the script's")
    run.add_argument("-O", "--opener", type=_seat, metavar="SEAT", help="seat that opens")
    run.add_argument("-C", "--csvrpt", metavar="FILE", help="csvrpt appends to FILE; w:FILE writes it anew")
    run.add_argument("-X", "--export", metavar="FILE", help="the same for export")
    run.add_argument(
        "-t",
        "--give-up",
        type=_seconds,
        metavar="SECONDS",
        help="end with status 1 if nothing has been produced by then",
    )
    run.add_argument("-D", "--debug", type=_debug_level, metavar="N", help="1 or more: show the options")
    run.add_argument(
        "--plan",
        default="auto",
        choices=("auto", "plain", "staged", "conditional"),
        help="how to deal (default: auto)",
    )
    run.add_argument("--threads", type=int, metavar="N", help="default: one for each processor")
    run.add_argument(
        "--frame", metavar="FILE", help="also write the produced deals to FILE, .csv or .parquet"
    )
    run.add_argument("--plot", metavar="DIR", help="also draw the reports into DIR")
    run.add_argument("--html", metavar="FILE", help="also write the result as a page")
    run.add_argument(
        "--with",
        dest="before",
        action="append",
        default=[],
        metavar="FILE",
        help="a script that this one uses",
    )
    run.add_argument(
        "--param",
        action="append",
        default=[],
        metavar="N=TEXT",
        help="value of the script variable $N; also -N TEXT",
    )
    run.add_argument(
        "-M", "--solver-mode", type=int, choices=(1, 2), help="read for DealerV2's sake; the plan decides"
    )
    run.add_argument(
        "-R", "--solver-threads", type=_count, metavar="N", help="threads of the double-dummy solver"
    )
    run.add_argument(
        "-P",
        "--par-vulnerable",
        type=int,
        default=0,
        choices=range(4),
        help="of par where the script does not say: 0 nobody, 1 NS, 2 EW, 3 both",
    )
    run.add_argument("-V", "--version", action="version", version=f"dealerkit {__version__}")
    _add_later(run)
    return run


def _add_later(run: argparse.ArgumentParser) -> None:
    """Switches of the classic programs for what is not there yet: they are read, then refused by name."""
    later = run.add_argument_group("not there yet")
    later.add_argument("-L", "--library", metavar="FILE", help="deals from a library of solved deals")
    later.add_argument("--ginsberg", type=int, metavar="N", help="Ginsberg's library from record N (v1: -l)")
    later.add_argument("-Z", "--save-zrd", metavar="FILE", help="append produced deals with their tables")
    later.add_argument("--save-dl52", metavar="FILE", help="append produced deals, 52 bytes each (v2: -l)")
    later.add_argument("-U", "--evaluation-server", metavar="PATH", help="program that evaluates hands")


LATER = {
    "library": "libraries of solved deals",
    "ginsberg": "libraries of solved deals",
    "save_zrd": "libraries of solved deals",
    "save_dl52": "libraries of deals",
    "evaluation_server": "evaluations by another program",
}


def _seat(text: str) -> int:
    try:
        return seat_number(text)
    except ArgumentError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f"{text!r}; it takes seconds, more than 0")
    return seconds


def _count(text: str) -> int:
    count = int(text)
    if count < 1:
        raise argparse.ArgumentTypeError(f"{count}; it takes 1 or more")
    return count


def _debug_level(text: str) -> int:
    """The program's level in ``n`` or ``n.m``; m is for the evaluation server."""
    program, dot, server = text.partition(".")
    if not program.isdecimal() or (dot and not server.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r}; it takes a level such as 1 or 1.0")
    return int(program)


def execute(options: argparse.Namespace) -> int:
    """Run the script; returns the exit status."""
    from dealerkit.cli.scripts import read_with, script_argument
    from dealerkit.language.source import parse_variables
    from dealerkit.simulation.run import run

    for name, what in LATER.items():
        if getattr(options, name) is not None:
            raise NotYetError(f"--{name.replace('_', '-')} needs {what}, which are not there yet")
    if options.solver_threads:
        from dealerkit.doubledummy.library import set_threads

        set_threads(options.solver_threads)
    if options.debug:
        shown = sorted((name, value) for name, value in vars(options).items() if name != "execute")
        print(*(f"{name}: {value}" for name, value in shown), sep="\n", file=sys.stderr)
    params = parse_variables(options.param)
    predeal = {seat: cards for seat in SEATS if (cards := getattr(options, seat)) is not None}
    script: Any = script_argument(options.file)
    if options.before:
        script, params = read_with(options.before, script, options.dialect, params), []
    if predeal:
        script, params = _without_cards(script, options.dialect, params, predeal), []
    files = {name: file for name in ("csvrpt", "export") if (file := getattr(options, name)) is not None}
    with contextlib.ExitStack() as stack:
        # A place that cannot be written is known now, not after an hour.
        page = stack.enter_context(write_atomically(options.html)) if options.html else None
        folder = _folder(options.plot) if options.plot else None
        result = run(
            script,
            options.produce,
            options.generate,
            options.seed,
            params,
            options.dialect,
            options.stream,
            plan=options.plan,
            keep="auto" if options.html else 0,
            statistics=not options.no_statistics,
            threads=options.threads,
            progress=options.progress or None,
            swap=options.swap,
            write=sys.stdout.write,
            quiet_pbn=options.quiet,
            frame=options.frame,
            predeal=predeal or None,
            files=files,
            title=options.title,
            opener=options.opener,
            give_up=options.give_up,
            par_vulnerable=VULNERABILITIES[options.par_vulnerable],
        )
        sys.stdout.flush()
        if page:
            head = "<!doctype html><meta charset='utf-8'><title>dealerkit</title>"
            page.write_text(f"{head}<body>{result._repr_html_()}</body>", encoding="utf-8")
    if folder:
        _draw(result, folder)
    if result.interrupted:
        return INTERRUPTED
    gave_up = options.give_up is not None and not result.produced and result.elapsed >= options.give_up
    return GAVE_UP if gave_up else 0


def _without_cards(script: Any, dialect: str, params: list[str | None], predeal: dict[str, str]) -> Any:
    """The script without the cards that the switches replace: those of their seats, in v2 all."""
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
            f"{switches}: these cards are predealt in place of those that the script gives to {seats}",
            CompatibilityWarning,
            stacklevel=2,
        )
    rest = (statement for statement in parsed.statements if statement not in replaced)
    return dataclasses.replace(parsed, statements=tuple(rest))


def _folder(name: str) -> Path:
    """A folder to draw into, made if it is not there."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise FileError(f"{folder}: {reason.strerror or reason}") from reason
    if not os.access(folder, os.W_OK):
        raise FileError(f"{folder}: nothing can be written into this folder")
    return folder


def _draw(result: Any, folder: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from dealerkit.plots.reports import plot_report

    for number, report in enumerate((r for r in result.drawable if r.n), 1):
        with write_atomically(folder / f"{number:02d}.png") as path:
            plot_report(report).figure.savefig(path, dpi=120)
