"""``%%dealer``: a cell that holds a dealer script; its result is shown and kept in a variable."""

from __future__ import annotations

from typing import Any

from dealerkit.errors import DealerkitError


def load_ipython_extension(shell: Any) -> None:
    """Called by ``%load_ext dealerkit``."""
    from IPython.core.error import UsageError
    from IPython.core.magic import Magics, cell_magic, magics_class
    from IPython.core.magic_arguments import argument, magic_arguments, parse_argstring

    @magics_class
    class DealerMagics(Magics):
        @magic_arguments()
        @argument("-p", "--produce", type=int, help="stop after so many accepted deals")
        @argument("-g", "--generate", type=int, help="stop after so many deals dealt")
        @argument("-s", "--seed", type=int, help="seed; the result carries it")
        @argument("-o", "--output", default="result", help="name of the variable that keeps the result")
        @argument("-d", "--dialect", default="modern", choices=["modern", "v1", "v2"])
        @argument("--stream", default="uniform", choices=["uniform", "classic"])
        @argument("--plan", default="auto", choices=["auto", "plain", "staged", "conditional"])
        @argument("-x", "--swap", type=int, default=0, choices=[0, 2, 3], help="hands exchanged")
        @argument("--opener", help="seat that opens, in place of the script's")
        @argument("--title", help="in place of the script's")
        @argument("--par-vulnerable", default="none", choices=["none", "ns", "ew", "both"])
        @argument("--level", type=float, default=0.95, help="confidence level of the intervals")
        @argument("--keep", default="auto", help="how many deals the result keeps: a number, auto or all")
        @argument("--threads", type=int, help="default: one for each processor")
        @argument("--source", help="name of a variable with deals to ask instead of dealing")
        @argument("--param", action="append", default=[], help="N=TEXT: value of the script variable $N")
        @argument("--text", action="store_true", help="show the text of the command instead of tables")
        @argument("--plot", action="store_true", help="draw the reports")
        @cell_magic
        def dealer(self, line: str, cell: str) -> Any:
            """Run the cell as a dealer script."""
            from dealerkit.language.source import parse_variables
            from dealerkit.simulation.run import run

            options = parse_argstring(self.dealer, line)
            source = None
            if options.source:
                if options.source not in shell.user_ns:
                    raise UsageError(f"--source {options.source}: there is no such variable")
                source = shell.user_ns[options.source]
            try:
                result = run(
                    cell,
                    options.produce,
                    options.generate,
                    options.seed,
                    parse_variables([_unquoted(text) for text in options.param]),
                    options.dialect,
                    options.stream,
                    source,
                    options.plan,
                    int(options.keep) if options.keep.isdecimal() else options.keep,
                    threads=options.threads,
                    swap=options.swap,
                    level=options.level,
                    title=options.title and _unquoted(options.title),
                    opener=options.opener,
                    par_vulnerable=options.par_vulnerable,
                )
            except DealerkitError as error:
                # IPython shows a UsageError without a traceback, which would bury the place and the remedy.
                raise UsageError(str(error)) from None
            shell.user_ns[options.output] = result
            if options.plot:
                result.plot()
            if options.text:
                print(result.text, end="")
                return None
            return result

    shell.register_magics(DealerMagics)
    shell.Completer.custom_matchers.append(complete_words)


def _unquoted(text: str) -> str:
    """IPython leaves the quotes of an argument where they are."""
    return text.strip("'\"")


def complete_words(context: Any) -> dict:
    """Words of the language that begin like the one at the cursor, in a ``%%dealer`` cell.

    A matcher of IPython's completer, version 2 of its interface.
    """
    from IPython.core.completer import SimpleCompletion

    if not context.full_text.lstrip().startswith("%%dealer"):
        return {"completions": []}
    import dealerkit.language.functions  # noqa: F401  (it fills the registry)
    from dealerkit.language.dialects import MODERN
    from dealerkit.language.vocabulary import list_keywords

    start = context.token
    words = [word for word in list_keywords(MODERN) if start and word.startswith(start)]
    return {"completions": [SimpleCompletion(word, type="dealer") for word in words]}


complete_words.matcher_api_version = 2  # type: ignore[attr-defined]
