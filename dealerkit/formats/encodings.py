"""The characters of text files of deals, which seldom say how they are encoded."""

from __future__ import annotations

import codecs

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# Control characters, without those that end lines, pages and files.
_CONTROL = bytes(code for code in (*range(32), 127) if code not in b"\t\n\f\r\x1a")
_BLANKS = str.maketrans(dict.fromkeys(_CONTROL.decode(), " "))


def decode_text(data: bytes, *, truncated: bool = False) -> str:
    r"""Return the text of a file, with ``\n`` at the ends of lines, without Ctrl-Z at its end.

    A byte order mark decides; without one, zeros in every second byte are UTF-16. Else the text is UTF-8 if
    it is valid UTF-8, and Windows-1252 or Latin-1 if not. No file is refused. Control characters, which mean
    nothing in these files, become blanks: a file written with them could not be distinguished from binary
    data. With `truncated` the last character may be incomplete.

    >>> decode_text(b"\xef\xbb\xbfFran\xc3\xa7ois\r\nBj\xc3\xb6rn\x1a")
    'François\nBjörn'
    >>> decode_text(b"Fran\xe7ois"), decode_text("Zoë".encode("utf-16"))
    ('François', 'Zoë')
    >>> decode_text(b"two\x02words")
    'two words'
    """
    text = _decode(data, truncated)
    if "\r" in text:
        text = text.replace("\r\r\n", "\n").replace("\r\n", "\n").replace("\r", "\n")
    text = text.rstrip("\x1a\0")
    return text.translate(_BLANKS) if len(data.translate(None, _CONTROL)) < len(data) else text


def _decode(data: bytes, truncated: bool) -> str:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(encoding, "replace")
    head = data[:200]
    if len(head) >= 4 and b"\0" in head:
        odd, even = head[1::2].count(0), head[::2].count(0)
        if max(odd, even) > len(head) // 4:
            return data.decode("utf-16-le" if odd > even else "utf-16-be", "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as reason:
        if truncated and reason.start >= len(data) - 3:
            return data[: reason.start].decode("utf-8")
    try:
        return data.decode("cp1252")
    except UnicodeDecodeError:
        return data.decode("latin-1")
