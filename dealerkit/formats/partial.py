"""Files of partial deals: `read_partial`, and `PartialDeals`, the boards of such a file.

Lessons and bidding problems have boards with unknown hands, with fewer than 13 cards in a hand, or with ``x``
for small cards.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from dealerkit.appearance.numbers import format_count
from dealerkit.appearance.wording import join_words, limit_repr
from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.cards.names import SEAT_LETTERS, SEATS, VULNERABILITIES
from dealerkit.cards.pages import DealPages
from dealerkit.cards.partial import PartialDeal
from dealerkit.errors import (
    ArgumentError,
    DealError,
    FileError,
    PredealError,
    SkippedWarning,
    quote,
    warn_caller,
)
from dealerkit.formats import csv, handviewer, lin
from dealerkit.formats.pbn import BoardReader, read_plays
from dealerkit.formats.pbn_lines import split_games
from dealerkit.formats.pbn_values import normalize_hands
from dealerkit.formats.pbn_writer import VULNERABLE, format_boards
from dealerkit.formats.text_files import NUMBERS, Board, PartialBoard, read_text
from dealerkit.runtime.files import write_text
from dealerkit.runtime.progress import long_work

if TYPE_CHECKING:
    import pandas as pd

WRITTEN = ("pbn", "lin", "csv")  # formats in which partial deals are written


@limit_repr
class PartialDeals(DealPages, Sequence[PartialDeal]):
    """The boards of a file in which only some cards are known, in their order.

    Parameters
    ----------
    deals : sequence of PartialDeal
    texts : mapping of str to sequence, optional
        Text columns as those of a `Library`, with a value for each board: auction, contract, comment ...
    name : str
        Name of the file.
    skipped : sequence of (int, str)
        Line of each board that could not be read, and the reason.

    Examples
    --------
    >>> problem = PartialDeal("N:AKQJ.T98.5432.32 - - -")
    >>> lesson = PartialDeals([problem], {"comment": ["Plan the auction."]}, "lesson.pbn")
    >>> lesson, lesson.comments
    (<PartialDeals: 1 board of lesson.pbn>, ['Plan the auction.'])
    >>> len(lesson.complete(10, given="hcp(south) >= 12", seed=1))
    10
    """

    def __init__(
        self,
        deals: Sequence[PartialDeal],
        texts: Mapping[str, Sequence[Any]] | None = None,
        name: str = "",
        skipped: Sequence[tuple[int, str]] = (),
    ) -> None:
        self._deals, self.name = tuple(deals), name
        self._skipped = [(name, line, reason) for line, reason in skipped]
        self.texts = {key: list(values) for key, values in (texts or {}).items()}
        for key, values in self.texts.items():
            if len(values) != len(self._deals):
                boards = format_count(len(self._deals), "board")
                raise ArgumentError(f"texts[{quote(key, 40)}] has {len(values)} values for {boards}")

    def __len__(self) -> int:
        return len(self._deals)

    @overload
    def __getitem__(self, key: int) -> PartialDeal: ...
    @overload
    def __getitem__(self, key: slice) -> PartialDeals: ...
    def __getitem__(self, key: int | slice) -> PartialDeal | PartialDeals:
        if isinstance(key, slice):
            texts = {name: values[key] for name, values in self.texts.items()}
            return PartialDeals(self._deals[key], texts, self.name)
        return self._deals[key]

    def __iter__(self) -> Iterator[PartialDeal]:
        return iter(self._deals)

    def __repr__(self) -> str:
        name = f" of {self.name:.60}" if self.name else ""
        return f"<PartialDeals: {format_count(len(self), 'board')}{name}>"

    def _repr_html_(self) -> str:
        from dealerkit.appearance.html import render_fragment, render_head
        from dealerkit.cards.html import render_partials  # only notebooks need it

        name = [f"of {self.name:.60}"] if self.name else []
        head = render_head(format_count(len(self), "board"), *name)
        return render_fragment(head + render_partials(self._deals, self.comments), repr(self))

    @property
    def comments(self) -> list[str]:
        """The comments of the file on each board."""
        return self.texts.get("comment") or [""] * len(self)

    @property
    def skipped(self) -> pd.DataFrame:
        """A row for each board that could not be read: file, line, reason."""
        import pandas as pd

        return pd.DataFrame(self._skipped, columns=["file", "line", "reason"])

    @long_work
    def complete(
        self, n: int = 1, *, given: str | None = None, seed: int | None = None, **options: Any
    ) -> Deals:
        """Deal the unknown cards of each board; see `PartialDeal.complete`.

        Parameters
        ----------
        n : int >= 0
            Number of deals for each board, one after another. A board whose cards are all known has one.
        given : str or None
            A condition for the boards with unknown cards.
        seed : int or None
            Seed for the first board; it increases by 1 for each following board.
        **options
            Other arguments of `dealerkit.deal`.

        Returns
        -------
        Deals
            Dealers, vulnerabilities and boards that are unknown are -1.

        Raises
        ------
        PredealError
            No deal contains the cards of a board.

        Warns
        -----
        SkippedWarning
            Endings, whose other cards were played, are left out.
        """
        seed = int.from_bytes(os.urandom(4), "little") if seed is None else check_integer("seed", seed)
        n_endings = sum(board.is_ending for board in self)
        if n_endings:
            endings = f"{format_count(n_endings, 'ending')} {'was' if n_endings == 1 else 'were'}"
            warn_caller(f"{endings} left out, because there are no cards to deal", SkippedWarning)
        parts = []
        for place, (board, count) in enumerate(zip(self, self.count_completions(n), strict=True)):
            if board.is_ending:
                continue
            try:
                deals = board.complete(
                    count, given=None if board.is_whole else given, seed=seed + place, **options
                )
            except PredealError as error:
                number = place + 1 if board.board is None else board.board
                raise PredealError(f"board {number}: ", *error.parts) from None
            details = {name: getattr(board, name) for name in NUMBERS}
            columns = {name: [-1 if value is None else value] * len(deals) for name, value in details.items()}
            parts.append(deals.replace(**columns))
        return Deals.concatenate(parts) if parts else Deals.from_pbn([])

    def count_completions(self, n: int) -> list[int]:
        """Return how many deals `complete(n)` has for each board: one for a whole deal, none for an ending.

        Parameters
        ----------
        n : int >= 0

        Returns
        -------
        list of int
        """
        return [0 if board.is_ending else min(n, 1) if board.is_whole else n for board in self]

    def write(self, path: str | os.PathLike, format: str | None = None) -> None:
        """Write the boards with their texts as PBN, with ``-`` for an unknown hand, as LIN, or as CSV.

        Parameters
        ----------
        path : str or os.PathLike
        format : {"pbn", "lin", "csv"}, optional
            By default the format of the file's suffix.

        Raises
        ------
        FileError
            The file cannot be written.
        ArgumentError
            Partial deals cannot be written in the format; or the format is LIN, and a board has an ``x`` for
            a small card.
        """
        entry = Path(path).suffix.lower()[1:] if format is None else format
        if entry not in WRITTEN:
            raise ArgumentError(
                f"{path}: partial deals are written as PBN, LIN or CSV; give a name such as lesson.pbn"
            )
        write_text(path, {"pbn": _format_pbn, "lin": _format_lin, "csv": _format_csv}[entry](self))

    @classmethod
    def concatenate(cls, parts: Sequence[PartialDeals]) -> PartialDeals:
        """Return the boards of several files one after another.

        Parameters
        ----------
        parts : sequence of PartialDeals

        Returns
        -------
        PartialDeals
            The boards, with the name of the first file.
        """
        deals = [deal for part in parts for deal in part]
        names = dict.fromkeys(name for part in parts for name in part.texts)
        texts = {
            name: [
                value
                for part in parts
                for value in part.texts.get(name, [[] if name == "tags" else ""] * len(part))
            ]
            for name in names
        }
        joined = cls(deals, texts, parts[0].name if parts else "")
        joined._skipped = [row for part in parts for row in part._skipped]
        return joined


def repeat_texts(boards: PartialDeals, n: int) -> dict[str, list[Any]]:
    """Return the texts for `n` completions of each board, as `PartialDeals.complete` deals them.

    Play and result are left out, because they belong to other cards.
    """
    counts = boards.count_completions(n)
    texts = {}
    for name, values in boards.texts.items():
        if name == "tags":
            values = [[tag for tag in tags if tag[0] not in ("Play", "Note")] for tags in values]
        if name not in ("play", "play_notes", "lead", "result"):
            texts[name] = [value for value, count in zip(values, counts, strict=True) for _ in range(count)]
    return texts


def read_partial(path: str | os.PathLike, format: str = "pbn") -> PartialDeals:
    """Return the boards of a file with their known cards, including whole deals.

    Parameters
    ----------
    path : str or os.PathLike
    format : {"pbn", "lin", "handviewer", "csv"}

    Raises
    ------
    FileError
        The file cannot be read, or has no boards of this format.
    ArgumentError
        The format is another one.

    Warns
    -----
    SkippedWarning
        Boards without any card, or with cards that contradict each other.
    """
    if format not in _READERS:
        raise ArgumentError(
            f"partial=True can read files of the formats {join_words(_READERS)}, but this is {format}"
        )
    read_boards, example = _READERS[format]
    text = read_text(path)
    try:
        boards = list(read_boards(text))
    except DealError as reason:  # about the columns of a table
        raise FileError(f"{path}: {reason}") from None
    if not boards:
        raise FileError(f"{path}: this is not {format.upper()}, because there is no deal such as {example}")
    deals: list[PartialDeal] = []
    kept: list[Board] = []
    skipped: list[tuple[int, str]] = []
    for line, board, read_hands in boards:
        details = (board.vulnerable, board.dealer, board.board)
        try:
            deal = PartialDeal(read_hands(), *(None if value < 0 else value for value in details))
            if not deal:
                raise DealError("no deal: all hands are unknown")
        except DealError as reason:
            number = f"board {board.board}: " if board.board > 0 else ""
            skipped.append((line, f"{number}{reason}"))
            continue
        deals.append(deal)
        kept.append(board)
    name = Path(path).name
    if skipped:
        n_boards = format_count(len(boards), "board")
        first = f"line {skipped[0][0]}: {skipped[0][1]:.120}"
        warn_caller(f"{name}: {len(skipped)} of {n_boards} skipped: {first}", SkippedWarning)
    # Keep the texts that any board has.
    names = dict.fromkeys(name for board in kept for name, text in board.texts.items() if text)
    texts: dict[str, list[Any]] = {key: [board.texts.get(key, "") for board in kept] for key in names}
    if any(board.tags for board in kept):
        texts["tags"] = [board.tags for board in kept]
    return PartialDeals(deals, texts, name, skipped)


def _read_pbn(text: str) -> Iterator[PartialBoard]:
    """Yield the boards of PBN."""
    games, remarks = split_games(text)
    for board in BoardReader(games, remarks, inherits=True).read_boards():
        # To follow the play, the known cards are needed; without a deal, the play is left out.
        with contextlib.suppress(DealError):
            known = PartialDeal(normalize_hands(board.deal or ""))
            read_plays([board], np.array([known.hands], np.uint64))
        details = (board.number, board.dealer, board.vulnerable)
        yield PartialBoard(
            board.deal_line,
            Board((), *details, board.texts, board.tags),
            partial(normalize_hands, board.deal or ""),
        )


_READERS: dict[str, tuple[Callable[[str], Iterator[PartialBoard]], str]] = {
    "pbn": (_read_pbn, '[Deal "N:..."]'),
    "lin": (lin.read_partial_boards, "md|3S...,,,|"),
    "csv": (csv.read_partial_boards, "N:..."),
    "handviewer": (handviewer.read_partial_boards, "handviewer.html?n=..."),
}


def _format_pbn(boards: PartialDeals) -> str:
    """Return boards as PBN."""
    details = [
        [-1 if value is None else value for value in (board.board, board.dealer, board.vulnerable)]
        for board in boards
    ]
    numbers, dealers, sides = zip(*details, strict=True) if details else ((), (), ())
    heads = [
        f'[Dealer "{"?" if dealer < 0 else SEAT_LETTERS[dealer]}"]\r\n'
        f'[Vulnerable "{VULNERABLE[side]}"]\r\n[Deal "{board.pbn}"]\r\n'
        for board, dealer, side in zip(boards, dealers, sides, strict=True)
    ]
    lines = format_boards(list(numbers), list(dealers), heads, boards.texts, None, "")
    text = "".join(lines)
    charset = "" if text.isascii() else "%Content-type: text/x-pbn; charset=UTF-8\r\n"
    return f"% PBN 2.1\r\n{charset}{text}"


def _format_lin(boards: PartialDeals) -> str:
    """Return boards as LIN; raise ArgumentError for small cards without a name."""
    lines = []
    for row, deal in enumerate(boards):
        if any(map(any, deal.small)):
            number = row + 1 if deal.board is None else deal.board
            raise ArgumentError(
                f"board {number} has small cards without a name (x), which cannot be written as LIN"
            )
        board, dealer, vulnerable = (
            -1 if value is None else value for value in (getattr(deal, name) for name in NUMBERS)
        )
        texts = {name: values[row] for name, values in boards.texts.items()}
        tags = texts.pop("tags", [])
        lines.append(lin.format_board(Board(deal.hands, board, dealer, vulnerable, texts, tags)))
    return "".join(f"{line}\n" for line in lines)


def _format_csv(boards: PartialDeals) -> str:
    """Return boards as a table; unknown numbers are empty."""
    columns: dict[str, Sequence[Any]] = {"deal": [deal.pbn for deal in boards]}
    columns["board"] = ["" if deal.board is None else str(deal.board) for deal in boards]
    for name, words in (("dealer", SEATS), ("vulnerable", VULNERABILITIES)):
        values = [getattr(deal, name) for deal in boards]
        columns[name] = ["" if value is None else words[value] for value in values]
    return csv.format_table(columns | boards.texts)
