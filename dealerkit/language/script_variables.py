"""Script variables: ``$0`` to ``$9`` and ``$name`` in a script, and the values that replace them.

A name begins with a letter or an underscore and ends before the first character that is not a letter, digit
or underscore. A digit after the sign is a variable by itself: ``$10`` is ``$1``, followed by 0.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from dealerkit.appearance.wording import join_words
from dealerkit.arguments import Params as Params
from dealerkit.errors import ArgumentError, suggest_name

DIGITS = tuple("0123456789")
NAME = r"[0-9]|[A-Za-z_][A-Za-z0-9_]*"  # pattern, without the sign
_NAME = re.compile(NAME)


class ScriptVariables:
    """The values of script variables, for one or several scripts, and which of them the scripts use.

    Attributes
    ----------
    values : dict of str to object
        By name, without the sign, as they were given.

    Examples
    --------
    >>> variables = ScriptVariables({"low": 15, "shapes": "any 4333 + any 5332"})
    >>> variables.find_text("low"), variables.find_text("high")
    ('15', None)
    >>> variables.check_used()
    Traceback (most recent call last):
    dealerkit.errors.ArgumentError: params gives 'shapes' a value, but the script uses only $low
    """

    def __init__(self, params: Params = ()) -> None:
        self.values = dict(_check_items(params))
        self._texts = {name: format_value(name, value) for name, value in self.values.items()}
        self._used: set[str] = set()
        self._defaults: dict[str, str] = {}

    def add_defaults(self, texts: Mapping[str, str]) -> None:
        """Add texts of variables that have no value; the first text of a variable holds."""
        self._defaults = {**texts, **self._defaults}

    @classmethod
    def collect(cls, params: Params | ScriptVariables) -> ScriptVariables:
        """Return the variables of `params`; several scripts may share one collection of them."""
        return params if isinstance(params, ScriptVariables) else cls(params)

    def find_text(self, name: str) -> str | None:
        """Return the text that replaces a variable in a script, which uses it; None if there is no value."""
        if (text := self._texts.get(name)) is not None:
            self._used.add(name)
            return text
        return self._defaults.get(name)

    def suggest_value(self, name: str) -> str:
        """Return the end of a message about a variable without a value: how to give it."""
        known = [f"${given}" for given in (*self._texts, *self._defaults)]
        close = suggest_name(f"${name}", [other for other in known if other[1:] not in DIGITS])
        key = name if name in DIGITS else f'"{name}"'
        return (
            f"{close or ';'} give it in a line `# param {name} = 12`, with params={{{key}: ...}}, "
            f"or on a command line with --param {name}=12"
        )

    def check_used(self) -> None:
        """Raise ArgumentError for a named value that no script has used; unused digits are allowed."""
        unused = [name for name in self._texts if name not in self._used and name not in DIGITS]
        if unused:
            used = f"the script does not use ${unused[0]}"
            if self._used:
                used = f"the script uses only {join_words([f'${name}' for name in sorted(self._used)])}"
            raise ArgumentError(f"params gives {unused[0]!r} a value, but {used}")


def _check_items(params: Params) -> Iterator[tuple[str, Any]]:
    """Yield names and values; None, in a sequence or as a value, is not a value."""
    # Names and values come from a mapping, or values alone from a sequence.
    if isinstance(params, str | bytes):
        raise ArgumentError("params is a list of texts, one for each of $0 to $9, or a dict; not one text")
    if not isinstance(params, Iterable) or not getattr(params, "shape", True):
        raise ArgumentError(
            f'params is {params!r:.60}; it must be a dict such as {{"low": 15}}, or a list of texts for $0 '
            "to $9"
        )
    # Each name is that of a script variable, given once.
    is_mapping = isinstance(params, Mapping)
    names: set[str] = set()
    for key, value in params.items() if isinstance(params, Mapping) else enumerate(params):
        is_number = isinstance(key, Integral) and not isinstance(key, bool)
        name = str(key).removeprefix("$") if is_number or isinstance(key, str) else ""
        if not _NAME.fullmatch(name):
            if not is_mapping or is_number or name.isdigit():
                raise ArgumentError(f"script variables are $0 to $9 and names; there is no ${name}")
            raise ArgumentError(
                f"{key!r:.60} is not a name of a script variable; use letters, digits and underscores, "
                "and no digit as the first of several"
            )
        if name in names:
            raise ArgumentError(f"params gives ${name} twice")
        names.add(name)
        if value is not None:
            yield name, value


def format_value(name: str, value: Any) -> str:
    """Return the text that a value of the variable `name` has in a script.

    A text is kept, as it may be an expression or a list of shapes. A truth value is 1 or 0.

    Raises
    ------
    ArgumentError
        The value is neither a text nor a number, or not finite.

    Examples
    --------
    >>> format_value("low", 15), format_value("share", 2.50), format_value("strong", True)
    ('15', '2.5', '1')
    """
    if getattr(value, "ndim", None) == 0 and not isinstance(value, Real):
        value = value.item()  # an array without dimensions, a truth value of numpy
    if isinstance(value, str):
        return str(value)
    if isinstance(value, Integral | Real | Decimal):
        try:
            is_finite = math.isfinite(value)
        except (OverflowError, ValueError):  # an integer or a fraction beyond floats, Decimal("sNaN")
            raise ArgumentError(f"the value of ${name} is too large, or is not a number") from None
        if not is_finite:
            raise ArgumentError(f"the value of ${name} is {value}; it must be a finite number or a text")
        if isinstance(value, Integral):
            return str(int(value))
        text = str(value)
        # The shortest decimal number; a script has no numbers with an exponent, and no fractions.
        exact = Decimal(str(float(value)) if "/" in text else text)
        return f"{exact:f}"
    raise ArgumentError(
        f"the value of ${name} is {value!r:.60}; it must be a number or a text of the language"
    )


def parse_variables(texts: Sequence[str]) -> dict[str, str]:
    """Return the values of script variables by name, from texts such as ``low=15``.

    >>> parse_variables(["low=15", "0=north"])
    {'low': '15', '0': 'north'}
    """
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise ArgumentError(
                f"--param takes a name or a digit, '=' and a text, as low=15 or 0=spades; not {text!r}"
            )
        values[name] = value
    return values
