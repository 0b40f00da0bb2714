"""Values as sums over suits, against the values on deals."""

from __future__ import annotations

import numpy as np
import pytest

from dealerkit import Deals
from dealerkit.compiler.evaluation import BatchColumns
from dealerkit.compiler.graph import OperationGraph
from dealerkit.counting import NotAdditive, SuitSums, map_features
from dealerkit.dealing.uniform import deal_range
from dealerkit.language.checks import check_script
from dealerkit.language.dialects import MODERN
from dealerkit.language.parser import parse_script


def compile_expression(text: str) -> tuple[OperationGraph, int]:
    """Return a graph with one expression, and its slot."""
    program = check_script(parse_script(text, MODERN))
    graph = OperationGraph(MODERN)
    assert program.condition is not None
    return graph, graph.add_expression(program.condition)


def test_suit_sums_equal_the_values_on_deals():
    texts = (
        "hcp(north) + 2 * losers(south) - spades(east)",
        "0.5 * hcp(west) - ltc(north)",
        "hcp(east, hearts) * 3 + hascard(south, TD)",
        "quality(north, spades) + quality(north, hearts)",
        "7 - fit(EW, clubs)",
    )
    hands = deal_range(5, 0, 5000)
    for text in texts:
        graph, slot = compile_expression(text)
        suit_sum = SuitSums(graph).find_sum(slot)
        assert suit_sum is not None
        expected = BatchColumns(graph, Deals(hands, check=False)).array(slot)
        assert np.allclose(suit_sum.values(hands) / suit_sum.divisor, expected, rtol=0, atol=1e-9)


def test_a_function_that_is_no_sum_is_not_countable():
    graph, slot = compile_expression("cccc(north) > 10")
    with pytest.raises(NotAdditive, match="cccc is not a sum over suits"):
        map_features(SuitSums(graph), [slot])
