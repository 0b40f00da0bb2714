"""The `dealerkit` command."""

from __future__ import annotations

import argparse
import functools
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dealerkit import __version__
from dealerkit.errors import ArgumentError, DealerkitError, FileError

BAD, INTERRUPTED = 2, 130


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(prog="dealerkit", description="Deal bridge hands, ask them, report.")
    parser.add_argument("--version", action="version", version=f"dealerkit {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    run = verbs.add_parser("run", help="run a dealer script", description="Run a dealer script.")
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
    deal = verbs.add_parser("deal", help="deal hands", description="Deal hands, one deal on a line.")
    deal.add_argument("count", nargs="?", type=int, default=1, help="how many (default: 1)")
    deal.add_argument("-s", "--seed", type=int, metavar="N")
    deal.add_argument(
        "--given", metavar="CONDITION", help="a condition of the dealer language, such as 'hcp(north) > 15'"
    )
    for seat in ("north", "east", "south", "west"):
        deal.add_argument(f"--{seat}", metavar="CARDS", help="predealt cards, such as SAKQ,H5")
    deal.add_argument(
        "--format", default="diagram", choices=("diagram", "pbn", "line"), help="default: diagram"
    )
    deal.add_argument("--threads", type=int, metavar="N", help="default: one for each processor")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # suit symbols on a terminal without them
    try:
        words, params = _classic_switches(words)
        options = build_parser().parse_args(words)
        warnings.showwarning = _show_warning  # type: ignore[assignment]
        verb: Callable[..., int] = {"run": _run, "deal": _deal}[options.verb]
        return verb(options, params)
    except DealerkitError as error:
        _flush()
        print(error, file=sys.stderr)
        return BAD
    except BrokenPipeError:
        # The reader has seen enough (| head). Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return INTERRUPTED


def _flush() -> None:
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass


def _show_warning(message: Warning | str, *_: Any) -> None:
    print(f"dealerkit: {message}", file=sys.stderr)


def _classic_switches(words: list[str]) -> tuple[list[str], list[str]]:
    """Take ``-0 TEXT .. -9 TEXT`` out: script variables, but in v1 ``-0 -2 -3`` are swapping."""
    if not words or words[0] != "run":
        return words, []
    v1 = any(
        word == "--dialect=v1" or words[k : k + 2] == ["--dialect", "v1"] for k, word in enumerate(words)
    )
    rest: list[str] = []
    params: dict[int, str] = {}
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
            params[int(word[1])] = text
        else:
            rest.append(word)
    return rest, [params.get(k, "") for k in range(max(params, default=-1) + 1)]


def _run(options: argparse.Namespace, params: list[str]) -> int:
    from dealerkit.simulation.run import run

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


def _deal(options: argparse.Namespace, params: list[str]) -> int:
    from dealerkit.simulation.run import deal

    seats = {
        seat: getattr(options, seat) for seat in ("north", "east", "south", "west") if getattr(options, seat)
    }
    deals = deal(options.count, options.seed, seats or None, options.given, threads=options.threads)
    if options.format == "pbn":
        lines = deals.to_pbn()
    elif options.format == "line":
        lines = deals.to_lines()
    else:
        lines = [f"{one}\n" for one in deals]
    sys.stdout.writelines(f"{line}\n" for line in lines)
    sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
