"""`Page`: a practice sheet; `DealPages`: the base class of `Deals`, `Library` and `PartialDeals`."""

from __future__ import annotations

import os

from dealerkit.appearance.numbers import format_count
from dealerkit.runtime.files import write_text
from dealerkit.runtime.progress import long_work


class Page:
    """A practice sheet; ``deals.page()`` makes it.

    Attributes
    ----------
    n_boards : int
    html : str
        The file, with all boards and without links to other files.
    """

    def __init__(self, n_boards: int, html: str, preview: str) -> None:
        self.n_boards, self.html, self._preview = n_boards, html, preview

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, which appears under its name when it is complete.

        Raises
        ------
        FileError
            If the file cannot be written.
        """
        write_text(path, self.html)

    def __repr__(self) -> str:
        return f"<Page: {format_count(self.n_boards, 'board')}>"

    def _repr_html_(self) -> str:
        return self._preview


class DealPages:
    """Deals, whole or partial, of which a practice sheet can be made."""

    __slots__ = ()

    @long_work
    def page(
        self,
        *,
        hands: str | None = None,
        columns: int | None = None,
        title: str = "Practice",
        note: str = "",
        points: bool | None = None,
        auction: int | None = None,
        answers: bool = True,
        solve: bool = False,
        first_board: int = 1,
    ) -> Page:
        """Return a practice sheet: the deals as pages to print, and one at a time on a telephone.

        Dealer and vulnerability follow from the number of the board, unless the deals have them.

        Parameters
        ----------
        hands : str, optional
            Letters of the seats whose hands are shown: of one, ``"S"``; of two, ``"NS"``, the first to the
            left of the fold; or ``"NESW"`` for diagrams of all hands. A telephone shows the hand of the last
            seat, and the other at a touch. None: NS; of `PartialDeals` the one or two seats of which all
            boards have cards, else diagrams.
        columns : int, optional
            Hands across the page: 1 to 4 for one seat, 2 or 4 for two; 1 or 2 diagrams. None: 2.
        title : str
            Heading of every page.
        note : str
            Text at the foot of every page.
        points : bool, optional
            Show high card points. None: with diagrams and on telephones, not with hands on paper.
        auction : int, optional
            Lines for the auction, 0 to 12. None: 3, and none with diagrams of all hands.
        answers : bool
            Add the answers of boards whose tricks or auctions are known: all hands, tricks by strain, par,
            the calls with their explanations. They have pages of their own at the end, unless all hands are
            shown and no auction is to be written. Of `PartialDeals` auction, contract, lead and comment are
            beside the hands; where two hands are apart, they are at the end, with both hands together.
        solve : bool
            Solve the deals that have no complete table of tricks, about a tenth of a second each.
        first_board : int
            Number of the first deal, if the deals have no numbers.

        Returns
        -------
        Page
            ``.html`` is the file as text, ``.write(path)`` writes it. A notebook shows the first sheet.

        Raises
        ------
        ArgumentError
            If an argument is out of range, or partial deals are to be solved.
        DealError
            If a deal is missing.

        Examples
        --------
        >>> from dealerkit.cards.deals import Deals
        >>> deal = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> Deals.from_pbn([deal] * 12).page(title="Twelve balanced hands")
        <Page: 12 boards>
        """
        from dealerkit.sheets.page import make_page

        return make_page(
            self,
            hands=hands,
            columns=columns,
            title=title,
            note=note,
            points=points,
            auction=auction,
            answers=answers,
            solve=solve,
            first_board=first_board,
        )
