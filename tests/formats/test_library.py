"""Libraries as sources of runs and as tables.

Runs on a file are compared with runs on the same deals in memory.
"""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import dealerkit as dk
from dealerkit.doubledummy import library as solver_library
from dealerkit.formats.content import Records

SCRIPTS = (
    "condition hcp(north) + hcp(south) >= 25 and dds(south, notrump) >= 9\n"
    'action average "points" hcp(north) + hcp(south), frequency (dds(south, notrump), 9, 13)',
    "action average dds(west, clubs), average par(NS, both), frequency (hcp(east), 0, 37)",
    "condition dds(north, spades) > dds(south, spades) action printrpt(par(NS, none), trix(deal), trix(north))",
    "condition spades(north) == 5 and (hcp(east) > 12 or dds(east, hearts) >= 8) action average hcp(west)",
    "condition shape(west, 4333) action printoneline",
    "condition rnd(100) < 50 and hcp(south) > 11 action average rnd(10)",
    "produce 7 condition par(NS, none) >= 400 action printall, average hcp(north)",
)


@pytest.fixture(scope="module")
def deals() -> dk.Deals:
    return dk.solved_sample()[:12_345]


@pytest.fixture(scope="module")
def path(deals: dk.Deals, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("library") / "solved.zrd"
    deals.write(path)
    return path


@pytest.fixture
def no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*arguments, **options):
        raise AssertionError("the solver was called")

    monkeypatch.setattr(solver_library, "call", refuse)


# ------------------------------------------------------------ source of a run
@pytest.mark.filterwarnings("ignore::dealerkit.errors.NothingProducedWarning")
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("script", SCRIPTS)
def test_a_run_on_a_file_is_a_run_on_its_deals(script: str, threads: int, deals, path: Path, no_solver: None):
    given = dk.run(script, source=deals, seed=1, statistics=False, threads=threads)
    result = dk.run(script, source=dk.read(path), seed=1, statistics=False, threads=threads)
    assert result.text == given.text
    assert result.deals.equals(given.deals)
    assert (result.produced, result.generated) == (given.produced, given.generated)
    assert result.solver.solved == 0 and result.solver.requested == result.solver.attached


def test_only_what_is_needed_is_decoded(path: Path, monkeypatch: pytest.MonkeyPatch):
    library = dk.read(path)
    calls = []
    decode = library.content.decode

    def record(rows, seats=15, tables=True):
        calls.append((len(rows), seats, tables))
        return decode(rows, seats, tables)

    monkeypatch.setattr(library.content, "decode", record)
    result = dk.run(SCRIPTS[0], source=library, keep=0, threads=1)
    first, others = [call for call in calls if not call[2]], [call for call in calls if call[2]]
    assert {call[1] for call in first} == {0b0101} and sum(call[0] for call in first) == len(library)
    accepted = int((library.deals.eval("hcp(north) + hcp(south)") >= 25).sum())
    assert result.produced < sum(call[0] for call in others) <= accepted + len(library)  # one call is ours
    calls.clear()
    dk.run("action average hcp(west)", source=library, keep=0, threads=1)
    assert {call[1:] for call in calls} == {(0b1000, False)}


def test_kept_deals_have_their_tables(deals, path: Path):
    result = dk.run("condition hcp(north) > 20", source=dk.read(path), produce=1000)
    assert result.deals.equals(deals.where("hcp(north) > 20"))


def test_a_run_ends_with_the_library(path: Path):
    result = dk.run("action average hcp(north)", source=dk.read(path), generate=1_000_000)
    assert result.generated == result.produced == 12_345
    assert "12,345 deals of solved.zrd" in result.text
    assert dk.run("action average hcp(north)", source=dk.read(path), produce=100).generated == 100


