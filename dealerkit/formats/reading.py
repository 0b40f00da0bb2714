"""`read`: a file of deals, of any format, as a `Library`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dealerkit.errors import ArgumentError
from dealerkit.formats.format import check_options, find_format, get_format
from dealerkit.formats.library import Library


def read(path: str | os.PathLike, format: str | None = None, **options: Any) -> Library:
    """Read a file of deals.

    Parameters
    ----------
    path : str or os.PathLike
    format : str or None
        ``pbn``, ``lin``, ``oneline`` (dealer's printoneline and printcompact), ``diagrams`` (its printall),
        ``csv``, ``parquet``, ``zrd`` (Pavlicek's library, or a file of DealerV2), ``zdd`` (Pavlicek's
        tables), ``gib`` (Ginsberg's library.dat) or ``dl52`` (DealerV2's 52 bytes a deal); None: by content,
        then by name.
    first : int
        Of a .zdd file with a part of the library: the number of its first deal.
    check : bool
        Of .zrd and .zdd files and library.dat. False: do not check that tables belong to their deals.

    distinct : bool
        Of .pbn files. True: only the first game of each deal with the same dealer and vulnerability.

    Returns
    -------
    Library
        Large files are mapped into memory, and their deals decoded when they are needed.

    Raises
    ------
    FileError
        The file cannot be read or is damaged; the message has the record and the byte.
    ArgumentError
        The format is unknown, or has no such option.

    Warns
    -----
    TermsWarning
        The terms of Pavlicek's library, once in a session.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {path!r:.60}; it is the name of a file")
    entry = find_format(Path(path)) if format is None else get_format(format)
    options = {name: value for name, value in options.items() if value is not None}
    check_options(entry, options, entry.read_options)
    return Library(entry.read(path, **options))
