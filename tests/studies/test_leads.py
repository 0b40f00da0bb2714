"""Opening leads compared: against endplay and a count of its own, coverage, stopping, interrupts, mistakes."""

from __future__ import annotations

import warnings
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

import dealerkit as dk
from dealerkit import (
    ArgumentError,
    CostWarning,
    DealError,
    Deals,
    DoubleDummyBias,
    FileError,
    PredealError,
    ScriptError,
    SmallSample,
    TruncatedRun,
)
from dealerkit.doubledummy.leads import tricks_after_lead
from dealerkit.scoring import Contract
from dealerkit.studies.contracts.study import build_question
from dealerkit.studies.leads import sampling
from dealerkit.studies.leads.gains import GainTables, LeadGains
from dealerkit.studies.leads.sampling import LeadLimits, LeadSampler, list_leads, read_leader
from tests.plots.figure_texts import check_themes

HAND = "QJ752.K83.94.T62"
GIVEN = "hcp(south) >= 15 and hcp(south) <= 17 and hcp(north) >= 9"


@pytest.fixture(autouse=True)
def quiet(monkeypatch):
    monkeypatch.setenv("DEALERKIT_STORE", "off")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DoubleDummyBias)
        yield


def lead(*arguments, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSample)
        return dk.lead(*arguments, **options)


# ------------------------------------------------------------ against endplay

IMP_STEPS = [20, 50, 90, 130, 170, 220, 270, 320, 370, 430, 500, 600, 750, 900, 1100, 1300, 1500, 1750, 2000,
             2250, 2500, 3000, 3500, 4000]  # fmt: skip


def count_with_endplay(study, contract, declarer, vulnerable):
    """Tricks of the defence and its scores for each deal and card, from endplay alone."""
    pytest.importorskip("endplay")
    from endplay.dds import solve_all_boards
    from endplay.types import Contract as EndplayContract
    from endplay.types import Deal, Denom, Player, Vul

    denom = {"S": Denom.spades, "H": Denom.hearts, "D": Denom.diamonds, "C": Denom.clubs, "N": Denom.nt}
    players = [Player.north, Player.east, Player.south, Player.west]
    boards = []
    for text in study.deals.to_pbn():
        deal = Deal(text)
        deal.trump, deal.first = denom[contract[1]], players[(declarer + 1) % 4]
        boards.append(deal)
    tricks, scores = [], []
    for start in range(0, len(boards), 20):
        for board in solve_all_boards(boards[start : start + 20]):
            found = {card.suit.name[0].upper() + card.rank.abbr: taken for card, taken in board}
            tricks.append(found)
            row = {}
            for card, taken in found.items():
                made = 13 - taken - int(contract[0]) - 6
                sign = "=" if not made else f"{made:+d}"
                text = f"{contract}{'NESW'[declarer]}{sign}"
                row[card] = -EndplayContract(text).score(Vul.both if vulnerable else Vul.none)
                if declarer % 2 == 1:
                    row[card] = -abs(row[card]) if made >= 0 else abs(row[card])
            scores.append(row)
    return tricks, scores


def imps(points):
    size = sum(abs(points) >= step for step in IMP_STEPS)
    return size if points > 0 else -size


