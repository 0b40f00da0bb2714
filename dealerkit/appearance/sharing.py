"""Results that can be written as a page; `page.py` renders it, and is only loaded when it is needed."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import overload


class Shareable:
    """A result that can be written as a self-contained HTML page."""

    __slots__ = ()

    @abstractmethod
    def _build_page(self) -> str:
        """Return the HTML text of the page."""

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str]) -> None: ...
    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return the result as an HTML page, or write the page to a file.

        The page is one file that you can send or publish, with the verdict, tables, charts, deals, and how
        the result was computed. It loads nothing else and can be read without JavaScript. With JavaScript, a
        click on the head of a column sorts the table, and a button copies the call that repeats the result.

        Parameters
        ----------
        path : str or os.PathLike, optional
            The file to write, which gets its name when it is complete. By default, the page is returned.

        Returns
        -------
        str or None
            The HTML text of the page; None if it was written to a file.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        return output_page(self._build_page(), path)


def output_page(page: str, path: str | os.PathLike[str] | None) -> str | None:
    """Write a page to a file, or return it if there is no path."""
    if path is None:
        return page
    from dealerkit.runtime.files import write_text

    write_text(path, page)
    return None
