"""The best contract by class against loops over the sides, with scores and IMPs of the laws written out."""

from __future__ import annotations

from collections import defaultdict
from itertools import permutations

import numpy as np
import pytest
from scipy.stats import binom

import dealerkit as dk
from dealerkit import ArgumentError, Deals, best_contracts, solved_sample
from dealerkit.studies.contract_patterns import Candidate
from dealerkit.studies.tables.contract_choice import (
    ClassSums,
    add_by_class,
    choose_contract,
    find_bounds,
    list_pairs,
    score_candidates,
)
from tests.studies.laws import law_imps, law_score
from tests.studies.same_numbers import check_same_numbers

NAMES = ("S", "H", "D", "C", "NT")
GAMES = {"S": "4S", "H": "4H", "D": "5D", "C": "5C", "NT": "3NT"}


@pytest.fixture(scope="module")
def sample():
    return solved_sample()[:1500]


def list_sides(sample, declarer):
    """Points, cards in the longer major, this major, and tricks by strain, of both sides of each deal."""
    sides = []
    for number, (deal, table) in enumerate(zip(sample.hands.tolist(), sample.tables.tolist(), strict=True)):
        lanes = [[word >> shift & 0x1FFF for shift in (48, 32, 16, 0)] for word in deal]
        points = [sum((lane >> 9 + k & 1) * (k + 1) for lane in hand for k in range(4)) for hand in lanes]
        for first, second in ((0, 2), (1, 3)):
            lengths = [lanes[first][suit].bit_count() + lanes[second][suit].bit_count() for suit in (0, 1)]
            major = 1 if lengths[1] > lengths[0] else 0
            tricks = {}
            for strain in range(5):
                pair = [table[strain][first], table[strain][second]]
                if declarer == "better":
                    tricks[NAMES[strain]] = max(pair)
                    continue
                cards = [lanes[seat][strain].bit_count() if strain < 4 else 0 for seat in (first, second)]
                keys = [(cards[k], points[seat]) for k, seat in enumerate((first, second))]
                tricks[NAMES[strain]] = pair[1] if keys[1] > keys[0] else pair[0]
            sides.append((number, points[first] + points[second], max(lengths), NAMES[major], tricks))
    return sides


def choose_by_loop(rows, candidates, vulnerable, scoring):
    """Mean scores, mean gains of each candidate over each other one, and the best; rows: (strain, tricks)."""

    def contract_of(candidate, strain):
        if candidate == "game":
            return GAMES[strain]
        return candidate.replace("X", strain).replace("M", strain)

    scores = {candidate: [] for candidate in candidates}
    for strain, tricks in rows:
        for candidate in candidates:
            bid = contract_of(candidate, strain)
            scores[candidate].append(law_score(bid, tricks[bid[1:]], vulnerable))
    gains = {}
    for a, b in permutations(candidates, 2):
        changes = [x - y for x, y in zip(scores[a], scores[b], strict=True)]
        if scoring == "imps":
            changes = [law_imps(change) for change in changes]
        if scoring == "matchpoints":
            changes = [(change > 0) / 2 - (change < 0) / 2 for change in changes]
        gains[a, b] = changes
    smallest = {a: min(np.mean(gains[a, b]) for b in candidates if b != a) for a in candidates}
    return scores, gains, max(candidates, key=lambda a: (round(smallest[a], 9), -candidates.index(a)))


