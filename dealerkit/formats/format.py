"""Formats of files of deals: their registry, the recognition of a file's format, and writing.

A format is a module of this package with a `Format` named FORMAT; `MODULES` lists them in the order in which
they are tried on a file. For files of other kinds, such as pictures, documents and archives, messages say
what they are.
"""

from __future__ import annotations

import importlib
import os
import re
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from dealerkit.arguments import check_name
from dealerkit.errors import ArgumentError, FileError, Parameter, describe_system_error, quote, suggest_name
from dealerkit.formats.content import Content, DealSupply
from dealerkit.formats.text_files import decode_text

# Formats that resemble those of other files come last.
MODULES = (
    "parquet", "zrd", "gib", "dl52", "dup", "bri", "dge", "ber", "dlm", "bhg", "rzd", "cds", "rbn", "rbx",
    "pbn", "handviewer", "lin", "ben", "dds", "oneline", "diagrams", "compass", "csv", "bigdeal", "zdd",
)  # fmt: skip
HEAD_BYTES = 4_000  # bytes from which a file's format is recognised; whole records of 10 bytes
BINARY = "this is binary data, not text"
_UNPACK = "unpack it, and read the file inside"
_PBN = "the program that wrote it may export PBN"
_EXPORT = "save the table as CSV"
_SIGNATURES: tuple[tuple[bytes, str, str], ...] = (
    (b"\x89PNG\r\n", "a picture (PNG)", ""),
    (b"\xff\xd8\xff", "a picture (JPEG)", ""),
    (b"GIF8", "a picture (GIF)", ""),
    (b"%PDF-", "a PDF document", "its program may export PBN or LIN"),
    (b"%!PS", "a PostScript document", ""),
    (b"{\\rtf", "a text document (RTF)", "save it as plain text"),
    (b"PK\x03\x04", "a zip archive", _UNPACK),
    (b"PK\x05\x06", "an empty zip archive", ""),
    (b"\x1f\x8b", "compressed by gzip", _UNPACK),
    (b"BZh", "compressed by bzip2", _UNPACK),
    (b"\xfd7zXZ\0", "compressed by xz", _UNPACK),
    (b"\x28\xb5\x2f\xfd", "compressed by zstd", _UNPACK),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _UNPACK),
    (b"Rar!", "a rar archive", _UNPACK),
    (b"\x93NUMPY", "an array of numpy", "load it with numpy.load"),
    (b"SQLite format 3\0", "a database (SQLite)", _EXPORT),
    (b"\0\1\0\0Standard Jet DB", "a database of Microsoft Access, such as a Bridgemate's .bws", _PBN),
    (b"\0\1\0\0Standard ACE DB", "a database of Microsoft Access", _PBN),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old Office document", _EXPORT),
    (b"\x7fELF", "a program", ""),
    (b"MZ\x90\0", "a program", ""),
)
_ZIPPED = (
    (b"xl/", "an Excel workbook", _EXPORT),
    (b"word/", "a Word document", "save it as plain text"),
    (b"opendocument.spreadsheet", "a spreadsheet (ODF)", _EXPORT),
    (b".npy", "arrays of numpy", "load it with numpy.load"),
)
_TEXTS = (
    (r"(?s:\s*\{.*)\"(?:nbformat|cells)\"\s*:", "a notebook", ""),
    (r"\s*(?:\{\s*[\"}]|\[\s*[\[{\d\"\]])", "JSON", "make a table with a column 'deal' of it, as CSV"),
    (r"\s*<(?:!doctype html|html)\b", "a web page", "download the file itself, not the page that shows it"),
    (
        r"(?:[2-9TJQKA]*\.){3}[2-9TJQKA]*(?: (?:[2-9TJQKA]*\.){3}[2-9TJQKA]*){3}:[0-9A-D]{20}\b",
        "a list of GIB's deals with tricks, as in DDS's sol*.txt, which is not read",
        "",
    ),
    (
        r"\s*(?:<\?xml[^>]*>\s*)?<USEBIO\b",
        "results in USEBIO's XML, without deals that are read here",
        "dealerkit.results reads them",
    ),
    (r"\s*<(?:\?xml|[a-z])", "XML", ""),
    (r"\s*(?:%.*\n\s*)*(?:md|qx|pn|vg|st)\|", "LIN", Parameter("format=", "lin")),
    (
        r"(?:|(?s:.{0,2000}?)\n)[ \t]*n [2-9tjqka.]+ e [2-9tjqka.]+ s ",
        "lines of dealer's printoneline",
        Parameter("format=", "oneline"),
    ),
    (
        r"(?:|(?s:.{0,2000}?)\n)[ \t]*(?:condition|action|generate|produce|predeal)\b",
        "a script of the dealer language",
        "run it: dealerkit.run(path)",
    ),
)  # fmt: skip
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\f\r\x1a\x1b") + b"\x7f"