def check_against_endplay(study, contract, declarer, vulnerable):
    tricks, scores = count_with_endplay(study, contract, declarer, vulnerable)
    needed, n = 14 - int(contract[0]) - 6, study.n
    assert len(tricks) == n
    frame = study.frame
    cards = {card for row in frame.itertuples() for card in [row.Index]}
    all_cards = [row.Index[0] + rank for row in frame.itertuples() for rank in row.cards.split("-")]
    assert sorted(all_cards) == sorted(tricks[0])
    assert sorted(cards) == sorted(each.card for each in study.leads)
    for row in frame.itertuples():
        for rank in row.cards.split("-"):  # touching cards are equal
            assert [found[row.Index[0] + rank] for found in tricks] == [found[row.Index] for found in tricks]
        assert row.tricks == pytest.approx(np.mean([found[row.Index] for found in tricks]), abs=1e-12)
        assert study.mean_tricks(row.Index).value == row.tricks
        assert row.beats == pytest.approx(
            np.mean([found[row.Index] >= needed for found in tricks]), abs=1e-12
        )
        for other in frame.index:
            if other == row.Index:
                continue
            pairs = [(found[row.Index], found[other]) for found in scores]
            expected = {
                "imps": np.mean([imps(a - b) for a, b in pairs]),
                "matchpoints": np.mean([(a > b) + (a == b) / 2 - 0.5 for a, b in pairs]),
                "points": np.mean([a - b for a, b in pairs]),
                "beats": np.mean([(t[row.Index] >= needed) - float(t[other] >= needed) for t in tricks]),
                "tricks": np.mean([t[row.Index] - t[other] for t in tricks]),
            }
            for measure, value in expected.items():
                assert study.gain(row.Index, other, measure).value == pytest.approx(value, abs=1e-12)
    return frame


def test_the_table_is_that_of_endplay():
    study = lead("KJT4.Q93.T85.J62", "4S by south", given=GIVEN, produce=3, seed=3)
    check_against_endplay(study, "4S", 2, False)
    assert [each.ranks for each in study.leads if each.suit == 0] == ["K", "J-T", "4"]


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "declarer", "vulnerable"), [("3NT", 2, False), ("4H", 1, True)])
def test_200_deals_are_those_of_endplay(contract, declarer, vulnerable):
    study = lead(
        HAND, contract, declarer=declarer, vulnerable=vulnerable, scoring="imps", produce=200, seed=4,
        given="hcp(south) >= 12" if declarer == 2 else "hcp(east) >= 12",
    )  # fmt: skip
    frame = check_against_endplay(study, contract, declarer, vulnerable)
    # Each lead is compared with the best of the others, which matchpoints may choose otherwise than IMPs.
    for card in frame.index[:2]:
        for measure, column, half in (
            ("imps", "gain", 0),
            ("imps", "imps", 0),
            ("matchpoints", "matchpoints", 0.5),
        ):
            gains = [study.gain(card, other, measure).value for other in frame.index if other != card]
            assert frame[column][card] == min(gains) + half


# ------------------------------------------------------------ deals


def test_the_leader_has_the_hand_and_the_deals_meet_the_condition():
    for declarer in ("north", "east"):
        study = lead(HAND, "3NT", declarer=declarer, given="hcp(north) >= 12", produce=4, seed=1)
        assert study.leader == ("NESW".index(declarer[0].upper()) + 1) % 4
        assert {deal.hand(study.leader) for deal in study.deals} == {HAND}
        assert (study.deals.eval("hcp(north)") >= 12).all()
    again = lead(HAND, "3NT by east", given="hcp(north) >= 12", produce=4, seed=1)
    assert again.deals.to_pbn() == study.deals.to_pbn()
    assert (again.tricks == study.tricks).all()


def test_the_script_of_a_result_deals_the_same_population():
    study = lead(HAND, "1NT by north", given="hcp(north) >= 20", produce=3, seed=1)
    result = dk.run(study.provenance.script, produce=5, seed=1)
    assert {deal.hand("east") for deal in result.deals} == {HAND}
    assert (result.deals.eval("hcp(north)") >= 20).all()
    assert study.provenance.seed == 1
    assert study.cost.solves == study.cost.deals == 3
    assert "dealerkit" in study.provenance.versions


def test_the_condition_may_be_a_file(tmp_path):
    file = tmp_path / "auction.dealer"
    file.write_text("hcp(north) >= $low")
    study = lead(HAND, "1NT by north", given=file, params={"low": 20}, produce=2, seed=1)
    assert study.given == "hcp(north) >= $low"
    assert (study.deals.eval("hcp(north)") >= 20).all()
    with pytest.raises(FileError, match="none.dealer"):
        lead(HAND, "1NT by north", given=tmp_path / "none.dealer", produce=2)


