"""The accessor ``.dealer`` of frames and series with deals, which `dealerkit.cards.array` registers."""

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
        """Return the value of an expression of the dealer language for each row; see `Deals.eval`.

        Returns
        -------
        Series
            With the index of the rows; its name is the expression.

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
        """Return the rows whose deals meet a condition of the language; arguments and errors as `eval`.

        Returns
        -------
        Series or DataFrame
            The same type as the object of the accessor, with the index of the selected rows.
        """
        return self._data.loc[self.deals.eval(text, dialect, opener, params, vulnerable) != 0]

    def to_frame(self, *names: str, **options: Any) -> pd.DataFrame:
        """Return measures of the deals as `Deals.to_frame` does, with the index of the rows.

        Parameters
        ----------
        *names, **options
            As for `dealerkit.cards.deals.Deals.to_frame`, such as ``layout="long"``, where each label of the
            index is that of four rows.

        Raises
        ------
        ArgumentError, DealError
            As `deals`.
        UnknownNameError, ScriptError
            As `dealerkit.cards.deals.Deals.to_frame`.
        """
        frame = self.deals.to_frame(*names, **options)
        # The frame has one row for each row of the deals, in the long layout four.
        rows = np.arange(len(frame)) * len(self._data) // max(len(frame), 1)
        return frame.set_axis(self._data.index[rows], axis=0)

    def to_text(self) -> Any:
        """Return the same object with deals as text in PBN, for programs that do not know the dtype ``deal``.

        DuckDB reads frames that have only dtypes of pandas. ``.astype("deal")`` restores the deals, without
        attached columns (tables, vulnerability ...), which text does not hold.

        Returns
        -------
        Series or DataFrame
            The same type as the object of the accessor; deals have dtype ``string``, missing ones are NA.
            Other columns and the index are unchanged.

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
        """Return the frame with all columns of deals as text in PBN; see `SeriesAccessor.to_text`."""
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

        Rows of one deal depend on each other, as those of `Deals.sides` do; the intervals allow for it
        (those of `Moments.mean`, `Counts.share` and `Quantiles.quantile`, each over deals). Deals are
        recognised by the column `cluster`, else by the index or column `number`, else by their cards. A
        column `weight` weights the rows.

        Parameters
        ----------
        value : str or array
            A column; an expression of columns, such as ``"tricks >= 9"``; one of the dealer language about
            north and south, which is evaluated for the side of each row; or an array. Of a condition, or
            truth values, the mean is their share.
        by : str, list of str or mapping, optional
            A column or expression, with a group for each of its values; several; or names of groups with
            their conditions, which may overlap. None: all rows.
        quantile : float in (0, 1), optional
            The quantile instead of the mean, 0.5 for the median. The interval ends half-way to the next value
            outside.
        confidence : float in (0, 1)

        Returns
        -------
        DataFrame
            A row for each group: `value`, its standard error `se`, the ends `lo` and `hi` of the interval,
            `n` rows, `deals`. A group of a single deal has no interval, and no mean has one if all values
            are equal: there `se`, `lo` and `hi` are missing. A quantile of few deals may have no end: there
            `lo` is -inf or `hi` is inf, and `se` is missing.

        Warns
        -----
        SmallSample
            Fewer than 30 deals; a group without rows, which is left out.

        Raises
        ------
        ArgumentError
            No row; a value that is missing, not finite or not a number; an unknown deal of a row.
        ScriptError, UnknownNameError
            An invalid expression.

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
