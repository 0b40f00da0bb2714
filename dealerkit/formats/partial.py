"""Files of partial deals: `read_partial`, and `PartialDeals`, the boards of such a file.

Lessons and bidding problems have boards with unknown hands, with fewer than 13 cards in a hand, or with
``x`` for small cards.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS
from dealerkit.cards.partial import PartialDeal
from dealerkit.errors import ArgumentError, DealError, FileError, SkippedWarning, warn_caller
from dealerkit.formats.lin import format_board, read_partial_boards
from dealerkit.formats.pbn import BoardReader
from dealerkit.formats.pbn_lines import split_games
from dealerkit.formats.pbn_values import normalize_hands
from dealerkit.formats.text_files import Board, PartialBoard, read_text
from dealerkit.runtime.files import write_text
from dealerkit.runtime.progress import long_work

if TYPE_CHECKING:
    import pandas as pd

FORMATS = ("pbn", "lin")  # of which partial deals are read and written
_SIDES = ("None", "NS", "EW", "All")


@limit_repr
class PartialDeals(Sequence[PartialDeal]):
    """The boards of a file of which only some cards are known, in their order.

    Parameters
    ----------
    deals : sequence of PartialDeal
    comments : sequence of str
        What the file says about each board.
    name : str
        Of the file.
    skipped : sequence of (int, str)
        Line and reason of each board that could not be read.

    Examples
    --------
    >>> lesson = PartialDeals([PartialDeal("N:AKQJ.T98.5432.32 - - -")], ["Plan the auction."], "lesson.pbn")
    >>> lesson
    <PartialDeals: 1 board of lesson.pbn>
    >>> len(lesson.complete(10, given="hcp(south) >= 12", seed=1))
    10
    """

    def __init__(
        self,
        deals: Sequence[PartialDeal],
        comments: Sequence[str] = (),
        name: str = "",
        skipped: Sequence[tuple[int, str]] = (),
    ) -> None:
        self._deals, self.name, self._skipped = tuple(deals), name, list(skipped)
        self.comments = list(comments) or [""] * len(self._deals)

    def __len__(self) -> int:
        return len(self._deals)

    @overload
    def __getitem__(self, key: int) -> PartialDeal: ...
    @overload
    def __getitem__(self, key: slice) -> PartialDeals: ...
    def __getitem__(self, key: int | slice) -> PartialDeal | PartialDeals:
        if isinstance(key, slice):
            return PartialDeals(self._deals[key], self.comments[key], self.name)
        return self._deals[key]

    def __iter__(self) -> Iterator[PartialDeal]:
        return iter(self._deals)

    def __repr__(self) -> str:
        name = f" of {self.name:.60}" if self.name else ""
        return f"<PartialDeals: {format_count(len(self), 'board')}{name}>"

    @property
    def skipped(self) -> pd.DataFrame:
        """A row for each board that could not be read: file, line, reason."""
        import pandas as pd

        rows = [(self.name, line, reason) for line, reason in self._skipped]
        return pd.DataFrame(rows, columns=["file", "line", "reason"])

    @long_work
    def complete(
        self, n: int = 1, *, given: str | None = None, seed: int | None = None, **options: Any
    ) -> Deals:
        """Deal the unknown cards of each board; see `PartialDeal.complete`.

        Parameters
        ----------
        n : int >= 0
            Deals of each board, one after another. A board of which all cards are known has one.
        given : str or None
        seed : int or None
            Of the first board; that of each following one is higher by 1.
        **options
            Other arguments of `dealerkit.deal`.

        Returns
        -------
        Deals
            With -1 for dealers, vulnerabilities and boards that are unknown.
        """
        seed = int.from_bytes(os.urandom(4), "little") if seed is None else check_integer("seed", seed)
        parts = []
        for place, board in enumerate(self):
            count = min(n, 1) if board.is_whole else n
            deals = board.complete(
                count, given=None if board.is_whole else given, seed=seed + place, **options
            )
            details = {name: getattr(board, name) for name in ("board", "dealer", "vulnerable")}
            columns = {name: [-1 if value is None else value] * len(deals) for name, value in details.items()}
            parts.append(deals.replace(**columns))
        return Deals.concatenate(parts) if parts else Deals.from_pbn([])

    def write(self, path: str | os.PathLike) -> None:
        """Write the boards with their comments as PBN, where ``-`` is an unknown hand, or as LIN.

        Parameters
        ----------
        path : str or os.PathLike
            With the end ``.pbn`` or ``.lin``.

        Raises
        ------
        FileError
            The file cannot be written.
        ArgumentError
            Another end of the name: no other format has partial deals. As LIN: a board with an ``x`` for a
            small card.
        """
        format = Path(path).suffix.lower()[1:]
        if format not in FORMATS:
            raise ArgumentError(
                f"{path}: partial deals are written as PBN or LIN; give a name such as lesson.pbn"
            )
        write_text(path, _format_lin(self) if format == "lin" else _format_pbn(self))


def read_partial(path: str | os.PathLike, format: str = "pbn") -> PartialDeals:
    """Return the boards of a PBN or LIN file with what is known of their cards; whole deals too.

    Raises
    ------
    FileError
        The file cannot be read, or has no boards of this format.
    ArgumentError
        Another format.

    Warns
    -----
    SkippedWarning
        Boards without any card, or whose cards contradict each other.
    """
    if format not in FORMATS:
        raise ArgumentError(f"partial is for all boards of files of {join_words(FORMATS)}; this is {format}")
    text = read_text(path)
    boards = list(read_partial_boards(text) if format == "lin" else _read_pbn(text))
    if not boards:
        example = '[Deal "N:..."]' if format == "pbn" else "md|3S...,,,|"
        raise FileError(f"{path}: this is not {format.upper()}: there is no deal such as {example}")
    deals, comments = [], []
    skipped: list[tuple[int, str]] = []
    for board in boards:
        details = (board.vulnerable, board.dealer, board.board)
        try:
            deal = PartialDeal(board.read_hands(), *(None if value < 0 else value for value in details))
            if not deal:
                raise DealError("no deal: all hands are unknown")
        except DealError as reason:
            number = f"board {board.board}: " if board.board > 0 else ""
            skipped.append((board.line, f"{number}{reason}"))
            continue
        deals.append(deal)
        comments.append(board.comment)
    name = Path(path).name
    if skipped:
        n_boards = format_count(len(deals) + len(skipped), "board")
        first = f"line {skipped[0][0]}: {skipped[0][1]:.120}"
        warn_caller(f"{name}: {len(skipped)} of {n_boards} skipped: {first}", SkippedWarning)
    return PartialDeals(deals, comments, name, skipped)


def _read_pbn(text: str) -> Iterator[PartialBoard]:
    """Yield the boards of PBN."""
    games, remarks = split_games(text)
    for board in BoardReader(games, remarks, inherits=True).read_boards():
        yield PartialBoard(
            board.deal_line, board.number, board.dealer, board.vulnerable, board.texts.get("comment", ""),
            partial(normalize_hands, board.deal or ""),
        )  # fmt: skip


def _format_pbn(boards: PartialDeals) -> str:
    """Return boards as PBN."""
    lines = ["% PBN 2.1", ""]
    for board, comment in zip(boards, boards.comments, strict=True):
        dealer = "?" if board.dealer is None else SEAT_LETTERS[board.dealer]
        sides = "?" if board.vulnerable is None else _SIDES[board.vulnerable]
        lines += [f'[Board "{"?" if board.board is None else board.board}"]', f'[Dealer "{dealer}"]']
        lines += [f'[Vulnerable "{sides}"]', f'[Deal "{board.pbn}"]']
        lines += ["{" + comment.replace("}", ")") + "}"] if comment else []
        lines.append("")
    return "\r\n".join(lines)


def _format_lin(boards: PartialDeals) -> str:
    """Return boards as LIN; raise ArgumentError for small cards without a name."""
    lines = []
    for row, (board, comment) in enumerate(zip(boards, boards.comments, strict=True)):
        if any(map(any, board.small)):
            number = row + 1 if board.board is None else board.board
            raise ArgumentError(f"board {number} has small cards without a name, x, which LIN cannot hold")
        number, dealer, vulnerable = (
            -1 if value is None else value for value in (board.board, board.dealer, board.vulnerable)
        )
        lines.append(format_board(Board(board.hands, number, dealer, vulnerable, {"comment": comment})))
    return "".join(f"{line}\n" for line in lines)
