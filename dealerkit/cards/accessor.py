"""The accessor ``.dealer`` of frames and series that contain deals; `dealerkit.cards.array` registers it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import numpy as np

from dealerkit.arguments import Params
from dealerkit.errors import ArgumentError, DealError

if TYPE_CHECKING:
    import pandas as pd

    from dealerkit.cards.deals import Deals


class SeriesAccessor:
    """Properties and methods of a column of deals: ``series.dealer``.

    Examples
    --------
    >>> import pandas as pd
    >>> from dealerkit.cards.array import DealArray
    >>> text = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
    >>> pd.Series(DealArray([text])).dealer.deals
    <Deals: 1 deal>
    """

    def __init__(self, data: Any) -> None:
        self._data = data

    def _column(self) -> pd.Series:
        if self._data.dtype != "deal":
            raise ArgumentError(f"the series has dtype {self._data.dtype}, not deal; try .astype('deal')")
        return self._data

    @property
    def deals(self) -> Deals:
        """The deals with their attached columns; they share memory with the column.

        Raises
        ------
        ArgumentError
            If the frame or series has no column of deals, or more than one.
        DealError
            If a deal is missing.
        """
        column = self._column()
        missing = column.isna().to_numpy()
        if missing.any():
            label = column.index[missing.argmax()]
            raise DealError(
                f"the deal of row {label!r} is missing ({missing.sum()} of {len(missing)} are); "
                "remove them with dropna()"
            )
        return column.array.deals

    def eval(
        self,
        text: str | os.PathLike[str],
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Params = (),
        vulnerable: int | str | bool | None = None,
    ) -> pd.Series:
        """Return the value of an expression of the dealer language for each row, as `Deals.eval` does.

        Returns
        -------
        Series
            With the same index as the rows; its name is the expression.

        Raises
        ------
        ArgumentError, DealError
            As `deals`.
        ScriptError, EvaluationError
            As `dealerkit.cards.deals.Deals.eval`.

        Examples
        --------
        >>> import pandas as pd
        >>> from dealerkit.cards.array import DealArray
        >>> text = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> frame = pd.DataFrame({"deal": DealArray([text])}, index=["first"])
        >>> frame.dealer.eval("hcp(north)").to_dict()
        {'first': 10}
        """
        import pandas as pd

        values = self.deals.eval(text, dialect, opener, params, vulnerable)
        return pd.Series(values, index=self._data.index, name=str(text))

    def where(
        self,
        text: str | os.PathLike[str],
        dialect: str = "modern",
        opener: int | str | None = None,
        params: Params = (),
        vulnerable: int | str | bool | None = None,
    ) -> Any:
        """Return the rows whose deals meet a condition of the language; arguments as for `eval`.

        Returns
        -------
        Series or DataFrame
            The same type as the object of the accessor, with the index of the selected rows.
        """
        return self._data.loc[self.deals.eval(text, dialect, opener, params, vulnerable) != 0]

    def to_frame(self, *names: str, **options: Any) -> pd.DataFrame:
        """Return measures of the deals, as `Deals.to_frame` does, with the index of the rows.

        Parameters
        ----------
        *names, **options
            As for `dealerkit.cards.deals.Deals.to_frame`, such as ``layout="long"``, in which each label of
            the index belongs to four rows.

        Raises
        ------
        ArgumentError, DealError
            As `deals`.
        UnknownNameError, ScriptError
            As `dealerkit.cards.deals.Deals.to_frame`.
        """
        frame = self.deals.to_frame(*names, **options)
        # The frame has one row for each row of deals; in the long layout it has four.
        rows = np.arange(len(frame)) * len(self._data) // max(len(frame), 1)
        return frame.set_axis(self._data.index[rows], axis=0)

    def to_text(self) -> Any:
        """Return the same object with deals as PBN text, for programs that do not know the dtype ``deal``.

        DuckDB, for example, reads only frames whose dtypes belong to pandas. ``.astype("deal")`` restores the
        deals, but not the attached columns (tables, vulnerability ...), which the text does not contain.

        Returns
        -------
        Series or DataFrame
            The same type as the object of the accessor. Deals have dtype ``string``, missing ones are NA;
            other columns and the index are unchanged.

        Raises
        ------
        ArgumentError
            If there is no column of deals.

        Examples
        --------
        >>> import pandas as pd
        >>> from dealerkit.cards.array import DealArray
        >>> text = "N:AKQJ.T98.5432.32 T98.AKQ.JT98.JT9 765.J765.AKQ.AKQ 432.432.76.87654"
        >>> frame = pd.DataFrame({"deal": DealArray([text, None]), "hcp": [10, None]})
        >>> frame.dealer.to_text()["deal"].tolist() == [text, pd.NA]
        True
        >>> frame.dealer.to_text().astype({"deal": "deal"}).equals(frame)
        True
        """
        return self._column().astype("string")


class FrameAccessor(SeriesAccessor):
    """Properties and methods of a frame with one column of deals: ``frame.dealer``."""

    def _find_columns(self) -> list[int]:
        """Return the positions of the columns of deals; raise ArgumentError if there is none."""
        positions = [i for i, dtype in enumerate(self._data.dtypes) if dtype == "deal"]
        if not positions and "deal" in self._data.columns:
            raise ArgumentError(
                "the column 'deal' has texts, not deals; convert it: frame.astype({'deal': 'deal'})"
            )
        if not positions:
            raise ArgumentError("no column of deals; make one: frame['deal'] = DealArray(deals)")
        return positions

    def _column(self) -> pd.Series:
        positions = self._find_columns()
        if len(positions) == 1:
            return self._data.iloc[:, positions[0]]
        names = [self._data.columns[i] for i in positions]
        raise ArgumentError(
            f"the frame has several columns of deals, {names}; choose one: frame[{names[0]!r}].dealer"
        )

    def to_text(self) -> pd.DataFrame:
        """Return the frame with all columns of deals as PBN text; see `SeriesAccessor.to_text`."""
        frame = self._data.copy(deep=False)
        for position in self._find_columns():  # by position: two columns may have the same name
            frame.isetitem(position, frame.iloc[:, position].astype("string"))
        return frame

    def estimate(
        self,
        value: Any,
        by: Any = None,
        *,
        quantile: float | None = None,
        confidence: float = 0.95,
    ) -> pd.DataFrame:
        """Return the mean of a column or expression for each group of rows, with its interval.

        Rows of the same deal depend on each other, for example those of `Deals.sides`. The intervals allow
        for this (they are those of `Moments.mean`, `Counts.share` and `Quantiles.quantile`, computed over
        deals). Deals are identified by the column `cluster`, otherwise by the clusters of the deals, by the
        index or column `number`, or by their cards. The column `weight` weights the rows; without it, the
        weights that the deals have, as those of `dealerkit.level`.

        Parameters
        ----------
        value : str or array
            A column; an expression of columns, such as ``"tricks >= 9"``; an expression of the dealer
            language about north and south, which is evaluated for the side of each row; or an array. For a
            condition or truth values, the mean is the share of rows where they are true.
        by : str, list of str or mapping, optional
            A column or expression, for a group at each of its values; a list of these; or names of groups
            with their conditions, which may overlap. None: all rows form one group.
        quantile : float in (0, 1), optional
            The quantile to estimate instead of the mean, 0.5 for the median. The ends of its interval are
            halfway to the next value outside.
        confidence : float in (0, 1)

        Returns
        -------
        DataFrame
            A row for each group: `value`, its standard error `se`, the ends `lo` and `hi` of the interval,
            the number of rows `n`, and the number of deals `deals`. If a group has only one deal, or all
            values of a mean are equal, `se`, `lo` and `hi` are missing. The interval of a quantile from few
            deals may be unbounded: then `lo` is -inf or `hi` is inf, and `se` is missing.

        Warns
        -----
        SmallSample
            A group has fewer than 30 deals; or it has no rows and is left out.

        Raises
        ------
        ArgumentError
            There is no row; a value is missing, not finite or not a number; the deal of a row is unknown.
        ScriptError, UnknownNameError
            An expression is invalid.

        References
        ----------
        A. C. Cameron, D. L. Miller, A practitioner's guide to cluster-robust inference,
        J. Human Resources 50 (2015), 317-372.

        Examples
        --------
        >>> from dealerkit.formats.sample import solved_sample
        >>> sides = solved_sample()[:20_000].sides("hcp", strain="notrump", tricks=True)
        >>> sides.dealer.estimate("tricks >= 9", by={"25": "hcp == 25", "26": "hcp == 26"}).n.to_dict()
        {'25': 1920, '26': 1536}
        """
        from dealerkit.studies.tables.grouped_estimates import estimate_groups

        return estimate_groups(self._data, value, by, quantile=quantile, confidence=confidence)