def test_a_rule_leaves_one_card_of_each_suit():
    study = lead("KJ742.Q93.T5.J62", "3NT by south", lead_rule="third and fifth", produce=3, seed=2)
    assert [each.card for each in study.leads] == ["S2", "H3", "DT", "C2"]
    single = lead("KJ742.Q93.T5.J62", "3NT by south", lead_rule=lambda hand, strain: "H3", produce=3, seed=2)
    assert single.verdict == "♥3 is the only lead."
    assert "gain" not in single.frame
    with pytest.raises(ArgumentError, match="there is only one lead"):
        single.gain("H3")


# ------------------------------------------------------------ statistics


def test_gains_are_paired_differences_with_students_interval():
    chance = np.random.default_rng(5)
    tricks = np.clip(chance.normal([4, 4.2, 3.5], 1.2, (500, 3)).round(), 0, 13).astype(np.int8)
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), 3)
    for part in np.array_split(tricks, 7):
        gains.add(part)
    plain = dk.difference(tricks[:, 1].astype(int), tricks[:, 0].astype(int), "points")
    estimate = gains.compare("tricks", 1, 0)
    assert estimate.value == pytest.approx(plain.value)
    assert estimate.se == pytest.approx(plain.se, rel=0.01)
    assert gains.compare("tricks", 0, 1).value == -estimate.value
    assert gains.rate("beats", 0).value == pytest.approx((tricks[:, 0] >= 5).mean())
    assert gains.find_order("tricks").tolist() == [1, 0, 2]
    assert gains.compare_with_best("tricks").other.tolist() == [1, 0, 1]


def test_no_interval_has_width_zero():
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), 2)
    gains.add(np.full((100, 2), 4, np.int8))
    for measure in ("beats", "tricks", "imps", "matchpoints", "points"):
        estimate = gains.compare(measure, 0, 1)
        assert estimate.value == 0
        assert estimate.lo < 0 < estimate.hi
    assert gains.rate("tricks", 0).lo < 4 < gains.rate("tricks", 0).hi
    assert gains.find_possibly_best("beats").all()


def test_a_lead_that_is_always_better_is_distinguished():
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), 3)
    gains.add(np.tile([5, 4, 4], (60, 1)))
    assert gains.find_possibly_best("beats").tolist() == [True, False, False]
    assert gains.find_possibly_best("tricks").tolist() == [True, False, False]


class Pool:
    """Draws with replacement from solved deals, in place of a population and the solver."""

    def __init__(self, tricks, leads, seed):
        self.tricks, self.leads, self.random = tricks, leads, np.random.default_rng(seed)

    def draw(self, n):
        self.rows = self.random.integers(len(self.tricks), size=n)
        return Deals(np.zeros((n, 4), np.uint64), check=False)

    def solve(self, hands, contract, declarer, beats=False, threads=None):
        cards = np.zeros((len(self.rows), 4, 13), np.int8)
        for column, each in enumerate(self.leads):
            cards[:, each.suit, each.rank] = self.tricks[self.rows, column]
        return (cards >= 5).astype(np.int8) if beats else cards


def sample_pool(monkeypatch, tricks, measure, precision, seed):
    leads = list_leads(read_leader(HAND), 4)
    pool = Pool(tricks, leads, seed)
    monkeypatch.setattr(sampling, "solve_leads", pool.solve)
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), len(leads))
    limits = LeadLimits(precision)
    sampler = LeadSampler(pool, Contract.parse("3NT"), 2, leads, gains, measure, limits, 1, None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", CostWarning)
        sampler.run()
    return gains


@pytest.fixture(scope="module")
def solved_leads():
    """Tricks of the defence after each lead from HAND, on deals with the auction 1NT - 3NT."""
    with np.load(Path(__file__).parent.parent / "data" / "leads-against-3nt.npz") as file:
        return file["tricks"]


def measure_coverage(monkeypatch, tricks, measure, precision, repeats):
    """How often intervals of fixed pairs hold the truth, all rows together, and the best lead is kept."""
    truth, best = find_truth(tricks, measure)
    hits, rows, found, sizes = [], [], [], []
    for seed in range(repeats):
        gains = sample_pool(monkeypatch, tricks, measure, precision, seed)
        sizes.append(gains.size(measure))
        for i in range(tricks.shape[1]):
            if i != best:
                estimate = gains.compare(measure, best, i)
                hits.append(estimate.lo <= truth[best, i] <= estimate.hi)
        best_others = gains.compare_with_best(measure)
        rows.append(contains(best_others, truth))
        found.append(best_others.possible[best])
        assert (best_others.hi - best_others.lo)[best_others.possible].max() / 2 <= precision
    return np.mean(hits), np.mean(rows), np.mean(found), np.mean(sizes)


def find_truth(tricks, measure):
    """The true gain of each lead over each other, nan over itself, and the best lead."""
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), tricks.shape[1])
    gains.add(tricks)
    truth = gains.means(measure)
    np.fill_diagonal(truth, np.nan)
    return truth, int(np.nanmin(truth, axis=1).argmax())


