"""Output of verbs: text or JSON, and files with a plot, an HTML page and tables."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from dealerkit.appearance.wording import format_csv
from dealerkit.cli.arguments import INTERRUPTED
from dealerkit.cli.terminal import find_screen
from dealerkit.cli.terminal import write_text as write_on_screen
from dealerkit.errors import ArgumentError, FileError
from dealerkit.runtime.files import write_atomically, write_text

PLOT_SUFFIXES = (".png", ".svg", ".pdf")


def check_outputs(options: argparse.Namespace) -> None:
    """Raise an error, before anything is computed, if an output file cannot be written."""
    if options.plot and Path(options.plot).suffix.lower() not in PLOT_SUFFIXES:
        raise ArgumentError(f"--plot takes a file that ends with .png, .svg or .pdf, not {options.plot!r}")
    for name in ("plot", "html", "csv", "latex", "parquet"):
        file = getattr(options, name, None)
        if file and not Path(file).absolute().parent.is_dir():
            raise FileError(f"--{name} {file}: there is no such folder; create it first")


def report_study(study: Any, options: argparse.Namespace) -> int:
    """Print a study, write its files and return the exit status, 130 if it was interrupted."""
    from dealerkit.studies.limits import INTERRUPT

    print_result(study, options)
    write_outputs(study, options)
    return INTERRUPTED if getattr(study, "reason", "") == INTERRUPT else 0


def print_result(result: Any, options: argparse.Namespace) -> None:
    """Print a result or a card as text, or with --json as the JSON of its `to_dict`."""
    if getattr(options, "json", False):
        sys.stdout.write(to_json(result))
        return
    screen = find_screen(options)
    write_on_screen(result.to_text(screen), screen)


def to_json(result: Any) -> str:
    """Return the dict of a result as JSON text."""
    import json

    return f"{json.dumps(result.to_dict(), indent=1, ensure_ascii=False, default=str)}\n"


def write_outputs(result: Any, options: argparse.Namespace) -> None:
    """Write the files named by --html, --csv, --latex and --plot, of those that the verb has."""
    page, table, latex, plot = (getattr(options, name, None) for name in ("html", "csv", "latex", "plot"))
    if page:
        result.to_html(page)
        announce_file("page", page)
    if table:
        write_text(table, format_csv(result.to_frame()))
        announce_file("table", table)
    if latex:
        write_text(latex, result.to_latex())
        announce_file("LaTeX table", latex)
    if plot:
        import matplotlib

        matplotlib.use("Agg")
        with write_atomically(plot) as file:
            show = getattr(options, "show", None)  # of a study with several plots
            axes = result.plot() if show is None else result.plot(show=show)
            figure = (axes if hasattr(axes, "figure") else axes[0]).figure
            figure.savefig(file, dpi=120, format=Path(plot).suffix[1:].lower())
        announce_file("plot", plot)


def announce_file(what: str, file: object) -> None:
    """Print to standard error, after all output so far, that a file was written."""
    sys.stdout.flush()
    print(f"{what} written to {file}", file=sys.stderr)
