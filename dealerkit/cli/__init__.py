"""The `dealerkit` command.

Each verb is a `Verb`, and verbs about one subject share a module. To keep the start fast, only the module of
the verb in use is imported. At its top it imports what its arguments need; what does the work is imported
later.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import errno
import functools
import gc
import importlib
import io
import os
import signal
import sys
import threading
import warnings
from collections.abc import Sequence
from typing import Any, NoReturn

from dealerkit import __version__
from dealerkit.appearance.screen import REPLACEMENT
from dealerkit.cli.arguments import FAILED, INTERRUPTED, HelpFormatter, Verb, add_shared
from dealerkit.cli.terminal import print_message
from dealerkit.errors import NO_RESULT, DealerkitError, DealerkitWarning, describe_system_error, suggest_name

# The verbs in the order of the help, with their modules in this package.
VERBS = {
    "run": "run", "deal": "deal", "convert": "deal_files", "filter": "deal_files", "sheet": "sheet",
    "explain": "scripts", "explore": "explore", "check": "scripts", "functions": "language",
    "probability": "estimates", "estimate": "estimates", "contracts": "studies", "lead": "studies",
    "card": "card_play", "compare": "studies", "auction": "bidding", "system": "bidding", "par": "solving",
    "results": "tournaments", "suit": "card_play", "plan": "card_play", "breaks": "card_play",
    "shapes": "language", "solve": "solving",
    "store": "solving", "translate": "scripts", "bench": "bench",
}  # fmt: skip

_EXAMPLES = """Examples:
  dealerkit deal 4
  dealerkit run stayman.dealer
  dealerkit run --help"""


class _Parser(argparse.ArgumentParser):
    """A parser with short errors: the message, then the command that lists the arguments."""

    def error(self, message: str) -> NoReturn:
        for kind, meaning in (("int", "a whole number"), ("float", "a number")):
            message = message.replace(f"invalid {kind} value", f"not {meaning}")
        self.exit(FAILED, f"{self.prog}: {message}\n`{self.prog} --help` lists the arguments.\n")


def find_verb(name: str) -> Verb:
    """Return a verb: the constant of that name in its module."""
    verb: Verb = getattr(importlib.import_module(f"dealerkit.cli.{VERBS[name]}"), name.upper())
    return verb


def build_parser(first: str = "") -> argparse.ArgumentParser:
    """Return the parser of a command line that begins with a word.

    If the word is a verb, or a switch of the verb that needs no name, the parser knows that verb only;
    otherwise it knows all verbs, without their arguments, for the help.
    """
    parser = _Parser(
        prog="dealerkit",
        description="Deal bridge hands, select deals with scripts, and report statistics.",
        epilog=_EXAMPLES,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"dealerkit {__version__}")
    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)
    for name in [first] if first in VERBS else [] if first == "--version" else VERBS:
        verb = find_verb(name)
        own = verbs.add_parser(
            name,
            help=verb.help,
            description=verb.description,
            epilog=verb.ending,
            formatter_class=HelpFormatter,
        )
        own.set_defaults(run_verb=verb.run)
        if name == first:
            verb.add_arguments(own)
            add_shared(own, "--color")
            parser.set_defaults(verb_parser=own)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command with the arguments, by default those of the process; return the exit status."""
    if arguments is None:  # when this process is the command
        atexit.register(gc.freeze)  # so that the interpreter does not collect garbage on exit
        # NumPy's linear algebra, which runs do not use, would otherwise start a thread for each processor.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    words = list(sys.argv[1:] if arguments is None else arguments)
    if sys.stdout is None:  # the process was started with standard output closed
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - it stays open to the end
    if arguments is None:
        _encode_pipes()
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors=REPLACEMENT)  # replaces suit symbols and bars that the encoding lacks

    # The first word decides which verb's arguments are read; an unknown word gets an error of two lines.
    switches: dict[str, str] = {}
    options: argparse.Namespace | None = None
    try:
        parser = build_parser(*words[:1])
        if words[:1] in (["run"], ["explain"], ["translate"]):
            from dealerkit.cli.run import expand_switches

            words = expand_switches(words, parser.get_default("verb_parser"))
        if not words:
            parser.print_help(sys.stderr)
            return FAILED
        if words[0] not in VERBS and not words[0].startswith("-"):
            longer = [f"; did you mean {name!r}?" for name in VERBS if name.startswith(words[0])]
            near = "".join(longer[:1]) or suggest_name(words[0], VERBS)
            near = near or f"; the verbs are {', '.join(VERBS)}"
            parser.error(f"there is no verb {words[0]!r}{near}")
        options, others = parser.parse_known_args(words)
        verb_parser = vars(options).pop("verb_parser")
        if others and "--" not in words and verb_parser._subparsers is None:
            # Arguments separated by switches, which the parser of all verbs would count as too many
            options, others = verb_parser.parse_known_intermixed_args(words[1:])
        if others:
            _refuse(verb_parser, others)

        # Do the work. Messages about parameters of Python show the switches that set them.
        switches |= _list_switches(verb_parser)
        show: Any = functools.partial(_show_warning, switches, options)
        warnings.showwarning = show
        status: int = options.run_verb(options)
        sys.stdout.flush()
        return status
    except DealerkitError as error:
        with contextlib.suppress(BrokenPipeError):
            sys.stdout.flush()
        for part in getattr(error, "errors", (error,)):  # a script may have several mistakes
            print_message(part.format(switches), options, is_error=True)
        return FAILED
    except OSError as error:
        # Standard output cannot be written; Python would report that once more on exit.
        null = os.open(os.devnull, os.O_WRONLY)
        if isinstance(error, BrokenPipeError) or sys.platform == "win32" and error.errno == errno.EINVAL:
            os.dup2(null, sys.stdout.fileno())  # the reader has closed the pipe (| head)
            return 0
        os.dup2(null, 1)
        print_message(f"dealerkit: {describe_system_error(error)}", options, is_error=True)
        return FAILED
    except KeyboardInterrupt as interrupt:
        # What was kept, if anything
        print_message(f"dealerkit: {interrupt if interrupt.args else NO_RESULT}", options)
        return INTERRUPTED
    finally:
        if arguments is None and threading.current_thread() is threading.main_thread():
            # A second interrupt while the interpreter exits would change the exit status or print a
            # traceback.
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _encode_pipes() -> None:
    """Write UTF-8 with the line ends of text files to pipes and files, on every system.

    A terminal keeps its own encoding, and PYTHONIOENCODING overrides this one.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            encoding = stream.encoding if os.environ.get("PYTHONIOENCODING") else "utf-8"
            stream.reconfigure(encoding=encoding, errors=stream.errors, newline="\n")


def _refuse(parser: argparse.ArgumentParser, words: Sequence[str]) -> None:
    """Exit with an error about words on the command line that the verb does not take."""
    name = words[0].partition("=")[0]
    if name.startswith("-"):
        # People name an argument by its value: --condition for "--given CONDITION", -o for "OUTPUT".
        value = {"-o": "output"}.get(name, name.lstrip("-").lower())
        named = [action for action in parser._actions if str(action.metavar).lower() == value]
        if len(named) == 1 and named[0].option_strings:
            parser.error(f"unknown option {name}; did you mean {named[0].option_strings[-1]!r}?")
        if len(named) == 1:
            parser.error(f"unknown option {name}; {named[0].metavar} is written without an option")
        options = [action for action in parser._actions if action.option_strings]
        known = [option for action in options for option in action.option_strings]
        if name == "--need" and "--tricks" in known:  # the option of another verb, similar to --seed
            parser.error(f"unknown option {name}; did you mean '--tricks'?")
        if value in ("north", "east", "south", "west") and "--predeal" in known:
            parser.error(f"unknown option {name}; write known cards as --predeal {value}=AKT75.A43.KQ52.7")
        parser.error(f"unknown option {name}{suggest_name(name, known)}")
    parser.error(f"{' '.join(words)!r} was not expected; put quotes around a text that contains spaces")


def _list_switches(parser: argparse.ArgumentParser) -> dict[str, str]:
    """Return the first long switch for each argument of a verb, by its name in Python."""
    long = [
        (option, action.dest)
        for action in parser._actions
        for option in action.option_strings
        if option.startswith("--")
    ]
    return {name: option for option, name in reversed(long)}


def _show_warning(
    switches: dict[str, str], options: argparse.Namespace, message: Warning | str, *_: Any
) -> None:
    text = message.format(switches) if isinstance(message, DealerkitWarning) else str(message)
    print_message(f"dealerkit: {text}", options)
