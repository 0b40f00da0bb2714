"""`dealerkit run`: run a dealer script."""

from __future__ import annotations

import argparse
import contextlib
import dataclasses
import functools
import math
import os
import re
import sys
import warnings
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dealerkit import __version__
from dealerkit.appearance.screen import Screen, remove_marks
from dealerkit.cards.names import SEATS
from dealerkit.cli.arguments import (
    GAVE_UP,
    INTERRUPTED,
    SHARED,
    UNSATISFIABLE,
    Verb,
    add_given,
    add_shared,
    check_sheet,
    describe_exit_status,
    find_given,
    find_solved,
    join_scripts,
    locate_script,
    parse_count,
    parse_seat,
    parse_vulnerability,
)  # fmt: skip
from dealerkit.cli.deal_files import check_different
from dealerkit.cli.results import announce_file, print_result, to_json
from dealerkit.cli.terminal import find_screen, is_tty, write_text
from dealerkit.errors import (
    ArgumentError,
    CompatibilityWarning,
    FileError,
    NotYetError,
    Parameter,
    describe_system_error,
    quote,
)
from dealerkit.runtime.files import name_in_errors, replace_file, write_atomically

if TYPE_CHECKING:
    from dealerkit.language.script_variables import Params
    from dealerkit.simulation.job import RunOptions
    from dealerkit.simulation.run_limits import RunLimits

# ------------------------------------------------------------ switches


