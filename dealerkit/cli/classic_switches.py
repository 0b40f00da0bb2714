"""The one-letter switches of the classic programs, written as the long options of this command.

The classic programs parse their command line with getopt: letters may be joined (``-vq``),
an argument may follow its letter directly (``-p10``) or be the next word, whatever that
begins with. The meaning of a letter depends on the dialect.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from itertools import islice

from dealerkit.errors import ArgumentError

# Long options by letter; those that end in = take an argument.
_ALL = {
    "p": "--produce=", "g": "--generate=", "s": "--seed=", "m": "--progress", "q": "--quiet",
    "v": "--no-statistics", "V": "--version", "h": "--help",
}  # fmt: skip
_V2 = {
    **_ALL, "x": "--swap=", "C": "--csvrpt=", "X": "--export=", "T": "--title=", "N": "--north=",
    "E": "--east=", "S": "--south=", "W": "--west=", "O": "--opener=", "P": "--vulnerable=",
    "R": "--solver-threads=", "M": "--solver-mode=", "D": "--debug=", "U": "--evaluation-server=",
    "L": "--library=", "Z": "--save-zrd=", "l": "--save-dl52=",
    **{str(number): f"--param={number}=" for number in range(10)},
}  # fmt: skip
SWITCHES = {
    "v1": {
        **_ALL, "0": "--swap=0", "2": "--swap=2", "3": "--swap=3", "t": "--give-up=", "l": "--ginsberg=",
        "u": "", "e": "--exhaust",
    },
    "v2": _V2,
    "modern": {**_V2, "t": "--give-up="},
}  # fmt: skip
_TOGGLES = ("--no-statistics", "--quiet", "--progress")  # in the old programs the second takes back the first


def expand_switches(words: Sequence[str], parser: argparse.ArgumentParser) -> list[str]:
    """Return a command line with its one-letter switches written as long options.

    Parameters
    ----------
    words : sequence of str
        They begin with the verb. Files and long options are kept, but an option and its argument become one
        word, so that ``--seed -5`` is a seed.
    parser : ArgumentParser
        That of the verb: it says which long options take no argument.

    Raises
    ------
    ArgumentError
        The dialect does not have a letter, or the argument of a letter is missing.

    Examples
    --------
    >>> from dealerkit.cli import build_parser
    >>> parser = build_parser("run").get_default("verb_parser")
    >>> expand_switches(["run", "-vp10", "-s", "-3", "x.dealer"], parser)
    ['run', '--no-statistics', '--produce=10', '--seed=-3', 'x.dealer']
    >>> expand_switches(["run", "--dialect", "v1", "-3"], parser)
    ['run', '--dialect=v1', '--swap=3']
    >>> expand_switches(["run", "--dialect", "v1", "-vq", "-v"], parser)
    ['run', '--dialect=v1', '--quiet']
    >>> expand_switches(["run", "-3", "hcp(north)"], parser)
    ['run', '--param=3=hcp(north)']
    """
    flags = [option for action in parser._actions if action.nargs == 0 for option in action.option_strings]
    dialect = _find_dialect(words)
    switches = SWITCHES.get(dialect, _V2)
    expanded: list[str] = []
    rest = iter(words)
    for word in rest:
        if word == "--":
            return [*expanded, word, *rest]
        if word.startswith("--"):
            is_flag = any(flag.startswith(word) for flag in flags)  # also one that is abbreviated
            expanded.append(word if "=" in word or is_flag else "=".join([word, *islice(rest, 1)]))
        elif word.startswith("-") and word != "-" and os.path.isfile(word):
            expanded.append(os.path.join(os.curdir, word))  # the name of a file, as of old scenarios
        elif word.startswith("-") and word != "-":
            for option in _expand_letters(word[1:], rest, switches, dialect):
                if dialect != "modern" and option in _TOGGLES and option in expanded:
                    expanded.remove(option)
                else:
                    expanded.append(option)
        else:
            expanded.append(word)
    return expanded


def _expand_letters(letters: str, rest: Iterator[str], switches: dict[str, str], dialect: str) -> list[str]:
    """Return the long options for joined letters; an argument may be the next word of `rest`."""
    options = []
    while letters:
        letter, letters = letters[0], letters[1:]
        if letter not in switches:
            dialects = " and ".join(name for name, others in SWITCHES.items() if letter in others)
            other = f"; it is one of dialect {dialects}" if dialects else ""
            raise ArgumentError(
                f"-{letter} is no switch of dialect {dialect}{other}; see dealerkit run --help"
            )
        option = switches[letter]
        if option.endswith("="):
            argument = [letters] if letters else list(islice(rest, 1))
            if not argument:
                kind = "the text of a script variable" if letter.isdigit() else "an argument"
                raise ArgumentError(f"-{letter} takes {kind}")
            option, letters = option + argument[0], ""
        if option:
            options.append(option)
    return options


def _find_dialect(words: Sequence[str]) -> str:
    """Return the dialect that the command line names, before it is parsed."""
    dialect = "modern"
    for word, following in zip(words, [*words[1:], ""], strict=True):
        name, _, value = word.partition("=")
        if len(name) > 3 and "--dialect".startswith(name):
            dialect = value or following
    return dialect
