"""Docstrings of all public names: sections in the order of numpydoc, every parameter named, an example."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator

import pytest

import dealerkit as dk

SECTIONS = (
    "Parameters", "Attributes", "Returns", "Yields", "Raises", "Warns", "See Also", "Notes", "References",
    "Examples",
)  # fmt: skip
OF_PANDAS = {"DealArray", "DealDtype"}  # their methods are those of pandas' extension arrays
PUBLIC = [
    name
    for name in dk.__all__
    if callable(getattr(dk, name))
    and not (inspect.isclass(getattr(dk, name)) and issubclass(getattr(dk, name), Exception))
]


def walk_methods() -> Iterator[str]:
    for name in PUBLIC:
        if inspect.isclass(getattr(dk, name)) and name not in OF_PANDAS:
            for method, member in vars(getattr(dk, name)).items():
                plain = getattr(member, "__func__", member)
                if inspect.isfunction(plain) and not method.startswith("_"):
                    yield f"{name}.{method}"


def find_object(path: str) -> Callable[..., object]:
    value = dk
    for part in path.split("."):
        value = getattr(value, part)
    return value  # type: ignore[return-value]


@pytest.mark.parametrize("path", [*PUBLIC, *walk_methods()])
def test_sections_and_parameters(path: str) -> None:
    value = find_object(path)
    text = inspect.getdoc(value) or ""
    assert text
    sections = re.findall(rf"^({'|'.join(SECTIONS)})\n-+$", text, re.MULTILINE)
    assert sections == sorted(sections, key=SECTIONS.index)
    if re.search(r"(see|those of|as for|inherited from) `[\w.]+`", text.lower()):
        return
    names = [
        name for name in inspect.signature(value).parameters if name != "self" and not name.startswith("_")
    ]
    assert [name for name in names if not re.search(rf"(^|[\s`*,]){name}\b", text, re.MULTILINE)] == []


@pytest.mark.parametrize("name", PUBLIC)
def test_examples(name: str) -> None:
    assert ">>>" in inspect.getdoc(getattr(dk, name))
