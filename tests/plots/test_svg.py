"""Figures as SVG: their colours are tokens, they have no ground, no style of their own, and identifiers apart."""

from __future__ import annotations

import pickle
import re
import xml.etree.ElementTree as ElementTree

import pytest

import dealerkit as dk
from dealerkit.charts.figures import render_figure, render_svg

pytest.importorskip("matplotlib").use("Agg")


@pytest.fixture(scope="module")
def result() -> dk.Result:
    script = """action frequency "north <script>alert('1')</script>" (hcp(north), 0, 37)"""
    return dk.run(script, source=dk.deal(2000, seed=3))


def test_colours_are_tokens_and_nothing_is_painted(result: dk.Result) -> None:
    text = render_svg(result.plot().figure)
    colors = re.findall(r"(var\(--dk-[\w-]+, )?(#[0-9a-f]{6})", text)
    assert len(colors) > 40 and {color for name, color in colors if not name} == set()
    assert "<style" not in text and "<metadata" not in text
    root = ElementTree.fromstring(text)
    assert root.attrib["role"] == "img" and "north <script>" in root.attrib["aria-label"]
    assert "<script" not in text


def test_two_figures_of_a_page_have_other_identifiers(result: dk.Result) -> None:
    other = dk.run("action average hcp(north)", source=dk.deal(100, seed=1))
    first, second = (
        set(re.findall(r'\bid="([^"]+)"', render_svg(each.plot().figure))) for each in (result, other)
    )
    assert first and second and not first & second
    text = render_svg(result.plot().figure)
    referred = set(re.findall(r'(?:url\(#|href="#)([^)"]+)', text))
    assert referred <= set(re.findall(r'\bid="([^"]+)"', text))


def test_a_notebook_gets_html_of_our_figures_only(result: dk.Result) -> None:
    import matplotlib.pyplot as plt

    assert "<svg" in result.plot().figure._repr_html_()
    figure, ax = plt.subplots()
    result.plot(ax)
    assert "<svg" not in (getattr(figure, "_repr_html_", lambda: "")() or "")
    with plt.style.context("dark_background"):
        assert (
            render_figure(result.plot().figure) is None
        )  # shown as an image, on the ground it was drawn for


def test_figures_are_pickled(result: dk.Result) -> None:
    sample = dk.solved_sample()[:500]
    results = (
        result,
        dk.par_statistics(sample),
        dk.law_of_total_tricks(sample),
        dk.compare(["hcp"], sample=sample),
    )
    for plotted in results:
        figure = plotted.plot().figure
        copy = pickle.loads(pickle.dumps(figure))
        assert copy._repr_html_() == figure._repr_html_()


@pytest.mark.parametrize("ax", ["x", 3])
def test_other_things_than_axes_are_refused(result: dk.Result, ax: object) -> None:
    with pytest.raises(dk.ArgumentError, match="give matplotlib Axes"):
        result.reports[0].plot(ax=ax)


def test_titles_are_the_label(result: dk.Result) -> None:
    figure = result.plot().figure
    assert figure.get_label().startswith("north")
