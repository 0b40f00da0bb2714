"""Averages: of a truth value a share with Wilson's interval, else a mean with Student's."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import dealerkit as dk
from dealerkit import proportion

DEALS = dk.deal(3_000, seed=3)


@pytest.mark.parametrize(
    "expression", ["hascard(north, AS)", "hcp(north) > 20 or hcp(south) > 20", "not aces(west)"]
)
def test_a_truth_value_is_a_share(expression):
    result = dk.run(f'action average "x" {expression}', source=DEALS)
    passed = int((DEALS.eval(expression) != 0).sum())
    report = result.reports[0]
    assert report.mean == proportion(passed, len(DEALS))
    assert report.truth
    interval = stats.binomtest(passed, len(DEALS)).proportion_ci(method="wilson")
    assert (report.mean.lo, report.mean.hi) == pytest.approx(interval)
    assert report.sd == pytest.approx(np.std(DEALS.eval(expression) != 0, ddof=1))
    assert "standard deviation" not in result.text
    assert f"Average of x: {100 * passed / len(DEALS):.1f} " in result.text  # in per cent


def test_the_interval_of_a_number_is_student_s():
    report = dk.run("action average hcp(north)", source=DEALS[:20]).reports[0]
    values = DEALS[:20].eval("hcp(north)")
    interval = stats.t.interval(0.95, 19, values.mean(), stats.sem(values))
    assert (report.mean.lo, report.mean.hi) == pytest.approx(interval)
    assert not report.truth


def test_swapped_deals_are_clustered():
    """All six deals of a shuffle agree here: the interval must be that of a sixth of the deals."""
    script = 'action average "x" hascard(north, AS)'
    whole = dk.run_script(script, dk.RunOptions(generate=6000, swap=3, seed=1)).reports[0].mean
    alone = proportion(round(whole.value * 1000), 1000)
    assert whole.hi - whole.lo == pytest.approx(alone.hi - alone.lo, rel=0.02)


def test_a_share_is_a_percentage_with_the_digits_of_its_interval():
    first = dk.run('action average "fit, %" hascard(north, AS)', source=DEALS).text.splitlines()[0]
    share = proportion(int(DEALS.eval("hascard(north, AS)").sum()), len(DEALS))
    margin = 50 * (share.hi - share.lo)
    assert 1 < margin < 3  # two digits
    assert first == f"Average of fit, %: {100 * share.value:.1f} ± {margin:.1f} %"
    points = dk.run('action average "points, %" hcp(north)', source=DEALS).text.splitlines()[0]
    assert points.count("%") == 1


def test_html_names_shares_and_means():
    html = dk.run('action average "x" hascard(north, AS), average hcp(north)', source=DEALS)._repr_html_()
    assert "mean or share, 95 % interval" in html
    for expression, name in (("hascard(north, AS)", "share"), ("hcp(north)", "mean")):
        html = dk.run(f"action average {expression}", source=DEALS)._repr_html_()
        assert f">{name}, 95 % interval</th>" in html
    label = "<script>x</script>"
    script = f'action average "{label}" hcp(north), frequency "{label}" (hcp(north), 0, 37), printpbn'
    page = dk.run(script, source=DEALS).to_html()
    assert (
        "<script>x" not in page
        and "&lt;script&gt;x" in page
        and page.count('class="dot"') == 1
        and 'class="bar"' in page
    )
    assert 'class="dk-deal"' in page  # beside the reports


def test_the_old_dialects_print_the_mean_alone():
    for rules in ("v1", "v2"):
        result = dk.run('action average "x" hascard(north, AS)', dialect=rules, generate=1000, seed=1)
        assert f"{result.reports[0].mean.value:g}" in result.text