@dataclass(frozen=True)
class Format:
    """A format of files of deals.

    Attributes
    ----------
    name : str
    suffixes : tuple of str
        Suffixes of file names, with the dot, in lower case.
    recognise : callable
        ``recognise(head)`` returns whether the first bytes of a file (`HEAD_BYTES` or all) fit the format.
    read : callable
        ``read(path, **options)`` returns a `Content`.
    write : callable or None
        ``write(deals, path, **options)`` writes Deals or a Library; see `split_deals`.
    read_options, write_options : tuple of str
        Names of the keywords of `read` and `write`.
    is_text : bool
        Whether files are text.
    """

    name: str
    suffixes: tuple[str, ...]
    recognise: Callable[[bytes], bool]
    read: Callable[..., Content]
    write: Callable[..., None] | None = None
    read_options: tuple[str, ...] = ()
    write_options: tuple[str, ...] = ()
    is_text: bool = True


@cache
def find_formats() -> dict[str, Format]:
    """Return all formats by name, in the order in which they are tried."""
    formats = (importlib.import_module(f"dealerkit.formats.{module}").FORMAT for module in MODULES)
    return {entry.name: entry for entry in formats}


def get_format(name: str) -> Format:
    """Return the format with this name; ArgumentError suggests the most similar name."""
    formats = find_formats()
    return formats[check_name("format", name, formats)]


def find_format(path: Path) -> Format:
    """Return the format of a file by its content, or by its name if several formats fit or none does.

    Raises
    ------
    FileError
        The file cannot be read, or its format is unknown; the message says what the file seems to be.
    """
    head = _read_head(path)
    if not head:
        raise FileError(f"{path}: the file is empty")
    formats = find_formats().values()
    # The content decides; if several formats fit, the suffix decides.
    fitting = [] if find_signature(head) else [entry for entry in formats if entry.recognise(head)]
    named = [entry for entry in formats if path.suffix.lower() in entry.suffixes]
    chosen = [entry for entry in fitting if entry in named] or fitting
    if chosen:
        return chosen[0]
    # If nothing fits, the reader for the suffix says what is wrong, otherwise this message does.
    kind = describe_content(head)
    usual = next((entry for entry in named if entry.write), next(iter(named), None))
    if usual and (not kind or kind == (BINARY,) and not usual.is_text):
        return usual  # its reader says what is wrong
    if kind:
        raise FileError(f"{path}: no deals are recognised in this file; ", *kind)
    raise FileError(
        f"{path}: the format is not recognised; the formats are {', '.join(find_formats())}. If it is one of "
        "them, give it, as ",
        Parameter("format=", "pbn"),
    )


def _read_head(path: Path) -> bytes:
    """Return the first bytes of a file; raise FileError if it cannot be read, or not twice, as a pipe."""
    try:
        mode = os.stat(path).st_mode
        if stat.S_ISDIR(mode):
            raise FileError(f"{path}: this is a folder; give the name of a file")
        if not stat.S_ISREG(mode):
            kind = "a pipe" if stat.S_ISFIFO(mode) else "a device"
            raise FileError(f"{path}: this is {kind}, not a file; save the content as a file, and read that")
        with open(path, "rb") as file:
            return file.read(HEAD_BYTES)
    except FileError:
        raise
    except (OSError, ValueError) as reason:  # ValueError: a zero byte in the name
        raise FileError(f"{path}: {describe_system_error(reason)}") from reason


def check_content(path: Path, entry: Format) -> None:
    """Raise FileError if a file is evidently not of the format in which it will be read."""
    head = _read_head(path)
    if (kind := find_signature(head)) and (entry.is_text or not entry.recognise(head)):
        raise FileError(f"{path}: this is not a file of the format {entry.name}; {kind}")


