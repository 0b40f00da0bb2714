"""Script variables: ``$0`` to ``$9`` and ``$name`` in a script, and the values that replace them.

A name begins with a letter or an underscore and ends before the first character that is not a letter, digit
or underscore. A digit after the dollar sign is a name by itself: ``$10`` means ``$1`` followed by 0.
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
from dealerkit.errors import ArgumentError, quote, suggest_name

DIGITS = tuple("0123456789")
NAME = r"[0-9]|[A-Za-z_][A-Za-z0-9_]*"  # the pattern of a name, without the dollar sign
_NAME = re.compile(NAME)


class ScriptVariables:
    """The values of script variables for one or more scripts, and which of them the scripts have used.

    Attributes
    ----------
    values : dict of str to object
        The values as they were given, by name without the dollar sign.

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
        """Add default texts for variables without a value; of several for a variable, the first counts."""
        self._defaults = {**texts, **self._defaults}

    @classmethod
    def collect(cls, params: Params | ScriptVariables) -> ScriptVariables:
        """Return the variables of `params`; if it is a `ScriptVariables`, the same object, to share it."""
        return params if isinstance(params, ScriptVariables) else cls(params)

    def find_text(self, name: str) -> str | None:
        """Return the text that replaces a variable, and note that it is used; None if it has no value."""
        if (text := self._texts.get(name)) is not None:
            self._used.add(name)
            return text
        return self._defaults.get(name)

    def suggest_value(self, name: str) -> str:
        """Return the end of a message about a variable without a value, which says how to set it."""
        known = [f"${given}" for given in (*self._texts, *self._defaults)]
        close = suggest_name(f"${name}", [other for other in known if other[1:] not in DIGITS])
        key = name if name in DIGITS else f'"{name}"'
        return (
            f"{close or ';'} set it in a line `# param {name} = 12`, with params={{{key}: ...}}, "
            f"or on a command line with --param {name}=12"
        )

    def check_used(self) -> None:
        """Raise ArgumentError if no script has used a value; those of ``$0`` to ``$9`` may be unused."""
        unused = [name for name in self._texts if name not in self._used and name not in DIGITS]
        if unused:
            used = f"the script does not use ${unused[0]}"
            if self._used:
                used = f"the script uses only {join_words([f'${name}' for name in sorted(self._used)])}"
            raise ArgumentError(f"params gives {unused[0]!r} a value, but {used}")


def _check_items(params: Params) -> Iterator[tuple[str, Any]]:
    """Yield the names and values of script variables, without those whose value is None."""
    # A mapping has names and values, a sequence the values of $0 to $9.
    if isinstance(params, str | bytes):
        raise ArgumentError("params is a list of texts, one for each of $0 to $9, or a dict; not one text")
    if not isinstance(params, Iterable) or not getattr(params, "shape", True):
        raise ArgumentError(
            f'params is {quote(params)}; it must be a dict such as {{"low": 15}}, or a list of texts for $0 '
            "to $9"
        )
    # Each name must be a possible name of a script variable, and occur once.
    is_mapping = isinstance(params, Mapping)
    names: set[str] = set()
    for key, value in params.items() if isinstance(params, Mapping) else enumerate(params):
        is_number = isinstance(key, Integral) and not isinstance(key, bool)
        name = str(key).removeprefix("$") if is_number or isinstance(key, str) else ""
        if not _NAME.fullmatch(name):
            if not is_mapping or is_number or name.isdigit():
                raise ArgumentError(
                    f"${name} is not a script variable; they are $0 to $9 and names such as $low"
                )
            raise ArgumentError(
                f"{quote(key)} is not a name of a script variable; use letters, digits and underscores, "
                "and no digit as the first of several"
            )
        if name in names:
            raise ArgumentError(f"params gives ${name} twice")
        names.add(name)
        if value is not None:
            yield name, value


def format_value(name: str, value: Any) -> str:
    """Return the text that replaces the variable `name` in a script if it has this value.

    A text is kept, because it may be an expression or a list of shapes. True and False become 1 and 0.

    Raises
    ------
    ArgumentError
        The value is neither a text nor a number, or is not finite.

    Examples
    --------
    >>> format_value("low", 15), format_value("share", 2.50), format_value("strong", True)
    ('15', '2.5', '1')
    """
    if getattr(value, "ndim", None) == 0 and not isinstance(value, Real):
        value = value.item()  # of an array without dimensions, or a truth value of numpy
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
        # Write the shortest decimal number, because scripts have no exponents and no fractions.
        exact = Decimal(str(float(value)) if "/" in text else text)
        return f"{exact:f}"
    raise ArgumentError(
        f"the value of ${name} is {quote(value)}; it must be a number or a text of the language"
    )


def parse_variables(texts: Sequence[str]) -> dict[str, str]:
    """Return the values of script variables by name, from texts such as ``low=15``.

    Raises
    ------
    ArgumentError
        A text is not a name or digit, an equals sign and a value.

    Examples
    --------
    >>> parse_variables(["low=15", "0=north"])
    {'low': '15', '0': 'north'}
    """
    values = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not _NAME.fullmatch(name):
            raise ArgumentError(
                f"--param takes a name or digit, '=' and a value, such as low=15 or 0=spades; not {text!r}"
            )
        values[name] = value
    return values
