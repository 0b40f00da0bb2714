"""balanced, semibalanced and long: against lists of shapes, published shares and a count by cards."""

from __future__ import annotations

import pytest

import dealerkit as dk

BALANCED = "any 4333 + any 4432 + any 5332"
# Per cent of hands by shape: The Official Encyclopedia of Bridge, "Mathematical Tables", table 1.
SHARES = {
    "4432": 21.5512, "5332": 15.5168, "5431": 12.9307, "5422": 10.5797, "4333": 10.5361, "6322": 5.6425,
    "6421": 4.7021, "6331": 3.4482, "5521": 3.1739, "4441": 2.9932, "7321": 1.8808, "6430": 1.3262,
    "5440": 1.2433, "5530": 0.8952,
}  # fmt: skip


@pytest.mark.parametrize(
    ("word", "shapes", "published"),
    [
        ("balanced(north)", BALANCED, ("4333", "4432", "5332")),
        (
            "semibalanced(north)",
            f"{BALANCED} + any 5422 + any 6322",
            ("4333", "4432", "5332", "5422", "6322"),
        ),
    ],
)
def test_words_are_lists_of_shapes(word: str, shapes: str, published: tuple[str, ...]) -> None:
    deals = dk.deal(5000, seed=1)
    assert deals.eval(word).tolist() == deals.eval(f"shape(north, {shapes})").tolist()
    share = dk.probability(word)
    assert share.exact
    assert 100 * share.value == pytest.approx(sum(SHARES[shape] for shape in published), abs=5e-4)


def test_long_is_a_suit_of_so_many_cards() -> None:
    deals = dk.deal(5000, seed=2)
    hands = (str(deal).removeprefix("N:").split()[2] for deal in deals)  # north, east, south
    lengths = [[len(suit) for suit in hand.split(".")] for hand in hands]
    for n_cards in (0, 4, 5, 6, 9, 14):
        expected = [max(row) >= n_cards for row in lengths]
        assert deals.eval(f"long(south, {n_cards})").astype(bool).tolist() == expected
    # No suit of six cards: the shapes whose longest suit has four or five.
    without = sum(SHARES[s] for s in SHARES if s[0] in "45")
    assert 100 * dk.probability("long(north, 6)").value == pytest.approx(100 - without, abs=5e-4)


def test_variables_of_a_script_keep_their_meaning() -> None:
    text = (
        "balanced = spades(north) == 13\nlong = 5\n"
        'action average "call" balanced(south), average "variable" balanced, average "number" long'
    )
    call, variable, number = dk.run(text, produce=200, seed=3, generate=200).reports
    assert call.mean.value > 0.3
    assert (variable.mean.value, number.mean.value) == (0, 5)


def test_explanation_names_the_words() -> None:
    text = str(dk.explain("condition balanced(north) and not long(south, 6) and not semibalanced(east)"))
    for sentence in (
        "north is balanced", "south has no suit of 6 or more cards", "east is not semibalanced",
    ):  # fmt: skip
        assert sentence in text