def check_options(entry: Format, options: Mapping[str, Any], names: tuple[str, ...]) -> None:
    """Raise ArgumentError if the format has no such option; `names` are its options."""
    for name in options:
        if name not in names:
            known = f"it takes {', '.join(names)}" if names else "it takes none"
            raise ArgumentError(f"the format {entry.name} has no option {name!r}; {known}")


# ---------------------------------------------------------------- writing
def find_writer(path: str | os.PathLike, format: str | None = None) -> Format:
    """Return the format in which a file is written: by its suffix, unless it is given.

    Raises
    ------
    ArgumentError
        The format is unknown, or its files can only be read.
    """
    if not isinstance(path, str | os.PathLike):
        raise ArgumentError(f"path is {quote(path)}; it must be the name of a file")
    # If formats share a suffix, the first that can be written is used, in the order of `MODULES`.
    if format is None:
        suffix = Path(path).suffix.lower()
        fitting = [entry for entry in find_formats().values() if suffix in entry.suffixes]
        if not fitting:
            suffixes = [end for entry in find_formats().values() if entry.write for end in entry.suffixes]
            raise ArgumentError(
                f"{path}: the suffix is not that of a format{suggest_name(suffix, suffixes)}; "
                f"it may be {', '.join(suffixes)}"
            )
        entry = next((entry for entry in fitting if entry.write), fitting[0])
    else:
        entry = get_format(format)
    if entry.write is None:
        raise ArgumentError(f"files of the format {entry.name} can be read, not written")
    return entry


def write(deals: DealSupply, path: str | os.PathLike, format: str | None = None, **options: Any) -> None:
    """Write deals to a file, which appears under its name only when it is complete.

    Parameters
    ----------
    deals : Deals or Library
    path : str or os.PathLike
    format : str or None
        None: by the suffix.
    **options
        ``title=`` for .zrd files, ``first=`` for .zdd files, ``event=`` for .pbn files.

    Raises
    ------
    FileError
        The file cannot be written.
    ArgumentError
        The format is unknown, cannot store these deals, or has no such option.
    """
    entry = find_writer(path, format)
    check_options(entry, options, entry.write_options)
    assert entry.write is not None
    entry.write(deals, path, **options)


# ---------------------------------------------------------------- files of other kinds
def is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file can be text; zeros in every second byte mean UTF-16.

    >>> is_text(b"[Board 1]"), is_text("[Board 1]".encode("utf-16")), is_text(bytes(range(256)))
    (True, True, False)
    """
    if head.startswith((b"\xff\xfe", b"\xfe\xff")):
        return True
    n_zeros = max(head[::2].count(0), head[1::2].count(0))
    if n_zeros > len(head) // 4 and min(head[::2].count(0), head[1::2].count(0)) == 0:
        return True
    n_control = len(head) - len(head.translate(None, _CONTROL))
    return n_control * 50 <= len(head)


def find_signature(head: bytes) -> str:
    r"""Return a sentence with the kind of a file from its first bytes, and the remedy; "" for unknown kinds.

    >>> find_signature(b"\x1f\x8b\x08")
    'this is compressed by gzip; unpack it, and read the file inside'
    """
    for signature, kind, remedy in _SIGNATURES:
        if head.startswith(signature):
            if signature == b"PK\x03\x04":
                kind, remedy = next((entry[1:] for entry in _ZIPPED if entry[0] in head), (kind, remedy))
            return _format(kind, remedy)
    return ""


def describe_content(head: bytes) -> tuple[str | Parameter, ...]:
    """Return the parts of a sentence with the kind of a file that no reader recognises, and the remedy.

    >>> describe_content(b'{"cells": [], "nbformat": 4}'), describe_content(b"some text")
    (('this is a notebook',), ())
    >>> print(*describe_content(b"qx|o1|md|"), sep="")
    this is LIN; give format='lin'
    """
    if found := find_signature(head):
        return (found,)
    if not is_text(head):
        return (BINARY,)
    text = decode_text(head, truncated=True)
    for pattern, kind, remedy in _TEXTS:
        if re.match(pattern, text, re.IGNORECASE):
            if isinstance(remedy, Parameter):
                return f"this is {kind}; give ", remedy
            return (_format(kind, remedy),)
    return ()


def _format(kind: str, remedy: str) -> str:
    return f"this is {kind}; {remedy}" if remedy else f"this is {kind}"