def contains(found, truth):
    """Whether all intervals contain the true gain over the best of the others."""
    gains = np.nanmin(truth, axis=1)
    return bool(((found.lo <= gains + 1e-9) & (gains - 1e-9 <= found.hi)).all())


def compare_sample(tricks, measure):
    gains = LeadGains(GainTables(Contract.parse("3NT"), False), tricks.shape[1])
    gains.add(tricks)
    return gains.compare_with_best(measure)


def check_equal_leads(tricks, measure, size, repeats):
    """Rows hold together, and of leads that are equal none is said to be behind, both at 95 %."""
    truth, _ = find_truth(tricks, measure)
    random = np.random.default_rng([size, repeats])
    held = false = 0
    for _ in range(repeats):
        sample = tricks[random.integers(len(tricks), size=size)]
        held += contains(compare_sample(sample, measure), truth)
        # On each deal the tricks are dealt out to the leads anew, so that all are equally good.
        equal = compare_sample(random.permuted(sample, axis=1), measure)
        assert equal.possible.all() == ((equal.lo <= 0) & (equal.hi >= 0)).all()
        false += not equal.possible.all()
    assert held >= binom.ppf(0.001, repeats, 0.95), (measure, size, held)
    assert false <= binom.ppf(0.999, repeats, 0.05), (measure, size, false)


@pytest.mark.parametrize("leads", [slice(None), [0, 3, 5, 9]], ids=["12 leads", "4 leads"])
def test_no_row_says_that_one_of_equal_leads_is_behind(solved_leads, leads):
    for measure, size in (("beats", 60), ("matchpoints", 240), ("imps", 60)):
        check_equal_leads(solved_leads[:, leads], measure, size, 40)


@pytest.mark.slow
@pytest.mark.parametrize("measure", ["beats", "tricks", "imps", "matchpoints", "points"])
def test_equal_leads_in_1000_samples(solved_leads, measure):
    for size in (60, 240, 1500):
        check_equal_leads(solved_leads, measure, size, 1000)
        check_equal_leads(solved_leads[:, [0, 3, 5, 9]], measure, size, 1000)


def test_the_verdict_and_the_rows_say_the_same():
    study = lead(HAND, "3NT by south", given=GIVEN, produce=40, seed=1, scoring="tricks")
    frame = study.frame
    assert (frame.possibly_best == (frame.gain_hi >= 0)).all()
    if frame.possibly_best.sum() > 1:
        assert (frame.gain_lo[frame.possibly_best] <= 0).all()
    assert [each.card for each in study.possibly_best] == frame.index[frame.possibly_best].tolist()
    assert (frame.gain.diff().dropna() <= 0).all()
    for measure, name in (("tricks", "gain"), ("imps", "imps")):
        for card, row in frame.iterrows():
            over = [study.gain(card, other, measure) for other in frame.index if other != card]
            least = min(over, key=lambda gain: gain.value)
            found = study.gain(card, scoring=measure)
            assert row[name] == found.value == least.value
            assert (row[f"{name}_lo"], row[f"{name}_hi"]) == (found.lo, found.hi)
    # The drawing has the intervals of the table.
    (panel,) = study.plot().child_axes
    ends = sorted(tuple(line.get_xdata()) for line in panel.lines if len(line.get_xdata()) == 2)
    shown = set(zip(frame.gain_lo, frame.gain_hi, strict=True))
    assert all(any(np.allclose(pair, end) for end in ends) for pair in shown)


