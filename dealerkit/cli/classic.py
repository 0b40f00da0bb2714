"""The one-letter switches of the classic programs, in terms of our long options.

The old programs read their command line with getopt: letters may be joined (``-vq``),
an argument may stick to its letter (``-p10``) or be the next word, whatever that
begins with. What a letter means depends on the dialect.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dealerkit.errors import ArgumentError

# Long options by letter; those that end in = take an argument.
_ALL = {
    "p": "--produce=", "g": "--generate=", "s": "--seed=", "m": "--progress", "q": "--quiet",
    "v": "--no-statistics", "V": "--version", "h": "--help",
}  # fmt: skip
_V2 = {
    **_ALL, "x": "--swap=", "C": "--csvrpt=", "X": "--export=", "T": "--title=", "N": "--north=",
    "E": "--east=", "S": "--south=", "W": "--west=", "O": "--opener=", "P": "--par-vulnerable=",
    "R": "--solver-threads=", "M": "--solver-mode=", "D": "--debug=", "U": "--evaluation-server=",
    "L": "--library=", "Z": "--save-zrd=", "l": "--save-dl52=",
    **{str(number): f"--param={number}=" for number in range(10)},
}  # fmt: skip
SWITCHES = {
    "v1": {
        **_ALL, "0": "--swap=0", "2": "--swap=2", "3": "--swap=3", "t": "--give-up=", "l": "--ginsberg=",
        "u": "", "e": "",
    },
    "v2": _V2,
    "modern": {**_V2, "t": "--give-up="},
}  # fmt: skip
_FLAGS = ("--no-statistics", "--quiet", "--progress", "--help", "--version")


def modernise(words: Sequence[str]) -> list[str]:
    """Write one-letter switches as long options.

    Parameters
    ----------
    words : sequence of str
        The command line, from the verb on. Long options and files stay as they are, but
        that an option and its argument become one word, so ``--seed -5`` is a seed.

    Raises
    ------
    ArgumentError
        For a letter that the dialect does not have, or without its argument.

    Examples
    --------
    >>> modernise(["run", "-vp10", "-s", "-3", "x.dealer"])
    ['run', '--no-statistics', '--produce=10', '--seed=-3', 'x.dealer']
    >>> modernise(["run", "--dialect", "v1", "-3"])
    ['run', '--dialect=v1', '--swap=3']
    >>> modernise(["run", "-3", "hcp(north)"])
    ['run', '--param=3=hcp(north)']
    """
    dialect = _dialect(words)
    switches = SWITCHES.get(dialect, _V2)
    found: list[str] = []
    todo = iter(words)
    for word in todo:
        if word == "--":
            return [*found, word, *todo]
        if word.startswith("--"):
            found.append(word if "=" in word or _is_flag(word) else "=".join([word, *_next(todo)]))
        elif word.startswith("-") and word != "-":
            found += _letters(word[1:], todo, switches, dialect)
        else:
            found.append(word)
    return found


def _letters(letters: str, todo: Iterator[str], switches: dict[str, str], dialect: str) -> list[str]:
    """The long options for letters that stand together."""
    found = []
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in switches:
            raise _unknown(letter, dialect)
        option = switches[letter]
        if letter == "e" and dialect == "v1":
            raise ArgumentError(
                "-e: exhaust mode is not offered; predeal the two hands and let the others be dealt"
            )
        if option.endswith("="):
            argument = [letters] if letters else _next(todo)
            if not argument:
                what = "the text of a script variable" if letter.isdigit() else "an argument"
                raise ArgumentError(f"-{letter} takes {what}")
            option, letters = option + argument[0], ""
        if option:
            found.append(option)
    return found


def _next(todo: Iterator[str]) -> list[str]:
    """The next word, if there is one."""
    word = next(todo, None)
    return [] if word is None else [word]


def _is_flag(word: str) -> bool:
    """Is this a long option without argument, or short for one?"""
    return any(flag.startswith(word) for flag in _FLAGS)


def _dialect(words: Sequence[str]) -> str:
    """The dialect that the words ask for, before they are parsed."""
    dialect = "modern"
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if len(name) > 3 and "--dialect".startswith(name):
            dialect = value or following
    return dialect


def _unknown(letter: str, dialect: str) -> ArgumentError:
    others = [name for name, switches in SWITCHES.items() if letter in switches]
    where = f"; it is one of dialect {' and '.join(others)}" if others else ""
    return ArgumentError(f"-{letter} is no switch of dialect {dialect}{where}; see dealerkit run --help")
