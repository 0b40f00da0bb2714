"""The exact curve beside a frequency: in text, HTML and plots."""

from __future__ import annotations

from math import comb

import matplotlib as mpl
import numpy as np
import pytest

import dealerkit as dk
from dealerkit.compiler.compilation import compile_script
from dealerkit.dealing import Predeal
from dealerkit.language.dialects import MODERN
from dealerkit.planning import make_plan
from dealerkit.simulation.record import add_exact_curves

mpl.use("Agg")
LENGTHS = np.array([comb(13, k) * comb(39, 13 - k) / comb(52, 13) for k in range(14)])


def report_with_curve(script: str, proposed: int = 10_000, seed: int = 1):
    """Return the only report of a run, with its exact curve."""
    plan = make_plan(compile_script(script))
    result = dk.run(script, generate=10_000, seed=seed, keep=0)
    add_exact_curves(result.reports, plan, plan.program.predeal or Predeal(), proposed)
    report = result.reports[0]
    report.__dict__.pop("exact", None), report.__dict__.pop("exact_in_text", None)
    return report


def test_lengths_of_a_suit():
    report = report_with_curve("action frequency (spades(north), 2, 5)")
    expected = [LENGTHS[:2].sum(), *LENGTHS[2:6], LENGTHS[6:].sum()]
    assert report.exact.tolist() == pytest.approx(expected, rel=1e-13)
    assert report.exact_in_text is not None


def test_suit_breaks():
    """The chances of the Official Encyclopedia of Bridge: five cards out, 3-2 67.83 %, 4-1 28.26 %, 5-0 3.91 %."""
    report = report_with_curve(
        "predeal spades(north) == 4 predeal spades(south) == 4 action frequency (spades(west), 0, 5)"
    )
    assert report.exact[1:-1].round(4).tolist() == [0.0196, 0.1413, 0.3391, 0.3391, 0.1413, 0.0196]


def test_buckets_of_reals_and_the_condition():
    report = report_with_curve(
        "condition spades(north) == 13 or spades(north) == 0 action bktfreq (hcp(north) / 2.0, 0, 4, 2)"
    )
    assert report.exact.sum() == pytest.approx(1)
    many = dk.run(
        "condition spades(north) == 0 action bktfreq (hcp(north) / 2.0, 0, 4, 2)",
        produce=100_000,
        seed=2,
        keep=0,
    ).reports[0]
    assert np.abs(many.shares.share - report.exact).max() < 4.5 * many.shares.se.max()


@pytest.mark.parametrize(
    "script",
    [
        "action frequency (cccc(north) > 12, 0, 1)",
        "action frequency (rnd(10), 0, 9)",
        "condition cccc(south) > 9 action frequency (hcp(north), 0, 20)",
        "condition hcp(north) > hcp(east) and hcp(east) > hcp(south) action frequency (hcp(north), 0, 20)",
        "condition 10 / (spades(north) + 1) > 1 and rnd(2) action frequency (hcp(north), 0, 20)",
    ],
)
def test_conditions_that_cannot_be_counted_have_no_curve(script):
    report = report_with_curve(script)
    assert report.exact is None
    assert "exact" not in report._repr_html_().partition("</style>")[2]
    assert len(report.plot().lines) == len(report_with_curve(script).plot().lines)


def test_old_programs_weights_and_given_deals_have_no_curve():
    script = "action frequency (spades(north), 0, 13)"
    deals = dk.deal(1000, seed=1)
    for result in (dk.run(script, source=deals), dk.run(script, generate=1000, dialect="v2", seed=1)):
        assert result.reports[0].exact is None
        assert result.reports[0].exact_in_text is None


def test_a_text_has_the_curve_only_if_it_costs_little():
    from dealerkit.actions import TextSettings, create_writer

    text = create_writer(MODERN, TextSettings(None, 1, None, None, None, 1))
    small = text.format_report(
        report_with_curve("condition hcp(north) > 9 action frequency (hcp(north), 8, 12)")
    )
    assert small.splitlines()[1].split() == "value count share 95 % interval exact up to here".split()
    both = "condition hcp(north) > 9 action frequency (hcp(south), 8, 12)"
    assert "exact" not in text.format_report(report_with_curve(both))
    assert "exact" in text.format_report(report_with_curve(both, proposed=200_000_000))


def test_html_and_plot_show_the_curve():
    report = report_with_curve("condition hcp(north) > 9 action frequency (hcp(south), 8, 12)")
    html = report._repr_html_()
    assert ">exact</th>" in html and '<path class="exact"' in html
    k = report.shown_rows()[1]
    assert f">{100 * report.exact[k]:.2f}\u00a0%</td>" in html
    panel = report.plot()
    curves = [line for line in panel.lines if line.get_label() == "exact"]
    assert curves[0].get_ydata().tolist() == pytest.approx(100 * report.exact[report.shown_rows()])