def test_stopping_keeps_the_coverage(monkeypatch, solved_leads):
    covered, rows, found, size = measure_coverage(monkeypatch, solved_leads, "tricks", 0.4, 40)
    assert 0.91 < covered < 0.99  # 440 intervals, those of a repeat together
    assert rows >= 0.85 and found >= 0.9
    assert 96 <= size < 1000


@pytest.mark.slow
@pytest.mark.parametrize(("measure", "precision"), [("beats", 0.06), ("tricks", 0.2), ("imps", 1.0)])
def test_coverage_over_1000_repeats(monkeypatch, solved_leads, measure, precision):
    covered, rows, found, size = measure_coverage(monkeypatch, solved_leads, measure, precision, 1000)
    print(f"{measure} to {precision}: {covered:.3f}, rows {rows:.3f}, best {found:.3f}, {size:.0f} deals")
    assert 0.93 <= covered <= 0.97
    assert rows >= 0.95 and found >= 0.95


# ------------------------------------------------------------ ends of a study


def test_an_interrupt_returns_the_deals_solved_so_far(monkeypatch):
    solve, calls = sampling.solve_leads, []

    def interrupted(*arguments, **options):
        calls.append(1)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(*arguments, **options)

    monkeypatch.setattr(sampling, "solve_leads", interrupted)
    monkeypatch.setattr(sampling, "CHUNK", 4)
    with pytest.warns(TruncatedRun, match="it was interrupted; the results from 8 deals are valid"):
        study = lead(HAND, "3NT by south", given=GIVEN, precision=0.5, seed=1)
    assert study.n == len(study.deals) == len(study.tricks) == 8
    assert "The study ended early: it was interrupted." in study.text
    calls[:] = [1, 1]
    with pytest.raises(KeyboardInterrupt):
        lead(HAND, "3NT by south", given=GIVEN, precision=0.5, seed=1)


def test_limits(monkeypatch):
    monkeypatch.setattr(sampling, "CHUNK", 4)
    seen = []
    with pytest.warns(
        TruncatedRun, match="the limit of 1.0 ns was reached; the results from 4 deals are valid"
    ):
        lead(HAND, "3NT by south", produce=8, max_seconds=1e-9, seed=1)
    with pytest.warns(SmallSample, match="the result is from 8 deals; below 30"):
        dk.lead(
            HAND, "3NT by south", produce=8, seed=1, progress=lambda done, total: seen.append((done, total))
        )
    assert seen == [(4, 8), (8, 8)]


def test_only_what_beats_the_contract_is_solved_after_the_first_deals(monkeypatch):
    monkeypatch.setattr(sampling, "CHUNK", 5)
    monkeypatch.setattr(sampling, "N_TRICKS", 5)
    study = lead(HAND, "3NT by south", given=GIVEN, produce=10, seed=1)
    assert len(study.tricks) == study.gains.n_tricks == 5
    assert len(study.beaten) == study.n == 10
    monkeypatch.setattr(sampling, "N_TRICKS", 100)
    whole = lead(HAND, "3NT by south", given=GIVEN, produce=10, seed=1)
    assert (study.beaten == whole.beaten).all()
    assert (whole.beaten == (whole.tricks >= 5)).all()
    assert (study.tricks == whole.tricks[:5]).all()
    assert "Tricks, IMPs and matchpoints are from the first 5 of them." in study.text


def test_a_long_study_states_its_cost(monkeypatch, solved_leads):
    monkeypatch.setattr(LeadSampler, "_seconds_per_deal", lambda self: 1.0)
    leads = list_leads(read_leader(HAND), 4)
    pool = Pool(solved_leads, leads, 1)
    monkeypatch.setattr(sampling, "solve_leads", pool.solve)

    def study(precision, **limits):
        gains = LeadGains(GainTables(Contract.parse("3NT"), False), len(leads))
        limits = LeadLimits(precision, **limits)
        LeadSampler(pool, Contract.parse("3NT"), 2, leads, gains, "tricks", limits, 1, None).run()

    with pytest.warns(CostWarning, match=r"about [\d,]+ deals must be solved, which takes about"):
        study(0.1)
    with pytest.raises(ArgumentError, match="give a larger precision, or a limit, max_seconds="):
        study(0.001)
    study(0.1, max_seconds=100)


