"""The solved deals that studies use first: the shipped sample, and libraries chosen by the user."""

from __future__ import annotations

import os
import tomllib
from functools import cache
from pathlib import Path
from typing import NamedTuple

from dealerkit.appearance.wording import describe_object
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError, FileError, Parameter, describe_system_error, quote
from dealerkit.formats.library import Library, read
from dealerkit.formats.sample import solved_sample

CONFIGURATION = "config.toml"  # in the platform's folder for configurations
SAMPLE = "the shipped sample"


class NamedDeals(NamedTuple):
    """Solved deals with a name for texts."""

    name: str
    deals: Deals | Library


_used: list[NamedDeals] = []


def use_solved(*libraries: str | os.PathLike[str] | Library | Deals) -> None:
    """Let studies use more solved deals than the shipped sample, for the rest of this session.

    Studies with ``solved="auto"``, the default, use the deals that meet their condition from the sample and
    then from these libraries, before they deal and solve. Another call replaces the libraries; a call without
    arguments removes them.

    Parameters
    ----------
    *libraries : str, os.PathLike, Library or Deals
        Files that `dealerkit.read` can read, or its results: random deals without selection, with complete
        double-dummy tables.

    Raises
    ------
    ArgumentError
        Deals are not solved, have weights or are swapped.
    FileError
        A file cannot be read.

    Notes
    -----
    To use libraries in all sessions, name them in the file ``config.toml`` in the folder for configurations
    (``~/.config/dealerkit`` on Linux): ``solved = ["rpdd.zrd"]``, with paths relative to this folder. The
    environment variable ``DEALERKIT_CONFIG`` can point to another file, or be ``off``.

    Examples
    --------
    >>> import os, tempfile
    >>> from dealerkit import read, solved_sample
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "mine.zrd")
    ...     solved_sample()[:200].write(path)
    ...     use_solved(read(path))
    ...     print([source.name for source in list_solved("auto")])
    ...     use_solved()
    ['the shipped sample', 'mine.zrd']
    """
    _used[:] = [_name_deals(each) for each in libraries]


def list_solved(solved: object) -> list[NamedDeals]:
    """Return the solved deals of a study, from its argument ``solved=``.

    Parameters
    ----------
    solved : "auto", Library, Deals or None
        The sample with the libraries of `use_solved` and of the configuration; only a library; or none.

    Raises
    ------
    ArgumentError
        The value is another one, or deals are not solved.
    FileError
        A library of the configuration cannot be read.
    """
    check_solved(solved)
    if solved is None:
        return []
    if isinstance(solved, str):
        return [NamedDeals(SAMPLE, solved_sample()), *(_used or read_configuration())]
    return [_name_deals(solved)]


def check_solved(solved: object) -> None:
    """Raise ArgumentError unless a value is valid for the argument ``solved=`` of a study."""
    is_auto = isinstance(solved, str) and solved == "auto"
    if not (is_auto or solved is None or isinstance(solved, Library | Deals)):
        raise ArgumentError(
            Parameter("solved"), f" is {quote(solved)}; give 'auto', a library as dk.read returns it, or None"
        )


def check_plain(deals: Deals) -> None:
    """Raise ArgumentError for deals with weights, or swapped ones, which are no plain random sample.

    >>> check_plain(solved_sample()[:5])
    """
    if deals.weight is not None or deals.cluster is not None:
        raise ArgumentError(
            "the deals have weights or are swapped; give a plain random sample. Means of these deals are "
            "deals.to_frame(x='hcp(north)').dealer.estimate('x')"
        )


def _name_deals(library: object) -> NamedDeals:
    """Return solved deals with their name, or raise ArgumentError."""
    if isinstance(library, str | os.PathLike):
        library = read(library)
    if isinstance(library, Library) and hasattr(library.content, "deals"):  # in memory
        name, library = library.content.name or "a library", library.deals
    elif isinstance(library, Library):
        name = library.content.name or "a library"
    else:
        name = "given solved deals"
    if isinstance(library, Deals):
        is_solved = library.tables is not None and bool((library.tables >= 0).all())
        check_plain(library)
    elif isinstance(library, Library):
        is_solved = library.is_solved
    else:
        raise ArgumentError(
            f"{describe_object(library)} has no solved deals; give a file, or a library as dk.read returns it"
        )
    if not len(library) or not is_solved:
        raise ArgumentError(
            f"{name}: not all deals have complete double-dummy tables; give a file of solved deals"
        )
    return NamedDeals(name, library)


def read_configuration() -> list[NamedDeals]:
    """Return the libraries named in the user's configuration.

    Raises
    ------
    FileError, ArgumentError
        The configuration, or a library named in it, cannot be used.
    """
    setting = os.environ.get("DEALERKIT_CONFIG", "").strip()
    if setting.lower() == "off":
        return []
    if setting:
        path = Path(setting).expanduser().absolute()
    else:
        import platformdirs

        path = platformdirs.user_config_path("dealerkit", appauthor=False) / CONFIGURATION
    try:
        changed = path.stat().st_mtime_ns
    except OSError as error:
        if setting:
            raise FileError(f"{path}: {describe_system_error(error)}") from None
        return []
    return _read_libraries(path, changed)


@cache
def _read_libraries(path: Path, changed: int) -> list[NamedDeals]:
    """Return the libraries that a configuration names; `changed` is the time of its last change."""
    try:
        names = tomllib.loads(path.read_text("utf-8")).get("solved", [])
    except OSError as error:
        raise FileError(f"{path}: {describe_system_error(error)}") from None
    except ValueError as error:  # the file is not TOML, or not UTF-8
        raise FileError(f"{path}: this is not TOML: {error}") from None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise FileError(f"{path}: solved is {quote(names)}; give a list of files, such as ['rpdd.zrd']")
    try:
        return [_name_deals(path.parent / Path(name).expanduser()) for name in names]
    except (FileError, ArgumentError) as error:
        raise type(error)(f"{path}: {error}") from None
