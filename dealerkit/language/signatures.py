"""The actions of the language, in `ACTIONS`; the functions are in `dealerkit.registry`."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class ActionSignature:
    """The syntax of an action.

    Parameters
    ----------
    name : str
    arguments : tuple of str
        Kinds as in `registry.Function.arguments`, and also ``item`` (trix, parcontract).
    label : bool
        A text may stand between the name and the arguments.
    parenthesised : {"yes", "no", "optional"}
        Whether the arguments are in parentheses; optional: parentheses and arguments may be omitted.
    prints : bool
        Whether it counts as printing when the default of `produce` is chosen.
    extension : bool
        Whether it is missing from dealer v1.
    modern : bool
        Whether it is in modern only.
    summary : str
        One line of help.
    more : tuple of str
        Further arguments that may follow, all of them or none.
    modern_arguments : tuple of str
        The kinds in modern, where they differ.
    examples : tuple of str
        For help and documentation.
    """

    name: str
    arguments: tuple[str, ...] = ()
    label: bool = False
    parenthesised: str = "no"
    prints: bool = False
    extension: bool = False
    modern: bool = False
    summary: str = ""
    more: tuple[str, ...] = ()
    modern_arguments: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()


_TEXTS = ("string|expression", "string|expression...")
_ITEMS = ("seat|side|deal|item|string|expression", "seat|side|deal|item|string|expression...")
_RANGE = ("expression", "integer", "integer")
_BUCKETS = ("expression", "number", "number", "number")

_LIST = (
    ActionSignature(
        "print", ("seat", "seat..."), summary="after the last deal all hands of each of these seats"
    ),
    ActionSignature("printall", summary="all four hands in columns"),
    ActionSignature("printew", summary="the hands of west and east"),
    ActionSignature("printpbn", summary="the deal in portable bridge notation"),
    ActionSignature("printlin", summary="the deal as a line of LIN, the format of Bridge Base Online"),
    ActionSignature(
        "printcompact",
        ("expression",),
        summary="the four hands of a deal on four lines, and a value if there is one",
    ),
    ActionSignature(
        "printoneline",
        ("expression",),
        summary="the four hands of a deal on one line, and a value if there is one",
    ),
    ActionSignature("printes", _TEXTS, summary="texts and values without separators; a newline is \\n"),
    ActionSignature("average", ("expression",), summary="mean of a value over the produced deals"),
    ActionSignature(
        "frequency",
        _RANGE,
        more=_RANGE,
        summary="how often each value from one number to another occurs; or two values against each other",
    ),
    ActionSignature(
        "evalcontract",
        ("side", "contract", "vulnerable"),
        modern_arguments=("seat|side", "contract", "vulnerable"),
        summary="score of a contract and how often it makes, double dummy; south or west declares for a side",
    ),
    ActionSignature("printns", summary="the hands of north and south"),
    ActionSignature("printside", ("side",), summary="the two hands of a side"),
    ActionSignature(
        "bktfreq",
        _BUCKETS,
        more=_BUCKETS,
        summary="how often a value is in each bucket: the value, where buckets begin and end, their width",
    ),
    ActionSignature("export", ("seat|side",), summary="hands as switches of a command that deals them again"),
    ActionSignature("csvrpt", _ITEMS, summary="a line of values and hands for a file, that of the switch -C"),
    ActionSignature("printrpt", _ITEMS, summary="a line of values and hands on the screen"),
)
_LABELLED = ("average", "frequency", "bktfreq")
_OPTIONAL = ("printcompact", "printoneline")
_SILENT = ("average", "frequency", "bktfreq", "evalcontract", "export")
_MODERN = ("printlin",)
_EXTENSIONS = ("printns", "printside", "bktfreq", "export", "csvrpt", "printrpt")


_EXAMPLES = {
    "print": ("print(north, south)",),
    "printcompact": ("printcompact(hcp(north))",),
    "printoneline": ("printoneline(hcp(north))",),
    "printes": ('printes("north has ", hcp(north), " points", \\n)',),
    "average": ('average "points" hcp(north)',),
    "frequency": (
        'frequency "spades" (spades(north), 3, 6)',
        'frequency "hands" (spades(north), 3, 6, hearts(north), 3, 5)',
    ),
    "evalcontract": ("evalcontract(NS, x3N, nv)",),
    "printside": ("printside(EW)",),
    "bktfreq": (
        'bktfreq "points" (hcp(north), 0, 19, 5)',
        'bktfreq "hands" (hcp(north), 5, 15, 5, spades(north), 2, 5, 2)',
    ),
    "export": ("export(north)", "export(NS)"),
    "csvrpt": ("csvrpt(hcp(north), north, EW)",),
    "printrpt": ('printrpt("deal", deal, trix(north))',),
}


def _completed(action: ActionSignature) -> ActionSignature:
    bare = not action.arguments or action.name == "average"
    return replace(
        action,
        label=action.name in _LABELLED,
        parenthesised="optional" if action.name in _OPTIONAL else "no" if bare else "yes",
        prints=action.name not in _SILENT,
        extension=action.name in (*_EXTENSIONS, *_MODERN),
        modern=action.name in _MODERN,
        examples=_EXAMPLES.get(action.name, (action.name,)),
    )


ACTIONS: dict[str, ActionSignature] = {action.name: _completed(action) for action in _LIST}