def test_a_single_honour_is_a_warning():
    with pytest.warns(DoubleDummyBias, match="♠K, a single honour, looks better than it is"):
        lead("K83.Q72.J94.K862", "3NT by south", produce=2, seed=1, lead_rule=lambda hand, strain: "SK")


# ------------------------------------------------------------ contracts after leads by a rule


def test_contracts_with_a_rule_of_leads():
    deals = dk.solved_sample()[:400].where("hcp(north) + hcp(south) == 25")[:12]
    tricks = tricks_after_lead(deals, "notrump", "north", "fourth best")
    assert (tricks > deals.tables[:, 4, 0]).any()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SmallSample)
        study = dk.contracts(
            deals, ["2NT", "3NT"], declarer="north", vulnerable="none", lead_rule="fourth best"
        )
    assert study.makes("3NT").value == pytest.approx((tricks >= 9).mean())
    assert study.frame.tricks.iloc[0] == pytest.approx(tricks.mean())
    assert "The opening lead follows a rule: fourth best." in study.text
    assert study.provenance.arguments["lead_rule"] == "fourth best"
    question = replace(build_question(["2NT", "3NT"], "north", "none", "imps", None), lead_rule="fourth best")
    _, choices = question.choose(deals)
    coarse = question.solve(deals, choices, exactly=False)[0]
    assert ((coarse >= 9) == (tricks >= 9)).all()
    assert ((coarse >= 8) == (tricks >= 8)).all()
    with pytest.raises(ArgumentError, match="did you mean 'fourth best'"):
        dk.contracts(deals, ["2NT", "3NT"], declarer="north", lead_rule="forth best")


# ------------------------------------------------------------ output and mistakes


def test_text_html_and_plot():
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    study = lead("QJ752.K83.94.T62", "3NT by south", given=GIVEN, produce=8, seed=1)
    text = str(study)
    assert text.startswith(
        f"West leads from QJ752.K83.94.T62 against 3NT by south\n{study.verdict}\n8 deals, double dummy"
    )
    assert "♠Q-J" in text and "Gain over the best of the other leads, per deal" in text and "seed 1" in text
    assert study.verdict in text
    assert repr(study).startswith(
        "<LeadStudy: West leads from QJ752.K83.94.T62 against 3NT by south; 8 deals, "
    )
    page = study.to_html()
    assert page.startswith("<!doctype html>") and '<span class="dk-s">♠\ufe0e</span>Q-J' in page
    assert page.count('role="img"') == 2 * len(study.leads) and "How it was computed" in page
    ax = study.plot()
    chance = ax
    assert [label.get_text() for label in chance.get_yticklabels()] == [
        study.leads[i].text for i in study.order
    ]
    points = [line.get_xdata()[0] for line in chance.lines if len(line.get_xdata()) == 1]
    assert points == pytest.approx((100 * study.frame.beats).tolist())
    assert study.plot(plt.figure().add_subplot()).child_axes
    assert {"West leads against 3NT by south", "the same minus the best of the other leads"} <= set(
        check_themes(study.plot)
    )
    plt.close("all")
    assert list(study.to_frame().columns[:3]) == ["lead", "cards", "kind"]
    with pytest.raises(ArgumentError, match="'SA' is not one of the leads that are compared: SQ, S7"):
        study.beats("SA")
    assert study.beats("♠J") == study.beats("SQ")
    with pytest.raises(ArgumentError, match="SQ and SJ are the same lead, ♠Q-J"):
        study.gain("SQ", "SJ")


