"""The `dealerkit` command: one module for each verb, with `add` for its arguments and `execute`."""

from __future__ import annotations

import argparse
import contextlib
import gc
import os
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from dealerkit import __version__
from dealerkit.cli import deal, explain, probability, run, shapes, solve, translate
from dealerkit.cli.classic import modernise
from dealerkit.errors import DealerkitError

BAD, INTERRUPTED = 2, 130
VERBS = (run, deal, explain, probability, shapes, solve, translate)


def build_parser() -> argparse.ArgumentParser:
    """The command's arguments."""
    parser = argparse.ArgumentParser(prog="dealerkit", description="Deal bridge hands, ask them, report.")
    parser.add_argument("--version", action="version", version=f"dealerkit {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for module in VERBS:
        module.add(verbs).set_defaults(execute=module.execute)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Entry point; returns the exit status."""
    if arguments is None:  # a process of our own: few of the things made at its start ever become garbage
        gc.set_threshold(200_000, 20, 100)
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # closed by whoever started us: there is nobody to tell
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it stays open to the end
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="replace")  # suit symbols on a terminal without them
    try:
        if words[:1] in (["run"], ["explain"]):
            words = modernise(words)
        parser = build_parser()
        if not words:
            parser.print_help(sys.stderr)
            return BAD
        options = parser.parse_args(words)
        warnings.showwarning = _show_warning  # type: ignore[assignment]
        status: int = options.execute(options)
        sys.stdout.flush()
        return status
    except DealerkitError as error:
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.flush()
        print(error, file=sys.stderr)
        return BAD
    except BrokenPipeError:
        # The reader has seen enough (| head). Python would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except OSError as error:
        # Standard output cannot be written, a full disk as a rule: it would complain once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        print(f"dealerkit: {error.strerror or error}", file=sys.stderr)
        return BAD
    except KeyboardInterrupt:
        return INTERRUPTED


def _show_warning(message: Warning | str, *_: Any) -> None:
    print(f"dealerkit: {message}", file=sys.stderr)
