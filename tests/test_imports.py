"""The plan of the house: who may import whom, and what is imported only when it is used."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "dealerkit"

FLOORS = {
    "errors": 0, "files": 0, "statistics": 0, "registry": 0, "compiled": 0, "machine": 0, "arguments": 0,
    "cards": 1,
    "scoring": 2, "evaluators": 2,
    "dealing": 3, "doubledummy": 3,
    "libraries": 4,
    "language": 5,
    "actions": 6,
    "planning": 7,
    "simulation": 8,
    "studies": 9, "plots": 9,
    "notebook": 10, "cli": 10, "testing": 10, "__main__": 11,
    "": 11,  # the door, dealerkit/__init__.py
}  # fmt: skip
EVERYWHERE = {"errors"}  # the one room that its own floor may use

# (file, function, module) of the imports that may go up, each inside the function that delegates.
UPWARDS = {
    ("cards/deals.py", "Deals.eval", "language.frames"),
    ("cards/deals.py", "Deals.where", "language.frames"),
    ("cards/deals.py", "Deals.to_frame", "language.frames"),
    ("cards/deals.py", "Deals.sides", "studies.sides_frame"),
    ("cards/accessor.py", "*", "*"),
    ("actions/*.py", "Report.plot", "plots*"),
    ("simulation/*.py", "Result.plot", "plots*"),
}

WHEN_USED = {"matplotlib", "IPython", "ipywidgets", "dask", "distributed", "pyarrow", "endplay", "pandas"}
PANDAS_COLUMN = {"cards/array.py", "cards/accessor.py"}
NUMERICS = {
    "statistics",
    "registry",
    "compiled",
    "scoring",
    "evaluators",
    "dealing",
    "doubledummy",
    "planning",
}
FRAMES = {"doubledummy/positions.py", "doubledummy/leads.py"}  # their answers are frames
NUMERICS_TOO = ("language/*.py", "language/frames.py")  # all of the first but the second

HANDS_IT_ON = (
    "language/dialects.py", "language/__init__.py", "language/frames.py", "actions/text*.py",
    "simulation/run*.py", "planning/explain.py", "planning/why.py", "cards/deals.py", "cards/accessor.py", "notebook/*.py", "cli/*.py", "__init__.py",
)  # fmt: skip


@dataclass(frozen=True)
class Import:
    """One imported module, and the class and function around the import ("" at module level)."""

    module: str
    inside: str
    line: int
    typing_only: bool = False


def modules_of(node: ast.Import | ast.ImportFrom, file: str) -> Iterator[str]:
    """Full names; ``from dealerkit import registry`` names the submodule, not the door."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    base = node.module or ""
    if node.level:
        parents = ["dealerkit", *Path(file).parts[:-1]]
        base = ".".join([*parents[: len(parents) - node.level + 1], *([base] if base else [])])
    if base != "dealerkit":
        yield base
    else:
        yield from (f"dealerkit.{alias.name}" for alias in node.names)


def imports(source: str, file: str) -> Iterator[Import]:
    """All imports of a file, at any depth."""

    def walk(node: ast.AST, inside: tuple[str, ...], function: bool, typing_only: bool) -> Iterator[Import]:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.Import | ast.ImportFrom):
                for module in modules_of(child, file):
                    yield Import(module, ".".join(inside) if function else "", child.lineno, typing_only)
            elif isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from walk(child, (*inside, child.name), True, typing_only)
            elif isinstance(child, ast.ClassDef):
                yield from walk(child, (*inside, child.name), function, typing_only)
            else:
                guarded = isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test)
                yield from walk(child, inside, function, typing_only or guarded)

    yield from walk(ast.parse(source), (), False, False)


def room_of(file: str) -> str:
    first = Path(file).parts[0].removesuffix(".py")
    return "" if first == "__init__" else first


def going_up(source: str, file: str) -> Iterator[str]:
    """Imports from the same or a higher floor that are not on the list."""
    room = room_of(file)
    for found in imports(source, file):
        if found.module.split(".")[0] != "dealerkit" or found.module == "dealerkit.__version__":
            continue
        target = found.module.removeprefix("dealerkit").removeprefix(".")
        other = target.split(".")[0]
        if other == room or other in EVERYWHERE:
            continue
        if other not in FLOORS:
            yield f"{file}:{found.line} imports {found.module}, which has no floor"
        elif FLOORS[other] >= FLOORS[room] and not any(
            fnmatch(file, where) and found.inside and fnmatch(found.inside, who) and fnmatch(target, what)
            for where, who, what in UPWARDS
        ):
            yield (
                f"{file}:{found.line} (floor {FLOORS[room]}) imports {found.module} (floor {FLOORS[other]})"
                f"{' in ' + found.inside if found.inside else ''}"
            )


