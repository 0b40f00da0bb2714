"""Boards for teaching: deals of a scenario with its dealer, vulnerability, name and text."""

from __future__ import annotations

from typing import Any

import numpy as np

from dealerkit.arguments import check_integer
from dealerkit.cards.deals import Deals
from dealerkit.errors import ArgumentError
from dealerkit.formats.content import Records
from dealerkit.formats.library import Library
from dealerkit.language.checks import Program
from dealerkit.language.headers import find_scenario_name


def make_boards(
    deals: Deals,
    program: Program,
    *,
    student: int | str | None = None,
    first: int = 1,
    dealer: int | str | None = None,
    vulnerable: int | str | bool | None = None,
    title: str | None = None,
    rotate: bool = False,
) -> Library:
    """Return deals of a script as numbered boards with its name and its text; see `Result.boards`."""
    first = check_integer("first", first, 1)
    if title is not None and not isinstance(title, str):
        raise ArgumentError(f"title is {title!r:.60}; it takes a text")
    if student is not None and rotate:
        raise ArgumentError("student and rotate both move the hands; give one of them")
    if student is not None:
        deals = deals.rotate("south", student)
    boards = deals.number_boards(first, dealer=dealer, vulnerable=vulnerable, rotate=rotate)
    columns: dict[str, Any] = {}
    for name, given in (("dealer", dealer), ("vulnerable", vulnerable)):
        own = getattr(deals, name)
        if given is None and own is not None and not rotate:
            columns[name] = np.where(own < 0, getattr(boards, name), own)
    boards = boards.replace(**columns)
    metadata = program.script.metadata
    name = title or program.title or find_scenario_name(metadata)
    texts: dict[str, list] = {}
    if name:
        texts = {"comment": [name] * len(boards), "tags": [[["Event", name]]] * len(boards)}
    if len(boards) and (chat := metadata.get("chat")):
        texts.setdefault("comment", [""] * len(boards))
        texts["comment"][0] = "\n".join(filter(None, (name, chat)))
    return Library(Records(boards, texts, name=name))
