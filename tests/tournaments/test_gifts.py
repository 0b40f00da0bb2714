"""Gifts: what cards of the opponents cost, against the other tables of the board, worked out by hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk

HEAD = "board,ns,ew,contract,declarer,tricks\n"


def set_costs(event: dk.TournamentResults, **costs: list[int | None]) -> dk.TournamentResults:
    """Return results whose columns of costs are given, as if their plays were solved."""
    columns = {name: pd.array(values, "Int8") for name, values in costs.items()}
    return replace(event, results=event.results.assign(**columns))


def test_gifts_by_hand(tmp_path: Path) -> None:
    # North declares at the first two tables, east at the third; the play of the fourth is not recorded.
    path = tmp_path / "event.csv"
    path.write_text(HEAD + "1,1,2,4H,N,10\n1,3,4,4H,N,9\n1,5,6,3S,E,9\n1,7,8,4H,N,10\n", encoding="utf-8")
    event = set_costs(
        dk.results(path, "matchpoints"),
        lead_cost=[1, 0, 0, None], defence_cost=[2, 0, 1, None], declarer_cost=[0, 1, 2, None],
    )  # fmt: skip
    frame = event.gifts().frame.set_index("pair")
    # Cards of east-west cost 3, 0 and 2, the mean is 5/3; those of north-south 0, 1 and 1, the mean is 2/3.
    assert frame.given[["1", "3", "5"]].tolist() == [3, 0, 2]
    assert frame.given_more[["1", "3", "5"]].tolist() == pytest.approx([4 / 3, -5 / 3, 1 / 3])
    assert frame.given[["2", "4", "6"]].tolist() == [0, 1, 1]
    assert frame.given_more[["2", "4", "6"]].tolist() == pytest.approx([-2 / 3, 1 / 3, 1 / 3])
    assert frame.own[["1", "2", "5", "6"]].tolist() == [0, 3, 1, 2]
    assert frame.own_more["6"] == pytest.approx(2 - 5 / 3) and "7" not in frame.index
    assert frame.lo.isna().all() and "gifts are not only luck" in event.gifts().text


def test_gifts_of_leads_alone(tmp_path: Path) -> None:
    path = tmp_path / "event.csv"
    path.write_text(HEAD + "1,1,2,4H,N,10\n1,3,4,4H,S,9\n1,5,6,3S,E,9\n", encoding="utf-8")
    event = set_costs(dk.results(path, "matchpoints"), lead_cost=[1, 0, 2])
    frame = event.gifts().frame.set_index("pair")
    # East-west led at two tables; at the third, alone, north-south did, which cannot be compared.
    assert frame.given_more.to_dict() == {"1": 0.5, "3": -0.5}
    assert "opening leads" in event.gifts().text
    with pytest.raises(dk.ArgumentError, match="no board has recorded cards from two tables"):
        set_costs(event, lead_cost=[1, None, None]).gifts()
    with pytest.raises(dk.ArgumentError, match="solve them first"):
        dk.results(path, "matchpoints").gifts()


def test_gifts_of_a_board_add_up_to_nothing(tmp_path: Path) -> None:
    random = np.random.default_rng(2)
    rows = [
        f"{board},{table},{table + 6},3N,{random.choice(list('NESW'))},{random.integers(7, 12)}"
        for board in range(1, 13)
        for table in range(1, 7)
    ]
    path = tmp_path / "event.csv"
    path.write_text(HEAD + "\n".join(rows), encoding="utf-8")
    n = len(rows)
    event = set_costs(
        dk.results(path, "matchpoints"),
        **{name: random.poisson(0.4, n).tolist() for name in ("lead_cost", "defence_cost", "declarer_cost")},
    )
    frame = event.gifts().frame
    assert frame.boards.tolist() == [12] * 12
    assert frame.given_more.sum() == pytest.approx(0) and frame.own_more.sum() == pytest.approx(0)
    assert (frame.lo < frame.given_more).all() and (frame.given_more < frame.hi).all()
