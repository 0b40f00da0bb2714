"""`dealerkit run`: run a dealer script."""

from __future__ import annotations

import argparse
import functools
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from dealerkit.errors import ArgumentError, FileError

INTERRUPTED = 130


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
    run.add_argument("--plan", default="auto", choices=("auto", "plain"), help="how to deal (default: auto)")
    run.add_argument("--threads", type=int, metavar="N", help="default: one for each processor")
    run.add_argument(
        "--frame", metavar="FILE", help="also write the produced deals to FILE, .csv or .parquet"
    )
    run.add_argument("--plot", metavar="DIR", help="also draw the reports into DIR")
    run.add_argument("--html", metavar="FILE", help="also write the result as a page")
    run.add_argument("--param", action="append", default=[], help=argparse.SUPPRESS)
    return run


def modernise(words: list[str]) -> list[str]:
    """Write ``-0 TEXT .. -9 TEXT``, script variables, as ``--param N=TEXT``; in v1 ``-0 -2 -3`` are swapping."""
    v1 = any(
        word == "--dialect=v1" or words[k : k + 2] == ["--dialect", "v1"] for k, word in enumerate(words)
    )
    rest: list[str] = []
    todo = iter(words)
    for word in todo:
        if len(word) == 2 and word[0] == "-" and word[1].isdigit():
            if v1 and word in ("-0", "-2", "-3"):
                rest.append(f"--swap={word[1]}")
                continue
            text = next(todo, None)
            if v1 or text is None:
                raise ArgumentError(
                    f"{word} "
                    + ("is no switch of dialect v1" if v1 else "takes the text of a script variable")
                )
            rest.append(f"--param={word[1]}={text}")
        else:
            rest.append(word)
    return rest


def execute(options: argparse.Namespace) -> int:
    """Run the script; returns the exit status."""
    from dealerkit.compiled import without_linear_algebra
    from dealerkit.simulation.run import run

    without_linear_algebra()
    numbered = {int(text[0]): text[2:] for text in options.param}
    params = [numbered.get(k, "") for k in range(max(numbered, default=-1) + 1)]
    script: Any = sys.stdin.read() if options.file in (None, "-") else Path(options.file)
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
    )
    sys.stdout.flush()
    if options.html:
        page = f"<!doctype html><meta charset='utf-8'><title>dealerkit</title><body>{result._repr_html_()}</body>"
        _write_beside(options.html, lambda path: path.write_text(page, encoding="utf-8"))
    if options.plot:
        _draw(result, Path(options.plot))
    return INTERRUPTED if result.interrupted else 0


def _write_beside(target: str, write: Callable[[Path], Any]) -> None:
    """Write a file beside its place and move it there, so that nothing half written is ever seen."""
    place = Path(target)
    beside = place.with_name(f".{place.name}.{os.getpid()}{place.suffix}")
    try:
        write(beside)
        os.replace(beside, place)
    except OSError as reason:
        raise FileError(f"{target}: {reason.strerror or reason}") from reason
    finally:
        beside.unlink(missing_ok=True)


def _draw(result: Any, folder: Path) -> None:
    import matplotlib

    matplotlib.use("Agg")
    from dealerkit.actions import HandsReport
    from dealerkit.plots.reports import plot_report

    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as reason:
        raise FileError(f"{folder}: {reason.strerror or reason}") from reason
    for number, report in enumerate((r for r in result.reports if r.n and not isinstance(r, HandsReport)), 1):
        figure = plot_report(report).figure
        _write_beside(str(folder / f"{number:02d}.png"), functools.partial(figure.savefig, dpi=120))
