"""What a file is that holds no deals: pictures, documents, archives, programs and other data."""

from __future__ import annotations

import re

from dealerkit.formats.text_files import decode_text

BINARY = "this is binary data, not text"
_UNPACK = "unpack it, and read the file inside"
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
    (r"\s*<(?:\?xml|[a-z])", "XML", ""),
    (r"\s*(?:%.*\n\s*)*(?:md|qx|pn|vg|st)\|", "LIN", "read(..., format='lin')"),
    (
        r"(?:|(?s:.{0,2000}?)\n)[ \t]*n [2-9tjqka.]+ e [2-9tjqka.]+ s ",
        "lines of dealer's printoneline",
        "read(..., format='oneline')",
    ),
    (
        r"(?:|(?s:.{0,2000}?)\n)[ \t]*(?:condition|action|generate|produce|predeal)\b",
        "a script of the dealer language",
        "run it: dealerkit.run(path)",
    ),
)  # fmt: skip
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\f\r\x1a\x1b") + b"\x7f"


def is_text(head: bytes) -> bool:
    """Return whether the first bytes of a file may be text; zeros in every second byte are UTF-16.

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
    r"""Return what a file of another kind is by its first bytes, with what to do; "" for others.

    >>> find_signature(b"\x1f\x8b\x08")
    'this is compressed by gzip; unpack it, and read the file inside'
    """
    for signature, kind, remedy in _SIGNATURES:
        if head.startswith(signature):
            if signature == b"PK\x03\x04":
                kind, remedy = next((entry[1:] for entry in _ZIPPED if entry[0] in head), (kind, remedy))
            return _format(kind, remedy)
    return ""


def describe_content(head: bytes) -> str:
    """Return what a file is that no reader recognises, with what to do; "" if that is unknown.

    >>> describe_content(b'{"cells": [], "nbformat": 4}')
    'this is a notebook'
    >>> describe_content(b"qx|o1|md|"), describe_content(b"some text")
    ("this is LIN; read(..., format='lin')", '')
    """
    if found := find_signature(head):
        return found
    if not is_text(head):
        return BINARY
    text = decode_text(head, truncated=True)
    for pattern, kind, remedy in _TEXTS:
        if re.match(pattern, text, re.IGNORECASE):
            return _format(kind, remedy)
    return ""


def _format(kind: str, remedy: str) -> str:
    return f"this is {kind}; {remedy}" if remedy else f"this is {kind}"
