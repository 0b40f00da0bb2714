"""``%%dealer`` runs a cell that contains a script; ``%dealer`` evaluates one expression."""

from __future__ import annotations

import keyword
import re
import shlex
import warnings
from typing import Any

from dealerkit.errors import ArgumentError, DealerkitWarning, quote, suggest_name

# Options that %dealer accepts before an expression
_LINE_OPTIONS = {"seed", "confidence", "source", "param", "given", "explain", "help"}
LINE_SECONDS = 60.0  # limit of time for an expression that is estimated from deals
HELP = """
%dealer EXPRESSION   returns the probability of a condition, or the mean of any other expression
%%dealer             runs the script on the lines below it, for example:

%%dealer -p 1000
condition hcp(north) >= 15 and hcp(north) <= 17 and balanced(north)
action average "points of south" hcp(south), frequency "spades" (spades(south), 0, 13)

A cell stores its result in the variable `result`. %config Dealer sets defaults, for example
%config Dealer.produce = 1000. dk.functions lists the functions of the language.
"""


def load_ipython_extension(shell: Any) -> None:
    """Register the magics, completion, settings and panels; ``%load_ext dealerkit`` calls this function.

    It can be called again, and then replaces what it registered before.

    Parameters
    ----------
    shell : IPython.InteractiveShell
        The shell of the notebook or terminal.

    Examples
    --------
    >>> from IPython.core.interactiveshell import InteractiveShell
    >>> shell = InteractiveShell()
    >>> load_ipython_extension(shell)
    >>> "dealer" in shell.magics_manager.magics["cell"]
    True
    """
    from dealerkit.notebook.completion import make_matcher
    from dealerkit.notebook.inspection import install_inspection
    from dealerkit.notebook.lexer import show_colors
    from dealerkit.notebook.shell import install_panels

    # Help about words of the language, the magics and their settings
    install_inspection(shell)
    magics = define_magics()(shell=shell, config=shell.config)
    shell.register_magics(magics)
    shell.configurables[:] = [other for other in shell.configurables if type(other).__name__ != "Dealer"]
    shell.configurables.append(magics)
    # Completion
    matchers = shell.Completer.custom_matchers
    matchers[:] = [matcher for matcher in matchers if getattr(matcher, "__name__", "") != "complete_dealer"]
    options = {
        option: [str(choice) for choice in action.choices or ()]
        for action in magics.dealer.parser._actions
        for option in action.option_strings
    }
    matchers.append(make_matcher(options, shell.user_ns))
    # What is shown: panels of errors, colours of cells
    install_panels(shell)
    if magics.highlight:
        show_colors(shell)
    cleanup = shell.input_transformers_cleanup
    cleanup[:] = [step for step in cleanup if getattr(step, "__name__", "") != "add_body"] + [add_body]


