"""Results chosen by the language, pages, plots and the verb of the command."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.cli import main
from tests.support import events
from tests.support.simulated_events import simulate_event


@pytest.fixture(scope="module")
def event(tmp_path_factory: pytest.TempPathFactory) -> dk.TournamentResults:
    deals = dk.solved_sample()[:26].number_boards(1)
    text, _ = simulate_event(deals, 12, np.linspace(-0.4, 0.4, 12), seed=5)
    path = tmp_path_factory.mktemp("event") / "event.csv"
    path.write_text(text, encoding="utf-8", newline="")
    return dk.results(path, "matchpoints", deals=deals).solve(par=True)


def test_where_and_evaluate(event: dk.TournamentResults) -> None:
    strong = event.where("hcp(north) + hcp(south) >= $low", params={"low": 22})
    points = event.evaluate("hcp", both="hcp(north) + hcp(south)").results
    assert (points.hcp_north + points.hcp_south == points.both).all()
    expected = points[points.both >= 22]
    assert 0 < len(expected) < len(points)
    assert strong.results.line.tolist() == expected.line.tolist()
    assert strong.results.mp_ns.tolist() == expected.mp_ns.tolist()
    assert strong.pairs.boards.tolist() == [expected.board.nunique()] * 12
    assert strong.boards.n_results.sum() == len(strong.results)
    with pytest.raises(dk.ArgumentError, match="have a column 'score_ns'"):
        event.evaluate(score_ns="hcp(north)")


def test_the_page_of_an_event(event: dk.TournamentResults) -> None:
    page = event.to_html()
    assert page.count("<details data-jupyter-id=") == 26 + 12 and 'name="viewport"' in page
    assert all(f"<summary>Board {number}</summary>" in page for number in range(1, 27))
    pairs = re.findall(r"<summary>Pair (\d+)</summary>", page)
    assert pairs == [str(number) for number in range(1, 13)]
    assert "://" not in re.sub(r'href="https://www\.bridgebase\.com[^"]*"', "", page)
    assert len(page) < 1_500_000


def find_links(page: str) -> set[str]:
    """Return the targets of links within a page, all of which it has once."""
    targets, parts = re.findall(r'<a href="#([^"]+)"', page), re.findall(r' id="([^"]+)"', page)
    assert len(parts) == len(set(parts)) and set(targets) <= set(parts)
    # JupyterLab goes to the heading of a part, since it would not open the part
    assert set(targets) <= set(re.findall(r'<details data-jupyter-id="([^"]+)"><summary>', page))
    return set(targets)


def test_tables_link_to_boards_with_diagrams(event: dk.TournamentResults) -> None:
    # A page has a part for each board and pair, and a notebook shows the same.
    for page in (event.to_html(), event._repr_html_()):
        assert len(find_links(page)) == 26 + 12
    # Reports about boards have those that they link to.
    recap = event.recap(3)
    for page in (recap.to_html(), recap._repr_html_()):
        assert len(find_links(page)) == 26 and page.count("<details data-jupyter-id=") >= 26
    swings = event.swings(4)
    assert len(find_links(swings.to_html())) == 4
    first = int(swings.frame.board[0])
    part = swings.to_html().partition(f"<summary>Board {first}</summary>")[2].partition("</details>")[0]
    assert part.count("♠") >= 4  # the diagram
    # Text has the numbers alone; a large event has no parts in a notebook.
    assert "-board-" not in recap.text and "-pair-" not in event.text
    large = replace(event, results=pd.concat([event.results] * 9, ignore_index=True))
    assert not find_links(large._repr_html_())


def test_a_traveller_has_what_the_solver_says(event: dk.TournamentResults) -> None:
    rows = event.results[event.results.board == 4]
    text = event.traveller(4).text
    assert f"par {rows.par_ns.iloc[0]:+,}" in text and "double dummy" in text
    lines = [line.split() for line in text.splitlines() if line.split()[:1] == [rows.ns.iloc[0]]]
    assert int(lines[0][-1]) == rows.dd.iloc[0]


@pytest.mark.parametrize("name", ["", "traveller", "recap", "compare_tricks", "skill"])
def test_plots(name: str, event: dk.TournamentResults) -> None:
    import matplotlib.pyplot as plt

    arguments = {"traveller": (4,), "recap": (3,)}.get(name, ())
    shown = getattr(event, name)(*arguments) if name else event
    ax = shown.plot()
    assert ax.get_title() or ax.texts
    plt.close(ax.figure)


def test_par_is_counted_from_north_south(event: dk.TournamentResults) -> None:
    deals = event.boards["deal"].array.deals
    par = dk.par(deals, deals.vulnerable, deals.dealer).score
    assert event.results.par_ns.tolist() == par[event.results.deal_id].tolist()
    frame = event.compare_par(3).frame
    assert len(frame) == len(event.results)
    gap = dk.imps((frame.score_ns - frame.par_ns).to_numpy(int))
    assert frame.gap.tolist() == gap.tolist()


def test_the_mean_against_par_of_a_few_boards_has_one_decimal(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("board,contract,declarer,result\n1,1C,N,7\n2,1C,N,7\n3,1C,N,6\n", "utf-8")
    read = dk.results(path, deals=dk.solved_sample()[:3].number_boards(1))
    report = read.solve(par=True).compare_par()
    mean = f"{report.frame.gap.mean():+.1f}".replace("+0.0", "0.0")
    assert f"North-south are {mean} IMPs per result from par on average; there is no interval" in report.text


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["results", *words]) == 0
    return capsys.readouterr().out


def test_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "evening.pbn"
    path.write_text(events.make_pbn(), encoding="utf-8", newline="")
    file = str(path)
    assert "Ann Alfa - Bob Bravo" in run(capsys, file)
    assert "All 65 official numbers agree" in run(capsys, file, "--official")  # 56 of boards, 9 of pairs
    assert "4HxN-1" in run(capsys, file, "--board", "1")
    assert "rank 1 of 7" in run(capsys, file, "--pair", "1")
    assert "480" in run(capsys, file, "--board", "1", "--result", "4H+2")
    assert "Contract and play" in run(capsys, file, "--pair", "1", "--skill")
    assert "median" in run(capsys, file, "--scoring", "butler", "--rule", "datum=median")
    table = tmp_path / "evening.csv"
    run(capsys, file, "--csv", str(table), "--html", str(tmp_path / "evening.html"))
    assert len(pd.read_csv(table)) == 14 and (tmp_path / "evening.html").stat().st_size > 5000
    again = dk.results(table, "matchpoints").results  # the table of results is one of the formats
    first = dk.results(path).results
    for name in ("level", "strain", "doubled", "declarer", "tricks", "lead", "score_ns", "kind", "award_ns", "mp_ns",
                 "official_mp_ew", "ns", "ew", "section"):  # fmt: skip
        assert (
            again[name].astype(object).fillna(0).tolist() == first[name].astype(object).fillna(0).tolist()
        ), name
    assert main(["results", file, "--frequencies"]) == 2
    assert "--board" in capsys.readouterr().err
    assert main(["results", file, "--board", "77"]) == 2
    assert "the results have the boards 1 and 2" in capsys.readouterr().err


def test_files_that_were_changed_at_random_raise_no_foreign_error(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    sources = {"a.pbn": events.make_pbn(), "a.csv": events.make_csv(), "a.xml": events.make_usebio(),
               "a.lin": events.MATCH}  # fmt: skip
    signs = list('[]"\\;|<>,0129AKx-+*#\n \0é')
    for name, text in sources.items():
        for _ in range(60):
            letters = list(text)
            for place in rng.integers(len(letters), size=int(rng.integers(1, 12))):
                letters[place] = str(rng.choice(signs))
            cut = int(rng.integers(len(letters))) if rng.random() < 0.3 else len(letters)
            (tmp_path / name).write_bytes("".join(letters[:cut]).encode())
            try:
                dk.results(tmp_path / name).text  # noqa: B018
            except dk.DealerkitError:
                continue


def test_a_pairs_own_board_with_what_each_card_cost(tmp_path: Path) -> None:
    # Declarer north in 4H; the opening lead is the only card: the solver says what it cost.
    deals = dk.deal(8, seed=2)
    leads = dk.leads(deals, "4H", "north")
    spread = leads.groupby("deal").tricks.agg(lambda tricks: tricks.max() - tricks.min())
    number = int(spread.idxmax())
    cost, text = int(spread.max()), deals.to_pbn()[number]
    worst = leads[leads.deal == number].sort_values("tricks").iloc[0]
    assert cost > 0
    rows = [f"1,1,2,4H,N,10,{worst.card},{text}", f"1,3,4,4H,N,9,,{text}"]
    path = tmp_path / "event.csv"
    path.write_text(
        "board,ns,ew,contract,declarer,tricks,lead,deal\n" + "\n".join(rows), encoding="utf-8", newline=""
    )
    read = dk.results(path, "matchpoints")
    read.results.loc[0, "play"] = worst.card
    report = read.traveller(1, pair=2)
    assert report.card().tables[0].rows[0][0] == ">"
    cards = report.card().tables[1].rows
    assert [row[:4] for row in cards] == [("1", "E", worst.card, cost)]
    assert len(read.traveller(1, pair=4).card().tables) == 1
    with pytest.raises(dk.ArgumentError, match="the pairs are"):
        read.traveller(1, pair=9)


def test_players_over_sessions(tmp_path: Path) -> None:
    # Ann sits in two sessions, once with her family name first; by hand: 100 and 0 %, then 50 %.
    head = "session,board,ns,ew,north,south,east,west,score\n"
    rows = ["a,1,1,2,Ann Alfa,Bob,Cyd,Dan,420", "a,1,3,4,Eva,Fay,Gil,Hal,400",
            "a,2,1,4,Ann Alfa,Bob,Gil,Hal,-50", "a,2,3,2,Eva,Fay,Cyd,Dan,50",
            'b,1,5,6,"Alfa, Ann",Gil,Bob,Dan,100', "b,1,7,8,Eva,Fay,Cyd,Hal,100"]  # fmt: skip
    path = tmp_path / "season.csv"
    path.write_text(head + "\n".join(rows) + "\n", encoding="utf-8", newline="")
    frame = dk.results(path, "matchpoints").players().frame.set_index("name")
    assert frame.loc["Ann Alfa", ["sessions", "boards", "mean"]].tolist() == [2, 3, 50]
    assert frame.loc["Gil", ["sessions", "boards", "mean"]].tolist() == [2, 3, pytest.approx(250 / 3)]
    assert len(frame) == 8


def test_tables_of_the_verb(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "season").mkdir()
    for evening in range(2):
        text = f"board,ns,ew,contract,declarer,tricks\n1,1,2,4H,N,{9 + evening}\n1,3,4,4H,N,10\n"
        (tmp_path / "season" / f"{evening}.csv").write_text(text, encoding="utf-8")
    season, table = str(tmp_path / "season"), tmp_path / "all.parquet"
    plain = ["--scoring", "matchpoints"]
    # All at once, a report, and one file after another
    run(capsys, season, *plain, "--parquet", str(table))
    assert pd.read_parquet(table).score_ns.tolist() == [-50, 420, 420, 420]
    run(capsys, season, *plain, "--board", "1", "--frequencies", "--parquet", str(table))
    assert {"score_ns", "n", "mp_ns", "contracts"} <= set(pd.read_parquet(table).columns)
    csv = tmp_path / "all.csv"
    printed = run(capsys, season, *plain, "--each-file", "--csv", str(csv), "--parquet", str(table))
    assert printed.split("\n")[0] == f"4 results in {csv}"
    assert pd.read_csv(csv).mp_ns.tolist() == pd.read_parquet(table).mp_ns.tolist() == [0, 2, 1, 1]
    # What cannot be, before anything is read or written
    for words, message in (
        (["--each-file"], "--each-file needs"),
        (["--each-file", "--deals", "a.pbn", "--players"], "leave out --each-file"),
        (["--parquet", str(tmp_path / "all.txt")], "must end with .csv or .parquet"),
        (["--parquet", str(tmp_path / "no folder" / "all.parquet")], "there is no such folder"),
    ):
        assert main(["results", season, *plain, *words]) != 0
        assert message in capsys.readouterr().err


def test_the_verb_shows_gifts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = "".join(
        f"1,{2 * k + 1},{2 * k + 2},4H,N,10,{lead},{events.DEAL_1}\n" for k, lead in enumerate(("HT", "C6"))
    )
    path = tmp_path / "event.csv"
    path.write_text("board,ns,ew,contract,declarer,tricks,lead,deal\n" + rows, encoding="utf-8")
    printed = run(capsys, str(path), "--scoring", "matchpoints", "--gifts")
    assert "given by opponents" in printed and "opening leads cost them" in printed
