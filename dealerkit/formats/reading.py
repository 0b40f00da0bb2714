"""`read`: a file of deals, of any format, as a `Library`."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from dealerkit.errors import ArgumentError, SkippedWarning, warn_caller
from dealerkit.formats.content import Content
from dealerkit.formats.format import check_content, check_options, find_format, get_format
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
    **options
        What a format takes besides: the following.
    first : int
        Of a .zdd file with a part of the library: the number of its first deal.
    check : bool
        Of .zrd and .zdd files and library.dat. False: do not check that tables belong to their deals.
    distinct : bool
        Of .pbn and .lin files. True: only the first board of each deal with equal dealer and vulnerability.

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
    SkippedWarning
        Boards that could not be read; `Library.skipped` lists them.
    TermsWarning
        The terms of Pavlicek's library, once in a session.

    Examples
    --------
    >>> import os, tempfile
    >>> import dealerkit as dk
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = os.path.join(folder, "club.pbn")
    ...     dk.deal(3, seed=1).number_boards().write(path)
    ...     len(dk.read(path))
    3
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {path!r:.60}; it is the name of a file")
    if format is None:
        entry = find_format(Path(path))
    else:
        entry = get_format(format)
        check_content(Path(path), entry)
    options = {name: value for name, value in options.items() if value is not None}
    check_options(entry, options, entry.read_options)
    content = entry.read(path, **options)
    if content.skipped:
        warn_caller(describe_skipped(content), SkippedWarning)
    return Library(content)


_N_SHOWN = 3  # boards of a summary


def describe_skipped(content: Content) -> str:
    """Return how many boards of a file were skipped, with the first lines and reasons.

    >>> content = Content()
    >>> content.name, content.n_deals, content.skipped = "club.pbn", 34, [(9, "no deal"), (88, "SA twice")]
    >>> describe_skipped(content)
    'club.pbn: 2 of 36 boards were skipped: line 9: no deal; line 88: SA twice'
    """
    n_skipped = len(content.skipped)
    n_boards = content.n_deals + n_skipped + content.n_repeated
    was = "was" if n_skipped == 1 else "were"
    first = "; ".join(f"{content.place} {line}: {reason:.120}" for line, reason in content.skipped[:_N_SHOWN])
    head = f"{content.name:.100}: {n_skipped:,} of {n_boards:,} boards {was} skipped: {first}"
    if n_skipped <= _N_SHOWN:
        return head
    return f"{head}; {n_skipped - _N_SHOWN:,} more. `library.skipped` lists them"