def _parse_seconds(text: str) -> float:
    """Return a number of seconds; argparse reports an error with the switch."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not seconds > 0:
        raise argparse.ArgumentTypeError(f"{text!r}; give a number of seconds above 0")
    return seconds


def _parse_megabytes(text: str) -> float:
    """Return a number of bytes from a number of megabytes."""
    try:
        n_bytes = 1e6 * float(text)
    except ValueError:
        n_bytes = 0.0
    if not 0 < n_bytes < math.inf:
        raise argparse.ArgumentTypeError(f"{text!r}; give a number of megabytes above 0")
    return n_bytes


def _parse_debug_level(text: str) -> int:
    """Return the level of the program from ``n`` or ``n.m``; m is that of the evaluation server."""
    program, dot, server = text.partition(".")
    if not program.isdecimal() or (dot and not server.isdecimal()):
        raise argparse.ArgumentTypeError(f"{text!r}; give a level such as 1 or 1.0")
    return int(program)


# Switches of the classic programs that are parsed, then rejected
_UNSUPPORTED: dict[str, dict[str, Any]] = {
    "-U --evaluation-server": {"metavar": "PATH", "help": "program that evaluates hands"},
}
_GROUPS: dict[str, dict[str, dict[str, Any]]] = {
    "limits": {
        "-p --produce": {"type": int, "metavar": "N", "help": "stop after N produced deals"},
        "-g --generate": {"type": int, "metavar": "N", "help": "stop after N deals dealt"},
        "-t --give-up": {
            "type": _parse_seconds, "metavar": "SECONDS",
            "help": "stop with status 1 if no deal has been produced by then",
        },
        "--max-seconds": {
            "type": _parse_seconds, "metavar": "S",
            "help": "stop after S seconds with the results so far; this limit and the next three are for "
            "scripts of "
            "other people",
        },
        "--max-memory": {
            "type": _parse_megabytes, "metavar": "MB", "help": "stop when the run needs more memory",
        },
        "--max-deals": {
            "type": parse_count, "metavar": "N",
            "help": "stop after N deals dealt, even if the script sets a larger number",
        },
        "--max-output": {"type": parse_count, "metavar": "N", "help": "stop after N characters of text"},
    },
    "dealing": {
        "-L --source --library": {
            "metavar": "FILE",
            "help": "use the deals of a file, with their double-dummy tables, instead of dealing; in v2 the "
            "seed is the number of the first block to use",
        },
        "--solved": {
            **SHARED["--solved"],
            "help": "use solved deals first, from the shipped sample and from this library of random "
            "deals, then deal new ones; auto: use only the sample",
        },
        "--first": {
            "type": int, "metavar": "N", "help": "number of the first deal of --source, if it is a part of "
            "a .zdd file",
        },
        "--ginsberg": {
            "type": int, "metavar": "N",
            "help": "use the deals of library.dat, in this folder or above it, from number N on (v1: -l)",
        },
        "--exhaust": {
            "action": "store_true",
            "help": "evaluate every deal that agrees with the predeal exactly once; the predeal "
            "must fix two hands, which leaves at most 10,400,600 deals; results are exact (v1: -e)",
        },
        "-s --seed": {"type": int, "metavar": "N", "help": "random seed (default: a new one)"},
        "--stream": {
            "default": "uniform", "choices": ("uniform", "classic"),
            "help": "classic: deal the same deals as the classic programs for the same seed (default: "
            "uniform)",
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
        "-T --title": {"metavar": "TEXT", "help": "title of the run, instead of the script's"},
        "-O --opener": {"type": parse_seat, "metavar": "SEAT", "help": "seat that opens the bidding"},
        "-P --vulnerable": {
            "type": parse_vulnerability, "metavar": "SIDES",
            "help": "vulnerable sides, also for par: none, ns, ew, both or 0 to 3; replaces the script's",
        },
    },
    "output": {
        "-v --no-statistics": {"action": "store_true", "help": "omit the summary at the end"},
        "-q --quiet": {"action": "store_true", "help": "omit the output of printpbn"},
        "-m --progress": {"action": "store_true", "help": "show progress even if the output is a file or a "
        "pipe"},
        "--checkpoint": SHARED["--checkpoint"],
        "-C --csvrpt": {
            "metavar": "FILE", "help": "append the output of csvrpt to FILE; w:FILE overwrites the file",
        },
        "--quote-formulas": {
            "action": "store_true",
            "help": "put an apostrophe before cells of csvrpt that a spreadsheet would execute as formulas",
        },
        "-X --export": {
            "metavar": "FILE",
            "help": "append the output of export to FILE; w:FILE overwrites the file",
        },
        "-Z --save-zrd": {
            "metavar": "FILE",
            "help": "append the produced deals with their tables to FILE, .zrd; w:FILE overwrites the file, "
            "N:FILE and Nw:FILE omit the tables",
        },
        "--save-dl52": {
            "metavar": "FILE",
            "help": "append the produced deals, 52 bytes each; w:FILE overwrites the file (v2: -l)",
        },
        "--frame": {
            "metavar": "FILE",
            "help": "also write the produced deals to FILE, .csv or .parquet, or as Parquet files to DIR/",
        },
        "--plot": {"metavar": "DIR", "help": "also write plots of the reports to the folder DIR"},
        "--html": {"metavar": "FILE", "help": "also write the result as an HTML page"},
        "--json": {
            "action": "store_true", "help": "print the reports as JSON instead of the text of the run",
        },
        "--sheet": SHARED["--sheet"],
        "--sheet-hands": SHARED["--sheet-hands"],
        "--sheet-solve": {"action": "store_true", "help": "solve the deals of the sheet, for the answers"},
        "-D --debug": {
            "type": _parse_debug_level, "metavar": "N",
            "help": "1 or more: print the options on standard error",
        },
    },
    "not supported yet": _UNSUPPORTED,
}  # fmt: skip
_FILES = {"csvrpt": "csvrpt", "export": "export", "zrd": "save_zrd", "dl52": "save_dl52"}  # and their options
# Options that cannot be combined with a sweep, with their defaults
_NOT_SWEPT: dict[str, Any] = {
    "before": [], "dialect": "modern", "untrusted": False, "plan": "auto", "generate": None, "source": None,
    "frame": None, "sheet": None, "checkpoint": None, "exhaust": False, "ginsberg": None, "stream": "uniform",
    "executor": None, "csvrpt": None, "export": None, "save_zrd": None, "save_dl52": None, "swap": 0,
    "given": None, "auction": None, "solved": [],
}  # fmt: skip
_INTEGER = re.compile(r"\s*-?\d+\s*")
_GINSBERG_FOLDERS = (".", "..", "../..")  # where the program dealer looks for library.dat


def _add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the verb."""
    add_shared(
        parser, *"file --dialect --with --include --untrusted --param --plan --confidence --threads".split()
    )
    parser.add_argument(
        "--sweep", action="append", default=[], metavar="NAME=VALUES",
        help="run the script for each value of a script variable, as low=12..17 or low=12,14, and print the "
        "averages for each; repeat the switch for a second variable",
    )  # fmt: skip
    parser.add_argument("-V", "--version", action="version", version=f"dealerkit {__version__}")
    add_given(
        parser, with_vulnerable=False, help="a further condition that all deals meet (dialect modern only)"
    )
    for title, options in _GROUPS.items():
        group = parser.add_argument_group(title)
        for flags, settings in options.items():
            group.add_argument(*flags.split(), **settings)


