"""Results that can be written as a page, which `page.py` renders; runs that print load this module only."""

from __future__ import annotations

import os
from abc import abstractmethod
from typing import overload


class Shareable:
    """A result that can be written as one HTML page, which needs no other file."""

    __slots__ = ()

    @abstractmethod
    def _build_page(self) -> str:
        """Return the page as text."""

    @overload
    def to_html(self, path: None = None) -> str: ...
    @overload
    def to_html(self, path: str | os.PathLike[str]) -> None: ...
    def to_html(self, path: str | os.PathLike[str] | None = None) -> str | None:
        """Return the result as an HTML page, or write the page to a file.

        The page is one file that can be sent or published: verdict, tables, charts, deals, and how the result
        was computed. It loads nothing, and can be read without JavaScript; with it, a click on the head of a
        column sorts the table, and a button copies the call that gives the result again.

        Parameters
        ----------
        path : str or os.PathLike, optional
            File to write, which appears under its name when it is complete. None: the page is returned.

        Returns
        -------
        str or None
            The page; None if it was written.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        return output_page(self._build_page(), path)


def output_page(page: str, path: str | os.PathLike[str] | None) -> str | None:
    """Write a page to a file, or return it if there is none."""
    if path is None:
        return page
    from dealerkit.runtime.files import write_text

    write_text(path, page)
    return None
