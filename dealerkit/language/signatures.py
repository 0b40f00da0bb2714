"""The syntax of the language's actions, in the table `ACTIONS`; the functions are in `dealerkit.registry`.

The table begins with the actions of dealer and DealerV2. Every other action declares its syntax in a module
of its name in ``dealerkit/actions``, which `load_action` imports when a script contains the word.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from pathlib import Path

from dealerkit.registry import EXAMPLES


@dataclass(frozen=True, slots=True)
class ActionSignature:
    """The syntax of an action.

    Parameters
    ----------
    name : str
        The word that scripts use.
    arguments : tuple of str
        Kinds of its arguments as in `registry.Function.arguments`, and also ``item`` (trix, parcontract).
    label : bool
        Whether a text may come between the name and the arguments; not with optional parentheses.
    parenthesised : {"yes", "no", "optional"}
        Whether the arguments are in parentheses. With "no", there is no argument or one expression. With
        "optional", there is one expression, which can be omitted together with its parentheses.
    prints : bool
        Whether the action prints deals, so that a script without `produce` produces 40.
    extension : bool
        Whether dealer lacks the action.
    modern : bool
        Whether only modern scripts have the action, whatever `extension` is.
    summary : str
        One line of help.
    more : tuple of str
        Kinds of further arguments that may follow, all of them or none.
    modern_arguments : tuple of str
        Kinds of the arguments in modern scripts, if they differ.
    examples : tuple of str
        Examples for help and documentation; by default one with all arguments.

    Raises
    ------
    ValueError
        The grammar cannot read an action of this form.
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

    def __post_init__(self) -> None:
        if self.parenthesised == "yes":
            return
        if self.arguments not in ((), ("expression",)) or (self.label and self.parenthesised == "optional"):
            raise ValueError(
                f'the grammar cannot read the action {self.name}: give it parenthesised="yes"; without '
                "parentheses it may have one expression, and with optional ones no label"
            )

    def list_examples(self) -> tuple[str, ...]:
        """Return examples of the action for help and documentation."""
        given = ", ".join(EXAMPLES[kind.rstrip("?.").split("|")[0]] for kind in self.arguments)
        if self.parenthesised == "no":
            return self.examples or (f"{self.name} {given}".rstrip(),)
        return self.examples or (f"{self.name}({given})" if given else self.name,)


_TEXTS = ("string|expression", "string|expression...")
_ITEMS = ("seat|side|deal|item|string|expression", "seat|side|deal|item|string|expression...")
_RANGE = ("expression", "integer", "integer")
_BUCKETS = ("expression", "number", "number", "number")

_LIST = (
    ActionSignature(
        "print",
        ("seat", "seat..."),
        parenthesised="yes",
        prints=True,
        summary="all hands of each of these seats, printed after the last deal",
        examples=("print(north, south)",),
    ),
    ActionSignature("printall", prints=True, summary="all four hands in columns"),
    ActionSignature("printew", prints=True, summary="the hands of west and east"),
    ActionSignature("printpbn", prints=True, summary="the deal in portable bridge notation"),
    ActionSignature(
        "printlin",
        prints=True,
        modern=True,
        summary="the deal as a line of LIN, the format of Bridge Base Online",
    ),
    ActionSignature(
        "printcompact",
        ("expression",),
        parenthesised="optional",
        prints=True,
        summary="the four hands of a deal on four lines, and a value if there is one",
    ),
    ActionSignature(
        "printoneline",
        ("expression",),
        parenthesised="optional",
        prints=True,
        summary="the four hands of a deal on one line, and a value if there is one",
    ),
    ActionSignature(
        "printes",
        _TEXTS,
        parenthesised="yes",
        prints=True,
        summary="texts and values without separators; a newline is \\n",
        examples=('printes("north has ", hcp(north), " points", \\n)',),
    ),
    ActionSignature(
        "average",
        ("expression",),
        label=True,
        summary="mean of a value over the produced deals",
        examples=('average "points" hcp(north)',),
    ),
    ActionSignature(
        "frequency",
        _RANGE,
        more=_RANGE,
        label=True,
        parenthesised="yes",
        summary="how often each value from one number to another occurs, or each pair of two values",
        examples=(
            'frequency "spades" (spades(north), 3, 6)',
            'frequency "hands" (spades(north), 3, 6, hearts(north), 3, 5)',
        ),
    ),
    ActionSignature(
        "evalcontract",
        ("side", "contract", "vulnerable"),
        modern_arguments=("seat|side", "contract", "vulnerable"),
        parenthesised="yes",
        summary="double-dummy score of a contract and how often it makes; for a side, south or west declares",
        examples=("evalcontract(NS, x3N, nv)",),
    ),
    ActionSignature("printns", prints=True, extension=True, summary="the hands of north and south"),
    ActionSignature(
        "printside",
        ("side",),
        parenthesised="yes",
        prints=True,
        extension=True,
        summary="the two hands of a side",
        examples=("printside(EW)",),
    ),
    ActionSignature(
        "bktfreq",
        _BUCKETS,
        more=_BUCKETS,
        label=True,
        parenthesised="yes",
        extension=True,
        summary="how often a value is in each bucket of a width, between a first and a last number",
        examples=(
            'bktfreq "points" (hcp(north), 0, 19, 5)',
            'bktfreq "hands" (hcp(north), 5, 15, 5, spades(north), 2, 5, 2)',
        ),
    ),
    ActionSignature(
        "export",
        ("seat|side",),
        parenthesised="yes",
        extension=True,
        summary="hands as options for a command that deals them again",
        examples=("export(north)", "export(NS)"),
    ),
    ActionSignature(
        "csvrpt",
        _ITEMS,
        parenthesised="yes",
        prints=True,
        extension=True,
        summary="a line of values and hands in the file that the option `-C` names",
        examples=("csvrpt(hcp(north), north, EW)",),
    ),
    ActionSignature(
        "printrpt",
        _ITEMS,
        parenthesised="yes",
        prints=True,
        extension=True,
        summary="a line of values and hands on the screen",
        examples=('printrpt("deal", deal, trix(north))',),
    ),
)

ACTIONS: dict[str, ActionSignature] = {action.name: action for action in _LIST}


def register_action(signature: ActionSignature) -> None:
    """Add the syntax of an action to `ACTIONS`."""
    ACTIONS[signature.name] = signature


@functools.cache
def _list_modules() -> frozenset[str]:
    """Return the names of the modules in ``dealerkit/actions``, without importing them."""
    return frozenset(path.stem for path in (Path(__file__).parents[1] / "actions").glob("[a-z]*.py"))


def load_action(word: str) -> bool:
    """Return whether a word is an action; if a module of this name may declare it, import the module."""
    if word not in ACTIONS and word in _list_modules():
        importlib.import_module(f"dealerkit.actions.{word}")
    return word in ACTIONS


def load_all_actions() -> dict[str, ActionSignature]:
    """Return the syntax of all actions by name, including those that no script has used yet."""
    for module in sorted(_list_modules()):
        importlib.import_module(f"dealerkit.actions.{module}")
    return ACTIONS