@pytest.mark.parametrize(
    ("arguments", "options", "error", "message"),
    [
        (["QJ752.K83.94.T6", "3NT by south"], {}, DealError, r"has 12 cards \(5 spades, 3 hearts, 2 diamonds, 2"),
        (["QJ752.K83.94.T66", "3NT by south"], {}, DealError, "has C6 twice"),
        (["QJ752 K83 94T62", "3NT by south"], {}, DealError, "dots between them, as KJ74.Q93.T85.J62"),
        (["QJ752.K83.94.T6Z", "3NT by south"], {}, DealError, "'Z' in .* is not a card"),
        ([17, "3NT by south"], {}, DealError, "the leader's hand is 17; write the suits"),
        ([pd.DataFrame({"x": [1, 2]}), "3NT by south"], {}, DealError, "the leader's hand is a DataFrame; write"),
        ([HAND, "3NT"], {}, ArgumentError, "3NT has no declarer"),
        ([HAND, "pass"], {}, ArgumentError, "a deal that is passed out has no lead"),
        ([HAND, "8NT by south"], {}, ArgumentError, "'8NT' is not a contract"),
        ([HAND, "3NT by soth"], {}, ArgumentError, "did you mean 'south'"),
        ([HAND, "3NT by south"], {"scoring": "imp"}, ArgumentError, "did you mean 'imps'"),
        ([HAND, "3NT by south"], {"precision": 0}, ArgumentError, "precision is 0; give a number above 0"),
        ([HAND, "3NT by south"], {"precision": 0.1, "produce": 9}, ArgumentError, "not both"),
        ([HAND, "3NT by south"], {"produce": 1}, ArgumentError, "produce"),
        ([HAND, "3NT by south"], {"lead_rule": "forth best"}, ArgumentError, "did you mean 'fourth best'"),
        ([HAND, "3NT by south"], {"progress": 3}, ArgumentError, "progress is 3; give True"),
        ([HAND, "3NT by south"], {"given": "hcp(west) > 20"}, ArgumentError,
         "where west, who leads, has QJ752.K83.94.T62: no"),
        ([HAND, "3NT by south"], {"given": "hcp(north) > 37"}, ArgumentError, "where west, who leads, has"),
        ([HAND, "3NT by south"], {"given": "hpc(north) > 3"}, ScriptError, "did you mean 'hcp'"),
        ([HAND, "3NT by south"], {"predeal": {"w": "SA"}}, ArgumentError, "predeal names west, who leads"),
        ([HAND, "3NT by south"], {"predeal": {"north": "SQ"}}, PredealError, "SQ"),
    ],
)  # fmt: skip
def test_mistakes(arguments, options, error, message):
    with pytest.raises(error, match=message):
        dk.lead(
            *arguments, **({"produce": 4, "seed": 1} | options if "precision" not in options else options)
        )


@pytest.mark.parametrize(
    "text",
    [
        "S KJ7432 H Q9832 D - C J6", "SKJ7432HQ9832DCJ6", "kj7432 q9832 - j6", "KJ7432.Q9832.-.J6",
        "\u2660KJ7432 \u2665\ufe0fQ9832 \u2666 \u2663J6", "S: KJ7432, H: Q9832, D: -, C: J6", " KJ7432.Q9832..J6 ",
        "KJ7432, Q9832, --, J6", "S KJ7432 H Q9832 D void C J6", "KJ7432 Q9832 Void J6", "KJ7432.Q9832.\u2014.J6",
    ],
)  # fmt: skip
def test_a_hand_may_be_written_with_suit_letters_symbols_or_blanks(text):
    assert read_leader(text) == read_leader("KJ7432.Q9832..J6")


@pytest.mark.parametrize(
    "text", ["S KJ74 H Q93 D T85 C J6", "H KJ74 S Q93 D T85 C J62", "KJ74 Q93 T85", "", "-", "SHDC"]
)
def test_other_texts_are_no_hand(text):
    with pytest.raises(dk.DealError, match="the leader's hand"):
        read_leader(text)


def test_an_auction_in_place_of_a_contract_has_a_remedy() -> None:
    with pytest.raises(dk.ArgumentError, match="pass it as given="):
        dk.lead("T942.982.KT4.QT3", dk.auction("1NT-3NT", dealer="south"), produce=10)
