"""`Page`, a practice sheet, and `DealPages`, the base class of `Deals`, `Library` and `PartialDeals`."""

from __future__ import annotations

import os
from typing import Any

from dealerkit.appearance.numbers import format_count
from dealerkit.runtime.files import write_text
from dealerkit.runtime.progress import long_work


class Page:
    """A practice sheet, made by ``deals.page()``.

    Attributes
    ----------
    n_boards : int
    html : str
        The contents of the file: all boards, without links to other files.
    """

    def __init__(self, n_boards: int, html: str, preview: str) -> None:
        self.n_boards, self.html, self._preview = n_boards, html, preview

    def write(self, path: str | os.PathLike[str]) -> None:
        """Write the file, which appears under its name only when it is complete.

        Raises
        ------
        FileError
            The file cannot be written.
        """
        write_text(path, self.html)

    def __repr__(self) -> str:
        return f"<Page: {format_count(self.n_boards, 'board')}>"

    def _repr_html_(self) -> str:
        return self._preview


class DealPages:
    """Deals, whole or partial, from which a practice sheet can be made."""

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
        problem: str | None = None,
        contract: Any = None,
        lead_rule: Any = "fourth best",
    ) -> Page:
        """Return a practice sheet: pages of deals to print, which a telephone shows one deal at a time.

        Dealer and vulnerability follow from the board number, unless the deals have their own.

        Parameters
        ----------
        hands : str, optional
            Letters of the seats whose hands are shown: one, ``"S"``; two, ``"NS"``, the first to the left of
            the fold; or ``"NESW"`` for diagrams of all hands. A telephone shows the hand of the last seat,
            and the other one at a touch. None: NS; for `PartialDeals`, the one or two seats whose cards all
            boards have, otherwise diagrams.
        columns : int, optional
            Number of hands side by side: 1 to 4 for one seat, 2 or 4 for two; 1 or 2 for diagrams. None: 2.
        title : str
            Heading of every page.
        note : str
            Text at the foot of every page.
        points : bool, optional
            Show high-card points. None: in diagrams and on telephones, but not with hands on paper.
        auction : int, optional
            Number of lines for the auction, 0 to 12. None: 3, or 0 for diagrams of all hands.
        answers : bool
            Add answers for boards whose tricks or auctions are known: all hands, tricks by strain, par, and
            the calls with their explanations. They are on separate pages at the end, unless all hands are
            shown and there are no lines for an auction. For `PartialDeals`, auction, contract, lead and
            comment are beside the hands; if two hands are on separate pages, they are at the end, with both
            hands together.
        solve : bool
            Solve the deals that have no complete double-dummy table, at about a tenth of a second each.
        first_board : int
            Number of the first board, if the deals have no board numbers.
        problem : {"play", "lead"}, optional
            Show problems of card play, as diagrams, instead of `hands`: *play*, declarer's hand and dummy
            with the contract and the opening lead; *lead*, the hand of the opening leader with the contract.
            After each page come its solutions: all hands, and with `solve`, the tricks that declarer takes
            double dummy after the lead, or after each lead.
        contract : str, optional
            Contract of all problems with its declarer, such as ``"4S by south"``. None: the contract that the
            board has in its file, or that of its auction.
        lead_rule : str or callable
            Rule for the opening lead of a play problem, as for `lead`: ``"fourth best"``,
            ``"third and fifth"``, ``"attitude"``, ``"top of sequence"``. A lead in the file comes first, if
            its contract is played.

        Returns
        -------
        Page
            ``.html`` is the text of the file, and ``.write(path)`` writes it. A notebook shows the first
            page.

        Raises
        ------
        ArgumentError
            An argument is out of range, partial deals are to be solved, or a problem has no contract.
        DealError
            A deal is missing.

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
            problem=problem,
            contract=contract,
            lead_rule=lead_rule,
        )
