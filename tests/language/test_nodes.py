"""Nodes behave as frozen dataclasses with slots do: a class that dataclasses makes is the reference."""

from __future__ import annotations

import copy
import inspect
import pickle
from dataclasses import FrozenInstanceError, dataclass, field, fields, make_dataclass, replace
from typing import Any

import pytest

from dealerkit.appearance.wording import shorten
from dealerkit.language import nodes
from dealerkit.language.nodes import NodeBase

CLASSES = [kind for _, kind in inspect.getmembers(nodes, inspect.isclass) if issubclass(kind, nodes.Node)]
PLACE = nodes.Place(2, 3)


@dataclass(frozen=True, slots=True)
class ReferenceBase:
    """The fields of `Node`."""

    place: Any = field(default=None, compare=False, repr=False, kw_only=True)


def make_reference(kind: type[nodes.Node]) -> Any:
    own = [
        (item.name, Any, field(default=item.default) if item.name in kind._defaults else field())
        for item in fields(kind)
        if item.name != "place"
    ]
    return make_dataclass(kind.__qualname__, own, bases=(ReferenceBase,), frozen=True, slots=True)


@pytest.mark.parametrize("kind", CLASSES)
def test_a_node_behaves_as_a_frozen_dataclass(kind: type[nodes.Node]) -> None:
    reference = make_reference(kind)
    assert kind.__match_args__ == reference.__match_args__
    values = [f"value {number}" for number in range(len(kind.__match_args__))]
    node, expected = kind(*values, place=PLACE), reference(*values, place=PLACE)
    assert repr(node) == repr(expected)
    assert [getattr(node, item.name) for item in fields(node)] == [
        getattr(expected, item.name) for item in fields(expected)
    ]
    for again in (copy.copy(node), copy.deepcopy(node), pickle.loads(pickle.dumps(node)), replace(node)):
        assert type(again) is kind and again == node and hash(again) == hash(node) and again.place == PLACE
    elsewhere = replace(node, place=None)
    assert elsewhere.place is None and elsewhere == node and hash(elsewhere) == hash(node)
    for name in kind.__match_args__:
        other = replace(node, **{name: "other"})
        assert other != node and getattr(other, name) == "other" and repr(other) != repr(node)
        assert kind(**dict(zip(kind.__match_args__, values, strict=True))) == node
    assert not hasattr(node, "__dict__")
    for name in ("place", "unknown", *kind.__match_args__):
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(node, name, 1)
        with pytest.raises(FrozenInstanceError, match=name):
            delattr(node, name)
    required = [name for name in kind.__match_args__ if name not in kind._defaults]
    for wrong in (  # too many, a place by position, missing, unknown, twice
        lambda made: made(*values, 1),
        lambda made: made(*values, 1, place=PLACE),
        lambda made: made(*values, unknown=1),
        *([lambda made: made(*values[: len(required) - 1]), lambda made: made(*values, **{required[0]: 1})])
        * bool(required),
    ):
        for made in (reference, kind):
            with pytest.raises(TypeError):
                wrong(made)
    if len(required) < len(values):
        short = values[: len(required)]
        assert repr(kind(*short)) == repr(reference(*short))


def test_nodes_of_two_classes_differ() -> None:
    assert nodes.And(()) != nodes.Or(()) and nodes.Seat(0) != nodes.Suit(0) and nodes.Seat(0) != 0
    assert len({nodes.Seat(0), nodes.Suit(0), nodes.Seat(0, place=PLACE)}) == 2
    assert nodes.Number(1) == nodes.Number(1.0) and nodes.Number(1) != nodes.Number(1, True)


def test_the_repr_of_a_long_node_is_short() -> None:
    text = repr(nodes.Or(tuple(nodes.Name(f"variable{number}") for number in range(3000))))
    assert 180 < len(text) <= 200 and text.endswith(" ...") and text == shorten(text, 200)


def test_node_classes_have_no_methods_of_their_own() -> None:
    compiled = {"__init__", "__repr__", "__eq__", "__hash__", "__setattr__", "__delattr__", "__getstate__"}
    assert all(not compiled & vars(kind).keys() for kind in CLASSES) and compiled <= vars(NodeBase).keys()