@pytest.mark.parametrize(
    "options, candidates",
    [
        ({"scoring": "imps"}, ["2M", "3NT", "4M", "6M"]),
        ({"scoring": "points", "vulnerable": True, "declarer": "longer"}, ["2M", "game", "3NT"]),
        ({"scoring": "matchpoints", "declarer": "longer"}, ["1NT", "2S", "4X"]),
    ],
)
def test_means_by_a_loop(sample, options, candidates):
    table = best_contracts(sample, where="fit >= 8", candidates=candidates, min_deals=30, **options)
    classes = defaultdict(list)
    for number, points, fit, major, tricks in list_sides(sample, options.get("declarer", "better")):
        if fit >= 8:
            classes[points].append((number, major, tricks))
    expected = {points for points, rows in classes.items() if len({row[0] for row in rows}) >= 30}
    assert set(table.frame.index) == expected and table.left_out == len(classes) - len(expected)
    for points in sorted(expected)[::3]:
        rows = classes[points]
        scores, gains, best = choose_by_loop(
            [row[1:] for row in rows], candidates, options.get("vulnerable", False), options["scoring"]
        )
        found = table.frame.loc[points]
        assert (found.contract, found.sides, found.deals) == (best, len(rows), len({row[0] for row in rows}))
        assert found.score == pytest.approx(np.mean(scores[best]))
        assert found.gain == pytest.approx(np.mean(gains[best, found.runner_up]))
        for candidate in candidates:
            row = table.gains.loc[points, candidate]
            assert row.score == pytest.approx(np.mean(scores[candidate]))
            if candidate != best:
                assert row.gain == pytest.approx(-np.mean(gains[best, candidate]))
                assert row.gain_lo <= row.gain <= row.gain_hi and row.gain_lo < row.gain_hi


def test_interval_of_two_candidates_is_that_of_clustered_residuals(sample):
    table = best_contracts(sample, strain="notrump", candidates=["1NT", "3NT"], scoring="points")
    sides = [side for side in list_sides(sample, "better") if side[1] == 20]
    totals = defaultdict(float)
    gains = [law_score("1NT", t["NT"], False) - law_score("3NT", t["NT"], False) for *_, t in sides]
    for side, gain in zip(sides, gains, strict=True):
        totals[side[0]] += gain - np.mean(gains)
    count = len(totals)
    se = np.sqrt(sum(total**2 for total in totals.values()) * count / (count - 1)) / len(sides)
    row = table.frame.loc[20]
    assert row.gain == pytest.approx(np.mean(gains))
    # Two more deals have the smallest and the largest gain that there is.
    ends = [law_score("1NT", k, False) - law_score("3NT", k, False) for k in range(14)]
    ends = np.array([min(ends), max(ends)])
    centre = (count * np.mean(gains) + ends.sum()) / (count + 2)
    se = np.sqrt((se * count) ** 2 + ((ends - centre) ** 2).sum()) / (count + 2)
    # Student's quantile for 95 % and 93 to 150 deals is 1.98; that of the result is simulated.
    assert (row.gain_hi - centre) / se == pytest.approx(1.98, abs=0.05)
    assert (centre - row.gain_lo) / se == pytest.approx(1.98, abs=0.05)
    assert row.decided == (row.gain_lo > 0)


def draw_classes(size, repeats, equal):
    """Choices among four contracts on samples of sides with 22 to 25 points, and the true gains of each pair.

    If they are to be equal, the scores of a side are dealt out to the contracts anew.
    """
    deals = dk.solved_sample()[:20_000]
    points, tricks = deals.eval("hcp(north) + hcp(south)"), deals.eval("tricks(south, spades)").astype(int)
    tricks = tricks[(points >= 22) & (points <= 25) & (deals.eval("spades(north) + spades(south)") >= 8)]
    names = ["1S", "2S", "4S", "6S"]
    bids = tuple(Candidate.parse(name) for name in names)
    bounds = find_bounds(bids, False, "imps")
    scores = np.stack([dk.score(name, np.arange(14)) for name in names], axis=1)[tricks]
    pairs, random = list_pairs(len(bids)), np.random.default_rng([size, repeats])

    def compare_scores(scores):
        gains = [dk.imps(scores[:, i] - scores[:, j]) for i, j in pairs]
        return np.stack([*gains, *scores.T, *(scores.T > 0)], axis=1).astype(float)

    if equal:
        widest = max(abs(end) for ends in bounds for end in ends)
        bounds = [(-widest, widest)] * len(pairs)
    truth = dict(zip(pairs, compare_scores(scores).mean(axis=0), strict=False))
    truth = {names[i] + names[j]: gain for (i, j), gain in truth.items()}
    truth |= {name[2:] + name[:2]: -gain for name, gain in truth.items()}
    for _ in range(repeats):
        sample = scores[random.integers(len(scores), size=size)]
        sample = random.permuted(sample, axis=1) if equal else sample
        sums = add_by_class(compare_scores(sample), np.zeros(size), np.arange(size), None)[0.0]
        yield choose_contract(sums, bids, bounds, 0.95), truth


