"""Deals of text files are read together: a faulty one changes nothing for the others, and is reported as alone."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk

N = 200
FAULTS = {  # what is done to the text of a deal, and what is then reported
    "": lambda text: text,
    "twice": lambda text: text.replace("A", "K", 1),
    "not a card": lambda text: text.replace("T", "Z", 1),
    "missing": lambda text: text.replace("9", "", 1),
}


def write_lin(pbn: str) -> str:
    """Return a deal as a value of `md`: south, west, north and east, suits with their letters."""
    hands = [hand.split(".") for hand in pbn[2:].split()]
    order = [hands[seat] for seat in (2, 3, 0, 1)]
    return "1" + ",".join("".join(s + t for s, t in zip("SHDC", hand, strict=True)) for hand in order)


def make_file(name: str, deals: list[str]) -> str:
    """Return a file with the deals, which are at lines 2, 3 ..."""
    if name == "csv":
        return "deal,note\n" + "".join(f"{deal},{n}\n" for n, deal in enumerate(deals))
    if name == "hands.csv":
        return "north,east,south,west\n" + "".join(deal[2:].replace(" ", ",") + "\n" for deal in deals)
    if name == "lin":
        return "% deals\n" + "".join(f"qx|o{n + 1}|md|{write_lin(deal)}|\n" for n, deal in enumerate(deals))
    return "% PBN\n" + "".join(f'[Deal "{deal}"]\n\n' for deal in deals)


@pytest.mark.parametrize("name", ["csv", "hands.csv", "lin", "pbn"])
@pytest.mark.parametrize("share", [0.0, 0.01, 0.3, 1.0])
def test_faulty_deals_among_others(name: str, share: float, tmp_path: Path, rng: np.random.Generator):
    deals = dk.deal(N, seed=3).to_pbn()
    kinds = np.where(rng.random(N) < share, rng.integers(1, len(FAULTS), N), 0)
    changed = [list(FAULTS.values())[kind](deal) for kind, deal in zip(kinds, deals, strict=True)]
    path = tmp_path / f"deals.{name}"
    path.write_text(make_file(name, changed), encoding="utf-8")
    if share == 1 and name != "pbn":
        library = dk.read(path)
        assert len(library) == 0 and len(library.skipped) == N
        return
    library = dk.read(path)
    kept = [deal for deal, kind in zip(deals, kinds, strict=True) if not kind]
    assert library.deals.to_pbn() == kept
    step = 2 if name == "pbn" else 1
    bad = np.flatnonzero(kinds)
    assert library.skipped.line.tolist() == [2 + step * row for row in bad.tolist()]
    # Each reason is that of a file with this deal alone.
    alone = tmp_path / f"alone.{name}"
    for row, reason in list(zip(bad.tolist(), library.skipped.reason, strict=True))[:5]:
        alone.write_text(make_file(name, [changed[row]]), encoding="utf-8")
        assert dk.read(alone).skipped.reason.tolist() == [reason]


def test_hands_in_wrong_columns_do_not_make_a_deal(tmp_path: Path):
    """Two hands in one column, and none in the next, would be a deal if the columns were only joined."""
    hands = dk.deal(1, seed=1).to_pbn()[0][2:].split()
    path = tmp_path / "hands.csv"
    for blank in (" ", "\t", "\xa0"):
        path.write_text(
            f"north;east;south;west\n{hands[0]}{blank}{hands[1]};;{hands[2]};{hands[3]}\n", encoding="utf-8"
        )
        library = dk.read(path)
        assert len(library) == 0 and "suits, not 4" in library.skipped.reason[0]


def test_what_is_unknown_is_said_of_its_line(tmp_path: Path):
    deals = dk.deal(4, seed=1).to_pbn()
    rows = zip(deals, ("N", "me", "", "south"), ("none", "red", "me", ""), ("7", "x", "", "99"), strict=True)
    path = tmp_path / "deals.csv"
    path.write_text(
        "deal,dealer,vulnerable,board\n" + "".join(",".join(row) + "\n" for row in rows), encoding="utf-8"
    )
    library = dk.read(path)
    assert library.deals.dealer.tolist() == [0, -1, -1, 2] and library.deals.board.tolist() == [7, -1, -1, 99]
    assert list(library.content.remarks) == [
        (3, "unknown dealer 'me'"), (3, "unknown vulnerability 'red'"), (4, "unknown vulnerability 'me'"),
    ]  # fmt: skip