# ------------------------------------------------------------ the run


def _run_script(options: argparse.Namespace) -> int:
    """Run the script; return the exit status."""
    from dealerkit.language.script_variables import parse_variables
    from dealerkit.simulation.run import run_script

    # Reject what is not supported; set the solver, and print the options for --debug.
    for flags in _UNSUPPORTED:
        name = flags.rpartition("--")[2]
        if getattr(options, name.replace("-", "_")) is not None:
            raise NotYetError(f"--{name} is not supported; run the script without it")
    if options.solver_threads:
        from dealerkit.doubledummy.library import set_threads

        set_threads(options.solver_threads)
    if options.debug:
        pairs = sorted((name, value) for name, value in vars(options).items() if name != "run_verb")
        print(*(f"{name}: {value}" for name, value in pairs), sep="\n", file=sys.stderr)

    if options.sweep:
        return _run_sweep(options, parse_variables(options.params))

    # Join the script with the scripts before it; switches replace its predealt cards.
    params = parse_variables(options.params)
    predeal = {seat: cards for seat in SEATS if (cards := getattr(options, seat)) is not None}
    if options.untrusted and (predeal or options.before or options.include):
        raise ArgumentError(
            "--untrusted allows one script only; leave out --with, --include and the predealt cards of seats"
        )
    script: Any = locate_script(options.file)
    if options.before or options.include:
        script, params = join_scripts(options.before, script, options.dialect, params, options.include), {}
    if predeal:
        script, params = _remove_predeal(script, options.dialect, params, predeal), {}
    if (given := find_given(options)) is not None:
        from dealerkit.simulation.run import add_condition

        untrusted, include = options.untrusted, options.include
        script = add_condition(script, given, options.dialect, params, include, untrusted, predeal)
        params = {}

    # Run it. Files and folders are opened first, so that an error in a name is reported at once.
    for switch in ("html", "sheet", "frame", "checkpoint"):
        if name := getattr(options, switch):
            check_different(f"--{switch}", name, options.file, options.source, *options.before)
    check_sheet(options)
    printed: list[str] | None = [] if options.html or options.json else None
    with contextlib.ExitStack() as stack:
        page = stack.enter_context(replace_file(options.html)) if options.html else None
        sheet = stack.enter_context(replace_file(options.sheet)) if options.sheet else None
        folder = _make_folder(options.plot) if options.plot else None
        result = run_script(script, _collect_options(options, params, predeal, printed))
        if options.json:
            sys.stdout.write(to_json(result))
        sys.stdout.flush()
        if page:
            with name_in_errors(options.html):
                html = result.to_html(text="".join(printed or ()))
                page.write_text(html, encoding="utf-8", newline="")
        if sheet:
            with name_in_errors(options.sheet):
                sheet.write_text(_make_sheet(result, options), encoding="utf-8", newline="")
    if folder:
        _plot_reports(result, folder)
    for what, file in (
        ("page", options.html), ("sheet", options.sheet), ("table", options.frame), ("plots", folder),
    ):  # fmt: skip
        if file:
            announce_file(what, file)

    # The exit status says how the run ended.
    if result.limit:
        return GAVE_UP
    if result.interrupted or result.unsatisfiable:
        return INTERRUPTED if result.interrupted else UNSATISFIABLE
    gave_up = options.give_up is not None and not result.produced and result.elapsed >= options.give_up
    return GAVE_UP if gave_up else 0


