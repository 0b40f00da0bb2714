"""The version stands in one place; changelog, citation and licences agree with it and with pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest

import dealerkit

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
HEADINGS = [
    "Added",
    "Changed",
    "Deprecated",
    "Removed",
    "Fixed",
    "Security",
    "Changed numbers",
    "Known limits",
]
FAMILIES = {
    "BSD": "BSD", "MIT": "MIT", "Apache": "Apache", "MPL": "MPL", "PSF": "Python Software Foundation",
}  # fmt: skip


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def rows(page: str, heading: str) -> list[list[str]]:
    """Return the cells of the first table under a heading, without its head."""
    table = read(page).split(f"## {heading}\n")[1].split("\n## ")[0]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("|")]
    return lines[2:]


def test_the_version_stands_in_one_place() -> None:
    assert PROJECT["project"]["dynamic"] == ["version"] and "version" not in PROJECT["project"]
    assert PROJECT["tool"]["hatch"]["version"]["path"] == "dealerkit/__init__.py"
    stated = re.findall(r'^__version__ = "(\d+\.\d+\.\d+)"$', read("dealerkit/__init__.py"), re.MULTILINE)
    assert stated == [dealerkit.__version__]
    assert "release = version = dealerkit.__version__" in read("docs/conf.py")
    assert re.search(r"^version: (.+)$", read("CITATION.cff"), re.MULTILINE)[1] == dealerkit.__version__
    assert f"| dealerkit {dealerkit.__version__} |" in read("README.md")


def test_the_changelog_has_its_form() -> None:
    text = read("CHANGELOG.md")
    parts = re.findall(r"^## (.+)$", text, re.MULTILINE)
    assert parts[0] == "Unreleased" or re.fullmatch(
        re.escape(dealerkit.__version__) + r" - \d{4}-\d\d-\d\d", parts[0]
    )
    assert all(re.fullmatch(r"\d+\.\d+\.\d+ - \d{4}-\d\d-\d\d", part) for part in parts[1:])
    for part in text.split("\n## ")[1:]:
        headings = re.findall(r"^### (.+)$", part, re.MULTILINE)
        assert headings == [heading for heading in HEADINGS if heading in headings]
        for block in part.split("\n### ")[1:]:
            lines = block.splitlines()[1:]
            assert all(not line or line.startswith(("- ", "  ")) for line in lines)


def test_each_number_of_a_version_is_in_its_file() -> None:
    listed = re.findall(
        r"^\| `([A-Z_]+)` \| `(\S+\.py)` \|", read("docs/contributing/releasing.md"), re.MULTILINE
    )
    assert len(listed) >= 7
    for name, file in listed:
        assert re.search(rf"\b{name}\b.* = ", read(file)), name
    defined = {
        (name, path.relative_to(ROOT).as_posix())
        for path in (ROOT / "dealerkit").rglob("*.py")
        for name in re.findall(
            r"^(?:\w+, )?(\w*VERSION) = [^#\n]*\d\b *(?:#.*)?$", path.read_text("utf-8"), re.MULTILINE
        )
        if not name.startswith("_")
    }
    assert len(defined) >= 7 and sorted(defined - set(listed)) == []


def test_each_dependency_has_its_licence_listed() -> None:
    project = PROJECT["project"]
    extras = [one for group in project["optional-dependencies"].values() for one in group]
    names = {re.match(r"[\w-]+", one)[0] for one in [*project["dependencies"], *extras]} - {"dealerkit"}
    listed = {row[0]: row[2] for row in rows("docs/reference/licences.md", "Packages")}
    assert set(listed) - {"llvmlite"} == names
    compared = 0
    for name, licence in listed.items():
        try:
            about = metadata(name)
        except PackageNotFoundError:
            continue
        classifiers = [one for one in about.get_all("Classifier", []) if one.startswith("License")]
        text = " ".join(filter(None, [about.get("License-Expression"), about.get("License"), *classifiers]))
        if not text:  # llvmlite's wheel for Windows says nothing
            continue
        first = re.match(r"[A-Za-z]+", licence)[0]
        assert FAMILIES[first] in text or licence.split(" ")[0] in text, name
        compared += 1
    assert compared >= 12


@pytest.mark.parametrize("folder", ["dealerkit/data", "tests/data"])
def test_each_file_of_data_has_its_licence_listed(folder: str) -> None:
    patterns = [row[0].strip("`") for row in rows("docs/reference/licences.md", "Data")]
    files = [
        path.relative_to(ROOT) for path in (ROOT / folder).iterdir() if path.suffix in (".npz", ".csv", ".gz")
    ]
    assert files and [str(file) for file in files if not any(file.match(p) for p in patterns)] == []
