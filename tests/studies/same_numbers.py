"""Checks that text, HTML, LaTeX, JSON and frames of a result have the same numbers."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

from dealerkit.appearance.table import NUMBERS, Column, Quantity, to_plain

_SIGNS = str.maketrans({"\u2212": "-", "\u00a0": " ", "\ufe0e": None, "\u2013": "-"})
_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


def read_html(page: str) -> str:
    """The words of HTML, without its style, its drawings and how it was computed."""
    body = re.sub(r"<(style|script|svg|summary|title|template)\b.*?</\1>", " ", page, flags=re.DOTALL)
    return unescape(re.sub(r"<[^>]+>", " ", body)).translate(_SIGNS)


def read_latex(text: str) -> str:
    """The words of LaTeX, its signs as characters."""
    for command, sign in (("$-$", "-"), ("~", " "), (r"\%", "%"), (r"\,", ""), ("--", "-")):
        text = text.replace(command, sign)
    return text.translate(_SIGNS)


def check_same_numbers(result: Any) -> None:
    """Every number of the tables is in each output, and those of JSON are the printed ones, unrounded."""
    text = result.text.translate(_SIGNS)
    outputs = text, read_html(result.to_html()), read_latex(result.to_latex())
    numbers = [set(_NUMBER.findall(output)) for output in outputs]
    data = json.loads(json.dumps(result.to_dict()))
    count = 0
    for table, plain in zip(result.card().tables, data["tables"], strict=True):
        columns = [column for column in table.columns if column.kind != "drawing"]
        assert [column.name for column in columns] == [column["name"] for column in plain["columns"]]
        for column, cells in zip(table.columns, table.format(ascii=True), strict=True):
            if column.kind not in NUMBERS:
                continue
            objects = table.list_cells(column)
            for cell, row, given in zip(cells, plain["rows"], objects, strict=True):
                if cell.is_number:
                    format = given if isinstance(given, Quantity) else column
                    check_cell(format, column.name, cell.text.value, row[column.name], numbers)
                    count += 1
    assert count, "the tables have no number"


def check_cell(format: Column | Quantity, name: str, shown: str, plain: Any, numbers: list[set[str]]) -> None:
    """A number of a table is in all outputs, and is that of JSON, rounded."""
    (printed, *_) = _NUMBER.findall(shown)
    assert all(printed in found for found in numbers), (printed, name)
    scale, value = format.scale, plain
    while isinstance(value, dict):
        value = value["value"]
    if format.kind in ("share", "percent"):
        scale = 100
    decimals = len(printed.partition(".")[2])
    if not re.search(r"[<>~]|10\^|e-|million|x 10", shown):
        assert abs(float(printed.replace(",", "")) - scale * value) <= 0.5001 * 10**-decimals, name


def check_frame(result: Any) -> None:
    """The frame of each table has the numbers that JSON has of it."""
    for table, plain in zip(result.card().tables, result.to_dict()["tables"], strict=True):
        frame = table.to_frame()
        for column in table.columns:
            if column.kind not in NUMBERS:
                continue
            expected = [read_number(row[column.name]) for row in plain["rows"]]
            found = [read_number(to_plain(cell)) for cell in frame[column.name]]
            assert found == expected, column.name


def read_number(plain: Any) -> Any:
    """The number in a cell of JSON."""
    while isinstance(plain, dict):
        plain = plain["value"]
    return plain
