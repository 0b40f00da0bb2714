"""``%%dealer``: run a cell that contains a dealer script, show the result, keep it in a variable."""

from __future__ import annotations

import re
import shlex
from typing import Any

from dealerkit.errors import DealerkitError


def load_ipython_extension(shell: Any) -> None:
    """Register the magic and its completion; IPython calls this for ``%load_ext dealerkit``."""
    from IPython.core.error import UsageError
    from IPython.core.magic import Magics, cell_magic, magics_class
    from IPython.core.magic_arguments import argument, magic_arguments

    @magics_class
    class DealerMagics(Magics):
        @magic_arguments()
        @argument("-p", "--produce", type=int, help="stop after this number of produced deals")
        @argument("-g", "--generate", type=int, help="stop after this number of deals dealt")
        @argument("-s", "--seed", type=int, help="random seed; the result contains it")
        @argument("-o", "--output", default="result", help="variable for the result")
        @argument("-d", "--dialect", default="modern", choices=["modern", "v1", "v2"])
        @argument("--stream", default="uniform", choices=["uniform", "classic"])
        @argument("--plan", default="auto", choices=["auto", "plain", "staged", "conditional"])
        @argument(
            "-x", "--swap", type=int, default=0, choices=[0, 2, 3], help="2 or 6 deals from each shuffle"
        )
        @argument("--opener", help="seat that opens; it replaces that of the script")
        @argument("--title", help="title; it replaces that of the script")
        @argument("--vulnerable", help="vulnerable sides: none, ns, ew or both")
        @argument("--confidence", type=float, default=0.95, help="confidence level of the intervals")
        @argument("--keep", default="auto", help="deals that the result keeps: a number, auto or all")
        @argument("--threads", type=int, help="number of threads (default: one for each processor)")
        @argument("--source", help="variable with deals to evaluate instead of dealing")
        @argument(
            "--param",
            action="append",
            default=[],
            help="NAME=TEXT: value of $NAME; {n} is that of a variable n",
        )
        @argument("--text", action="store_true", help="print the text of the command instead of tables")
        @argument("--plot", action="store_true", help="plot the reports")
        @cell_magic
        def dealer(self, line: str, cell: str) -> Any:
            """Run the cell as a dealer script."""
            from dealerkit.language.script_variables import parse_variables
            from dealerkit.simulation.run import run

            options = self.dealer.parser.parse_args(_split_line(line))
            source = None
            if options.source:
                if options.source not in shell.user_ns:
                    raise UsageError(f"--source {options.source}: there is no such variable")
                source = shell.user_ns[options.source]
            try:
                result = run(
                    cell,
                    produce=options.produce,
                    generate=options.generate,
                    seed=options.seed,
                    params=parse_variables(_check_filled(options.param)),
                    dialect=options.dialect,
                    stream=options.stream,
                    source=source,
                    plan=options.plan,
                    keep=int(options.keep) if options.keep.isdecimal() else options.keep,
                    threads=options.threads,
                    swap=options.swap,
                    confidence=options.confidence,
                    title=options.title,
                    opener=options.opener,
                    vulnerable=options.vulnerable,
                )
            except DealerkitError as error:
                # IPython shows a UsageError without a traceback, so that the message is seen at once.
                raise UsageError(str(error)) from None
            shell.user_ns[options.output] = result
            if options.plot:
                result.plot()
            if options.text:
                print(result.text, end="")
                return None
            return result

    shell.register_magics(DealerMagics)
    shell.Completer.custom_matchers.append(complete_names)


def _split_line(line: str) -> list[str]:
    """Return the arguments of a line, split and without quotes as by a shell."""
    from IPython.core.error import UsageError

    try:
        return shlex.split(line)
    except ValueError as reason:
        raise UsageError(f"{line!r}: {reason}") from None


def _check_filled(texts: list[str]) -> list[str]:
    """Return arguments ``name=value``; raise UsageError where IPython has not replaced ``{variable}``."""
    from IPython.core.error import UsageError

    for text in texts:
        if match := re.fullmatch(r"[^=]*=\{([^{}]*)\}", text):
            raise UsageError(f"--param {text}: {match[1]!r} has no value in this notebook")
    return texts


def complete_names(context: Any) -> dict:
    """Return the names of the language that begin like the one at the cursor, in a ``%%dealer`` cell.

    The interface is version 2 of the matchers of IPython's completer.
    """
    from IPython.core.completer import SimpleCompletion

    if not context.full_text.lstrip().startswith("%%dealer"):
        return {"completions": []}
    import dealerkit.language.functions  # noqa: F401  (it registers the functions)
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import list_keywords

    start = context.token
    names = [name for name in list_keywords(MODERN) if start and name.startswith(start)]
    return {"completions": [SimpleCompletion(name, type="dealer") for name in names]}


complete_names.matcher_api_version = 2  # type: ignore[attr-defined]