def test_only_unsolved_deals_are_solved(tmp_path: Path):
    deals = dk.solved_sample()[:40]
    tables = deals.tables.copy()
    tables[[3, 17]] = -1
    deals.replace(tables=tables).write(tmp_path / "mixed.zrd")
    result = dk.run("action average dds(south, notrump)", source=dk.read(tmp_path / "mixed.zrd"))
    assert (result.solver.attached, result.solver.solved) == (38, 2)
    assert result.reports[0].mean.value == deals.tables[:, 4, 2].mean()
    condition = "hcp(north) > 8 and dds(south, notrump) >= 7"
    result = dk.run(f"condition {condition}", source=dk.read(tmp_path / "mixed.zrd"))
    assert (result.deals.hands == deals.where(condition).hands).all()


def test_other_processes(deals, path: Path):
    with ProcessPoolExecutor(1) as pool:
        result = dk.run(SCRIPTS[0], source=dk.read(path), executor=pool, statistics=False)
    assert result.text == dk.run(SCRIPTS[0], source=deals, statistics=False).text


def test_an_error_has_the_number_of_its_deal(deals, path: Path):
    script = "condition hcp(north) > 10 and 10 / (dds(south, notrump) - 3) < 1 and dds(west, spades) > 5"
    first = int(np.flatnonzero((deals.eval("hcp(north)") > 10) & (deals.tables[:, 4, 2] == 3))[0])
    with pytest.raises(dk.DivisionByZeroError, match=f"deal {first + 1:,} of the run"):
        dk.run(script, source=dk.read(path))


# ------------------------------------------------------------ DealerV2's rule for the seed
@pytest.mark.parametrize(
    ("n_deals", "seed", "start"),
    [(99, 17, 17), (100, 9, 90), (999, 17, 170), (1000, 9, 900), (9_999, 98, 9_800), (12_345, 11, 11_000)],
)
def test_the_seed_of_v2_is_a_block(n_deals: int, seed: int, start: int, deals, tmp_path: Path):
    deals[:n_deals].write(tmp_path / "part.zrd")
    library = dk.read(tmp_path / "part.zrd")
    result = dk.run("produce 5", source=library, seed=seed, dialect="v2")
    assert result.deals.equals(deals[start : start + 5])


def test_v2_wraps_around_once(deals, path: Path):
    result = dk.run("action average hcp(north)", source=dk.read(path), seed=12 - 1, dialect="v2", keep="all")
    assert result.generated == len(deals)
    assert result.deals.equals(dk.Deals.concatenate([deals[11_000:], deals[:11_000]]))
    result = dk.run("action average hcp(north)", source=dk.read(path), seed=11, keep="all")
    assert result.deals.equals(deals)  # modern: in order


@pytest.mark.parametrize("seed", [12, 1_000_000])
def test_v2_ignores_a_seed_beyond_the_blocks(seed: int, deals, path: Path):
    with pytest.warns(dk.CompatibilityWarning, match=f"seed {seed} is beyond the blocks"):
        result = dk.run("produce 5", source=dk.read(path), seed=seed, dialect="v2")
    assert result.deals.equals(deals[:5])


def test_the_text_of_v2_says_what_was_read(path: Path):
    text = dk.run("action average hcp(north)", source=dk.read(path), seed=11, dialect="v2").text
    assert (
        "\nLibrary file records read 12345, Wrap Arounds=1\nLibrary file starting seed 11\nTime needed"
        in text
    )
    text = dk.run(
        "action average hcp(north)", source=dk.read(path), seed=11, generate=1345, dialect="v2"
    ).text
    assert "records read 1345, Wrap Arounds=0\n" in text and "random seed" not in text


def test_v2_counts_title_records(deals, tmp_path: Path):
    deals[:300].write(tmp_path / "titled.zrd", title="x" * 100)  # six title records
    result = dk.run("produce 5", source=dk.read(tmp_path / "titled.zrd"), seed=1, dialect="v2")
    assert result.deals.equals(deals[4:9])


