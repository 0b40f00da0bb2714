"""Auctions of an archive against several systems: counts by hand, likely systems of pairs, competition."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk

SEATS = ("north", "east", "south", "west")


def write_boards(file: Path, deals: dk.Deals, auctions: list[str], names: list[tuple[str, ...]]) -> None:
    boards = []
    for number, (deal, auction, players) in enumerate(zip(deals, auctions, names, strict=True)):
        dealer = "NESW"[int(deals.dealer[number])]
        tags = [f'[{seat.title()} "{name}"]' for seat, name in zip(SEATS, players, strict=True)]
        boards.append(
            "\n".join([
                f'[Board "{number + 1}"]', *tags, f'[Dealer "{dealer}"]', '[Vulnerable "None"]', f'[Deal "{deal.pbn}"]',
                f'[Auction "{dealer}"]', auction, "",
            ])
        )  # fmt: skip
    file.write_text("\n".join(boards), encoding="utf-8")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> dk.Library:
    """Two hundred boards: one pair bids Acol, the other one Precision, changing seats half-way."""
    file = tmp_path_factory.mktemp("archive") / "club.pbn"
    deals = dk.deal(200, seed=11).number_boards()
    halves = [
        dk.bid_out(deals[:100], "acol", "precision").auctions, dk.bid_out(deals[100:], "precision", "acol").auctions
    ]  # fmt: skip
    names = [("Ann", "Cy", "Bob", "Di")] * 100 + [("Di", "Bob", "Cy", "Ann")] * 100
    write_boards(file, deals, np.concatenate(halves).tolist(), names)
    return dk.read(file)


def test_the_systems_of_pairs_are_found(archive: dk.Library) -> None:
    survey = dk.survey_auctions(archive)
    pairs = survey.by_pair().set_index("pair")
    assert pairs.likely.to_dict() == {"Ann and Bob": "Acol", "Cy and Di": "Precision"}
    # Each pair's own system explains all but the passes of gaps
    assert (pairs.share > 0.98).all() and (pairs.next_share < pairs.share).all()
    assert pairs.calls.sum() == survey.by_position().query("system == 'Acol'").calls.sum()


def test_counts_are_those_of_explains(archive: dk.Library) -> None:
    """Each share is that of the single system, over the calls about which some system says something."""
    survey = dk.survey_auctions(archive, ["sayc", "precision"])
    each = {name: dk.system(name).explains(archive).to_frame() for name in ("sayc", "precision")}
    known = (each["sayc"].status != "no context") | (each["precision"].status != "no context")
    explained = {name: frame.status.isin(["same call", "meaning met"]) for name, frame in each.items()}
    frame = survey.by_position()
    for name, title in (("sayc", "SAYC"), ("precision", "Precision")):
        own = frame[frame.system == title]
        assert own.explained.sum() == (explained[name] & known).sum() and own.calls.sum() == known.sum()
        openings = (each[name].after == "as opening") & known
        row = own[own.position == "opening"].iloc[0]
        assert row.calls == openings.sum() and row.share == pytest.approx(explained[name][openings].mean())
        assert row.lo < row.share < row.hi
    missing = survey.unexplained()
    assert missing["count"].sum() == (known & ~explained["sayc"] & ~explained["precision"]).sum()


def test_competition_and_positions_of_written_auctions() -> None:
    deals = dk.deal(4, seed=1)
    auctions = ["P P P P", "1NT P 3NT AP", "1H 1S 2H X AP", "P 1D X 1H 2S P P P"]
    survey = dk.survey_auctions(deals, auctions=auctions, dealer="north")
    rows = survey.competition.set_index("kind")
    assert rows.boards.to_dict() == {"passed out": 1, "one side bids": 1, "both sides bid": 2}
    assert rows.level["both sides bid"] == 2 and rows.doubled["both sides bid"] == 0.5
    assert rows.level["one side bids"] == 3 and np.isnan(rows.level["passed out"])
    calls = survey.by_position().query("system == 'SAYC'").set_index("position").calls
    # First calls of a side in turn: four passes; 1NT; 1H; P and 1D
    assert calls["opening"] == 8 and calls["over their opening"] >= 3 and calls["response"] >= 1
    assert len(survey.by_pair()) == 0 and survey.n_boards == 4
    assert "Competition" in survey.text and "both sides bid" in survey.text


def test_mistakes_are_refused() -> None:
    deals = dk.deal(2, seed=1)
    with pytest.raises(dk.ArgumentError, match="have no auctions"):
        dk.survey_auctions(deals)
    with pytest.raises(dk.ArgumentError, match="give a list of names"):
        dk.survey_auctions(deals, "sayc", auctions=["P P P P"] * 2, dealer="north")
    with pytest.raises(dk.ArgumentError, match="have the same title"):
        dk.survey_auctions(deals, ["sayc", "sayc"], auctions=["P P P P"] * 2, dealer="north")