def _run_sweep(options: argparse.Namespace, params: Params) -> int:
    """Run the script for several values of its variables, print the averages and write the files."""
    from dealerkit.studies.sweep import sweep

    for name, default in _NOT_SWEPT.items():
        if getattr(options, name) != default:
            raise ArgumentError(
                "--sweep cannot be combined with ", Parameter(f"{name}="), "; leave one of them out"
            )
    values = dict(parse_sweep(text) for text in options.sweep)
    script = locate_script(options.file)
    swept = sweep(
        script.decode() if isinstance(script, bytes) else script,
        produce=options.produce, seed=options.seed, params=params, confidence=options.confidence,
        include=options.include, variables=values,
    )  # fmt: skip
    print_result(swept, options)
    if options.html:
        swept.to_html(options.html)
        announce_file("page", options.html)
    if options.plot:
        import matplotlib

        matplotlib.use("Agg")
        folder = _make_folder(options.plot)
        for number, chart in enumerate(swept.card().charts, 1):
            with write_atomically(folder / f"{number:02d}.png") as path:
                chart.draw(None).figure.savefig(path, dpi=120)
        announce_file("plots", folder)
    return 0


def parse_sweep(text: str) -> tuple[str, list[Any]]:
    """Return the name of a script variable and its values.

    >>> parse_sweep("low=12..17"), parse_sweep("low=12..18..2"), parse_sweep("suit=spades,hearts")
    (('low', [12, 13, 14, 15, 16, 17]), ('low', [12, 14, 16, 18]), ('suit', ['spades', 'hearts']))
    """
    name, equals, values = text.partition("=")
    name = name.strip().removeprefix("$")
    if not (name and equals and values.strip()):
        raise ArgumentError(f"--sweep takes a variable and its values, as low=12..17; not {quote(text, 100)}")
    ends = values.split("..")
    if 2 <= len(ends) <= 3 and all(_INTEGER.fullmatch(end) for end in ends):
        first, last, *steps = map(int, ends)
        step = steps[0] if steps else 1
        if step < 1 or last < first:
            raise ArgumentError(f"--sweep {text}: give values that rise from the first to the last")
        return name, list(range(first, last + 1, step))
    parts = [part.strip() for part in values.split(",")]
    return name, [int(part) if _INTEGER.fullmatch(part) else part for part in parts]


def _collect_options(
    options: argparse.Namespace, params: Params, predeal: dict[str, str], printed: list[str] | None
) -> RunOptions:
    """Return the options of the run; `printed`, if it is a list, collects the text of the run."""
    from dealerkit.simulation.job import RunOptions

    # Boards on standard output are a valid file if all other text goes to standard error.
    files = {name: file for name, option in _FILES.items() if (file := getattr(options, option)) is not None}
    is_split = options.dialect == "modern" and not is_tty(sys.stdout)
    screen = find_screen(options) if options.dialect == "modern" and not options.json else Screen()
    write = functools.partial(_write, printed, screen, False)
    rest = functools.partial(_write, printed, screen, True) if is_split and not options.json else None
    return RunOptions(
        produce=options.produce,
        generate=options.generate,
        seed=options.seed,
        params=params,
        dialect=options.dialect,
        stream=options.stream,
        source=_open_source(options),
        solved=find_solved(options) if options.solved else None,
        plan=options.plan,
        keep="all" if options.sheet else "auto" if options.html else 0,
        statistics=not options.no_statistics,
        threads=options.threads,
        executor=options.executor,
        progress=options.progress or None,
        swap=options.swap,
        confidence=options.confidence,
        write=printed.append if options.json and printed is not None else write,
        write_rest=rest,
        quiet_pbn=options.quiet,
        frame=options.frame,
        predeal=predeal,
        files=files,
        title=options.title,
        opener=options.opener,
        give_up=options.give_up,
        vulnerable=options.vulnerable,
        checkpoint=options.checkpoint,
        limits=_collect_limits(options),
        quote_formulas=options.quote_formulas,
        untrusted=options.untrusted,
        screen=screen,
    )


def _collect_limits(options: argparse.Namespace) -> RunLimits | None:
    """Return the limits that the switches set; None if there are none."""
    limits = {name: getattr(options, f"max_{name}") for name in ("seconds", "memory", "deals", "output")}
    if not any(limits.values()):
        return None
    from dealerkit.simulation.run_limits import RunLimits

    return RunLimits(**limits)


