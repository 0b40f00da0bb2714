"""Colours of the style sheet: contrast on all grounds, and distances between series and between suits.

Limits: WCAG 2.1, 1.4.3 (4.5 for text) and 1.4.11 (3 for marks). Colour blindness: Machado, Oliveira and
Fernandes, IEEE TVCG 15 (2009), table 1, severity 1. Distances are those of CIE Lab, 1976.
"""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from dealerkit.appearance.html import read_tokens

GROUNDS = {"light": ("#ffffff", "#f3f4f6", "#eeeeee"), "dark": ("#111111", "#1e1e1e", "#212121")}
TEXTS = "text quiet data alarm warn good spades hearts diamonds clubs".split()
MARKS = "rule exact cat3 cat4 rest vulnerable".split()
SERIES, SUITS = ("data", "exact", "cat3", "cat4"), ("spades", "hearts", "diamonds", "clubs")
SIGHT = {
    "normal": np.eye(3),
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}  # fmt: skip


def read_color(text: str) -> np.ndarray:
    """Return red, green and blue, 0 to 1, of a colour such as #2368b0."""
    assert len(text) == 7, text
    return np.array([int(text[k : k + 2], 16) for k in (1, 3, 5)]) / 255


def to_linear(color: np.ndarray) -> np.ndarray:
    return np.where(color <= 0.04045, color / 12.92, ((color + 0.055) / 1.055) ** 2.4)


def contrast(first: np.ndarray, second: np.ndarray) -> float:
    """Return the contrast ratio of two colours as WCAG 2.1 defines it."""
    low, high = sorted(float(to_linear(color) @ [0.2126, 0.7152, 0.0722]) for color in (first, second))
    return (high + 0.05) / (low + 0.05)


def to_lab(linear: np.ndarray) -> np.ndarray:
    """Return CIE Lab of linear sRGB for the white D65."""
    matrix = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]
    x = np.array(matrix) @ np.clip(linear, 0, 1) / [0.9505, 1, 1.089]
    f = np.where(x > (6 / 29) ** 3, np.cbrt(x), x / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def test_contrast_of_known_colors():
    white = read_color("#ffffff")
    assert contrast(white, read_color("#000000")) == pytest.approx(21)  # by the definition
    assert contrast(white, read_color("#767676")) == pytest.approx(4.54, abs=0.005)  # WebAIM's checker
    assert to_lab(to_linear(read_color("#ff0000"))) == pytest.approx([53.24, 80.09, 67.20], abs=0.05)


@pytest.mark.parametrize("theme", GROUNDS)
def test_text_and_marks_have_contrast_on_every_ground(theme):
    tokens = read_tokens(theme)
    weakest = {
        name: min(contrast(read_color(tokens[f"--dk-{name}"]), read_color(g)) for g in GROUNDS[theme])
        for name in [*TEXTS, *MARKS]
    }
    assert {name: ratio for name, ratio in weakest.items() if ratio < (4.5 if name in TEXTS else 3)} == {}


@pytest.mark.parametrize("theme", GROUNDS)
def test_text_has_contrast_on_painted_parts(theme):
    tokens = {name[5:]: value for name, value in read_tokens(theme).items()}
    text, data, top = read_color(tokens["text"]), read_color(tokens["data"]), float(tokens["heat-top"])
    for ground in GROUNDS[theme]:  # the strongest cell of a heat map
        assert contrast(text, top * data + (1 - top) * read_color(ground)) >= 4.5
    for painted in ("data", "vulnerable"):
        on = tokens.get(f"on-{painted}") or read_tokens("light")[f"--dk-on-{painted}"]
        assert contrast(read_color(on), read_color(tokens[painted])) >= 4.5


@pytest.mark.parametrize(("theme", "series", "suits"), [("light", 17, 15), ("dark", 14, 10)])
def test_colors_differ_under_color_blindness(theme, series, suits):
    tokens = read_tokens(theme)
    for names, least in ((SERIES, series), (SUITS, suits)):
        colors = [to_linear(read_color(tokens[f"--dk-{name}"])) for name in names]
        for sight, matrix in SIGHT.items():
            seen = [to_lab(np.array(matrix) @ color) for color in colors]
            distance = min(float(np.linalg.norm(a - b)) for a, b in combinations(seen, 2))
            assert round(distance) >= least, (names, sight)  # the limits are whole numbers


@pytest.mark.parametrize("theme", GROUNDS)
def test_the_color_of_data_is_the_same_as_numbers(theme):
    tokens = read_tokens(theme)
    expected = np.rint(255 * read_color(tokens["--dk-data"]))
    assert [int(part) for part in tokens["--dk-data-rgb"].split()] == expected.tolist()