def check_choices(size, repeats):
    """Gains hold together; of equal contracts none is the best; the verdict and the rows say the same."""
    held = false = 0
    for equal in (True, False):
        for choice, truth in draw_classes(size, repeats, equal):
            behind = [row.gain.hi < 0 for name, row in choice.candidates.items() if name != choice.contract]
            assert choice.decided == (choice.gain.lo > 0) == all(behind)
            if equal:
                false += any(behind)
                continue
            best = choice.contract
            gains = {name: truth[name + best] for name in choice.candidates if name != best}
            rows = [(choice.candidates[name].gain, gain) for name, gain in gains.items()]
            rows.append((choice.gain, -max(gains.values())))
            held += all(row.lo - 1e-9 <= gain <= row.hi + 1e-9 for row, gain in rows)
    assert held >= binom.ppf(0.001, repeats, 0.95), (size, held)
    assert false <= binom.ppf(0.999, repeats, 0.05), (size, false)


def test_of_equal_contracts_none_is_decided():
    check_choices(60, 40)
    check_choices(240, 40)


@pytest.mark.slow
@pytest.mark.parametrize("size", [60, 240, 1500])
def test_of_equal_contracts_none_is_decided_in_1000_samples(size):
    check_choices(size, 1000)


def test_intervals_together_are_wider_and_never_empty(sample):
    two = best_contracts(sample, strain="notrump", candidates=["1NT", "3NT"]).frame.loc[20]
    four = best_contracts(sample, strain="notrump", candidates=["1NT", "3NT", "6NT", "7NT"])
    assert four.frame.gain_hi[20] - four.frame.gain_lo[20] > two.gain_hi - two.gain_lo
    gains = four.gains.loc[20]
    assert (gains.gain_hi - gains.gain_lo)[["3NT", "6NT", "7NT"]].min() > 0
    # With 20 points neither slam makes, and 7NT always costs the same more than 6NT: the interval has a width.
    slams = best_contracts(sample, strain="notrump", where="hcp <= 20", candidates=["6NT", "7NT"])
    row = slams.frame.loc[20]
    assert row.contract == "6NT" and row.gain_lo < row.gain < row.gain_hi


def test_classes_and_output(sample):
    table = best_contracts(
        sample, where="hcp >= 18", min_deals=30,
        classes={"eight trumps": "fit == 8", "notrump": ("notrump", "hcp <= 24")},
    )  # fmt: skip
    alone = best_contracts(sample, where="hcp >= 18 and fit == 8", min_deals=30)
    for column in ("contract", "gain", "gain_lo", "sides"):
        assert table.frame.loc["eight trumps"][column].tolist() == alone.frame[column].tolist()
    assert table.frame.loc["notrump"].index.max() == 24
    check_same_numbers(table)
    check_same_numbers(alone)
    text = alone.text
    assert "partscore" in text and "nan" not in text and "decided" in text
    assert "<table" in table.to_html() and "toprule" in table.to_latex()
    assert list(table.to_frame().columns[:2]) == ["class", "hcp"] and len(repr(table)) <= 200