def define_magics() -> type:
    """Return the class of the magics; IPython and traitlets are imported here."""
    from IPython.core.magic import Magics, line_cell_magic, magics_class, no_var_expand
    from IPython.core.magic_arguments import argument, magic_arguments
    from traitlets import Bool, Enum, Float, Int, observe

    from dealerkit.appearance.html import set_appearance

    @magics_class
    class Dealer(Magics):
        """The magics %dealer and %%dealer, and their settings for %config."""

        dialect = Enum(["modern", "v1", "v2"], "modern", help="Dialect of scripts.").tag(config=True)
        produce = Int(None, allow_none=True, help="Number of deals that a cell produces.").tag(config=True)
        confidence = Float(0.95, help="Confidence level of intervals.").tag(config=True)
        threads = Int(None, allow_none=True, help="Number of threads.").tag(config=True)
        highlight = Bool(True, help="Colour the words of dealer cells when %load_ext runs.").tag(config=True)
        suits = Enum(["four", "two"], "four", help="Number of colours for suits.").tag(config=True)
        theme = Enum(["page", "light", "dark"], "page", help="Colours of output.").tag(config=True)

        @observe("suits", "theme")
        def _set_appearance(self, change: Any) -> None:
            set_appearance(suits=self.suits, theme=self.theme)

        @magic_arguments()
        @argument("-p", "--produce", type=int, help="stop after this number of produced deals")
        @argument("-g", "--generate", type=int, help="stop after this number of deals dealt")
        @argument("-s", "--seed", type=int, help="random seed; the result contains it")
        @argument("-o", "--output", default="result", help="variable that receives the result")
        @argument("-d", "--dialect", choices=["modern", "v1", "v2"], help="dialect of the script")
        @argument("--stream", default="uniform", choices=["uniform", "classic"], help="generator of deals")
        @argument("--plan", default="auto", choices=["auto", "plain", "staged", "conditional"],
                  help="how deals that meet the condition are found")  # fmt: skip
        @argument("-x", "--swap", type=int, default=0, choices=[0, 2, 3],
                  help="exchange hands: 2 makes 2 deals of each shuffle, 3 makes 6")  # fmt: skip
        @argument("--opener", help="seat that opens, instead of the one in the script")
        @argument("--title", help="title, instead of the one in the script")
        @argument("--vulnerable", help="vulnerable sides: none, ns, ew or both")
        @argument("--confidence", type=float, help="confidence level of the intervals")
        @argument("--keep", default="auto", help="number of deals that the result keeps, or auto or all")
        @argument("--threads", type=int, help="number of threads (default: one for each processor)")
        @argument("--source", help="variable with deals to evaluate instead of dealing")
        @argument("--param", action="append", default=[], metavar="NAME=TEXT",
                  help="value of $NAME; {n} is the value of the variable n of the notebook")  # fmt: skip
        @argument("--given", help="only with an expression: a condition that all deals meet")
        @argument("--text", action="store_true", help="print plain text, as the command does, not tables")
        @argument("--plot", action="store_true", help="plot the reports")
        @argument("--explain", action="store_true", help="explain the script in words; nothing is dealt")
        @argument("-h", "--help", action="store_true", help="show this help")
        @no_var_expand  # IPython would also replace $low
        @line_cell_magic
        def dealer(self, line: str, cell: str | None = None) -> Any:
            """Run the cell as a dealer script, or evaluate the expression on the line."""
            shell: Any = self.shell
            names = shell.user_ns
            words, expression = split_options(fill_braces(line, names), self.dealer.parser, cell is None)
            options = parse_options(self.dealer.parser, words)
            if options.help or not (cell or expression or words):
                print(self.dealer.parser.format_help().rstrip() + "\n" + HELP)
                return None
            check_options(options, self.dealer.parser, is_line=cell is None)
            options.dialect = options.dialect or self.dialect
            options.threads = self.threads if options.threads is None else options.threads
            options.confidence = self.confidence if options.confidence is None else options.confidence
            options.produce = self.produce if options.produce is None else options.produce
            with warnings.catch_warnings():  # show warnings again when a cell runs again
                warnings.simplefilter("always", DealerkitWarning)
                script = expression if cell is None else cell
                if options.explain:
                    return explain_script(script, options)
                if cell is None:
                    return evaluate_line(script, options, names)
                names[options.output] = result = run_cell(script, options, names)
            if options.plot:
                result.plot()
            if options.text:
                print(result.text, end="")
                return None
            return result

    return Dealer


def run_cell(script: str, options: Any, names: dict[str, Any]) -> Any:
    """Run a script with the options of the magic and return its result."""
    from dealerkit.simulation.job import RunOptions
    from dealerkit.simulation.run import run_script

    if not script.strip():
        raise ArgumentError("the cell has no script; write one below %%dealer, such as hcp(north) >= 15")
    run_options = RunOptions(
        produce=options.produce,
        generate=options.generate,
        seed=options.seed,
        params=read_params(options.param),
        dialect=options.dialect,
        stream=options.stream,
        source=find_source(options.source, names),
        plan=options.plan,
        keep=int(options.keep) if options.keep.isdecimal() else options.keep,
        threads=options.threads,
        swap=options.swap,
        confidence=options.confidence,
        title=options.title,
        opener=options.opener,
        vulnerable=options.vulnerable,
    )
    return run_script(script, run_options)


def explain_script(script: str, options: Any) -> Any:
    """Return the explanation of a script in words."""
    from dealerkit.advice.explain import explain

    limits = {"produce": options.produce, "generate": options.generate, "plan": options.plan}
    return explain(script, dialect=options.dialect, params=read_params(options.param), **limits)


def evaluate_line(expression: str, options: Any, names: dict[str, Any]) -> Any:
    """Return the probability of a condition, or the mean of any other expression, with an interval.

    An expression is a condition if 0 and 1 are its only values. With `--source` the result is about those
    deals; without it, about all deals.
    """
    from dealerkit.compiler.compilation import compile_condition
    from dealerkit.planning.plan import needs_solver
    from dealerkit.simulation.probability import probability
    from dealerkit.studies.estimate import estimate

    params = read_params(options.param)
    if not expression.strip():
        raise ArgumentError("%dealer has no expression; write one, such as %dealer hcp(north) >= 15")
    # Is it a condition, and does it need the solver?
    compiled = compile_condition(expression, options.given, params=params)
    slots, graph = compiled.clauses, compiled.graph
    solves = any(needs_solver(graph, slot) for slot in [*slots, *compiled.given])
    ranges = [graph.operations[slot].range for slot in slots]
    is_condition = len(slots) != 1 or (ranges[0].low, ranges[0].high) in ((0, 0), (0, 1), (1, 1))
    # Conditions without tricks are counted where possible; everything else is estimated from deals.
    source = find_source(options.source, names)
    if is_condition and not solves and source is None:
        kept = {"confidence": options.confidence, "seed": options.seed}
        return probability(expression, options.given, params=params, **kept)
    precision = 0.01 if not solves else 0.02 if is_condition else 0.05
    return estimate(
        expression,
        options.given,
        params=params,
        deals=source,
        precision=precision,
        confidence=options.confidence,
        seed=options.seed,
        max_seconds=LINE_SECONDS,
    )