def too_early(source: str, file: str) -> Iterator[str]:
    """Heavy libraries at module level, and pandas where only arrays belong."""
    numeric = (room_of(file) in NUMERICS and file not in FRAMES) or (
        fnmatch(file, NUMERICS_TOO[0]) and not fnmatch(file, NUMERICS_TOO[1])
    )
    for found in imports(source, file):
        library = found.module.split(".")[0]
        if library == "pandas" and numeric:
            yield f"{file}:{found.line} knows of pandas"
        elif library == "pandas" and file in PANDAS_COLUMN:
            continue
        elif library in WHEN_USED and not found.inside and not found.typing_only:
            yield f"{file}:{found.line} imports {library} before it is used"


def knows_dialects(source: str, file: str) -> Iterator[str]:
    if any(fnmatch(file, pattern) for pattern in HANDS_IT_ON):
        return
    for number, line in enumerate(source.splitlines(), 1):
        if re.search(r"\bdialect\b", line):
            yield f"{file}:{number} says 'dialect': {line.strip()[:80]}"


RULES = (going_up, too_early, knows_dialects)


@pytest.mark.parametrize("rule", RULES)
def test_house(rule):
    files = sorted(PACKAGE.rglob("*.py"))
    assert len(files) > 20
    broken = [
        fault
        for path in files
        for fault in rule(path.read_text(encoding="utf-8"), path.relative_to(PACKAGE).as_posix())
    ]
    assert not broken, "\n" + "\n".join(broken)


def test_every_room_has_a_floor():
    rooms = {room_of(path.relative_to(PACKAGE).as_posix()) for path in PACKAGE.rglob("*.py")}
    assert rooms <= set(FLOORS), rooms - set(FLOORS)


@pytest.mark.parametrize(
    ("rule", "file", "source", "faults"),
    [
        (going_up, "cards/deals.py", "from dealerkit.language import nodes", 1),
        (going_up, "cards/deals.py", "from dealerkit import registry, language", 1),
        (going_up, "cards/deals.py", "from ..language import nodes", 1),
        (going_up, "cards/deals.py", "from . import names", 0),
        (going_up, "cards/deals.py", "def f():\n    import dealerkit.dealing.uniform.stream", 1),
        (going_up, "dealing/uniform.py", "from dealerkit.doubledummy import solve", 1),
        (going_up, "dealing/uniform.py", "from dealerkit import deal", 1),
        (going_up, "dealing/uniform.py", "from dealerkit.cards.deals import Deals", 0),
        (going_up, "registry.py", "from dealerkit.errors import ArgumentError", 0),
        (going_up, "errors.py", "from dealerkit.registry import get_function", 1),
        (
            going_up,
            "cards/deals.py",
            "class Deals:\n    def eval(self):\n        from dealerkit.compiler.frames import evaluate_text",
            0,
        ),
        (
            going_up,
            "cards/deals.py",
            "class Deals:\n    def sort(self):\n        from dealerkit.compiler.frames import evaluate_text",
            1,
        ),
        (
            going_up,
            "cards/deals.py",
            "class Deals:\n    def eval(self):\n        from dealerkit.simulation.run import run",
            1,
        ),
        (going_up, "cards/accessor.py", "from dealerkit.compiler.frames import evaluate_text", 1),
        (
            going_up,
            "cards/accessor.py",
            "def f():\n    from dealerkit.compiler.frames import evaluate_text",
            0,
        ),
        (too_early, "plots/reports.py", "import matplotlib.pyplot as plt", 1),
        (too_early, "plots/reports.py", "def f():\n    import matplotlib.pyplot as plt", 0),
        (too_early, "plots/reports.py", "class A:\n    import matplotlib", 1),
        (too_early, "plots/reports.py", "if TYPE_CHECKING:\n    from matplotlib.axes import Axes", 0),
        (too_early, "cards/array.py", "import pandas as pd", 0),
        (too_early, "cards/deal.py", "import pandas as pd", 1),
        (too_early, "dealing/uniform.py", "def f():\n    import pandas as pd", 1),
        (too_early, "language/parser.py", "def f():\n    import pandas as pd", 1),
        (too_early, "language/frames.py", "def f():\n    import pandas as pd", 0),
        (knows_dialects, "planning/plan.py", "def f(dialect): pass", 1),
        (knows_dialects, "planning/plan.py", "from dealerkit.language.dialects import Rules", 0),
        (knows_dialects, "simulation/run.py", "def f(dialect): pass", 0),
    ],
)
def test_the_rules_see_what_they_should(rule, file, source, faults):
    assert len(list(rule(source, file))) == faults