def test_v2_ignores_a_predeal(deals, path: Path):
    with pytest.warns(dk.CompatibilityWarning, match="neither predealt nor swapped") as shown:
        result = dk.run("predeal north SA produce 5", source=dk.read(path), seed=0, dialect="v2")
    assert result.produced == 5 and len(shown) == 1
    with pytest.raises(dk.ArgumentError, match="cannot be predealt"):
        dk.run("predeal north SA", source=dk.read(path))


# ------------------------------------------------------------ selection
def test_where(deals, path: Path, no_solver: None):
    library = dk.read(path)
    condition = "hcp(north) + hcp(south) >= 25 and dds(south, notrump) < 9"
    chosen = library.where(condition)
    assert chosen.deals.equals(deals.where(condition))
    assert (chosen.numbers == np.flatnonzero(deals.eval(condition))).all()
    again = chosen.where("spades(west) > 4")
    assert again.deals.equals(deals.where(f"{condition} and spades(west) > 4"))
    assert len(library.where("hcp(north) > 37")) == 0
    assert len(library.where("hcp(north)")) == int((deals.eval("hcp(north)") > 0).sum())
    with pytest.raises(dk.ScriptError, match="hpc"):
        library.where("hpc(north) > 3")
    for wrong in ("action printall", "produce 3", "hcp(north) > 3 action printall"):
        with pytest.raises(dk.ScriptError, match="expression"):
            library.where(wrong)
    with pytest.raises(dk.ArgumentError):
        library.where(7)
    chosen = library.where("hcp(north) > $low and par(NS) > 0", params={"low": 19}, vulnerable="both")
    assert chosen.deals.equals(deals.where("hcp(north) > 19 and par(NS) > 0", vulnerable="both"))
    chosen = library.where("cccc(north) > 2000", dialect="v2")
    assert chosen.deals.equals(deals.where("cccc(north) > 2000", dialect="v2")) and len(chosen) > 100


def test_to_frame(deals, path: Path, no_solver: None):
    library = dk.read(path)
    expected = deals.to_frame("hcp", "shape_north", "fit", t="dds(south, notrump)").drop(columns="deal")
    frame = library.to_frame("hcp", "shape_north", "fit", t="dds(south, notrump)")
    pd.testing.assert_frame_equal(frame, expected, check_index_type=False, check_names=False)
    options = {"opener": "east", "vulnerable": "ns", "params": {"x": 2}}
    texts = {"o": "opc(EW)", "p": "par(NS)", "h": "hcp(north) * $x"}
    expected = deals[:500].to_frame("opc", **texts, **options).drop(columns="deal")
    frame = library[:500].to_frame("opc", **texts, **options)
    pd.testing.assert_frame_equal(frame, expected, check_index_type=False, check_names=False)
    expected = deals.to_frame("hcp")
    part = library[5:50:3].to_frame("hcp_north")
    assert part.index.tolist() == list(range(5, 50, 3))
    assert (part.hcp_north == expected.hcp_north[5:50:3]).all()
    chosen = library.where("hcp(north) > 20").to_frame("hcp_north")
    assert (chosen.hcp_north > 20).all() and chosen.index.tolist() == np.flatnonzero(
        expected.hcp_north > 20
    ).tolist()


def test_samples_are_without_replacement(deals, path: Path):
    library = dk.read(path)
    sample = library.sample(500, seed=1)
    assert len(sample) == len(set(sample.numbers.tolist())) == 500
    assert sample.deals.equals(deals[sample.numbers])
    assert (library.sample(500, seed=1).numbers == sample.numbers).all()
    assert (library.sample(100, seed=1).numbers == sample.numbers[:100]).all()
    assert (library.sample(500, seed=2).numbers != sample.numbers).any()
    assert sorted(library.sample(len(library), seed=3).numbers.tolist()) == list(range(len(library)))
    assert len(library.sample(0, seed=1)) == 0
    result = dk.run("action average hcp(north)", source=sample)
    assert result.produced == 500 and "500 of 12,345 deals of solved.zrd, sample 1" in result.text
    for count, seed in ((12_346, 1), (-1, 1), (5, -1), (5, "x")):
        with pytest.raises(dk.ArgumentError, match="sample|count|seed"):
            library.sample(count, seed=seed)