def test_weights_and_batches(sample):
    weight = np.random.default_rng(2).integers(1, 3, len(sample)).astype(float)
    repeated = sample[np.repeat(np.arange(len(sample)), weight.astype(int))]
    weighted = best_contracts(sample.replace(weight=weight), strain="notrump", candidates=["1NT", "3NT"])
    means = best_contracts(repeated, strain="notrump", candidates=["1NT", "3NT"]).frame.score
    shared = weighted.frame.index.intersection(means.index)
    np.testing.assert_allclose(weighted.frame.score[shared], means[shared])
    columns, random = np.random.default_rng(1).normal(size=(60, 4)), np.random.default_rng(4)
    values, deals = random.integers(0, 2, 60).astype(float), np.repeat(np.arange(30), 2)
    whole = add_by_class(columns, values, deals, None)[1.0]
    parts = [
        add_by_class(columns[half], values[half], deals[half], None)[1.0]
        for half in (slice(0, 20), slice(20, 60))
    ]
    joined: ClassSums = parts[0] + parts[1]
    np.testing.assert_allclose(joined.covariance, whole.covariance)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"candidates": ["4M"]}, "at least two"), ({"candidates": ["4M", "4m ", "4M"]}, "listed twice"),
        ({"candidates": "4M"}, "give a list"), ({"candidates": ["4m", "3NT"]}, "4m needs a minor"),
        ({"candidates": ["4M", "slam"]}, "not a contract"), ({"by": "cccc"}, "more than 200 values"),
        ({"min_deals": 5}, "30 or more"), ({"where": "hcp > 39"}, "no class has 100 deals"),
        ({"classes": {}}, "names with conditions"), ({"classes": {"a": 3}}, "give a condition"),
        ({"declarer": "mean"}, "unknown declarer"), ({"vulnerable": 1}, "True or False"),
    ],
)  # fmt: skip
def test_errors(sample, options, message):
    with pytest.raises(ArgumentError, match=message):
        best_contracts(sample, **options)


def test_deals_without_tables(sample):
    with pytest.raises(ArgumentError, match="no double-dummy tables"):
        best_contracts(Deals(sample.hands))


@pytest.mark.slow
@pytest.mark.parametrize("deals", [40, 200, 1000])
def test_intervals_together_cover_the_gains_of_a_population(deals):
    """Sides with 24 points drawn with replacement: all intervals of a class contain the gains of all sides."""
    sample = solved_sample()
    points = np.zeros((len(sample), 4), int)
    for shift in (48, 32, 16, 0):
        for k in range(4):
            points += (sample.hands >> np.uint64(shift + 9 + k) & np.uint64(1)).astype(int) * (k + 1)
    chosen = points[:, :2] + points[:, 2:] == 24
    tricks = (
        np.maximum(sample.tables[..., :2], sample.tables[..., 2:]).transpose(0, 2, 1)[chosen].astype(np.int64)
    )
    candidates = tuple(map(Candidate.parse, ("1NT", "3NT", "6NT")))
    columns = score_candidates(candidates, np.full(len(tricks), 4), tricks, True, "imps")
    bounds, pairs = find_bounds(candidates, True, "imps"), list_pairs(3)
    true = {pair: columns[:, k].mean() for k, pair in enumerate(pairs)}
    names = [str(candidate) for candidate in candidates]
    random, repeats, covered = np.random.default_rng(5), 400, 0
    for _ in range(repeats):
        rows = random.integers(0, len(tricks), deals)
        sums = add_by_class(columns[rows], np.zeros(deals), np.arange(deals), None)[0.0]
        choice = choose_contract(sums, candidates, bounds, 0.95)
        best = names.index(choice.contract)
        inside = []
        for k, row in enumerate(choice.candidates.values()):
            if k != best:
                gain = true[k, best] if k < best else -true[best, k]
                inside.append(row.gain.lo <= gain <= row.gain.hi)
        covered += all(inside)
    assert 0.93 - 2 * np.sqrt(0.93 * 0.07 / repeats) <= covered / repeats <= 0.995