def _open_source(options: argparse.Namespace) -> Any:
    """Return the deals of --source, --ginsberg or --exhaust; None if the run deals its own."""
    if options.exhaust:
        if options.source is not None or options.ginsberg is not None:
            raise ArgumentError("--exhaust makes its own deals; leave out --source and --ginsberg")
        return "all"
    if options.ginsberg is None and options.source is None:
        if options.first is None:
            return None
        raise ArgumentError("--first is the number of a deal in a file; give the file with --source")
    from dealerkit.formats.library import read

    if options.ginsberg is None:
        return read(options.source, first=options.first)
    if options.source is not None:
        raise ArgumentError("--ginsberg and --source are both sources of deals; give one of them")
    if options.ginsberg < 0:
        raise ArgumentError(f"--ginsberg is {options.ginsberg}; give the number of a deal, 0 or more")
    paths = [Path(folder, "library.dat") for folder in _GINSBERG_FOLDERS]
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise FileError("library.dat: there is no such file in this folder or the two above it")
    library = read(path, format="gib")
    if options.ginsberg >= len(library):
        raise ArgumentError(
            f"--ginsberg is {options.ginsberg:,}; {path} has {len(library):,} deals, numbered from 0"
        )
    return library[options.ginsberg :]


def _write(printed: list[str] | None, screen: Screen, is_rest: bool, text: str) -> None:
    """Write text to standard output or, if `is_rest`, to standard error; add it to `printed`."""
    if is_rest:
        sys.stdout.flush()
    stream = sys.stderr if is_rest else sys.stdout
    write_text(text, screen, stream)
    if printed is not None:
        printed.append(remove_marks(text))


def _remove_predeal(script: Any, dialect: str, params: Params, predeal: dict[str, str]) -> Any:
    """Return the script without the predealt cards that switches replace: those of their seats; all in v2."""
    from dealerkit.language.dialects import find_rules
    from dealerkit.language.nodes import PredealCards, PredealHand
    from dealerkit.language.parser import read_script

    parsed = read_script(script, find_rules(dialect), params)
    # DealerV2 forgets all predealt cards of the script as soon as a switch gives one seat.
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
    """Return the path of a writable folder, which is created if it does not exist."""
    folder = Path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise FileError(f"{folder}: {describe_system_error(reason)}") from reason
    if not os.access(folder, os.W_OK):
        raise FileError(f"{folder}: the folder cannot be written")
    return folder


def _plot_reports(result: Any, folder: Path) -> None:
    """Write a plot of each report that is not empty to a folder."""
    import matplotlib

    matplotlib.use("Agg")
    reports = [report for report in result.drawable if report.n]
    for number, report in enumerate(reports, 1):
        with write_atomically(folder / f"{number:02d}.png") as path:
            report.plot().figure.savefig(path, dpi=120)


# ------------------------------------------------------------ one-letter switches of the classic programs

# The classic programs parse their command line with getopt: letters may be joined (-vq), and an argument may
# follow its letter directly (-p10) or be the next word, whatever it begins with. The meaning of a letter
# depends on the dialect.

# Long options by letter; those that end in = take an argument.
_ALL = {
    "p": "--produce=", "g": "--generate=", "s": "--seed=", "m": "--progress", "q": "--quiet",
    "v": "--no-statistics", "V": "--version", "h": "--help",
}  # fmt: skip
_V2 = {
    **_ALL, "x": "--swap=", "C": "--csvrpt=", "X": "--export=", "T": "--title=", "N": "--north=",
    "E": "--east=", "S": "--south=", "W": "--west=", "O": "--opener=", "P": "--vulnerable=",
    "R": "--solver-threads=", "M": "--solver-mode=", "D": "--debug=", "U": "--evaluation-server=",
    "L": "--library=", "Z": "--save-zrd=", "l": "--save-dl52=",
    **{str(number): f"--param={number}=" for number in range(10)},
}  # fmt: skip
SWITCHES = {
    "v1": {
        **_ALL, "0": "--swap=0", "2": "--swap=2", "3": "--swap=3", "t": "--give-up=", "l": "--ginsberg=",
        "u": "", "e": "--exhaust",
    },
    "v2": _V2,
    "modern": {**_V2, "t": "--give-up="},
}  # fmt: skip
_TOGGLES = ("--no-statistics", "--quiet", "--progress")  # in the old programs, giving it twice cancels it


