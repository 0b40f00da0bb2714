"""The differences between the three dialects, as one table of rules.

``v1`` is Hans van Staveren's dealer as Debian ships it, ``v2`` is JGM's DealerV2 4.3, and ``modern`` is the
language of dealerkit. The other modules look up every difference between the dialects in a `Rules`.
"""

from __future__ import annotations

from dataclasses import dataclass

from dealerkit.appearance.wording import limit_repr
from dealerkit.errors import ArgumentError, suggest_name

C_LEVELS = (("==", "!="), ("<", "<=", ">", ">="), ("+", "-"), ("*", "/", "%"))
V2_LEVELS = (
    ("==",), ("!=",), ("<",), ("<=",), (">",), (">=",), ("+", "-"), ("*",), ("/",), ("%",),
)  # fmt: skip


@limit_repr
@dataclass(frozen=True, slots=True)
class Rules:
    """The rules of one dialect.

    Parameters
    ----------
    name : {"v1", "v2", "modern"}
    levels : tuple of tuple of str
        The binary operators that bind tighter than `and`, the loosest level first; the operators of one level
        are left associative.
    bits : {32, 64}
        Width of integers in expressions; with 32, results wrap around as in the old programs.
    hundredths : bool
        True: every value is an integer, a number with a decimal point means 100 times itself, and ltc, cccc,
        quality and opc count hundredths. False: values are real numbers in natural units.
    decimals : bool
        Numbers may have a decimal point.
    negation : bool
        A minus may precede any operand, not only a number.
    extensions : bool
        The statements, actions, functions and contracts of DealerV2 are part of the language.
    modern_syntax : bool
        dealerkit's own functions (min, max, fit, board ...) and notations are part of the language:
        contracts such as 3NT, and inside shape{} capitals, `any`, `and`, `!=`, signs without blanks
        and a leading minus.
    comments_anywhere : bool
        ``#`` starts a comment anywhere, not only in column 1.
    last_condition_wins : bool
        True: a second condition or action list replaces the first, with a warning. False: a second condition
        is an error, and the actions of all lists are executed.
    one_line_strings : bool
        A string cannot contain a newline.
    altcount_offset : int
        The number in an `altcount` statement that means the table of tens.
    shared_tables : bool
        `altcount` also changes controls and losers, as in dealer.
    predeal_lengths : bool
        ``predeal spades(west) == 7`` is applied; otherwise it is ignored with a warning.
    any_case : bool
        Sides and vulnerabilities may be written in any case.
    imps : {"v1", "v2", "official"}
        The IMP table that the function `imps` uses.
    variant : {"v1", "coded", "intended"}
        The variant of functions that the programs compute differently: that of dealer, that of DealerV2, or
        the one that the function's authors intend.
    random_zero : {"zero", "produced", "error"}
        The value of ``rnd(0)``.
    generate : int or None
        The largest number of deals that are generated if `produce` is set and `generate` is not.
    loose_settings : bool
        `generate`, `seed` and the other settings are keywords only before a blank, and an ``=`` may precede
        their value (with a warning).
    vulnerable_both : int or None
        The index in `VULNERABILITIES` that ``vulnerable both`` sets; None: `both` is not a keyword.
    includes : bool
        Scenarios are read: ``#include`` and ``Import`` lines, files for BBOalert, default values of script
        variables, and repeated definitions. Otherwise an include is a comment, with a warning.
    opener : bool
        The statement `opener` has an effect; otherwise it is ignored with a warning.
    """

    name: str
    levels: tuple[tuple[str, ...], ...] = C_LEVELS
    bits: int = 32
    hundredths: bool = True
    decimals: bool = False
    negation: bool = False
    extensions: bool = False
    modern_syntax: bool = False
    comments_anywhere: bool = False
    last_condition_wins: bool = True
    one_line_strings: bool = False
    altcount_offset: int = 0
    shared_tables: bool = False
    predeal_lengths: bool = True
    any_case: bool = False
    imps: str = "official"
    variant: str = "intended"
    random_zero: str = "zero"
    generate: int | None = 10_000_000
    loose_settings: bool = False
    vulnerable_both: int | None = None
    includes: bool = False
    opener: bool = False

    @property
    def is_classic(self) -> bool:
        """Whether this is v1 or v2, whose scripts run as in the original programs."""
        return self.name != "modern"


V1 = Rules("v1", altcount_offset=2, shared_tables=True, predeal_lengths=False, imps="v1", variant="v1")
V2 = Rules(
    "v2",
    levels=V2_LEVELS,
    decimals=True,
    extensions=True,
    one_line_strings=True,
    imps="v2",
    variant="coded",
    random_zero="produced",
    loose_settings=True,
    vulnerable_both=0,
    includes=True,
)
MODERN = Rules(
    "modern",
    bits=64,
    hundredths=False,
    decimals=True,
    negation=True,
    extensions=True,
    modern_syntax=True,
    comments_anywhere=True,
    last_condition_wins=False,
    any_case=True,
    random_zero="error",
    generate=None,
    vulnerable_both=3,
    includes=True,
    opener=True,
)
DIALECTS = {rules.name: rules for rules in (V1, V2, MODERN)}


def find_rules(dialect: str | Rules) -> Rules:
    """Return the rules of a dialect by its name.

    >>> find_rules("v1").bits
    32
    """
    if isinstance(dialect, Rules):
        return dialect
    try:
        return DIALECTS[dialect]
    except (KeyError, TypeError):  # an unhashable value is not a name either
        raise ArgumentError(f"unknown dialect {dialect!r}{suggest_name(str(dialect), DIALECTS)}") from None
