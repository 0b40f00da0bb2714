"""Frames of results of studies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


def tabulate(
    rows: Mapping[Any, Any], names: str | list[str], columns: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return rows by their keys as a frame whose index has `names`; `columns` are used if there is no row.

    >>> tabulate({"hcp": {"sides": 8}, "zar": {"sides": 5}}, "evaluator").sides.to_dict()
    {'hcp': 8, 'zar': 5}
    """
    import pandas as pd

    keys = list(rows)
    index = (
        pd.Index(keys, name=names) if isinstance(names, str) else pd.MultiIndex.from_tuples(keys, names=names)
    )
    return pd.DataFrame(list(rows.values()), index, columns)