def find_source(name: str | None, names: dict[str, Any]) -> Any:
    """Return the deals in a variable of the notebook, or None without a name."""
    if name is None:
        return None
    if name not in names:
        close = suggest_name(name, names) or "; assign the deals to it in a cell first"
        raise ArgumentError(f"--source {name}: there is no such variable{close}")
    return names[name]


def add_body(lines: list[str]) -> list[str]:
    """Return the lines of a cell, with an empty one after a lone ``%%dealer --help``; IPython needs it."""
    is_alone = re.match(r"%%dealer\b", "".join(lines)) and len(lines) == 1
    return [lines[0].rstrip("\n") + "\n", "\n"] if is_alone else lines


def fill_braces(line: str, names: dict[str, Any]) -> str:
    """Replace Python expressions in braces by their values; braces that cannot be evaluated stay.

    >>> fill_braces("--param low={n + 1} shape{north, 5+xxx} {missing}", {"n": 14})
    '--param low=15 shape{north, 5+xxx} {missing}'
    """

    def fill(match: re.Match[str]) -> str:
        try:
            return str(eval(match[1], {}, names))  # IPython does so for other magics
        except Exception:
            return match[0]

    return re.sub(r"(?<!shape)\{([^{}]+)\}", fill, line)


def split_options(line: str, parser: Any, has_expression: bool) -> tuple[list[str], str]:
    """Split the options at the beginning of a line as a shell does; return them and the expression."""
    rest, words = line.strip(), []
    known = parser._option_string_actions
    while has_expression and (match := re.match(r"(--?[a-z][a-z-]*)(=\S+)?(?=\s|$)\s*", rest)):
        words.append(match[0].strip())
        rest = rest[match.end() :]
        action = known.get(match[1])
        if action is not None and action.nargs != 0 and not match[2]:
            value = re.match(r"\"[^\"]*\"|'[^']*'|(?:\"[^\"]*\"|'[^']*'|[^\s\"'])+", rest)
            words += _split_words(value[0])[:1] if value else []
            rest = rest[value.end() :].strip() if value else rest
    return (words, rest) if has_expression else (_split_words(rest), "")


def _split_words(text: str) -> list[str]:
    """Split a text into words as a shell does."""
    try:
        return shlex.split(text)
    except ValueError as reason:
        is_quote = "quotation" in str(reason)
        fault = "a quotation mark is not closed; close it" if is_quote else "it ends with \\; delete this"
        raise ArgumentError(f"the options {quote(text)} cannot be read: {fault}") from None


def parse_options(parser: Any, words: list[str]) -> Any:
    """Return the options of a line; an ArgumentError names the option closest to an unknown one."""
    from IPython.core.error import UsageError

    known = parser._option_string_actions
    for word in words:
        name = word.partition("=")[0]
        if re.fullmatch("--[a-z][a-z-]*", name) and name not in known:
            close = suggest_name(name, [other for other in known if other.startswith("--")])
            raise ArgumentError(f"unknown option {name!r}{close or '; --help lists them'}")
    try:
        return parser.parse_args(words)
    except UsageError as reason:
        raise ArgumentError(f"{reason}; --help lists the options") from None


def check_options(options: Any, parser: Any, is_line: bool) -> None:
    """Raise ArgumentError for options without an effect and for a name that no variable can have."""
    name = options.output
    if not name.isidentifier() or keyword.iskeyword(name):
        raise ArgumentError(f"-o {name!r} is not the name of a variable; use letters, such as -o result")
    if not is_line:
        useless = {"given"}
        remedy = "only works for %dealer with an expression; in a cell, write it as a condition"
    elif options.explain:
        return
    else:
        useless = {item.dest for item in parser._actions} - _LINE_OPTIONS
        remedy = "has no effect on a line; write the script in a cell that begins with %%dealer"
    for item in parser._actions:
        if item.dest in useless and getattr(options, item.dest) != item.default:
            raise ArgumentError(f"{item.option_strings[-1]} {remedy}")


def read_params(texts: list[str]) -> dict[str, str]:
    """Return the values of script variables; raise ArgumentError if a ``{variable}`` has no value."""
    from dealerkit.language.script_variables import parse_variables

    for text in texts:
        if match := re.fullmatch(r"[^=]*=\{([^{}]*)\}", text):
            raise ArgumentError(
                f"--param {text}: {match[1]!r} has no value in this notebook; assign it in a cell first"
            )
    return parse_variables(texts)
