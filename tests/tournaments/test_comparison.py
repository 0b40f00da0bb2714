"""Evaluators that predict tricks at the table, against least squares of the same rows."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import dealerkit as dk
from dealerkit.cli import main

TABLES, DEALS = 5, 60


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Sixty deals at five tables; declarer takes a trick more or less than double dummy at random."""
    random = np.random.default_rng(5)
    deals = dk.solved_sample()[1000 : 1000 + DEALS]
    assert deals.tables is not None
    rows = ["board,ns,ew,contract,declarer,tricks,deal,dealer,vulnerable"]
    for board, table in enumerate(deals.tables):
        for number in range(TABLES):
            strain = int(random.choice([0, 1, 4]))
            declarer = int(table[strain].argmax())
            tricks = int(np.clip(table[strain].max() + random.choice([-1, 0, 0, 1]), 0, 13))
            contract = f"{max(1, tricks - 6)}{'SHDCN'[strain]},{'NESW'[declarer]},{tricks}"
            rows.append(f"{board + 1},{number + 1},{number + 11},{contract},{deals[board].pbn},N,None")
    rows.append(f"{DEALS},9,10,PASS,,,{deals[DEALS - 1].pbn},N,None")  # is not a contract
    path = tmp_path_factory.mktemp("results") / "event.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    return path


@pytest.fixture(scope="module")
def event(path: Path) -> dk.TournamentResults:
    return dk.results(path, "matchpoints")


def find_points(event: dk.TournamentResults) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return high-card points of the declaring sides, tricks and deals, counted from the frame."""
    results = event.evaluate("hcp").results
    results = results[results.level > 0]
    sides = {side: results[f"hcp_{a}"] + results[f"hcp_{b}"]
             for side, a, b in (("N", "north", "south"), ("E", "east", "west"))}  # fmt: skip
    points = np.where(results.declarer.isin(["N", "S"]), sides["N"], sides["E"])
    return points.astype(float), results.tricks.to_numpy(float), results.deal_id.to_numpy()


def test_tricks_at_the_table_are_predicted(event: dk.TournamentResults) -> None:
    trial = dk.compare(["hcp", "bergen"], sample=event, target="actual tricks")
    points, tricks, deals = find_points(event)
    assert (trial.sides, trial.deals) == (TABLES * DEALS, DEALS)
    assert trial.frame.R["hcp"] == pytest.approx(np.corrcoef(points, tricks)[0, 1])
    slope, constant = np.polyfit(points, tricks, 1)
    assert trial.frame.slope["hcp"] == pytest.approx(slope)
    # The standard error by the sandwich of sums of deals, with the correction for few clusters.
    design = np.column_stack([np.ones_like(points), points])
    scores = design * (tricks - constant - slope * points)[:, None]
    sums = np.stack([scores[deals == deal].sum(axis=0) for deal in range(DEALS)])
    bread = np.linalg.inv(design.T @ design)
    n = len(points)
    covariance = bread @ sums.T @ sums @ bread * DEALS / (DEALS - 1) * (n - 1) / (n - 2)
    assert trial.coefficients.se["hcp", "hcp"] == pytest.approx(np.sqrt(covariance[1, 1]))
    assert "Tricks at the table in the strain of the contract" in trial.text
    assert trial.provenance is not None and "sample=results" in trial.provenance.call


def test_strain_condition_classes_and_events(event: dk.TournamentResults) -> None:
    contracts = event.list_contracts()
    hearts = dk.compare(["hcp"], sample=event, target="actual tricks", strain="hearts")
    assert hearts.sides == int((contracts.strain == 1).sum())
    trial = dk.compare(["hcp"], sample=event, target="tricks >= 9", events=["game", "tricks >= 9"])
    points, tricks, _ = find_points(event)
    made = tricks >= 9
    assert trial.frame.R["hcp"] == pytest.approx(np.corrcoef(points, made)[0, 1])
    needed = np.where(contracts.strain == 4, 9, 10)
    assert trial.events.sides["game", "hcp"] == int((tricks >= needed).sum())
    assert trial.events.sides["tricks >= 9", "hcp"] == int(made.sum())
    strong = dk.compare(["controls"], sample=event, target="actual tricks", where="hcp >= 22")
    assert strong.sides == int((points >= 22).sum())


def test_misuse(event: dk.TournamentResults) -> None:
    with pytest.raises(dk.ArgumentError, match="for results, give target='actual tricks'"):
        dk.compare(["hcp"], sample=event)
    with pytest.raises(dk.ArgumentError, match="needs results of tables"):
        dk.compare(["hcp"], target="actual tricks")
    with pytest.raises(dk.ArgumentError, match="leave out decision="):
        dk.compare(["hcp"], sample=event, target="actual tricks", decision=("4S", "3S"))
    with pytest.raises(dk.ArgumentError, match="have the strain of their contracts"):
        dk.compare(["hcp"], sample=event, target="actual tricks", strain="best suit")
    with pytest.raises(dk.ArgumentError, match="no result has a contract in clubs"):
        dk.compare(["hcp"], sample=event, target="actual tricks", strain="clubs")


def test_a_checkpoint_belongs_to_its_results(event: dk.TournamentResults, tmp_path: Path) -> None:
    file = tmp_path / "trial.checkpoint"
    first = dk.compare(["hcp"], sample=event, target="actual tricks", checkpoint=file)
    again = dk.compare(["hcp"], sample=event, target="actual tricks", checkpoint=file)
    assert again.frame.equals(first.frame)
    with pytest.raises(dk.FileError, match="another call"):
        dk.compare(["hcp"], sample=event.where("hcp(north) > 5"), target="actual tricks", checkpoint=file)


def test_the_command(event: dk.TournamentResults, path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", "hcp", "bergen", "--results", str(path)]) == 0
    trial = dk.compare(["hcp", "bergen"], sample=event, target="actual tricks")
    assert capsys.readouterr().out.split() == trial.text.split()
    assert main(["compare", "hcp", "--results", str(path), "--sample", "solved.zdd"]) == 2
    assert main(["compare", "hcp", "--results", str(path), "--decision", "4S,3S"]) == 2
    assert "leave out" in capsys.readouterr().err