def expand_switches(words: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return a command line with its one-letter switches written as long options.

    Parameters
    ----------
    words : sequence of str
        They begin with the verb. Files and long options are kept. An option and its argument become one word,
        so that ``--seed -5`` is a seed.
    parser : ArgumentParser
        The parser of the verb, which knows the long options without arguments.

    Raises
    ------
    ArgumentError
        The dialect does not have a letter, or the argument of a letter is missing.

    Examples
    --------
    >>> from dealerkit.cli import build_parser
    >>> parser = build_parser("run").get_default("verb_parser")
    >>> expand_switches(["run", "-vp10", "-s", "-3", "x.dealer"], parser)
    ['run', '--no-statistics', '--produce=10', '--seed=-3', 'x.dealer']
    >>> expand_switches(["run", "--dialect", "v1", "-3"], parser)
    ['run', '--dialect=v1', '--swap=3']
    >>> expand_switches(["run", "--dialect", "v1", "-vq", "-v"], parser)
    ['run', '--dialect=v1', '--quiet']
    >>> expand_switches(["run", "-3", "hcp(north)"], parser)
    ['run', '--param=3=hcp(north)']
    """
    # Before words are read, find which options take no argument and what the letters mean.
    flags = [option for action in parser._actions if action.nargs == 0 for option in action.option_strings]
    dialect = _find_dialect(words)
    switches = SWITCHES.get(dialect, _V2)
    expanded: list[str] = []
    rest = iter(words)
    # Each word is the name of a file, a long option, joined letters, or the argument of the word before.
    for word in rest:
        if word == "--":
            return [*expanded, word, *rest]
        if word.startswith("--"):
            is_flag = any(flag.startswith(word) for flag in flags)  # also one that is abbreviated
            expanded.append(word if "=" in word or is_flag else "=".join([word, *islice(rest, 1)]))
        elif word.startswith("-") and word != "-" and os.path.isfile(word):
            expanded.append(os.path.join(os.curdir, word))  # the name of a file, as of old scenarios
        elif word.startswith("-") and word != "-":
            for option in _expand_letters(word[1:], rest, switches, dialect):
                if dialect != "modern" and option in _TOGGLES and option in expanded:
                    expanded.remove(option)
                else:
                    expanded.append(option)
        else:
            expanded.append(word)
    return expanded


def _expand_letters(letters: str, rest: Iterator[str], switches: dict[str, str], dialect: str) -> list[str]:
    """Return the long options for joined letters; the argument may be the next word of `rest`."""
    options = []
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in switches:
            dialects = " and ".join(name for name, others in SWITCHES.items() if letter in others)
            other = f"; it is one of dialect {dialects}" if dialects else ""
            raise ArgumentError(
                f"-{letter} is not a switch of dialect {dialect}{other}; see dealerkit run --help"
            )
        option = switches[letter]
        if option.endswith("="):
            argument = [letters] if letters else list(islice(rest, 1))
            if not argument:
                kind = "the text of a script variable" if letter.isdigit() else "an argument"
                raise ArgumentError(f"-{letter} takes {kind}")
            option, letters = option + argument[0], ""
        if option:
            options.append(option)
    return options


def _find_dialect(words: Sequence[str]) -> str:
    """Return the dialect named on the command line, before the line is parsed."""
    dialect = "modern"
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if len(name) > 3 and "--dialect".startswith(name):
            dialect = value or following
    return dialect


RUN = Verb(
    "run",
    "run a dealer script",
    "Run a dealer script: produce deals that meet its condition and report on them. If standard output is a "
    "file or a pipe and the script prints boards (printpbn, printlin, printoneline, printcompact), all other "
    "text goes to standard error, so that `> club.pbn` writes a valid file; the dialects v1 and v2 do not do "
    "this.",
    _add_arguments,
    _run_script,
    describe_exit_status(UNSATISFIABLE, first="if --give-up or a --max limit ended the run"),
    examples=(
        "dealerkit run stayman.dealer",
        "dealerkit run stayman.dealer --produce 1000 --seed 7 --html stayman.html",
        "dealerkit run notrump.dealer --param low=15 --param high=17",
        "dealerkit run notrump.dealer --param high=17 --sweep low=12..17",
    ),
)
