"""The differences between the three dialects, as one table of rules.

``v1`` is Hans van Staveren's dealer as Debian ships it, ``v2`` is JGM's
DealerV2 4.3, ``modern`` is the language of dealerkit. All other modules read the
difference they need from a `Rules`.
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
        Binary operators below `and`, loosest level first; one level is left associative.
    bits : {32, 64}
        Width of integers in expressions; 32 wraps as the old programs do.
    hundredths : bool
        True: every value is an integer, a decimal literal stands for 100 times itself and
        ltc, cccc, quality and opc count hundredths. False: natural units, real numbers.
    decimals : bool
        Decimal literals are allowed.
    negation : bool
        A minus may stand before any operand, not only before a number.
    extensions : bool
        The statements, actions, functions and contracts of DealerV2 are part of the language.
    modern_syntax : bool
        dealerkit's own functions (min, max, fit, board ...) and notations are part of the language:
        contracts such as 3NT, and inside shape{} capitals, `any`, `and`, `!=`, signs without blanks
        and a leading minus.
    comments_anywhere : bool
        ``#`` starts a comment anywhere, not only in column 1.
    last_condition_wins : bool
        A second condition or action list replaces the first, with a warning; else a second condition is an
        error, and the actions of all lists are taken.
    one_line_strings : bool
        A string may not contain a newline.
    altcount_offset : int
        Number of the `altcount` statement that means table 0.
    shared_tables : bool
        `altcount` also changes controls and losers, as in dealer v1.
    predeal_lengths : bool
        ``predeal spades(west) == 7`` is applied; else it is ignored with a warning.
    any_case : bool
        Sides and vulnerabilities may be written in any case.
    imps : {"v1", "v2", "official"}
        Table of `imps`.
    variant : {"v1", "coded", "intended"}
        Variant of functions whose definition differs between programs.
    random_zero : {"zero", "produced", "error"}
        The value of ``rnd(0)``.
    generate : int or None
        Limit of deals generated when `produce` is set and `generate` is not.
    loose_settings : bool
        `generate`, `seed` and the other settings are keywords only before a blank, and a single ``=``
        may stand before their value (with a warning).
    vulnerable_both : int or None
        Position in `VULNERABILITIES` that ``vulnerable both`` sets; None: `both` is not a keyword.
    includes : bool
        Scenarios are read: ``#include`` and ``Import`` lines, files for BBOalert, defaults of script
        variables, and definitions that are repeated. Else an include is a comment, with a warning.
    opener : bool
        The statement `opener` has an effect; else it is ignored with a warning.
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
        """Whether this is v1 or v2, whose scripts are run as the original programs run them."""
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