def test_every_deal_is_equally_likely_in_a_sample(deals):
    """Inclusion and first place of each of 20 deals over 4,000 samples of 5, by chi-square."""
    library = dk.Library(Records(deals[:20]))
    numbers = np.array([library.sample(5, seed=seed).numbers for seed in range(4000)])
    first = np.bincount(numbers[:, 0], minlength=20)
    included = np.bincount(numbers.ravel(), minlength=20)
    assert ((first - 200) ** 2 / 200).sum() < 43.8  # chi-square, 19 degrees of freedom, 0.1 %
    assert ((included - 1000) ** 2 / (1000 * 0.75)).sum() * 19 / 20 < 43.8


def test_indexing(deals, path: Path):
    library = dk.read(path)
    assert library[3] == deals[3] and library[-1] == deals[-1]
    assert library[[5, 3, 5]].deals.equals(deals[[5, 3, 5]])
    assert [deal.hands for deal in library[10:13]] == [deal.hands for deal in deals[10:13]]
    for wrong in (12_345, -12_346, None, True):
        with pytest.raises(IndexError, match="of 12345"):
            library[wrong]
    with pytest.raises(IndexError):
        library[[12_345]]
    assert len(library[12_000:20_000]) == 345
    assert len(library[:0]) == 0 and len(library[:0].deals) == 0


def test_representation(path: Path, tmp_path: Path):
    assert repr(dk.read(path)) == "<Library: 12,345 solved deals of solved.zrd>"
    assert repr(dk.read(path)[:1]) == "<Library: 1 solved deal of solved.zrd>"
    long = tmp_path / f"{'x' * 200}.zrd"
    dk.deal(3, seed=1).write(long)
    assert len(repr(dk.read(long))) <= 200


# ------------------------------------------------------------ records in memory
def test_records_in_memory(deals):
    given = deals[:6].replace(board=np.arange(1, 7), dealer=np.arange(6) % 4, weight=np.arange(1.0, 7.0))
    texts = {"north": list("ABCDEF"), "contract": ["3NT"] * 6}
    library = dk.Library(Records(given, texts, [(17, "13 cards are missing")], name="club.pbn"))
    assert library.deals.equals(given)
    assert library.frame.columns.tolist() == ["board", "dealer", "north", "contract"]
    assert library[::2].frame.north.tolist() == ["A", "C", "E"] and library[::2].deals.equals(given[::2])
    assert library[4:].frame.index.tolist() == [4, 5]
    assert library.skipped.values.tolist() == [["club.pbn", 17, "13 cards are missing"]]
    assert library.is_solved and (library.tables == given.tables).all()
    script = "condition hcp(north) > 5 action average dds(south, hearts)"
    result, expected = dk.run(script, source=library), dk.run(script, source=given)
    assert result.deals.equals(expected.deals)
    assert result.reports[0].mean == expected.reports[0].mean
    assert result.probability == expected.probability  # weighted


# ------------------------------------------------------------ formats
def test_formats_and_options(deals, path: Path, tmp_path: Path):
    with pytest.raises(dk.ArgumentError, match="unknown format 'zdr'; did you mean 'z.d'"):
        dk.read(path, format="zdr")
    with pytest.raises(dk.ArgumentError, match="zrd has no option 'first'; it takes check"):
        dk.read(path, first=3)
    with pytest.raises(dk.ArgumentError, match="the suffix is not that of a format"):
        deals.write(tmp_path / "deals.xyz")
    with pytest.raises(dk.ArgumentError, match="zrd has no option 'first'"):
        deals.write(tmp_path / "deals.zrd", first=3)
    with pytest.raises(dk.ArgumentError, match="name of a file"):
        dk.read(7)
    dk.read(path)[100:200].write(tmp_path / "part.zrd")
    assert dk.read(tmp_path / "part.zrd").deals.equals(deals[100:200])
